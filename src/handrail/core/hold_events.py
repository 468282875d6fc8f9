"""What happens to a hold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal
from uuid import UUID

from .canonical import Json, JsonObject
from .credentials import CredentialRecord
from .events import Event, Maybe, event
from .holds import DecisionBasis, ItemDecision, ResultOutcome, Status, Verdict
from .ids import PrincipalId
from .parts import Decision, HoldNote, Question
from .passkeys import Signature
from .risk import Level

Cause = Literal["withdrawn", "policy", "standing", "enforced", "grant", "record", "restored"]
REOPENED: Mapping[Cause, str] = {
    "withdrawn": "an approval was withdrawn",
    "policy": "the current policy requires more than was given",
    "standing": "an approver no longer has the role",
    "enforced": "the agent is no longer only observed",
    "grant": "the grant no longer covers it",
    "record": "it disagreed with its events",
    "restored": "a backup was restored",
}


@event("hold.opened")
class HoldOpened(Event):
    """people are asked; a low approval, one of an agent that is only observed and one that a grant covers are decided
    at once"""

    digest: str
    risk: Level
    rules: tuple[str, ...]
    policy_version: int

    def part(self) -> Question:
        return Question(cause="opened", digest=self.digest, risk=self.risk)


@event("hold.reviewed")
class HoldReviewed(Event):
    """one person's approval, rejection, answer or response (`reason` is then what it says); `on_behalf_of` is who was
    away, and whose roles these are; `pack` is the hash of the decision pack that was shown"""

    verdict: Verdict
    reason: str | None
    roles: tuple[str, ...]
    on_behalf_of: Maybe[PrincipalId] = None
    credential: CredentialRecord | None = None
    signature: Maybe[Signature] = None
    digest: str
    revision: int
    approvals: int
    approvals_needed: int
    pack: Maybe[str] = None

    def part(self) -> HoldNote | None:
        """One of several approvals; the last one is told by the decision."""
        if self.verdict is not Verdict.approve or self.approvals >= self.approvals_needed:
            return None
        return HoldNote(text=f"approved ({self.approvals} of {self.approvals_needed})", reason=self.reason)


@event("hold.decided")
class HoldDecided(Event):
    """the outcome, made once; with the basis `grant`, each is one use of that grant"""

    outcome: Status
    basis: DecisionBasis
    digest: str
    revision: int
    reason: str | None
    answer: Json
    items: tuple[ItemDecision, ...]
    approvers: tuple[PrincipalId, ...]
    on_behalf_of: Maybe[PrincipalId] = None
    grant: Maybe[UUID] = None

    def part(self) -> Decision:
        return Decision(
            digest=self.digest,
            outcome=self.outcome,
            basis=self.basis,
            reason=self.reason,
            answer=self.answer,
            items=self.items,
        )


@event("hold.amended")
class HoldAmended(Event):
    """the next revision; earlier approvals no longer count"""

    revision: int
    digest: str
    previous_digest: str
    changes: tuple[JsonObject, ...] = ()
    reason: str | None
    counts_as_approval: bool
    on_behalf_of: Maybe[PrincipalId] = None
    credential: CredentialRecord | None = None
    pack: Maybe[str] = None
    risk: Level
    rules: tuple[str, ...]
    policy_version: int

    def part(self) -> Question:
        return Question(cause="amended", digest=self.digest, risk=self.risk, reason=self.reason)


@event("hold.withdrawn")
class HoldWithdrawn(Event):
    """someone withdrew their approval, or the one that a stand-in (`given_by`) gave for them"""

    digest: str
    reason: str | None
    given_by: Maybe[PrincipalId] = None

    def part(self) -> HoldNote:
        return HoldNote(text="approval withdrawn", reason=self.reason)


@event("hold.reopened")
class HoldReopened(Event):
    """its decision is void and people are asked again: an approval was withdrawn, the policy requires more, an
    approver no longer has their role (standing), the agent is no longer only observed (enforced), the grant ended or
    its makers no longer suffice (grant), the row disagrees with its events (record), or a backup brought the approval
    back (restored)"""

    cause: Cause
    digest: str
    why: Maybe[tuple[str, ...]] = None
    risk: Maybe[Level] = None
    rules: Maybe[tuple[str, ...]] = None
    policy_version: Maybe[int] = None

    def part(self) -> Question:
        return Question(cause="reopened", digest=self.digest, risk=self.risk, reason=REOPENED[self.cause])


@event("hold.redeemed")
class HoldRedeemed(Event):
    """the approval was used, once"""

    digest: str


@event("hold.resulted")
class HoldResulted(Event):
    """what happened when the action ran"""

    outcome: ResultOutcome
    detail: Json
    digest: str

    def part(self) -> HoldNote:
        return HoldNote(text="carried out", reason=self.outcome)


@event("hold.escalated")
class HoldEscalated(Event):
    """nobody decided in time, so more people may; `expires_at` is the new deadline"""

    added_roles: tuple[str, ...]
    digest: str
    expires_at: str | None = None

    def part(self) -> HoldNote:
        return HoldNote(text=f"escalated to {', '.join(self.added_roles)}")
