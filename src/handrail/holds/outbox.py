"""Read the outbox, and queue again what could not be delivered."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from handrail.core import errors
from handrail.core.callers import Caller, Scope
from handrail.core.people import Principal
from handrail.holds import reading
from handrail.holds.context import Context
from handrail.holds.events import DeliveryRetried
from handrail.store import clock, deliveries, events, holds, messages
from handrail.store.deliveries import Delivery, Status
from handrail.store.messages import Message


async def of_hold(context: Context, who: Principal, hold_id: UUID) -> tuple[list[Delivery], list[Message]]:
    """What was sent, and what people have of it now."""
    await reading.get(context, who, hold_id)
    async with context.database.connection() as conn:
        return await deliveries.of_hold(conn, hold_id), await messages.of_hold(conn, hold_id)


async def page(
    context: Context, caller: Caller, status: Status, after: UUID | None = None, limit: int = 100
) -> Sequence[Delivery]:
    caller.require(Scope.administer)
    async with context.database.connection() as conn:
        return await deliveries.page(conn, status, after, limit)


async def retry(context: Context, caller: Caller, delivery_id: UUID) -> Delivery:
    """Dead no more: tried again from its first channel on, under the same id."""
    caller.require(Scope.administer)
    async with context.database.transaction() as conn:
        before = await deliveries.get(conn, delivery_id)
        if before is None:
            raise errors.NotFound(f"there is no delivery {delivery_id}")
        if not await deliveries.revive(conn, delivery_id):
            raise errors.Conflict(f"the delivery is {before.status}; only dead ones are queued again")
        hold = await holds.get(conn, before.hold_id)
        assert hold is not None, "holds are never deleted"
        audience_id = await context.audiences.id_of(conn, hold.assessment.requirements.roles)
        again = DeliveryRetried(actor=caller.principal.id, delivery_id=delivery_id)
        await events.append(conn, [again], await clock.now(conn), events.about(hold, audience_id))
        after = await deliveries.get(conn, delivery_id)
    context.poke()
    assert after is not None
    return after
