"""A grant: a standing permission that people gave for one agent's calls of one action, within bounds.

It is made by a hold, whose action has its terms and whose reviews are its makers' words. It supplies an approval where
these would meet what the call's own level asks for now, and lowers nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from decimal import Decimal
from typing import Literal
from uuid import UUID

from . import authority, kinds, skills, transitions
from .grant_terms import Terms, Use
from .holds import Hold, Review, Status, Verdict
from .ids import HoldId, PrincipalId
from .risk import Level

Standing = Literal["proposed", "refused", "live", "used_up", "expired", "ended"]


@dataclass(frozen=True, slots=True)
class Grant:
    """`made` is the hold that makes it: it counts while that is approved."""

    made: Hold
    terms: Terms
    use: Use = field(default_factory=Use)
    last_used_at: datetime | None = None
    ended_at: datetime | None = None
    ended_by: UUID | None = None
    ended_why: str | None = None

    @property
    def id(self) -> HoldId:
        return self.made.id

    @property
    def owner(self) -> PrincipalId:
        return self.made.opener

    def standing(self, now: datetime) -> Standing:
        if self.ended_at is not None:
            return "ended"
        if self.made.pending:
            return "proposed"
        if self.made.status is not Status.approved:
            return "refused"
        if now >= self.terms.until:
            return "expired"
        return "live" if self.use.after(self.terms, Decimal(0), now) else "used_up"


def grantable(hold: Hold) -> bool:
    """Whether a grant can approve such a hold at all. What is critical is always asked, and so is code that comes in;
    and what a run asks."""
    action = hold.question.action
    return (
        action is not None
        and kinds.rules(hold.question.kind).by_policy
        and hold.run_id is None
        and hold.assessment.level is not Level.critical
        and hold.assessment.requirements.grants
        and not skills.is_registration(action)
    )


def supplies(made: Hold, hold: Hold, roles_now: Mapping[PrincipalId, frozenset[str]]) -> bool:
    """Whether the makers' words, by what each of them is now, are enough for this hold as it is assessed now.

    The word of somebody who asked for the call does not count, whatever the level; nor one given for another.
    """
    if made.status is not Status.approved or not grantable(hold):
        return False
    words = tuple(review for review in made.reviews if _counts(review, hold))
    standing = transitions.recounted(replace(hold, reviews=words), roles_now)
    return hold.assessment.requirements.met_by(standing.approvers)


def _counts(review: Review, hold: Hold) -> bool:
    return (
        review.verdict is Verdict.approve
        and review.on_behalf_of is None
        and review.by not in hold.requesters
        and authority.still_counts(review, hold)
    )
