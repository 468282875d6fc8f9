"""Clears away what code changes leave on a worker's disk: trees of runs that are over, copies that were tested by a
worker that is dead, old results and dependencies."""

from __future__ import annotations

import asyncio

import structlog

from handrail.changes.environments import preparing
from handrail.changes.kinds import CHANGE, DEMO
from handrail.changes.running import executing
from handrail.changes.running.keeping import Results
from handrail.changes.trees import Grove, sweep
from handrail.core import errors
from handrail.core.sizes import MIB
from handrail.engine.repositories import allowed_by, mirrors_of
from handrail.settings import Settings
from handrail.store import runs
from handrail.store.database import Database

INTERVAL_SECONDS = 600.0
KEPT_SECONDS = 30 * 86_400.0
# no test runs as long as that
LEFT_SECONDS = 86_400.0
MOST_LAYERS = 20_000 * MIB

log = structlog.stdlib.get_logger(__name__)


async def tidy(database: Database, settings: Settings) -> list[str]:
    """The runs whose trees were removed. Those of runs that are not over stay, and so does whatever is young."""
    folder = settings.data / "changes"
    async with database.connection() as conn:
        alive = await runs.unended(conn, (CHANGE, DEMO))
    grove = Grove(folder / "trees", mirrors_of(settings), allowed_by(settings))
    gone = await sweep(grove, {str(run) for run in alive})
    await asyncio.to_thread(executing.sweep, folder / "scratch", LEFT_SECONDS)
    await asyncio.to_thread(Results(folder / "results").sweep, KEPT_SECONDS)
    await asyncio.to_thread(preparing.sweep, folder / "layers", KEPT_SECONDS, MOST_LAYERS)
    return gone


async def keep_tidying(database: Database, settings: Settings, every: float = INTERVAL_SECONDS) -> None:
    """For as long as the worker runs. A database that is away is waited for; anything else is logged and tried again,
    since full disks are worse than no tidying, and no worker at all is worse than both."""
    while True:
        # nothing of it is urgent, and a worker has other things to do when it starts
        await asyncio.sleep(every)
        try:
            gone = await tidy(database, settings)
            if gone:
                log.info("trees.removed", runs=gone)
        except errors.Unavailable as error:
            await asyncio.sleep(error.retry_after)
        except Exception as error:  # what repositories leave behind can fail in any way
            log.warning("trees.not_removed", reason=str(error), exc_info=not isinstance(error, OSError))
