"""What happens in a run, and which of it ends the run."""

from __future__ import annotations

from typing import Annotated, Any, cast
from uuid import UUID

from pydantic import BeforeValidator

from .canonical import Json, JsonObject
from .events import Event, Maybe, event
from .ids import PrincipalId
from .parts import Call, Effect, End, Message, Note, Pause, Progress, Resumption, Retraction, Retry, Return, Start, Step
from .runs import RunStatus


def _joined(namespace: Any) -> Any:
    """Written as a list at first."""
    return "|".join(cast("list[str]", namespace)) if isinstance(namespace, list) else namespace


@event("run.started")
class RunStarted(Event):
    """a run was accepted"""

    workflow: str
    mode: str | None

    def part(self) -> Start:
        return Start(workflow=self.workflow, mode=self.mode)


@event("run.step_completed")
class RunStepCompleted(Event):
    """a node ended and its result is kept; `namespace` is that of a subgraph; beyond 16 KiB `update` is shortened to
    its beginning as text (`truncated`)"""

    step: int
    node: str
    task: str
    namespace: Annotated[str, BeforeValidator(_joined)]
    update: Json
    truncated: Maybe[bool] = None

    def part(self) -> Step:
        return Step(
            step=self.step,
            node=self.node,
            namespace=self.namespace,
            update=self.update,
            truncated=bool(self.truncated),
        )


@event("run.tool_called")
class RunToolCalled(Event):
    """a tool is about to run; repeated if its node runs again"""

    name: str
    call_id: str | None
    args: Json
    truncated: Maybe[bool] = None

    def part(self) -> Call:
        return Call(name=self.name, call_id=self.call_id, args=self.args, truncated=bool(self.truncated))


@event("run.tool_returned")
class RunToolReturned(Event):
    """a tool ran, or raised (`failed`); `content` is shortened like `update`"""

    name: str | None = None
    call_id: str | None = None
    content: Json
    truncated: Maybe[bool] = None
    failed: Maybe[bool] = None

    def part(self) -> Return:
        return Return(
            name=self.name,
            call_id=self.call_id,
            content=self.content,
            failed=bool(self.failed),
            truncated=bool(self.truncated),
        )


@event("message.completed")
class MessageCompleted(Event):
    """a model's message whose node has ended"""

    message_id: str
    attempt: int
    role: str
    node: str | None
    content: str
    reasoning: Maybe[str] = None
    tool_calls: Maybe[tuple[JsonObject, ...]] = None

    def part(self) -> Message:
        return Message(
            message_id=self.message_id,
            attempt=self.attempt,
            role=self.role,
            node=self.node,
            content=self.content,
            reasoning=self.reasoning,
            tool_calls=self.tool_calls or (),
        )


@event("message.discarded")
class MessageDiscarded(Event):
    """streamed text that does not count, because its node runs again"""

    message_id: str
    attempt: int

    def part(self) -> Retraction:
        return Retraction(message_id=self.message_id, attempt=self.attempt)


@event("effect.reserved")
class EffectReserved(Event):
    """an external call is about to be made"""

    name: str
    key: str
    since: str

    def part(self) -> Effect:
        return Effect(name=self.name, state="reserved")


@event("effect.completed")
class EffectCompleted(Event):
    """an external call was made"""

    name: str

    def part(self) -> Effect:
        return Effect(name=self.name, state="completed")


@event("effect.unknown")
class EffectUnknown(Event):
    """an external call began and left no result, so it may have happened"""

    name: str
    key: str
    since: str

    def part(self) -> Effect:
        return Effect(name=self.name, state="unknown")


@event("run.progressed")
class RunProgressed(Event):
    """how far a long step has come; `detail` is the candidate in a run of `register_skills`"""

    message: str
    done: int
    total: int
    detail: JsonObject | None = None

    def part(self) -> Progress:
        return Progress(message=self.message, done=self.done, total=self.total, detail=self.detail)


@event("run.paused")
class RunPaused(Event):
    """it waits for people, without using resources, or the brake stopped it (`braked`)"""

    holds: tuple[UUID, ...]
    braked: Maybe[bool] = None

    def part(self) -> Pause:
        return Pause(holds=self.holds, braked=bool(self.braked))


@event("run.resumed")
class RunResumed(Event):
    """it resumed with what was decided; without holds if a brake was lifted"""

    holds: tuple[UUID, ...]

    def part(self) -> Resumption:
        return Resumption(holds=self.holds)


@event("run.graph_changed")
class RunGraphChanged(Event):
    """its workflow has changed since it began; both fields are versions"""

    from_: str | None
    to: str | None

    def part(self) -> Note:
        return Note(text="The workflow has changed since this run started")


@event("run.retried")
class RunRetried(Event):
    """someone retried it from its last good step; `failure` is the error it had ended with"""

    by: PrincipalId
    failure: JsonObject | None

    def part(self) -> Retry:
        return Retry()


@event("run.completed")
class RunCompleted(Event):
    """it ended with a result, shortened like `update`"""

    result: Json
    truncated: Maybe[bool] = None

    def part(self) -> End:
        return End(status=RunStatus.completed, result=self.result)


@event("run.failed")
class RunFailed(Event):
    """it ended with an error: `node_failed`, `budget_exceeded`, `question_unusable`, `answer_unusable`, `worker_lost`,
    `graph_changed`, `stopped` at a breakpoint, or a code of its workflow; `traceback` has the last 20 frames of the
    workflow's own code"""

    code: str
    message: str
    node: Maybe[str] = None
    traceback: Maybe[str] = None
    hold_id: Maybe[str] = None

    def part(self) -> End:
        why, hold_id = self.message, self.hold_id
        return End(status=RunStatus.failed, code=self.code, reason=why, node=self.node, hold_id=hold_id)


@event("run.cancelled")
class RunCancelled(Event):
    """ended by a person, by the brake (`braked`), or by the rejection of a hold (`hold_id`)"""

    by: PrincipalId | None
    reason: str | None
    hold_id: Maybe[str] = None
    braked: Maybe[bool] = None

    def part(self) -> End:
        by_brake = bool(self.braked)
        return End(status=RunStatus.cancelled, reason=self.reason, hold_id=self.hold_id, braked=by_brake)


@event("run.expired")
class RunExpired(Event):
    """nobody decided its hold in time, or it was idle for too long"""

    reason: str | None
    hold_id: str | None

    def part(self) -> End:
        return End(status=RunStatus.expired, reason=self.reason, hold_id=self.hold_id)


ENDS = {
    RunCompleted.type: RunStatus.completed,
    RunFailed.type: RunStatus.failed,
    RunCancelled.type: RunStatus.cancelled,
    RunExpired.type: RunStatus.expired,
}
"""What ends a run, and how it has ended then. Only `run.retried` undoes one of them, a failure."""
