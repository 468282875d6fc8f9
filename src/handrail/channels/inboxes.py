"""Handrail's own inboxes, which show the hold itself: nothing is sent, and nothing gets out of date."""

from __future__ import annotations

from handrail.channels.channel import Channel
from handrail.channels.standing import Standing
from handrail.core.people import Principal
from handrail.store.deliveries import Delivery
from handrail.store.messages import Message


class Inbox(Channel):
    async def send(self, delivery: Delivery) -> None:
        """It is there already."""

    async def update(self, message: Message, standing: Standing) -> None:
        """There is nothing outside."""

    async def test(self, who: Principal) -> None:
        """There is nothing to test."""
