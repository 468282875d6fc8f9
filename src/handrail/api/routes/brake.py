"""The emergency brake: look, set, lift."""

from __future__ import annotations

from handrail.api import views
from handrail.api.identity import Administrator, Decider, Reader, guarded_router
from handrail.api.references import principal
from handrail.api.schemas.brake import BrakeList, BrakeOut, LiftBrake, SetBrake
from handrail.api.services import Services, Use
from handrail.engine import stopping
from handrail.holds import braking
from handrail.store import names
from handrail.store.brakes import Brake

router = guarded_router("brake")


@router.get("/api/brake", summary="List the brakes that are on")
async def look(caller: Reader, services: Use) -> BrakeList:
    return BrakeList(brakes=await shown(services, await braking.brakes_on(services.context)))


@router.post("/api/brake", status_code=201, summary="Stop all agents, or one")
async def set_(body: SetBrake, caller: Decider, services: Use) -> BrakeOut:
    """As soon as this answers, nothing is opened, approved, answered or redeemed for those it stops, and none of their
    runs starts. Running ones pause at the end of their step (`freeze`) or are cancelled at once (`deny`)."""
    agent_id = await principal(services, body.agent) if body.agent is not None else None
    brake = await braking.set_brake(services.context, caller, agent_id, body.pending, body.reason)
    await stopping.stop_runs_now(services.context)
    (one,) = await shown(services, [brake])
    return one


@router.post("/api/brake/lift", status_code=204, summary="Lift a brake")
async def lift(body: LiftBrake, caller: Administrator, services: Use) -> None:
    agent_id = await principal(services, body.agent) if body.agent is not None else None
    await braking.lift_brake(services.context, caller, agent_id, body.reason)


async def shown(services: Services, on: list[Brake]) -> list[BrakeOut]:
    ids = {brake.set_by for brake in on} | {brake.agent_id for brake in on if brake.agent_id}
    async with services.database.connection() as conn:
        known = await names.of(conn, ids)
    return [
        BrakeOut(
            agent=views.who(known[brake.agent_id]) if brake.agent_id else None,
            pending=brake.pending,
            reason=brake.reason,
            set_by=views.who(known[brake.set_by]),
            set_at=brake.set_at,
        )
        for brake in on
    ]
