"""Agents that are only observed: look, begin, end."""

from __future__ import annotations

from handrail.api import views
from handrail.api.identity import Administrator, Reader, guarded_router
from handrail.api.references import principal
from handrail.api.schemas.observations import ChangeObservation, ObservationList, ObservationOut, PassedOut
from handrail.api.services import Services, Use
from handrail.holds import observing
from handrail.holds.observing import Report
from handrail.store import names
from handrail.store.observations import Passed

router = guarded_router("observations")


@router.get("/api/observations", summary="List observed agents and what went through")
async def look(caller: Reader, services: Use) -> ObservationList:
    """For administrators and auditors."""
    found = await observing.reports(services.context, caller)
    return ObservationList(observed=await _shown(services, found))


@router.post("/api/observations", status_code=201, summary="Only observe an agent")
async def begin(body: ChangeObservation, caller: Administrator, services: Use) -> ObservationOut:
    """Its approvals go through unasked, whatever their risk, and each is recorded with who would have decided. The
    emergency brake still stops it. Holds of runs, questions and reviews are asked as before."""
    agent_id = await principal(services, body.agent)
    new = await observing.observe(services.context, caller, agent_id, body.reason)
    (shown,) = await _shown(services, [Report(new, [])])
    return shown


@router.post("/api/observations/end", status_code=204, summary="Enforce the policy for an agent again")
async def end(body: ChangeObservation, caller: Administrator, services: Use) -> None:
    """As soon as this answers, people are asked. An approval that nobody gave and that was not used yet is void."""
    agent_id = await principal(services, body.agent)
    await observing.enforce(services.context, caller, agent_id, body.reason)


async def _shown(services: Services, found: list[Report]) -> list[ObservationOut]:
    ids = {who for one, _ in found for who in (one.agent_id, one.begun_by)}
    async with services.database.connection() as conn:
        known = await names.of(conn, ids)
    return [
        ObservationOut(
            agent=views.who(known[one.agent_id]),
            since=one.begun_at,
            by=views.who(known[one.begun_by]),
            reason=one.reason,
            passed=[_passed(each) for each in passed],
        )
        for one, passed in found
    ]


def _passed(one: Passed) -> PassedOut:
    return PassedOut(
        action=one.action,
        risk=one.level,
        approvals=one.approvals,
        roles=list(one.roles),
        count=one.count,
        last_hold=one.last_hold,
        last_short_id=one.last_short_id,
        last_at=one.last_at,
    )
