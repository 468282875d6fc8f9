"""What tests of the hold use cases share: openings, the clock, the inbox of events."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from handrail.core.holds import Action, Kind
from handrail.core.people import Principal
from handrail.holds.opening import Opening
from handrail.store.database import Database

Add = Callable[..., Awaitable[Principal]]


def opening(kind: Kind = Kind.confirmation, title: str = "Send the report", **more: Any) -> Opening:
    more.setdefault("action", Action("send_report", {"to": ["ops@example.org"], "copies": 2}, "ops"))
    return Opening(kind=kind, title=title, **more)


async def shift_clock(database: Database, seconds: float) -> None:
    async with database.transaction() as conn:
        await conn.execute("UPDATE clock SET shift = shift + make_interval(secs => %s)", (seconds,))


async def inbox(database: Database) -> list[dict[str, Any]]:
    """What commands said, in the order they said it."""
    async with database.connection() as conn:
        return await (await conn.execute("SELECT * FROM event_inbox ORDER BY id")).fetchall()
