"""Who may decide and who may see: the contract's rules, in one place, used by every route."""

from __future__ import annotations

from . import errors
from .holds import Hold, Kind
from .people import Principal
from .risk import Level


def refusal(who: Principal, hold: Hold) -> errors.Forbidden | None:
    """Why this principal may not decide this hold; nothing where they may."""
    if not who.is_person or not who.active:
        return errors.NotAPerson()
    asked = who.id in hold.requesters
    kind = hold.question.kind
    if kind is Kind.input and asked:
        return None
    requirements = hold.assessment.requirements
    if not requirements.may_decide(who.roles):
        needed = ", ".join(sorted(requirements.roles))
        return errors.WrongRole(
            f"deciding this hold needs one of these roles: {needed}", roles=sorted(requirements.roles)
        )
    if asked and (kind is Kind.approval or hold.assessment.level.rank >= Level.high.rank):
        return errors.OwnRequest()
    return None


def may_see(who: Principal, hold: Hold) -> bool:
    if who.reads_all or who.id in hold.requesters:
        return True
    return who.is_person and hold.assessment.requirements.may_decide(who.roles)
