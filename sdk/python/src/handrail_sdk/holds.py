"""What the server answers, as frozen values. Times are UTC-aware; JSON values are plain Python."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, TypeAlias

Kind: TypeAlias = Literal["confirmation", "approval", "input", "review"]
Status: TypeAlias = Literal["pending", "approved", "rejected", "answered", "expired", "cancelled"]
Verdict: TypeAlias = Literal["approve", "reject", "answer", "amend", "respond"]
ResultOutcome: TypeAlias = Literal["succeeded", "failed", "unknown"]
ExpiryOutcome: TypeAlias = Literal["expire", "reject"]


@dataclass(frozen=True, slots=True)
class Who:
    """A principal: a person, a service or an agent."""

    id: str
    name: str
    kind: str


@dataclass(frozen=True, slots=True)
class Action:
    """What is to be done, and to what. `args` must be JSON."""

    name: str
    args: dict[str, Any] = field(default_factory=dict[str, Any])
    target: str | None = None


@dataclass(frozen=True, slots=True)
class Rule:
    """A policy rule that fired, and why."""

    rule: str
    level: str
    reason: str


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that is known about the action, and its source."""

    name: str
    value: str
    source: str


@dataclass(frozen=True, slots=True)
class Requirements:
    """How many people must approve, with which roles; for each group of `required`, a separate person."""

    approvals: int
    roles: tuple[str, ...]
    required: tuple[tuple[str, ...], ...]
    rejections: int
    justification: bool
    own_credential: bool = False
    passkey: bool = False
    requester_may_decide: bool = False


@dataclass(frozen=True, slots=True)
class Review:
    """One person's say."""

    by: Who
    verdict: Verdict
    roles: tuple[str, ...]
    at: datetime
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class ItemDecision:
    """The decision on one item of a batch."""

    item_id: str
    approved: bool
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Decision:
    """The outcome of a hold. `by` is None if the policy or the clock decided."""

    outcome: Status
    basis: str
    at: datetime
    by: Who | None = None
    reason: str | None = None
    answer: Any = None
    items: tuple[ItemDecision, ...] = ()


@dataclass(frozen=True, slots=True)
class Redemption:
    """Who used the approval, and when."""

    by: Who
    at: datetime


@dataclass(frozen=True, slots=True)
class Result:
    """What happened when the action ran."""

    outcome: ResultOutcome
    at: datetime
    detail: Any = None


@dataclass(frozen=True, slots=True)
class MayDecide:
    """Whether this client's principal may decide the hold, and if not, why."""

    allowed: bool
    code: str | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class HandWarning:
    """Two of the approvers may be one person: `sign` is what they have in common."""

    sign: str
    people: tuple[Who, ...]
    text: str
    channel: str | None = None


@dataclass(frozen=True, slots=True)
class Hold:
    """A durable question to people, as it is now."""

    id: str
    kind: Kind
    status: Status
    title: str
    digest: str
    revision: int
    risk: str
    requirements: Requirements
    action: Action | None
    opened_by: Who
    opened_at: datetime
    may_decide: MayDecide
    short_id: str = ""
    description: str | None = None
    rules: tuple[Rule, ...] = ()
    policy_version: int | None = None
    facts: tuple[Fact, ...] = ()
    task: Any = None
    items: tuple[dict[str, Any], ...] = ()
    schema: Any = None
    evidence: Any = None
    context: Any = None
    case_id: str | None = None
    run_id: str | None = None
    run_short_id: str | None = None
    started_by: Who | None = None
    expires_at: datetime | None = None
    on_expiry: ExpiryOutcome = "expire"
    takes_response: bool = False
    escalate_at: datetime | None = None
    escalated_at: datetime | None = None
    reviews: tuple[Review, ...] = ()
    decision: Decision | None = None
    redeemed: Redemption | None = None
    result: Result | None = None
    warnings: tuple[HandWarning, ...] = ()

    @property
    def pending(self) -> bool:
        """Nobody has decided yet."""
        return self.status == "pending"

    @property
    def approved(self) -> bool:
        """People or the policy approved the current revision, which may be an amended one."""
        return self.status == "approved"

    @property
    def response(self) -> str | None:
        """What a person said in place of yes or no. Nothing was approved by it, so nothing may run."""
        said = self.decision.answer if self.decision and self.kind != "input" else None
        return said if self.status == "answered" and isinstance(said, str) else None


@dataclass(frozen=True, slots=True)
class Redeem:
    """The use of an approval: the digest of what is about to run, and the key of this one execution."""

    digest: str
    key: str


@dataclass(frozen=True, slots=True)
class Redeemed:
    """The approval, used: exactly this action may run, once."""

    hold_id: str
    digest: str
    revision: int
    action: Action
    redeemed_at: datetime


@dataclass(frozen=True, slots=True)
class Comment:
    """What somebody said on a hold. `reply_to` is the id of the comment it replies to."""

    id: int
    by: Who
    at: datetime
    text: str
    reply_to: int | None = None


@dataclass(frozen=True, slots=True)
class Event:
    """One entry of the log, such as `hold.opened`. `seq` orders all events; `actor` is None if the clock acted."""

    seq: int
    type: str
    at: datetime
    actor: Who | None = None
    hold_id: str | None = None
    run_id: str | None = None
    case_id: str | None = None
    kind: str | None = None
    data: dict[str, Any] = field(default_factory=dict[str, Any])
