"""Writes how a hold stands into its issue, and moves it to the state that says so."""

from __future__ import annotations

from typing import Any

from handrail.channels.linear import api as apis
from handrail.channels.linear import issues
from handrail.channels.linear.api import Api, Refused
from handrail.channels.standing import Standing
from handrail.store.messages import Message


async def update(api: Api, message: Message, standing: Standing, link: str) -> None:
    """An issue that somebody deleted is refused for good."""
    try:
        await api.change(apis.UPDATE_ISSUE, id=message.place, input=await fields(api, standing, link))
    except Refused as refusal:
        # the team's states may be others by now
        if refusal.code != apis.INVALID or not api.forget_team():
            raise
        await api.change(apis.UPDATE_ISSUE, id=message.place, input=await fields(api, standing, link))


async def fields(api: Api, standing: Standing, link: str) -> dict[str, Any]:
    """A team without a state of that type keeps the issue where it is."""
    state = (await api.team()).states.get(issues.state_type(standing))
    return issues.content(standing, link) | ({"stateId": state} if state else {})
