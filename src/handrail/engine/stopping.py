"""What an emergency brake does to runs: it cancels those that it denies. Those that it freezes are stopped by their
workers."""

from __future__ import annotations

import asyncio

from handrail.core.ids import PrincipalId
from handrail.core.run_events import RunCancelled
from handrail.core.runs import RunStatus
from handrail.holds.context import Context
from handrail.holds.rounds import Rounds
from handrail.store import brakes, chunks, claims, clock, events, runs
from handrail.store.due import Due

BATCH = 200
# for runs whose row somebody has locked, as each heartbeat does for a moment
PATIENCE_SECONDS, AGAIN_SECONDS = 2.0, 0.02


async def stop_runs(context: Context) -> None:
    """Cancel every run that a brake denies. One that it freezes, and whose worker died, is as paused as the others.

    Sweeps call it too, so that a crash leaves nothing undone; any number may do so at once.
    """
    async with context.database.connection() as conn:
        if not await brakes.on(conn):
            return
    while await _cancel_denied(context) == BATCH:
        pass
    async with context.database.connection() as conn:
        lapsed = await claims.rest_lapsed(conn)
    if lapsed:
        context.poke()


async def stop_runs_now(context: Context) -> None:
    """The same for whoever sets a brake: those that were locked for a moment are cancelled, too, when this returns. One
    that stays locked, by a worker that hangs, is left to the sweeps: it must not keep the others from being stopped."""
    until = asyncio.get_running_loop().time() + PATIENCE_SECONDS
    await stop_runs(context)
    while await _any_left(context) and asyncio.get_running_loop().time() < until:
        await asyncio.sleep(AGAIN_SECONDS)
        await stop_runs(context)


async def keep_stopping(rounds: Rounds, context: Context) -> None:
    async def work() -> bool:
        await stop_runs(context)
        return False

    await rounds.keep(Due.brakes, work)


async def _any_left(context: Context) -> bool:
    async with context.database.connection() as conn:
        return await runs.any_denied(conn)


async def _cancel_denied(context: Context) -> int:
    """How many of a batch. Their holds were denied, or are cancelled by the sweep of holds whose run has ended."""
    async with context.database.transaction() as conn:
        denied = await runs.lock_denied(conn, BATCH)
        now = await clock.now(conn)
        for run, brake in denied:
            await runs.end(conn, run.id, RunStatus.cancelled)
            await chunks.give_up(conn, run.id, run.epoch + 1)
            by = PrincipalId(brake.set_by)
            said = RunCancelled(actor=by, by=by, reason=brake.reason, braked=True)
            await events.append(conn, [said], now, events.of_run(run))
    if denied:
        context.poke()
        context.wake()
    return len(denied)
