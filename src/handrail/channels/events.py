"""What becomes of notices."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from handrail.core.events import Event, event


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice(Event):
    """Which one, and to whom."""

    delivery_id: UUID
    channel: str
    event: str
    route: str
    people: tuple[UUID, ...]


@event("delivery.delivered")
class DeliveryDelivered(Notice):
    """a notification was delivered"""


@event("delivery.overtaken")
class DeliveryOvertaken(Notice):
    """a notification was not sent, because its hold had been decided"""


@event("delivery.failed")
class DeliveryFailed(Notice):
    """a channel failed for good; without a `next_channel` the notification is dead"""

    error: str
    next_channel: str | None


@event("delivery.outdated")
class DeliveryOutdated(Event):
    """a message outside could not be brought up to date: someone deleted it, or its channel stayed away"""

    message_id: UUID
    channel: str
    error: str


@event("account.linked")
class AccountLinked(Event):
    """a person linked their account of a channel, and can decide there"""

    link_id: UUID
    channel: str


@event("account.unlinked")
class AccountUnlinked(Event):
    """a person removed the link"""

    link_id: UUID
    channel: str


@event("notifications.chosen")
class NotificationsChosen(Event):
    """a person chose the channels by which they are notified first, or the policy's order, and whether there are quiet
    hours"""

    channels: tuple[str, ...] | None
    quiet: bool


@event("push.added")
class PushAdded(Event):
    """a person switched on notifications on one of their devices"""

    device_id: UUID
    # nothing once its person is erased
    label: str | None


@event("push.removed")
class PushRemoved(Event):
    """a device gets no more notifications: its person switched them off, or, without an actor, its push service says
    that it is gone"""

    device_id: UUID
    person: UUID
