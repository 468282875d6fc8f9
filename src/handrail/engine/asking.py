"""A run's questions: holds for what its graph asks, and what it resumes with once they are decided."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from types import MappingProxyType
from typing import Any
from uuid import UUID

import psycopg
from langgraph.errors import GraphDrained
from langgraph.types import Interrupt

from handrail.core import errors, sealing
from handrail.core.canonical import Json, JsonObject
from handrail.core.holds import Hold, Kind, Status
from handrail.core.ids import HoldId
from handrail.core.people import Principal, PrincipalKind
from handrail.core.runs import Run
from handrail.engine import questions
from handrail.engine.failures import Failed
from handrail.engine.kinds import Kind as WorkflowKind
from handrail.engine.questions.inquiry import UNBOUND, Inquiry
from handrail.holds import using
from handrail.holds.context import Context
from handrail.holds.opening import Opening, open_hold
from handrail.store import claims, holds
from handrail.store.database import Connection

SUPERSEDED = "the workflow now asks something else"


@dataclass(frozen=True, slots=True)
class Breakpoint:
    """What an interrupt asks that the graph was compiled to make, before or after a node."""

    nodes: tuple[str, ...]

    def inquiry(self) -> Inquiry:
        shown: JsonObject = {"nodes": [*self.nodes]}
        opening = Opening(
            Kind.confirmation, f"Continue with {', '.join(self.nodes)}?", evidence=shown, context={**UNBOUND}
        )
        return Inquiry((opening,), self._answer)

    def _answer(self, holds: Sequence[Hold], names: Mapping[UUID, str] = MappingProxyType({})) -> Json:
        (hold,) = holds
        if hold.status is not Status.approved:
            raise Failed(
                "stopped", f"the run may not continue with {', '.join(self.nodes)}: the hold was {hold.status}"
            )
        return True


@dataclass(frozen=True, slots=True)
class Question:
    """An interrupt that waits, and the holds that decide it."""

    interrupt: str
    inquiry: Inquiry
    openings: tuple[Opening, ...]
    at_breakpoint: bool = False

    @property
    def hold_ids(self) -> list[UUID]:
        return [opening.hold_id for opening in self.openings if opening.hold_id is not None]

    def with_others_for(self, taken_back: Collection[UUID]) -> Question:
        """The same, with other holds in the place of these."""
        openings = (
            replace(each, hold_id=_next(each.hold_id)) if each.hold_id and each.hold_id in taken_back else each
            for each in self.openings
        )
        return replace(self, openings=tuple(openings))


class Asking:
    def __init__(self, context: Context, run: Run, kind: WorkflowKind, refresh: Callable[[], Awaitable[None]]) -> None:
        self._context = context
        self._run = run
        self._kind = kind
        self._refresh = refresh
        self._known: dict[UUID, Hold] = {}
        # of the people who decided
        self._names: dict[UUID, str] = {}
        # until it was looked at once: then it may have changed
        self._woken_by = run.woken_by
        self._agent = Principal(run.agent, f"workflow/{run.workflow}", PrincipalKind.agent)

    async def read(self, interrupts: Sequence[Interrupt[Any]]) -> list[Question]:
        """What is asked, and the holds that there are of it. What the run itself took back, because it failed or asked
        something else, is asked again."""
        asked: list[Question] = [self._read(each) for each in interrupts]
        self._known, self._names = {}, {}
        looked_for = [each for question in asked for each in question.hold_ids]
        while looked_for:
            known, names = await self._look_for(looked_for)
            self._known |= known
            self._names |= names
            taken_back = [each.id for each in known.values() if _is_taken_back(each)]
            asked = [each.with_others_for(taken_back) for each in asked]
            looked_for = [_next(each) for each in taken_back]
        return asked

    async def _look_for(self, hold_ids: Sequence[UUID]) -> tuple[dict[UUID, Hold], Mapping[UUID, str]]:
        """Those that there are, and who decided. The one that woke the run came with it, as it was committed."""
        woken_by, self._woken_by = self._woken_by, None
        if woken_by is not None and list(hold_ids) == [woken_by.hold.id]:
            return {woken_by.hold.id: woken_by.hold}, woken_by.names
        async with self._context.database.connection() as conn:
            return await claims.holds_of(conn, hold_ids)

    def _read(self, interrupt: Interrupt[Any]) -> Question:
        if isinstance(interrupt.value, Breakpoint):
            inquiry = interrupt.value.inquiry()
        else:
            inquiry = questions.read(interrupt.value, interrupt.response_schema)
        openings = tuple(
            replace(
                opening,
                run_id=self._run.id,
                starter=self._run.starter,
                hold_id=_hold_id(self._run, interrupt.id, number, opening),
                origin=self._kind.origin(opening.action.name) if opening.action else None,
            )
            for number, opening in enumerate(inquiry.openings)
        )
        return Question(interrupt.id, inquiry, openings, isinstance(interrupt.value, Breakpoint))

    async def answers(self, asked: Sequence[Question]) -> dict[str, Any]:
        """What the decided ones resume with, by interrupt. Holds that are missing are opened, so that a crash between
        checkpoint and hold is mended here; approvals are redeemed, each for this interrupt and no other."""
        await self._open_missing(asked)
        found: dict[str, Any] = {}
        for question in asked:
            decided = [self._known[each] for each in question.hold_ids]
            if any(hold.pending for hold in decided):
                continue
            used = [await self._use(hold, f"run:{question.interrupt}") for hold in decided]
            if all(hold is not None for hold in used):
                settled = [self._opened(hold) for hold in used if hold is not None]
                found[question.interrupt] = question.inquiry.answer(settled, self._names)
        return found

    async def _open_missing(self, asked: Sequence[Question]) -> None:
        for opening in (opening for question in asked for opening in question.openings):
            if opening.hold_id not in self._known:
                hold = await self._open(opening)
                self._known[hold.id] = hold

    async def _open(self, opening: Opening) -> Hold:
        await self._refresh()
        try:
            return await open_hold(self._context, self._agent, opening)
        except psycopg.errors.UniqueViolation:
            # a worker that has lost the run asked the same in this moment
            assert opening.hold_id is not None
            async with self._context.database.connection() as conn:
                hold = await holds.get(conn, opening.hold_id)
            assert hold is not None
            return hold

    async def _use(self, hold: Hold, key: str) -> Hold | None:
        """The decided hold, redeemed where it is an approval; nothing where that is void or was withdrawn."""
        if hold.status is not Status.approved or hold.question.action is None:
            return hold
        await self._refresh()
        try:
            return await using.redeem(self._context, self._agent, hold.id, hold.digest, key)
        except (errors.ApprovalVoid, errors.NotApproved):
            return None

    def _opened(self, hold: Hold) -> Hold:
        """With its answer in clear, where that is secret. One that came after the run was claimed is not at hand: the
        run is given back, and comes with it."""
        decision = hold.decision
        if decision is None or not sealing.is_sealed(hold.question.schema, decision.answer):
            return hold
        if hold.id not in self._run.answers:
            raise GraphDrained("a secret answer has come")
        return replace(hold, decision=replace(decision, answer=self._run.answers[hold.id].answer))

    async def drop(self, hold_ids: Sequence[UUID]) -> None:
        """Take back what is no longer asked."""
        for hold_id in hold_ids:
            try:
                await using.cancel(self._context, self._agent, hold_id, SUPERSEDED)
            except errors.AlreadyDecided:
                continue


async def ready(conn: Connection, asked: Sequence[Question]) -> bool:
    """Whether one of the questions is fully decided, seen under the lock of the run's row."""
    pending = await claims.pending_of(conn, [each for question in asked for each in question.hold_ids])
    return any(pending.isdisjoint(question.hold_ids) for question in asked)


def _hold_id(run: Run, interrupt: str, number: int, opening: Opening) -> HoldId:
    """The same however often the same is asked at the same place, and another where the question changed."""
    asked = f"{run.id}|{interrupt}|{number}|{_fingerprint(opening)}"
    return HoldId(UUID(bytes=sha256(asked.encode()).digest()[:16]))


def _next(hold_id: UUID) -> HoldId:
    """The id of the hold that asks the same once more."""
    return HoldId(UUID(bytes=sha256(hold_id.bytes).digest()[:16]))


def _is_taken_back(hold: Hold) -> bool:
    """Cancelled in the name of the workflow, which nobody but the engine acts for."""
    return hold.status is Status.cancelled and hold.decision is not None and hold.decision.by == hold.opener


def _fingerprint(opening: Opening) -> str:
    action = opening.action
    asked = (action.name, action.args, action.target) if action else ()
    shown = (opening.kind.value, opening.title, *asked, opening.items, opening.schema)
    return sha256(repr((shown, opening.evidence)).encode()).hexdigest()
