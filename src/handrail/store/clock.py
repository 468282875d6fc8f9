"""What time it is: the database decides."""

from __future__ import annotations

from datetime import datetime

from psycopg.rows import DictRow

from handrail.store.database import Asked, Connection


async def now(conn: Connection) -> datetime:
    """The only clock; tests shift it."""
    return await (await ask(conn)).answer()


async def ask(conn: Connection) -> Asked[datetime]:
    """The same in a pipeline."""
    return Asked(await conn.execute("SELECT handrail_now() AS now"), _read)


def _read(row: DictRow | None) -> datetime:
    assert row is not None
    return row["now"]
