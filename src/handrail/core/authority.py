"""Who may decide and who may see: the contract's rules, in one place, used by every route."""

from __future__ import annotations

from uuid import UUID

from . import errors, kinds, skills
from .absences import StandIn
from .credentials import Credential
from .holds import Hold, Review, Verdict
from .ids import PrincipalId
from .people import Principal
from .risk import Level


def capacity(who: Principal, hold: Hold, wanted: PrincipalId | None = None) -> StandIn | None:
    """For whom this principal decides this hold: nobody, where they do so in their own right.

    One's own right comes first, unless `wanted` names somebody who is away. Raises where there is no right at all.
    """
    if wanted is not None and wanted != who.id:
        absent = next((each for each in who.stands_in if each.id == wanted), None)
        refused = refusal(who, hold, absent) if absent else errors.StandInRefused()
        if refused is not None:
            raise refused
        return absent
    refused = refusal(who, hold)
    if refused is None:
        return None
    if wanted is None:
        able = [each for each in who.stands_in if hold.assessment.requirements.may_decide(each.roles)]
        for absent in able:
            refused = refusal(who, hold, absent)
            if refused is None:
                return absent
    raise refused


def decides(who: Principal, hold: Hold) -> bool:
    """In their own right, or for somebody who is away."""
    return refusal(who, hold) is None or any(refusal(who, hold, absent) is None for absent in who.stands_in)


def refusal(who: Principal, hold: Hold, absent: StandIn | None = None) -> errors.Forbidden | None:
    """Why this principal may not decide this hold, themself or for somebody who is away; nothing where they may."""
    if not who.is_person:
        return errors.NotAPerson()
    if not who.active:
        return errors.Forbidden(f"the account {who.name!r} is not active")
    if absent is not None:
        return _stand_in_refusal(who, hold, absent)
    if kinds.rules(hold.question.kind).answered and who.id in hold.requesters:
        return None
    requirements = hold.assessment.requirements
    if not requirements.may_decide(who.roles):
        needed = ", ".join(sorted(requirements.roles))
        return errors.WrongRole(f"deciding this needs one of these roles: {needed}", roles=sorted(requirements.roles))
    return errors.OwnRequest() if _is_own_request(who.id, hold) else None


def _stand_in_refusal(who: Principal, hold: Hold, absent: StandIn) -> errors.Forbidden | None:
    """With the absent person's roles and nothing else, where policy and scope allow it."""
    needed = hold.assessment.requirements
    if not needed.stand_ins:
        return errors.StandInRefused(f"the policy allows no stand-in for this, so {absent.name} must decide")
    if (needed.own_credential or needed.passkey) and not absent.own:
        return errors.StandInRefused(
            f"an administrator named you as {absent.name}'s stand-in; for this, {absent.name} must have done so"
        )
    if not absent.scope.covers(hold):
        return errors.StandInRefused(f"this is not among what you decide for {absent.name}")
    if not needed.may_decide(absent.roles):
        roles = sorted(needed.roles)
        return errors.WrongRole(f"{absent.name} has none of these roles: {', '.join(roles)}", roles=roles)
    return _separation_refusal(who, hold, absent)


def _separation_refusal(who: Principal, hold: Hold, absent: StandIn) -> errors.Forbidden | None:
    """Neither of the two asked for it; and the absent person's word counts once, whoever gives it."""
    if who.id in hold.requesters:
        return errors.OwnRequest(f"you requested this, so you cannot decide it for {absent.name}")
    if absent.id in hold.requesters:
        return errors.OwnRequest(f"{absent.name} requested this, so nobody can decide it for them")
    said = next((each for each in hold.reviews if each.authority == absent.id and each.by != who.id), None)
    if said is None:
        return None
    if said.on_behalf_of is None:
        return errors.StandInRefused(f"{absent.name} has reviewed this themself")
    return errors.StandInRefused(f"someone else has already reviewed this for {absent.name}")


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
    if say.on_behalf_of is not None and (not requirements.stand_ins or hold.requesters & {say.by, say.on_behalf_of}):
        return False
    return requirements.may_decide(say.roles) and not _is_own_request(say.by, hold)


def _is_own_request(who: PrincipalId, hold: Hold) -> bool:
    """Whether somebody else must decide, because this one asked for it."""
    return who in barred(hold)


def barred(hold: Hold) -> frozenset[PrincipalId]:
    """Those who asked for it and cannot decide it: an action of level medium or above."""
    question, assessment = hold.question, hold.assessment
    if kinds.rules(question.kind).answered or question.action is None:
        return frozenset()
    # who proposes a grant is one of its makers; who asked for the call that it is like is none
    if hold.origin == "grant":
        return hold.requesters - {hold.opener}
    # no rule of a policy lets code in on the word of the person who brought it
    if skills.is_registration(question.action):
        return hold.requesters
    if assessment.level is Level.medium:
        return frozenset() if assessment.requirements.requester_may_decide else hold.requesters
    return frozenset() if assessment.level is Level.low else hold.requesters


def may_see(who: Principal, hold: Hold) -> bool:
    if not who.active:
        return False
    if who.reads_all or who.id in hold.requesters:
        return True
    needed = hold.assessment.requirements
    return who.is_person and (needed.may_decide(who.roles) or any(_lets_see(each, hold) for each in who.stands_in))


def _lets_see(absent: StandIn, hold: Hold) -> bool:
    """A stand-in sees what the absent person may decide, as far as it is theirs to decide."""
    needed = hold.assessment.requirements
    return needed.stand_ins and needed.may_decide(absent.roles) and absent.scope.covers(hold)
