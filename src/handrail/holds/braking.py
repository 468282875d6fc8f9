"""The emergency brake: one action stops all agents, or one."""

from __future__ import annotations

from uuid import UUID

from handrail.core import canonical, errors, ids, transitions
from handrail.core.callers import Caller, Scope
from handrail.core.ids import PrincipalId
from handrail.holds.context import Context, commit
from handrail.holds.events import BrakeLifted, BrakeSet
from handrail.holds.rounds import Rounds
from handrail.store import brakes, clock, events, names
from handrail.store.brakes import Brake, Pending
from handrail.store.database import Connection
from handrail.store.due import Due

BATCH = 200


async def set_brake(context: Context, caller: Caller, agent_id: UUID | None, pending: Pending, reason: str) -> Brake:
    """From the moment this returns, nothing new is opened, approved, answered or redeemed for whom it stops, and no run
    of theirs is taken up. Runs at work are told to stop.

    Anyone who may decide holds can set it, because stopping is safe; only an administrator lifts it.
    """
    who = caller.principal
    caller.require(Scope.decide)
    if not who.administers and who.roles.isdisjoint(context.policy().approver_roles):
        raise errors.WrongRole("setting the brake needs an approver role or the administrator role")
    canonical.check(reason, "reason")
    async with context.database.transaction() as conn:
        await brakes.clear_the_way(conn)
        await _check_agent(conn, agent_id)
        brake = Brake(ids.fresh(), agent_id, pending, reason, who.id, await clock.now(conn))
        if not await brakes.set_(conn, brake):
            raise errors.Conflict("this brake is already on; lift it first to change it")
        await events.append(
            conn, [BrakeSet(actor=who.id, agent=agent_id, pending=pending, reason=reason)], brake.set_at
        )
    context.wake()
    context.poke()
    while await deny_pending(context):
        pass
    return brake


async def lift_brake(context: Context, caller: Caller, agent_id: UUID | None, reason: str) -> None:
    """Agents and their runs go on. What was denied stays denied."""
    caller.require(Scope.administer)
    canonical.check(reason, "reason")
    async with context.database.transaction() as conn:
        now = await clock.now(conn)
        if not await brakes.lift(conn, agent_id, caller.principal.id, now):
            raise errors.NotFound("no such brake is on")
        lifted = BrakeLifted(actor=caller.principal.id, agent=agent_id, reason=reason)
        await events.append(conn, [lifted], now)
    context.wake()
    context.poke()


async def brakes_on(context: Context) -> list[Brake]:
    async with context.database.connection() as conn:
        return await brakes.on(conn)


async def deny_pending(context: Context) -> int:
    """Reject a batch of what a brake denies; how many. Sweeps call it too, so that a crash leaves nothing undone."""
    async with context.database.connection() as conn:
        if not await brakes.on(conn):
            return 0
    async with context.database.transaction() as conn:
        denied = await brakes.lock_denied(conn, BATCH)
        now = await clock.now(conn)
        for hold, brake in denied:
            step = transitions.deny(hold, PrincipalId(brake.set_by), now, brake.reason)
            await commit(context, conn, hold, step, now)
    if denied:
        context.poke()
        context.wake()
    return len(denied)


async def keep_denying(rounds: Rounds, context: Context) -> None:
    async def work() -> bool:
        return await deny_pending(context) == BATCH

    await rounds.keep(Due.brakes, work)


async def _check_agent(conn: Connection, agent_id: UUID | None) -> None:
    if agent_id is not None and not await names.of(conn, {agent_id}):
        raise errors.NotFound(f"there is no principal {agent_id}")
