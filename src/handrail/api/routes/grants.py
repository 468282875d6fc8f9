"""Grants over HTTP: preview, propose, look, revoke."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated
from uuid import UUID

from fastapi import Query

from handrail.api import views
from handrail.api.identity import Decider, Reader, guarded_router
from handrail.api.references import HoldInPath
from handrail.api.schemas.grants import (
    CoveredCall,
    GrantBounds,
    GrantList,
    GrantOut,
    GrantPreview,
    ProposeGrant,
    RevokeGrant,
    TermsOut,
)
from handrail.api.services import Services, Use
from handrail.core import bounds, errors
from handrail.core.canonical import JsonObject
from handrail.core.grant_terms import Terms
from handrail.core.holds import Hold, Status
from handrail.core.people import NameCard
from handrail.holds import granting
from handrail.holds.granting import Listed, Wish
from handrail.store import names

router = guarded_router("grants")

# what a grant would have let through that somebody stopped
_STOPPED = (Status.rejected, Status.cancelled, Status.expired)


@router.post("/api/holds/{hold_id:hold}/grant/preview", summary="See what a grant would allow")
async def preview(body: GrantBounds, hold_id: HoldInPath, caller: Decider, services: Use) -> GrantPreview:
    """The grant that Handrail proposes for calls like this one, or the bounds that you give, as a sentence, and the
    calls of the last 30 days that it would have covered. Opens nothing and records nothing."""
    found = await granting.preview(services.context, caller, hold_id, _wish(body))
    assert found.needs is not None
    refused = found.refused
    async with services.database.connection() as conn:
        known = await names.of(conn, {found.terms.agent})
    return GrantPreview(
        terms=terms_out(found.terms, known),
        sentence=found.sentence,
        requirements=views.requirements(found.needs.assessment.requirements),
        calls=found.calls,
        covered=[covered_call(hold) for hold in sorted(found.covered, key=lambda hold: hold.status not in _STOPPED)],
        allowed=refused is None,
        code=refused.code if refused else None,
        reason=errors.sentence(refused.message) if refused else None,
    )


@router.post("/api/holds/{hold_id:hold}/grant", status_code=201, summary="Allow calls like this one")
async def propose(body: ProposeGrant, hold_id: HoldInPath, caller: Decider, services: Use) -> GrantOut:
    """Proposes a grant, with your approval. It counts as soon as everyone has agreed whom the policy asks for such a
    call: at once if that is you alone, otherwise when the others approve the hold of the same id. It decides nothing
    about this hold."""
    made = await granting.propose(services.context, caller, hold_id, body.digest, _wish(body), body.reason)
    (shown,) = await _shown(services, [made])
    return shown


@router.get("/api/grants", summary="List grants")
async def list_grants(
    caller: Reader,
    services: Use,
    ended: Annotated[bool, Query(description="Also those that are over.")] = False,
) -> GrantList:
    """Those that you made, may decide or asked for, newest first, at most 200; all of them for administrators and
    auditors."""
    return GrantList(grants=await _shown(services, await granting.page(services.context, caller, ended=ended)))


@router.get("/api/grants/{hold_id:hold}", summary="Get a grant")
async def one(hold_id: HoldInPath, caller: Reader, services: Use) -> GrantOut:
    (shown,) = await _shown(services, [await granting.one(services.context, caller, hold_id)])
    return shown


@router.post("/api/grants/{hold_id:hold}/revoke", summary="Revoke a grant")
async def revoke(body: RevokeGrant, hold_id: HoldInPath, caller: Decider, services: Use) -> GrantOut:
    """As soon as this answers, it covers nothing. A call that it approved and that was not carried out yet is void, and
    people are asked."""
    ended = await granting.revoke(services.context, caller, hold_id, body.reason)
    (shown,) = await _shown(services, [ended])
    return shown


def _wish(body: GrantBounds | ProposeGrant) -> Wish:
    args: JsonObject | None = None if body.args is None else {**body.args}
    return Wish(args, body.target, body.amount, body.uses, body.until, body.this_case)


async def _shown(services: Services, found: Sequence[Listed]) -> list[GrantOut]:
    ids: set[UUID] = set()
    for grant, _, _ in found:
        ids |= {grant.owner, grant.terms.agent, *grant.made.approvers, *([grant.ended_by] if grant.ended_by else [])}
    async with services.database.connection() as conn:
        known = await names.of(conn, ids)
    return [_grant(each, known) for each in found]


def _grant(listed: Listed, known: Mapping[UUID, NameCard]) -> GrantOut:
    grant, standing, sentence = listed
    return GrantOut(
        id=grant.id,
        short_id=grant.made.short_id,
        status=standing,
        sentence=sentence,
        terms=terms_out(grant.terms, known),
        owner=views.who(known[grant.owner]),
        makers=[views.who(known[maker]) for maker in grant.made.approvers],
        risk=grant.made.assessment.level,
        made_at=grant.made.opened_at,
        used=grant.use.uses,
        spent=float(grant.use.spent) if grant.terms.amount else None,
        last_used_at=grant.last_used_at,
        ended_at=grant.ended_at,
        ended_by=views.who(known[grant.ended_by]) if grant.ended_by else None,
        ended_why=grant.ended_why,
    )


def terms_out(found: Terms, known: Mapping[UUID, NameCard]) -> TermsOut:
    return TermsOut(
        action=found.action,
        agent=views.who(known[found.agent]),
        args={name: bounds.record(bound) for name, bound in found.args.items()},
        target=bounds.record(found.target) if found.target else None,
        amount=bounds.record_cap(found.amount) if found.amount else None,
        uses=found.uses,
        until=found.until,
        case_id=found.case_id,
    )


def covered_call(hold: Hold) -> CoveredCall:
    action = hold.question.action
    return CoveredCall(
        hold=hold.id,
        short_id=hold.short_id,
        title=hold.question.title,
        at=hold.opened_at,
        risk=hold.assessment.level,
        outcome=hold.status,
        args=action.args if action else {},
    )
