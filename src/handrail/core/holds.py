"""A hold: a durable question to people, with the reviews, the decision and the one use of it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Literal
from uuid import UUID

from . import canonical, ids
from .canonical import Json, JsonObject
from .credentials import Credential
from .ids import HoldId, PrincipalId, RunId
from .risk import Assessment, ExpiryOutcome

DIGEST_VERSION = 1
# the action of the holds that make grants: only the server opens one
GRANT = "handrail.grant"
# what those whom an escalation adds have at the least
ESCALATION_TIME = timedelta(minutes=10)


class Kind(StrEnum):
    confirmation = "confirmation"
    approval = "approval"
    input = "input"
    review = "review"


class Status(StrEnum):
    pending = "pending"
    approved = "approved"
    rejected = "rejected"
    answered = "answered"
    expired = "expired"
    cancelled = "cancelled"


class Verdict(StrEnum):
    approve = "approve"
    reject = "reject"
    answer = "answer"
    amend = "amend"
    respond = "respond"


Origin = Literal["skill_sandbox", "task", "change", "grant"]
"""Where an action comes from, said by the server alone: a skill's tool that stays in its sandbox, a task of
`/orchestrate`, whose name, target and resource type are facts, or a person who proposes a grant."""

DecisionBasis = Literal["people", "policy", "expiry", "requester", "brake", "observation", "grant"]
"""`observation`: nobody was asked, because the agent is only observed. `grant`: people had said so before."""
ResultOutcome = Literal["succeeded", "failed", "unknown"]


@dataclass(frozen=True, slots=True)
class Action:
    """What the agent wants to do, and to what."""

    name: str
    args: JsonObject
    target: str | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """Exactly what is shown and decided on: the digest covers all of it and nothing else.

    A confirmation or an input may have no action: then there is nothing to redeem.
    """

    kind: Kind
    title: str
    action: Action | None
    items: tuple[JsonObject, ...] = ()
    schema: Json = None
    evidence: Json = None

    @property
    def item_ids(self) -> list[str]:
        return [str(item["item_id"]) for item in self.items]

    def digest(self) -> str:
        action = self.action
        return canonical.sha256(
            {
                "version": DIGEST_VERSION,
                "kind": self.kind.value,
                "title": self.title,
                "action": action and {"name": action.name, "args": action.args, "target": action.target},
                "items": list(self.items),
                "schema": self.schema,
                "evidence": self.evidence,
            }
        )


@dataclass(frozen=True, slots=True)
class ItemDecision:
    item_id: str
    approved: bool
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Review:
    """One person's say on the current revision, with the roles held at that moment and the credential it came with.

    The `reason` of a response is the response itself.
    """

    by: PrincipalId
    roles: frozenset[str]
    verdict: Verdict
    at: datetime
    reason: str | None = None
    credential: Credential | None = None
    passkey: UUID | None = None
    """The one that signed it."""
    on_behalf_of: PrincipalId | None = None
    """Who is away, and whose roles these are; nobody where it was given in one's own right."""
    pack: str | None = None
    """The hash of the pack that was on their screen."""

    @property
    def authority(self) -> PrincipalId:
        """Whose word it is. One person's word counts once, whoever gives it."""
        return self.on_behalf_of or self.by


@dataclass(frozen=True, slots=True)
class Decision:
    """The outcome. `by` is the person whose review settled it, or nobody where policy or the clock did; `on_behalf_of`
    is who was away, where they stood in for somebody."""

    outcome: Status
    basis: DecisionBasis
    at: datetime
    by: PrincipalId | None = None
    reason: str | None = None
    answer: Json = None
    items: tuple[ItemDecision, ...] = ()
    on_behalf_of: PrincipalId | None = None
    grant: UUID | None = None
    """By which grant, where that is the basis."""


@dataclass(frozen=True, slots=True)
class Redemption:
    key: str
    by: PrincipalId
    at: datetime


@dataclass(frozen=True, slots=True)
class Result:
    outcome: ResultOutcome
    at: datetime
    detail: Json = None


@dataclass(frozen=True, slots=True)
class Hold:
    id: HoldId
    opener: PrincipalId
    question: Question
    digest: str
    assessment: Assessment
    opened_at: datetime
    status: Status = Status.pending
    revision: int = 1
    starter: PrincipalId | None = None
    run_id: RunId | None = None
    case_id: str | None = None
    description: str | None = None
    context: Json = None
    task: JsonObject | None = None
    """What the opener claims of the action: it may raise the level, and lowers it only where claims are trusted."""
    refused_before: int = 0
    """How often people rejected the same action of the opener before, as the server counts it."""
    origin: Origin | None = None
    takes_response: bool = False
    """The opener takes words in place of yes or no. Nothing runs on them, so they are not in the digest."""
    on_expiry: ExpiryOutcome = "expire"
    asked_expiry: datetime | None = None
    expires_at: datetime | None = None
    escalate_at: datetime | None = None
    escalated_at: datetime | None = None
    reviews: tuple[Review, ...] = ()
    decision: Decision | None = None
    redemption: Redemption | None = None
    result: Result | None = None
    number: int = field(default=0, compare=False)
    """For people, given by the database when the hold is written; so is that of its run."""
    run_number: int | None = field(default=None, compare=False)

    @property
    def short_id(self) -> str:
        return ids.short("H", self.number)

    @property
    def run_short_id(self) -> str | None:
        return None if self.run_number is None else ids.short("R", self.run_number)

    @property
    def pending(self) -> bool:
        return self.status is Status.pending

    @property
    def unasked(self) -> bool:
        """It was let through, because the agent is only observed."""
        return self.decision is not None and self.decision.basis == "observation"

    @property
    def grant(self) -> UUID | None:
        """By which grant it was approved."""
        return self.decision.grant if self.decision else None

    @property
    def requesters(self) -> frozenset[PrincipalId]:
        return frozenset({self.opener} if self.starter is None else {self.opener, self.starter})

    @property
    def approvers(self) -> dict[PrincipalId, frozenset[str]]:
        """Who said yes to the current revision, with the roles held then."""
        return {r.by: r.roles for r in self.reviews if r.verdict is Verdict.approve}

    @property
    def spoken(self) -> frozenset[PrincipalId]:
        """Whose word is in, so that it waits for others. Nobody's where it is open although the approvals would do, as
        after an amendment: then one of them still has to say so."""
        if self.assessment.requirements.met_by(self.approvers):
            return frozenset()
        return frozenset(who for r in self.reviews for who in (r.by, r.authority))

    @property
    def supporters(self) -> frozenset[PrincipalId]:
        """On whose standing the approvals rest: those who gave them, and those who were away."""
        given = [r for r in self.reviews if r.verdict is Verdict.approve]
        return frozenset(who for r in given for who in (r.by, r.authority))

    def due(self, now: datetime) -> Literal["escalate", "expire"] | None:
        """What the clock asks for.

        An escalation that was to come before the expiry does so however late it is: downtime expires nothing unseen.
        """
        if not self.pending:
            return None
        escalate_at = self.escalate_at if self.escalated_at is None else None
        comes_first = escalate_at is not None and (self.expires_at is None or escalate_at < self.expires_at)
        if escalate_at is not None and comes_first and now >= escalate_at:
            return "escalate"
        if self.expires_at is not None and now >= self.expires_at:
            return "expire"
        return None

    def expiry_after_escalation(self, told: datetime) -> datetime | None:
        """Never earlier than it was: those added have from now the time that was meant for them, 10 minutes at least.

        What was meant is the distance between escalation and expiry: the policy's, or less where the opener asked for
        an earlier expiry.
        """
        if self.expires_at is None or self.escalate_at is None:
            return self.expires_at
        return max(self.expires_at, told + max(self.expires_at - self.escalate_at, ESCALATION_TIME))

    def with_deadlines(self, since: datetime) -> Hold:
        """The assessment's deadlines counted from `since`; the one the opener asked for stands where it is earlier."""
        timeout, escalate = self.assessment.timeout, self.assessment.escalate_after
        limits = [since + timeout] if timeout is not None else []
        limits += [self.asked_expiry] if self.asked_expiry is not None else []
        return replace(
            self,
            expires_at=min(limits, default=None),
            escalate_at=since + escalate if escalate is not None else None,
            escalated_at=None,
        )
