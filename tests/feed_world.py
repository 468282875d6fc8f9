"""What tests of the feed share: people, events in the inbox, streams with a deadline."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import inbox
from database import FOLDER_VARIABLE

from handrail.core import ids
from handrail.core.ids import PrincipalId
from handrail.core.people import ADMINISTRATOR, Principal, PrincipalKind
from handrail.feed import sequencer
from handrail.feed.entries import Entry
from handrail.feed.sequencer import Sequencer
from handrail.store import feed
from handrail.store.audit_files import HeadFile, KeyFile
from handrail.store.database import Connection, Database
from handrail.store.events import Subject

DEADLINE_SECONDS = 60.0


@asynccontextmanager
async def sequencing(dsn: str, folder: Path | None = None) -> AsyncGenerator[Sequencer]:
    """A candidate with its key and heads in this folder; else with the key that all tests share."""
    place = folder or audit_folder()
    async with sequencer.sequencing(dsn, key_file(place), HeadFile(place / "heads.jsonl")) as candidate:
        yield candidate


async def number_all(database: Database, at_most: int = sequencer.BATCH) -> None:
    """Everything in the inbox gets its number, in batches of at most so many, without a leader."""
    mover = Sequencer(key_file(audit_folder()), HeadFile(audit_folder() / "heads.jsonl"))
    async with feed.connection(database.dsn) as conn:
        while (await mover.move(conn, at_most))[0]:
            pass


def audit_folder() -> Path:
    return Path(os.environ[FOLDER_VARIABLE]) / "audit"


def key_file(folder: Path) -> KeyFile:
    """A key, made where there is none."""
    keys = KeyFile(folder / "key.pem")
    keys.create()
    return keys


ADMIN = Principal(PrincipalId(ids.fresh()), "admin", PrincipalKind.person, frozenset({ADMINISTRATOR}))


def person(name: str, *roles: str) -> Principal:
    return Principal(PrincipalId(ids.fresh()), name, PrincipalKind.person, frozenset(roles))


def agent(name: str) -> Principal:
    return Principal(PrincipalId(ids.fresh()), name, PrincipalKind.agent)


def as_now(who: Principal) -> Callable[[], Awaitable[Principal | None]]:
    """A look at somebody who never changes."""

    async def look() -> Principal:
        return who

    return look


async def audience(database: Database, *roles: str) -> int:
    async with database.connection() as conn:
        found = await conn.execute("INSERT INTO audiences (roles) VALUES (%s) RETURNING id", (sorted(roles),))
        row = await found.fetchone()
        assert row is not None
        return row["id"]


async def say(
    conn: Connection, *types: str, actor: UUID | None = None, data: dict[str, Any] | None = None, **subject: Any
) -> None:
    """Events into the inbox, in the caller's transaction."""
    for type_ in types:
        await inbox.put(conn, type_, data or {}, Subject(**subject), at=datetime.now(UTC), actor=actor)


async def commit(database: Database, *types: str, **more: Any) -> None:
    async with database.transaction() as conn:
        await say(conn, *types, **more)


async def log_types(database: Database) -> list[str]:
    """The log's types in order; fails where its numbers are not 1, 2, 3 …"""
    async with database.connection() as conn:
        rows = await (await conn.execute("SELECT seq, type FROM events ORDER BY seq")).fetchall()
        assert await feed.head(conn) == len(rows)
    assert [row["seq"] for row in rows] == list(range(1, len(rows) + 1))
    return [row["type"] for row in rows]


async def until_head(database: Database, head: int) -> None:
    """Returns when the log has that many events."""
    async with asyncio.timeout(DEADLINE_SECONDS), feed.connection(database.dsn) as conn:
        await feed.listen(conn, feed.FEED)
        while await feed.head(conn) < head:
            await feed.heard(conn, 0.5)


async def take(stream: AsyncGenerator[Entry | None], count: int) -> list[Entry]:
    """The next entries of a stream, heartbeats left out."""
    taken: list[Entry] = []
    async with asyncio.timeout(DEADLINE_SECONDS):
        while len(taken) < count:
            entry = await anext(stream)
            if entry is not None:
                taken.append(entry)
    return taken


def types(entries: Iterable[Entry]) -> list[str]:
    return [entry.type for entry in entries]


async def until(condition: Callable[[], bool]) -> None:
    """Returns when a condition holds that nothing tells of."""
    async with asyncio.timeout(DEADLINE_SECONDS):
        while not condition():  # noqa: ASYNC110 - nothing tells of it
            await asyncio.sleep(0.01)
