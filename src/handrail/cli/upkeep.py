"""What is done to the database whether or not a server is running: backup, restore, a new audit key.

It imports nothing of the API, so these commands start fast.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

from handrail.feed import rotation
from handrail.settings import Settings
from handrail.store import backup as backups
from handrail.store import embedded
from handrail.store.database import Database, opened
from handrail.store.migrate import migrate
from handrail.store.signing import Keys, signing

# a leader that runs takes up a new key within a second or two
ROTATION_LOOKS = 50


@asynccontextmanager
async def database_of(settings: Settings) -> AsyncGenerator[str]:
    """The DSN of the database in use, never a pooler's; the embedded server runs for as long."""
    external = settings.direct_database_url or settings.database_url
    if external is not None:
        yield external.get_secret_value()
        return
    async with embedded.running(settings.data) as dsn:
        yield dsn


@asynccontextmanager
async def migrated(settings: Settings) -> AsyncGenerator[str]:
    """The same, with a schema that is up to date."""
    async with database_of(settings) as dsn:
        await migrate(dsn)
        yield dsn


async def rotate_key(settings: Settings, *, lost: bool) -> tuple[str, bool]:
    """The id of the new key, and whether the log is sealed with it already: if no server is running, that happens at
    the next start."""
    async with migrated(settings) as dsn, opened(dsn) as database:
        with signing(settings.audit_key) as keys:
            return await _rotated(database, keys, lost=lost)


async def _rotated(database: Database, keys: Keys, *, lost: bool) -> tuple[str, bool]:
    new = await (rotation.replace_lost if lost else rotation.rotate)(database, keys)
    for _ in range(ROTATION_LOOKS):
        if await rotation.has_taken_over(database, new):
            keys.signer(new.id)
            return new.id, True
        await asyncio.sleep(0.1)
    return new.id, False


async def backup(settings: Settings, file: Path) -> None:
    async with database_of(settings) as dsn:
        await asyncio.to_thread(backups.backup, dsn, file)


async def restore(settings: Settings, file: Path) -> None:
    async with database_of(settings) as dsn:
        await backups.restore(dsn, file)


async def restored(settings: Settings) -> None:
    """A database that was put back by other means is what a restored backup is: what may have been used is void."""
    async with database_of(settings) as dsn:
        await asyncio.to_thread(backups.mark_restored, dsn)
        await migrate(dsn)
