"""Remembers what was sent, so that it can be brought up to date."""

from __future__ import annotations

from uuid import UUID

from handrail.channels import standing
from handrail.channels.standing import Standing
from handrail.core import ids
from handrail.holds.context import Context
from handrail.holds.notifying import face
from handrail.store import deliveries, holds, messages
from handrail.store.deliveries import Delivery
from handrail.store.messages import Message


class Memory:
    """Of one channel."""

    def __init__(self, context: Context, channel: str) -> None:
        self.context = context
        self.channel = channel

    async def standing(self, hold_id: UUID) -> Standing:
        async with self.context.database.connection() as conn:
            return await standing.standing(conn, self.context.policy(), hold_id)

    async def of(self, hold_id: UUID) -> dict[str, Message]:
        """What is out about a hold, by destination."""
        async with self.context.database.connection() as conn:
            found = await messages.of_hold(conn, hold_id, self.channel)
        return {message.destination: message for message in found}

    async def remember(
        self, delivery: Delivery, destination: str, place: str, shown: str, person_id: UUID | None = None
    ) -> None:
        """`shown` is the face that it says. Where the hold has another by now, the message is due at once: whoever
        changes a hold locks it first, and finds this message or is found by it."""
        async with self.context.database.transaction() as conn:
            locked = await holds.lock(conn, delivery.hold_id)
            assert locked is not None, "holds are never deleted"
            due_at = None if face(locked.hold) == shown else locked.now
            new = Message(
                id=ids.fresh(),
                hold_id=delivery.hold_id,
                channel=self.channel,
                destination=destination,
                place=place,
                told=(delivery.id,),
                face=shown,
                sent_at=locked.now,
                due_at=due_at,
            )
            await messages.remember(conn, new)
            if person_id is not None:
                await deliveries.reached(conn, delivery.id, person_id)

    async def told(self, message: Message, delivery: Delivery) -> None:
        """A reply under the message carried the notice."""
        async with self.context.database.transaction() as conn:
            await messages.add_told(conn, message.id, delivery.id)
