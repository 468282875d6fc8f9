"""What happens to a hold."""

from __future__ import annotations

from typing import Literal

from .canonical import Json, JsonObject
from .credentials import CredentialRecord
from .events import Event, Maybe, event
from .holds import DecisionBasis, ItemDecision, ResultOutcome, Status, Verdict
from .ids import PrincipalId
from .risk import Level

Cause = Literal["withdrawn", "policy", "standing", "record", "restored"]


@event("hold.opened")
class HoldOpened(Event):
    """people are asked; a low approval is decided at once"""

    digest: str
    risk: Level
    rules: tuple[str, ...]
    policy_version: int


@event("hold.reviewed")
class HoldReviewed(Event):
    """one person's approval, rejection or answer"""

    verdict: Verdict
    reason: str | None
    roles: tuple[str, ...]
    credential: CredentialRecord | None = None
    digest: str
    revision: int
    approvals: int
    approvals_needed: int


@event("hold.decided")
class HoldDecided(Event):
    """the outcome, made once"""

    outcome: Status
    basis: DecisionBasis
    digest: str
    revision: int
    reason: str | None
    answer: Json
    items: tuple[ItemDecision, ...]
    approvers: tuple[PrincipalId, ...]


@event("hold.amended")
class HoldAmended(Event):
    """the next revision; earlier approvals no longer count"""

    revision: int
    digest: str
    previous_digest: str
    changes: tuple[JsonObject, ...] = ()
    reason: str | None
    counts_as_approval: bool
    credential: CredentialRecord | None = None
    risk: Level
    rules: tuple[str, ...]
    policy_version: int


@event("hold.withdrawn")
class HoldWithdrawn(Event):
    """someone withdrew their approval"""

    digest: str
    reason: str | None


@event("hold.reopened")
class HoldReopened(Event):
    """its decision is void and people are asked again: an approval was withdrawn, the policy requires more, an
    approver no longer has their role (standing), the row disagrees with its events (record), or a backup brought
    the approval back (restored)"""

    cause: Cause
    digest: str
    why: Maybe[tuple[str, ...]] = None
    risk: Maybe[Level] = None
    rules: Maybe[tuple[str, ...]] = None
    policy_version: Maybe[int] = None


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


@event("hold.escalated")
class HoldEscalated(Event):
    """nobody decided in time, so more people may; `expires_at` is the new deadline"""

    added_roles: tuple[str, ...]
    digest: str
    expires_at: str | None = None
