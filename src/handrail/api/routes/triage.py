"""Who looks at a hold: claim, assign, snooze; and a person's saved views of the inbox."""

from __future__ import annotations

from uuid import UUID

from handrail.api import views
from handrail.api.identity import Decider, Reader, guarded_router
from handrail.api.references import HoldInPath, principal
from handrail.api.schemas.triage import (
    AssignHold,
    SavedViewOut,
    SavedViews,
    SaveView,
    SnoozeHold,
    TriageOut,
    ViewFilters,
)
from handrail.api.services import Services, Use
from handrail.core.callers import Caller
from handrail.holds import triage
from handrail.people import saved_views
from handrail.store.saved_views import SavedView

router = guarded_router("holds")


@router.get("/api/holds/{hold_id:hold}/triage", summary="See who looks at a hold")
async def read_triage(hold_id: HoldInPath, caller: Reader, services: Use) -> TriageOut:
    """Who looks at it, until when you snoozed it, and to whom you may assign it."""
    return await _shown(services, caller, hold_id)


@router.put("/api/holds/{hold_id:hold}/assignee", summary="Claim a hold, or assign it")
async def assign_hold(hold_id: HoldInPath, body: AssignHold, caller: Decider, services: Use) -> TriageOut:
    """Says who looks at it, in every list. It reserves nothing: whoever may decide the hold still may."""
    to = await principal(services, body.person) if body.person else caller.principal.id
    await triage.assign(services.context, caller.principal, hold_id, to)
    return await _shown(services, caller, hold_id)


@router.delete("/api/holds/{hold_id:hold}/assignee", summary="Release a hold")
async def release_hold(hold_id: HoldInPath, caller: Decider, services: Use) -> TriageOut:
    """Nobody in particular looks at it."""
    await triage.release(services.context, caller.principal, hold_id)
    return await _shown(services, caller, hold_id)


@router.put("/api/holds/{hold_id:hold}/snooze", summary="Snooze a hold")
async def snooze_hold(hold_id: HoldInPath, body: SnoozeHold, caller: Decider, services: Use) -> TriageOut:
    """Takes it out of your `needs_me` until then. It is back earlier if anything happens to it."""
    await triage.snooze(services.context, caller.principal, hold_id, body.until)
    return await _shown(services, caller, hold_id)


@router.delete("/api/holds/{hold_id:hold}/snooze", summary="End a snooze")
async def wake_hold(hold_id: HoldInPath, caller: Decider, services: Use) -> TriageOut:
    """Puts it back into your `needs_me`."""
    await triage.wake(services.context, caller.principal, hold_id)
    return await _shown(services, caller, hold_id)


@router.get("/api/me/views", summary="List your saved views")
async def list_views(caller: Reader, services: Use) -> SavedViews:
    """Filters of the inbox that you saved, by name."""
    return SavedViews(views=[_view(one) for one in await saved_views.of(services.database, caller)])


@router.post("/api/me/views", status_code=201, summary="Save a view")
async def save_view(body: SaveView, caller: Decider, services: Use) -> SavedViewOut:
    """Under a name that you have already it takes the place of that one."""
    kept = body.filters.model_dump(mode="json", exclude_none=True)
    return _view(await saved_views.save(services.database, caller, body.name, kept))


@router.delete("/api/me/views/{view_id:uuid}", status_code=204, summary="Remove a saved view")
async def remove_view(view_id: UUID, caller: Decider, services: Use) -> None:
    """Addresses that were made from it still work."""
    await saved_views.remove(services.database, caller, view_id)


async def _shown(services: Services, caller: Caller, hold_id: UUID) -> TriageOut:
    found, people, deciders = await triage.standing(services.context, caller.principal, hold_id)
    return TriageOut(
        assignee=views.assignee(found, people),
        snoozed_until=found.snoozed_until,
        deciders=[views.who(one) for one in deciders],
    )


def _view(one: SavedView) -> SavedViewOut:
    return SavedViewOut(
        id=one.id, name=one.name, filters=ViewFilters.model_validate(one.filters), saved_at=one.saved_at
    )
