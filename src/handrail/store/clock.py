"""What time it is: the database decides."""

from __future__ import annotations

from datetime import datetime

from handrail.store.database import Connection


async def now(conn: Connection) -> datetime:
    """The only clock; tests shift it."""
    row = await (await conn.execute("SELECT handrail_now() AS now")).fetchone()
    assert row is not None
    return row["now"]
