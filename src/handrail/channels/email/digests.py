"""Which notices wait for a person's next mail, and what that mail tells: an inbox that is flooded is not read."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from handrail.channels import standing
from handrail.channels.memory import Memory
from handrail.channels.standing import Standing
from handrail.core.risk import Level
from handrail.holds.choosing import URGENT
from handrail.holds.notifying import TELLING
from handrail.store import clock, mail_windows
from handrail.store.deliveries import Delivery

PATIENT = TELLING - URGENT


async def wait(memory: Memory, delivery: Delivery, person_id: UUID, seconds: float) -> float | None:
    """In how many seconds this person's next mail goes; nothing where this notice is mailed now."""
    async with memory.context.database.transaction() as conn:
        now = await clock.now(conn)
        if not _is_patient(delivery, now, seconds):
            return None
        until = await mail_windows.enter(conn, person_id, delivery.id, seconds)
        return max((until - now).total_seconds(), 1.0) if until else None


async def others(
    memory: Memory, delivery: Delivery, person_id: UUID, seconds: float
) -> list[tuple[Delivery, Standing]]:
    """The notices that go in the same mail, with their holds: one for each hold that still asks."""
    found: dict[UUID, tuple[Delivery, Standing]] = {}
    async with memory.context.database.connection() as conn:
        now = await clock.now(conn)
        if not _is_patient(delivery, now, seconds):
            return []
        for other in await mail_windows.waiting(conn, person_id, delivery.id, PATIENT):
            if other.hold_id != delivery.hold_id and _is_patient(other, now, seconds):
                stands = await standing.standing(conn, memory.context.policy(), other.hold_id)
                if stands.hold.pending:
                    found[other.hold_id] = other, stands
    return list(found.values())


def _is_patient(delivery: Delivery, now: datetime, seconds: float) -> bool:
    """Critical ones, and those that may expire while they wait, go at once."""
    hold: dict[str, Any] = json.loads(delivery.body)["data"]["hold"]
    if not seconds or delivery.event not in PATIENT or hold["risk"] == Level.critical.value:
        return False
    ends = hold["expires_at"]
    return ends is None or datetime.fromisoformat(ends) - now > timedelta(seconds=2 * seconds)
