"""What a run's story consists of: a closed set of parts. Each event says which it reads as, whichever room declares it.

Who reads a story matches on these and on no event, so that the next system's events are read by every page, socket and
command that there is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, TypeAlias
from uuid import UUID

from .canonical import Json, JsonObject
from .holds import DecisionBasis, ItemDecision, Status
from .risk import Level
from .runs import RunStatus


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """The run was accepted."""

    is_: ClassVar[str] = "start"
    workflow: str
    mode: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """What a model said, as a whole."""

    is_: ClassVar[str] = "message"
    message_id: str
    attempt: int
    role: str
    node: str | None
    content: str
    reasoning: str | None
    tool_calls: tuple[JsonObject, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Retraction:
    """Text that was streamed and does not count."""

    is_: ClassVar[str] = "retraction"
    message_id: str
    attempt: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A tool is about to run."""

    is_: ClassVar[str] = "call"
    name: str
    call_id: str | None
    args: Json
    truncated: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Return:
    """A tool ran, or failed."""

    is_: ClassVar[str] = "return"
    name: str | None
    call_id: str | None
    content: Json
    failed: bool
    truncated: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A node of the graph ended; `update` is what it changed."""

    is_: ClassVar[str] = "step"
    step: int
    node: str
    namespace: str
    update: Json
    truncated: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """A larger piece of work begins, such as planning or testing."""

    is_: ClassVar[str] = "stage"
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far a long step has come; `total` is 0 where nobody knows."""

    is_: ClassVar[str] = "progress"
    message: str
    done: int = 0
    total: int = 0
    detail: JsonObject | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FileChange:
    """A file was edited: `diff` is unified."""

    is_: ClassVar[str] = "file"
    path: str
    diff: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TestResult:
    """One test, or one check, has ended."""

    # pytest looks for classes of this name
    __test__: ClassVar[bool] = False
    is_: ClassVar[str] = "test"
    name: str
    outcome: Literal["passed", "failed", "skipped"]
    seconds: float | None = None
    message: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """People are asked, for the first time or again; the hold is that of the event."""

    is_: ClassVar[str] = "question"
    cause: Literal["opened", "amended", "reopened"]
    digest: str
    risk: Level | None
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What became of a question."""

    is_: ClassVar[str] = "decision"
    digest: str
    outcome: Status
    basis: DecisionBasis
    reason: str | None
    answer: Json
    items: tuple[ItemDecision, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class HoldNote:
    """What else happened to a hold, without its subject: "escalated to cto"."""

    is_: ClassVar[str] = "hold_note"
    text: str
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Pause:
    """It waits for these holds, or for the brake to be lifted."""

    is_: ClassVar[str] = "pause"
    holds: tuple[UUID, ...]
    braked: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Resumption:
    is_: ClassVar[str] = "resumption"
    holds: tuple[UUID, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """A call to the outside."""

    is_: ClassVar[str] = "effect"
    name: str
    state: Literal["reserved", "completed", "unknown"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Retry:
    is_: ClassVar[str] = "retry"


@dataclass(frozen=True, slots=True, kw_only=True)
class End:
    """Of what is no longer kept, only the status is known."""

    is_: ClassVar[str] = "end"
    status: RunStatus
    reason: str | None = None
    code: str | None = None
    node: str | None = None
    hold_id: str | None = None
    braked: bool = False
    result: Json = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """Anything else, as a sentence."""

    is_: ClassVar[str] = "note"
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """An event whose data is no longer kept, or cannot be read; `what` is its type."""

    is_: ClassVar[str] = "gap"
    what: str


Speech: TypeAlias = Message | Retraction
ToolUse: TypeAlias = Call | Return
Work: TypeAlias = Step | Stage | Progress | FileChange | TestResult | Effect
Asking: TypeAlias = Question | Decision | HoldNote
Course: TypeAlias = Start | Pause | Resumption | Retry | End | Note | Gap
Part: TypeAlias = Speech | ToolUse | Work | Asking | Course
