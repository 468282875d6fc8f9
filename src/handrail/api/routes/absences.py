"""Absences: who is away, and who decides for them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal
from uuid import UUID

from fastapi import Query

from handrail.api import views
from handrail.api.identity import AnyCaller, Decider, guarded_router
from handrail.api.references import principal
from handrail.api.schemas.absences import AbsenceList, AbsenceOut, EndAbsence, SetAbsence
from handrail.api.services import Services, Use
from handrail.core.absences import Absence, Scope
from handrail.people import absences
from handrail.people.absences import Listed, Plan
from handrail.store import names

router = guarded_router("absences")


@router.get("/api/absences", summary="List who is away and who decides meanwhile")
async def list_absences(
    caller: AnyCaller,
    services: Use,
    everybody: Annotated[bool, Query(description="All of them, for administrators and auditors.")] = False,
) -> AbsenceList:
    """Present and planned ones, yours and those in which you stand in."""
    found = await absences.current(services.database, caller, everybody=everybody)
    return AbsenceList(absences=await _shown(services, found))


@router.post("/api/absences", status_code=201, summary="Be away, with a stand-in")
async def set_absence(body: SetAbsence, caller: Decider, services: Use) -> AbsenceOut:
    """Meanwhile the stand-in decides with your roles, within the scope given, what the policy lets stand-ins decide.
    You can still decide yourself. An administrator can set it for someone else, with a reason."""
    plan = Plan(
        stand_in=await principal(services, body.stand_in),
        ends_at=body.until,
        starts_at=body.from_,
        person=await principal(services, body.person) if body.person else None,
        scope=Scope(frozenset(body.levels), tuple(body.actions), tuple(body.cases)),
        reason=body.reason,
    )
    new = await absences.set_(services.database, caller, plan)
    services.context.poke()
    (shown,) = await _shown(services, [Listed(new, new.starts_at == new.set_at, suspended=False)])
    return shown


@router.post("/api/absences/{absence_id:uuid}/end", summary="End an absence")
async def end_absence(absence_id: UUID, body: EndAbsence, caller: Decider, services: Use) -> AbsenceOut:
    """By the person who is back, the stand-in, or an administrator. As soon as this answers, no one decides by it."""
    ended = await absences.end(services.database, caller, absence_id, body.reason)
    services.context.poke()
    (shown,) = await _shown(services, [Listed(ended, in_force=False, suspended=False)])
    return shown


async def _shown(services: Services, found: Sequence[Listed]) -> list[AbsenceOut]:
    ids = {who for one in found for who in (one.absence.person, one.absence.stand_in, one.absence.set_by)}
    async with services.database.connection() as conn:
        known = await names.of(conn, ids)
    return [
        AbsenceOut.model_validate(
            {
                "id": one.id,
                "person": views.who(known[one.person]),
                "stand_in": views.who(known[one.stand_in]),
                "from": one.starts_at,
                "until": one.ends_at,
                "levels": sorted(one.scope.levels, key=lambda level: level.rank),
                "actions": list(one.scope.actions),
                "cases": list(one.scope.cases),
                "set_by": views.who(known[one.set_by]),
                "set_at": one.set_at,
                "reason": one.reason,
                "status": _status(one, in_force=in_force, suspended=suspended),
            }
        )
        for one, in_force, suspended in found
    ]


def _status(one: Absence, *, in_force: bool, suspended: bool) -> Literal["planned", "in_force", "suspended", "ended"]:
    if one.ended_at is not None:
        return "ended"
    if suspended:
        return "suspended"
    return "in_force" if in_force else "planned"
