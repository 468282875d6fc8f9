"""Notices to people: what became of them, and another try for those that did not arrive."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from handrail.api import cursors, views
from handrail.api.cursors import Cursor, Limit
from handrail.api.identity import Administrator, Reader, guarded_router
from handrail.api.references import HoldInPath
from handrail.api.schemas.deliveries import DeliveryList, DeliveryOut, HoldDeliveries, MessageOut
from handrail.api.services import Services, Use
from handrail.holds import outbox
from handrail.store import names
from handrail.store.deliveries import Delivery, Status
from handrail.store.messages import Message

router = guarded_router("deliveries")


@router.get("/api/holds/{hold_id:hold}/deliveries", summary="List a hold's notifications: who, how and when")
async def of_hold(hold_id: HoldInPath, caller: Reader, services: Use) -> HoldDeliveries:
    """Also the messages that people have outside, and whether they are up to date."""
    found, outside = await outbox.of_hold(services.context, caller.principal, hold_id)
    return HoldDeliveries(
        deliveries=await _shown(services, found), next=None, messages=[_message(one) for one in outside]
    )


@router.get("/api/deliveries", summary="List notifications; by default the dead ones")
async def page(
    caller: Administrator, services: Use, status: Status = "dead", cursor: Cursor = None, limit: Limit = 100
) -> DeliveryList:
    found = await outbox.page(services.context, caller, status, cursors.read(cursor), limit)
    following = cursors.following([each.id for each in found], limit)
    return DeliveryList(deliveries=await _shown(services, found), next=following)


@router.post(
    "/api/deliveries/{delivery_id:uuid}/retry", summary="Try a dead notification again, from its first channel"
)
async def retry(delivery_id: UUID, caller: Administrator, services: Use) -> DeliveryOut:
    (shown,) = await _shown(services, [await outbox.retry(services.context, caller, delivery_id)])
    return shown


def _message(one: Message) -> MessageOut:
    current = "current" if one.due_at is None else "updating"
    return MessageOut(
        channel=one.channel,
        status="outdated" if one.lost else current,
        sent_at=one.sent_at,
        last_error=one.last_error,
    )


async def _shown(services: Services, found: Sequence[Delivery]) -> list[DeliveryOut]:
    async with services.database.connection() as conn:
        known = await names.of(conn, {id_ for each in found for id_ in each.people})
    return [
        DeliveryOut(
            id=each.id,
            hold_id=each.hold_id,
            event=each.event,
            route=each.route,
            channel=each.channel,
            channels=list(each.channels),
            people=[views.who(known[id_]) for id_ in each.people],
            status=each.status,
            attempts=each.attempts,
            queued_at=each.queued_at,
            next_at=each.next_at if each.status == "queued" else None,
            last_error=each.last_error,
            delivered_at=each.delivered_at,
        )
        for each in found
    ]
