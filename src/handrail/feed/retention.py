"""Deletes what has been kept long enough, and records that in the signed log."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import structlog

from handrail.core import audit as proof
from handrail.core import errors
from handrail.core.audit_events import AuditPruned
from handrail.core.events import of
from handrail.settings import Settings
from handrail.store import audit, clock, events, retention, sealed
from handrail.store.database import Database
from handrail.store.signing import Keys

LOOK_SECONDS = 600.0

log = structlog.stdlib.get_logger(__name__)


async def prune(database: Database, keys: Keys, keep: timedelta) -> bool:
    """Empties one batch of entries older than that; whether there may be more. Any number may prune at once."""
    async with database.transaction() as conn:
        until = await retention.empty_entries(conn, keep)
        if until is None:
            return await retention.empty_spared(conn, keep) == retention.BATCH
        signer = keys.signer((await audit.head(conn)).key_id)
        stated = of(AuditPruned, proof.pruning(signer, until))
        await events.append(conn, [stated], await clock.now(conn))
    return True


async def clear_delivered(database: Database, keep: timedelta) -> bool:
    """Deletes one batch of notices that arrived longer ago than that, and what is remembered of messages about holds
    that were decided before; whether there may be more."""
    async with database.transaction() as conn:
        gone = (await retention.delete_delivered(conn, keep), await retention.delete_messages(conn, keep))
    return max(gone) == retention.BATCH


async def clear_workspaces(database: Database, keep: timedelta) -> bool:
    """Deletes the files of a few runs that ended longer ago than that; whether there may be more."""
    async with database.transaction() as conn:
        return await retention.delete_workspaces(conn, keep) == retention.WORKSPACES


async def keep_pruning(database: Database, keys: Keys, settings: Settings) -> None:
    """Prunes forever, including used secret answers; waits for a database that is away."""
    entries, notices = settings.audit_keep_days, settings.delivered_keep_days
    workspaces = settings.workspace_keep_days
    while True:
        try:
            while entries is not None and await prune(database, keys, timedelta(days=entries)):
                pass
            async with database.transaction() as conn:
                await sealed.delete_used(conn)
            while notices is not None and await clear_delivered(database, timedelta(days=notices)):
                pass
            while workspaces is not None and await clear_workspaces(database, timedelta(days=workspaces)):
                pass
        except errors.Unavailable as error:
            await asyncio.sleep(error.retry_after)
            continue
        except errors.Misconfigured as error:
            # another process has rotated the key, and its file is not here yet
            log.error("retention.no_key", reason=error.message)
        await asyncio.sleep(LOOK_SECONDS)
