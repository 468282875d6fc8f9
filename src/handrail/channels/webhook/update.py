"""Tells the receiver what was decided; every other change is a notice already."""

from __future__ import annotations

import json
from uuid import UUID, uuid5

from handrail.channels.standing import Standing
from handrail.core.canonical import JsonObject
from handrail.store.messages import Message


def decided(message: Message, standing: Standing) -> tuple[UUID, str] | None:
    """The request's id, which is the same for the same decision, and its body; nothing where nothing was decided."""
    made = standing.hold.decision
    if made is None:
        return None
    data: JsonObject = {"hold": standing.shown, **standing.as_notice()}
    body = json.dumps({"type": "hold.decided", "timestamp": made.at.isoformat(), "data": data}, ensure_ascii=False)
    return uuid5(message.id, standing.face), body
