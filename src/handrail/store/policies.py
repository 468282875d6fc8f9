"""Policies as rows: the newest is in force, the others are history."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from handrail.core.canonical import JsonObject
from handrail.store.database import Connection


@dataclass(frozen=True, slots=True)
class StoredPolicy:
    """One version. `applied_by` is nobody for the default that the first start applied."""

    version: int
    files: Mapping[str, str]
    reason: str | None
    applied_by: UUID | None
    applied_at: datetime
    cases: Sequence[JsonObject] = ()
    """Its test cases."""


async def newest_version(conn: Connection) -> int:
    """0 where there is none yet."""
    row = await (await conn.execute("SELECT coalesce(max(version), 0) AS version FROM policies")).fetchone()
    assert row is not None
    return row["version"]


async def get(conn: Connection, version: int) -> StoredPolicy | None:
    row = await (await conn.execute("SELECT * FROM policies WHERE version = %s", (version,))).fetchone()
    return StoredPolicy(**row) if row else None


async def history(conn: Connection, limit: int) -> list[StoredPolicy]:
    """Newest first."""
    rows = await conn.execute("SELECT * FROM policies ORDER BY version DESC LIMIT %s", (limit,))
    return [StoredPolicy(**row) for row in await rows.fetchall()]


async def lock(conn: Connection) -> None:
    """Until the transaction ends, nobody else adds a version."""
    await conn.execute("LOCK TABLE policies IN EXCLUSIVE MODE")


async def insert(conn: Connection, kept: StoredPolicy) -> None:
    await conn.execute(
        "INSERT INTO policies (version, files, reason, applied_by, applied_at, cases) VALUES (%s, %s, %s, %s, %s, %s)",
        (
            kept.version,
            json.dumps(dict(kept.files)),
            kept.reason,
            kept.applied_by,
            kept.applied_at,
            json.dumps(list(kept.cases)),
        ),
    )
