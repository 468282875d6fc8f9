"""Who may decide and who may see: the contract's rules, in one place, used by every route."""

from __future__ import annotations

from uuid import UUID

from . import errors, kinds, skills
from .credentials import Credential
from .holds import Hold, Review, Verdict
from .ids import PrincipalId
from .people import Principal
from .risk import Level


def refusal(who: Principal, hold: Hold) -> errors.Forbidden | None:
    """Why this principal may not decide this hold; nothing where they may."""
    if not who.is_person:
        return errors.NotAPerson()
    if not who.active:
        return errors.Forbidden(f"the account {who.name!r} is not active")
    if kinds.rules(hold.question.kind).answered and who.id in hold.requesters:
        return None
    requirements = hold.assessment.requirements
    if not requirements.may_decide(who.roles):
        needed = ", ".join(sorted(requirements.roles))
        return errors.WrongRole(f"deciding this needs one of these roles: {needed}", roles=sorted(requirements.roles))
    return errors.OwnRequest() if _is_own_request(who.id, hold) else None


def credential_refusal(credential: Credential | None, hold: Hold) -> errors.CredentialNotOwn | None:
    """Why this credential does not say yes to this hold; nothing where it does. A no is always safe."""
    if not hold.assessment.requirements.own_credential or (credential is not None and credential.origin.own):
        return None
    return errors.CredentialNotOwn()


def signature_refusal(passkey: UUID | None, hold: Hold) -> errors.PasskeyRequired | None:
    """Why a yes that this passkey signed, or none, does not count. A no is always safe."""
    return errors.PasskeyRequired() if hold.assessment.requirements.passkey and passkey is None else None


def still_counts(say: Review, hold: Hold) -> bool:
    """Whether a review given earlier is one that the hold's assessment takes now."""
    requirements = hold.assessment.requirements
    sufficient = (
        requirements.justified_by(say.reason)
        and credential_refusal(say.credential, hold) is None
        and signature_refusal(say.passkey, hold) is None
    )
    if say.verdict is Verdict.approve and not sufficient:
        return False
    return requirements.may_decide(say.roles) and not _is_own_request(say.by, hold)


def _is_own_request(who: PrincipalId, hold: Hold) -> bool:
    """Whether somebody else must decide, because this one asked for an action of level medium or above."""
    question, assessment = hold.question, hold.assessment
    if who not in hold.requesters or kinds.rules(question.kind).answered or question.action is None:
        return False
    # no rule of a policy lets code in on the word of the person who brought it
    if skills.is_registration(question.action):
        return True
    if assessment.level is Level.medium:
        return not assessment.requirements.requester_may_decide
    return assessment.level is not Level.low


def may_see(who: Principal, hold: Hold) -> bool:
    if not who.active:
        return False
    if who.reads_all or who.id in hold.requesters:
        return True
    return who.is_person and hold.assessment.requirements.may_decide(who.roles)
