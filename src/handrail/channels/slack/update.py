"""Writes how a hold stands into a message that is there already."""

from __future__ import annotations

from handrail.channels.slack import cards
from handrail.channels.slack.api import Api
from handrail.channels.standing import Standing
from handrail.store.messages import Message


async def update(api: Api, message: Message, standing: Standing, link: str) -> None:
    """A message that somebody deleted is refused for good (`message_not_found`)."""
    channel, _, ts = message.place.partition("/")
    await api.call(
        "chat.update", channel=channel, ts=ts, text=cards.summary(standing), blocks=cards.card(standing, link)
    )
