"""Runs one claimed run to its next pause or its end."""
# LangGraph is typed in part
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import CheckpointTuple
from langgraph.checkpoint.serde.types import ERROR, INTERRUPT, TASKS
from langgraph.errors import GraphDrained
from langgraph.runtime import RunControl
from langgraph.types import Command, Interrupt, Send

from handrail.core import errors
from handrail.core.run_events import RunGraphChanged, RunPaused, RunResumed, RunStepCompleted
from handrail.core.runs import Run, RunStatus
from handrail.engine.asking import Asking, Breakpoint, Question, ready
from handrail.engine.checkpoints import CONTROL, FencedSaver
from handrail.engine.ending import Failure, end
from handrail.engine.failures import Failed, failure_of
from handrail.engine.messages import Hearing
from handrail.engine.orders import BRAKE
from handrail.engine.plain import shown
from handrail.engine.port import Port
from handrail.engine.registry import Workflow
from handrail.engine.scribe import Scribe
from handrail.holds.context import Context
from handrail.settings import Settings
from handrail.store import claims, events
from handrail.store.claims import Claim, Lost
from handrail.store.database import Connection
from handrail_sdk.langgraph import port

# claims without a checkpoint between them; then the run is what kills its workers
MOST_ATTEMPTS = 3
_TO_NODE = "branch:to:"


@dataclass(frozen=True, slots=True)
class Seat:
    """What a process has that runs runs, one after the other."""

    context: Context
    connection: Connection
    workflows: Mapping[str, Workflow]
    # takes up the policy in force now
    refresh: Callable[[], Awaitable[None]]
    settings: Settings


async def drive(seat: Seat, run: Run, control: RunControl) -> bool:
    """Runs it as far as it goes; false where it was taken away meanwhile. One that could not go on through no fault of
    its own is given back, one that a brake stops is paused; `Unavailable` where the database is away."""
    drive = _Drive(seat, run, control)
    flushing = asyncio.create_task(drive.scribe.keep_flushing())
    try:
        await _run_out(drive)
    except Lost:
        return False
    finally:
        flushing.cancel()
    return True


async def _run_out(drive: _Drive) -> None:
    try:
        await drive.go()
    except GraphDrained as drained:
        await (drive.rest() if drained.reason == BRAKE else drive.give_back())
    except errors.Braked:
        await drive.rest()


class _Drive:
    def __init__(self, seat: Seat, run: Run, control: RunControl) -> None:
        self.scribe = Scribe(seat.context, run)
        self._run = run
        self._context = seat.context
        self._control = control
        self._workflow = seat.workflows[run.workflow]
        self._graph = self._workflow.graph
        self._saver = FencedSaver(seat.connection, Claim.of(run), self.scribe, lambda: control.request_drain(BRAKE))
        self._graph.checkpointer = self._saver
        kind = self._workflow.kind
        self._asking = Asking(seat.context, run, kind, seat.refresh)
        self._port = Port(seat.context, run, kind, kind.settings(seat.settings), self.scribe.say)
        self._hearing = Hearing(self.scribe, seat.settings.model_prices, run.usage.cost, run.budget.cost)
        self._since = time.monotonic()
        # what was read at the start, until the graph has gone on from it
        self._found: CheckpointTuple | None = None
        self._node: str | None = None
        self._result: Any = None

    async def go(self) -> None:
        port.current.set(self._port)
        try:
            await self._go()
        except (errors.Unavailable, errors.Braked, GraphDrained, Lost):
            raise
        except Exception as error:
            await self._end(failure=failure_of(error, self._node, self._run.budget))

    async def give_back(self) -> None:
        await self.scribe.flush()
        async with self._context.database.transaction() as conn:
            await claims.give_back(conn, Claim.of(self._run))

    async def rest(self) -> None:
        """A brake stops the run: it is paused, and ready for any worker once that is lifted."""
        async with (
            self.scribe.writing() as write,
            claims.settling(self._context.database, Claim.of(self._run)) as conn,
        ):
            now = await claims.settle(conn, self._run.id, RunStatus.paused, worked=self._worked(), braked=True)
            await write(conn)
            paused = RunPaused(actor=self._run.agent, holds=(), braked=True)
            await events.append(conn, [paused], now, events.of_run(self._run))
        self._context.poke()
        # it may be lifted already
        self._context.wake()

    async def _go(self) -> None:
        self._found = await self._saver.aget_tuple(self._config())
        if self._found is not None:
            await self._check_version(self._found)
        if self._run.attempts > MOST_ATTEMPTS:
            raise await self._worker_lost()
        interrupts = await self._begin()
        while interrupts:
            asked = await self._asking.read(interrupts)
            answers = await self._asking.answers(asked)
            if answers:
                interrupts = await self._resume(asked, answers)
            elif await self._has_more_to_run(asked):
                interrupts = await self._stream(None)
            elif await self._pause(asked):
                return
        await self._end(result=self._result)

    async def _begin(self) -> Sequence[Interrupt[Any]]:
        """To the first question that waits, or to the end."""
        if self._found is None:
            return await self._stream(self._run.input if self._run.input is not None else {})
        if failed_before(self._found):
            # answers that it had are kept beside the error: LangGraph would take one given again for the next
            return await self._stream(None)
        return waiting(self._found) or await self._at_breakpoint() or await self._stream(None)

    async def _resume(self, asked: Sequence[Question], answers: Mapping[str, Any]) -> Sequence[Interrupt[Any]]:
        decided = (each for question in asked if question.interrupt in answers for each in question.hold_ids)
        self.scribe.say(RunResumed(holds=tuple(decided)))
        if any(question.at_breakpoint for question in asked):
            return await self._stream(None)
        return await self._stream(Command(resume=answers))

    async def _at_breakpoint(self) -> Sequence[Interrupt[Any]]:
        """The question whether to go on, where the graph was compiled to stop before or after nodes."""
        if not self._graph.interrupt_before_nodes and not self._graph.interrupt_after_nodes:
            return ()
        state = await self._graph.aget_state(self._config())
        place = state.config.get("configurable", {}).get("checkpoint_id")
        return [Interrupt(Breakpoint(state.next), f"breakpoint:{place}")] if state.next else ()

    async def _stream(self, value: Any) -> Sequence[Interrupt[Any]]:
        """Runs the graph until it asks, gives what it asks, or nothing where it ended."""
        self._saver.keep(self._found)
        self._found = None
        asked: dict[str, Interrupt[Any]] = {}
        async for part in self._graph.astream(
            value,
            self._config(),
            # `messages` alone makes models stream; what they say is heard by the callbacks
            stream_mode=["tasks", "values", "messages"],
            # its result is what the graph declares as its output, as where it is invoked
            output_keys=self._graph.output_channels,
            durability="sync",
            subgraphs=True,
            version="v2",
            control=self._control,
        ):
            if part["type"] == "tasks":
                self._tell(part["ns"], cast("dict[str, Any]", part["data"]))
            elif part["type"] == "values" and not part["ns"]:
                self._result = part["data"]
                asked |= {each.id: each for each in part["interrupts"]}
        return list(asked.values()) or await self._at_breakpoint()

    def _tell(self, namespace: Sequence[str], task: Mapping[str, Any]) -> None:
        """Of a task that ended: what it did. A beginning is told by its node's name alone, should it fail."""
        if task["name"].startswith("__"):
            return
        if "result" not in task or task["error"] is not None:
            self._node = task["name"]
        elif not task["interrupts"]:
            update, truncated = shown(task["result"])
            completed = RunStepCompleted(
                step=self._run.usage.steps + self._saver.steps + 1,
                node=task["name"],
                task=task["id"],
                namespace="|".join(namespace),
                update=update,
                truncated=truncated,
            )
            self.scribe.say(completed)

    def _config(self) -> RunnableConfig:
        left = self._run.budget.steps - self._run.usage.steps - self._saver.steps
        return {
            "configurable": {"thread_id": str(self._run.id)},
            "recursion_limit": max(left, 1),
            "callbacks": [self._hearing],
        }

    async def _has_more_to_run(self, asked: Sequence[Question]) -> bool:
        """Whether a worker that died cut off a task that asks nothing, beside those that wait."""
        if self._found is None or any(question.at_breakpoint for question in asked):
            return False
        state = await self._graph.aget_state(self._config())
        return len(state.next) > sum(bool(task.interrupts) for task in state.tasks)

    async def _pause(self, asked: Sequence[Question]) -> bool:
        """Whether the run now waits; not where a question was decided in this moment."""
        await self._drop_others(asked)
        hold_ids = [each for question in asked for each in question.hold_ids]
        async with (
            self.scribe.writing() as write,
            claims.settling(self._context.database, Claim.of(self._run)) as conn,
        ):
            if await ready(conn, asked):
                await write(conn)
                return False
            now = await claims.settle(conn, self._run.id, RunStatus.paused, worked=self._worked())
            paused = RunPaused(actor=self._run.agent, holds=tuple(hold_ids))
            await write(conn)
            await events.append(conn, [paused], now, events.of_run(self._run))
        self._context.poke()
        return True

    async def _drop_others(self, asked: Sequence[Question]) -> None:
        hold_ids = [each for question in asked for each in question.hold_ids]
        async with self._context.database.connection() as conn:
            others = await claims.asked_before(conn, self._run.id, hold_ids)
        await self._asking.drop(others)

    async def _end(self, *, result: Any = None, failure: Failure | None = None) -> None:
        async with self.scribe.writing_all() as write:
            await end(self._context, self._run, self._worked(), result=result, failure=failure, write=write)
        await self._drop_others([])

    def _worked(self) -> float:
        return self._run.usage.seconds + time.monotonic() - self._since

    async def _check_version(self, found: CheckpointTuple) -> None:
        """Tells of a graph that changed since; `Failed` where the node that is next is no longer there."""
        if self._run.version is None or self._run.version == self._workflow.version:
            return
        self.scribe.say(RunGraphChanged(from_=self._run.version, to=self._workflow.version))
        async with claims.fenced(self._context.database, Claim.of(self._run)) as conn:
            await claims.change_version(conn, self._run.id, self._workflow.version)
        gone = sorted(next_nodes(found) - set(self._graph.nodes))
        if gone:
            raise Failed(
                "graph_changed",
                f"this run is about to run {', '.join(gone)}, which the workflow no longer has: "
                "restore it, then retry the run",
                gone[0],
            )

    async def _worker_lost(self) -> Failed:
        state = await self._graph.aget_state(self._config())
        nodes = ", ".join(state.next) or "its first node"
        return Failed(
            "worker_lost",
            f"{self._run.attempts} workers in a row died while running {nodes}: check what it does, then retry",
            state.next[0] if state.next else None,
        )


def waiting(found: CheckpointTuple) -> list[Interrupt[Any]]:
    """The questions that wait for an answer in a checkpoint: of each task that has not ended, the last it asked."""
    asked: dict[str, Sequence[Interrupt[Any]]] = {}
    ended: set[str] = set()
    for task, channel, value in found.pending_writes or ():
        if channel == INTERRUPT:
            asked[task] = value if isinstance(value, Sequence) else [value]
        elif channel not in CONTROL:
            ended.add(task)
    return list({each.id: each for task, all_ in asked.items() if task not in ended for each in all_}.values())


def failed_before(found: CheckpointTuple) -> bool:
    return any(channel == ERROR for _, channel, _ in found.pending_writes or ())


def next_nodes(found: CheckpointTuple) -> set[str]:
    """The nodes that a checkpoint leads to, also those that the graph no longer has."""
    values = found.checkpoint["channel_values"]
    sends = values.get(TASKS) or ()
    return {name.removeprefix(_TO_NODE) for name in values if name.startswith(_TO_NODE)} | {
        send.node for send in sends if isinstance(send, Send)
    }
