"""One look says which of the background's loops have something to do, and wakes those."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta

import pytest
from feed_world import number_all
from holds_world import Add, opening, shift_clock

from handrail.core import errors, ids
from handrail.core.callers import Caller, Scope
from handrail.core.canonical import JsonObject
from handrail.core.holds import Kind
from handrail.core.people import PrincipalKind
from handrail.holds import braking, sweeping
from handrail.holds.context import Context
from handrail.holds.events import BrakeLifted
from handrail.holds.opening import open_hold
from handrail.holds.policies import apply, in_force
from handrail.holds.rounds import Rounds, keep_following, keep_numbering
from handrail.policy import default_policy
from handrail.store import attestations, clock, deliveries, due, events, messages
from handrail.store.deliveries import EVERY
from handrail.store.due import Due
from handrail.store.messages import Message

DEADLINE_SECONDS = 30


async def found(context: Context) -> frozenset[Due]:
    """Without events: nobody numbers them here, so they are due after whatever is done."""
    async with context.database.connection() as conn:
        return await due.look(conn, context.policy().version) - {Due.events}


async def test_each_kind_is_seen_when_it_is_due_and_not_before(context: Context, add: Add) -> None:
    context = replace(context, set_up=frozenset({"webhook"}))
    agent = await add("agent", kind=PrincipalKind.agent)
    boss = await add("boss", "cto", "administrator")
    assert await found(context) == frozenset()

    task: JsonObject = {"operation": "deploy", "environment": "production"}
    hold = await open_hold(context, agent, opening(Kind.approval, task=task, expires_in=timedelta(hours=1)))
    assert await found(context) == {Due.deliveries}
    async with context.database.transaction() as conn:
        await deliveries.claim(conn, EVERY, 10, 60.0)
    # others have to wait for the lease to end
    assert await found(context) == frozenset()

    caller = Caller(boss, frozenset(Scope))
    await braking.set_brake(context, caller, None, "freeze", "fire")
    assert await found(context) == {Due.brakes}
    await braking.lift_brake(context, caller, None, "out")

    async with context.database.transaction() as conn:
        now = await clock.now(conn)
        await messages.remember(conn, Message(ids.fresh(), hold.id, "slack", "C1", "C1/1", [], "face", now))
    assert await found(context) == frozenset()
    async with context.database.transaction() as conn:
        await messages.outdate(conn, hold.id)
    assert await found(context) == {Due.messages}
    async with context.database.transaction() as conn:
        (taken,) = await messages.claim(conn, "slack", 10, 60.0)
        await messages.updated(conn, taken, "another")
        await attestations.wish(conn, hold.id, None)
    assert await found(context) == {Due.attestations}
    async with context.database.transaction() as conn:
        await attestations.refuse(conn, hold.id, "no")
    assert await found(context) == frozenset()

    await shift_clock(context.database, 3601)
    assert await found(context) == {Due.holds, Due.deliveries}
    assert await sweeping.sweep(context) == 1
    assert Due.holds not in await found(context)


async def test_events_are_seen_until_they_are_numbered(context: Context, add: Add) -> None:
    async def seen() -> frozenset[Due]:
        async with context.database.connection() as conn:
            return await due.look(conn, context.policy().version)

    await number_all(context.database)
    assert await seen() == frozenset()
    await open_hold(context, await add("agent", kind=PrincipalKind.agent), opening())
    assert await seen() == {Due.events}
    await number_all(context.database)
    assert await seen() == frozenset()


async def test_who_numbers_events_is_told_of_those_whose_process_died_before_it_told(context: Context) -> None:
    told = asyncio.Event()
    context = replace(context, poke=told.set)
    async with context.database.transaction() as conn:
        await events.append(conn, [BrakeLifted(actor=None, agent=None, reason="out")], await clock.now(conn))
    async with looking(keep_numbering, context):
        await told.wait()


async def test_another_version_of_the_policy_is_seen_until_it_is_taken_up(
    context: Context, add: Add, monkeypatch: pytest.MonkeyPatch
) -> None:
    boss = Caller(await add("boss", "cto", "administrator"), frozenset(Scope))
    other = await in_force(context.database)
    await apply(context.database, other, boss, default_policy().source, "again")
    assert await found(context) == {Due.policy}
    refresh, taken_up = context.policies.refresh, asyncio.Event()

    async def watched() -> None:
        await refresh()
        taken_up.set()

    monkeypatch.setattr(context.policies, "refresh", watched)
    async with looking(lambda rounds, context: keep_following(rounds, context.policies), context):
        await taken_up.wait()
    assert await found(context) == frozenset()


async def test_a_look_takes_no_longer_however_much_is_pending(context: Context, add: Add) -> None:
    agent = await add("agent", kind=PrincipalKind.agent)
    hold = await open_hold(context, agent, opening(expires_in=timedelta(hours=1)))
    async with context.database.transaction() as conn:
        row = await (await conn.execute("SELECT * FROM holds WHERE id = %s", (hold.id,))).fetchone()
        assert row is not None
        columns = ", ".join(name for name in row if name not in {"id", "number"})
        # the planner has not heard of them yet, as after a burst
        await conn.execute(
            f"INSERT INTO holds (id, {columns}) SELECT gen_random_uuid(), {columns} FROM holds, "  # pyright: ignore[reportArgumentType] - names of our own columns
            "generate_series(1, 5000) WHERE id = %s",
            (hold.id,),
        )
        (plan,) = await (await conn.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {due.LOOK}", {"policy": 1})).fetchall()  # pyright: ignore[reportArgumentType] - a constant
    whole = plan["QUERY PLAN"][0]["Plan"]
    assert whole["Shared Hit Blocks"] + whole["Shared Read Blocks"] < 50


@asynccontextmanager
async def looking(keep: Callable[[Rounds, Context], Awaitable[None]], context: Context) -> AsyncGenerator[None]:
    """With a loop that is kept, for the time that a test may take."""
    rounds = Rounds(context)
    loops = [asyncio.ensure_future(each) for each in (rounds.keep_looking(), keep(rounds, context))]
    try:
        async with asyncio.timeout(DEADLINE_SECONDS):
            yield
    finally:
        for loop in loops:
            loop.cancel()
        await asyncio.gather(*loops, return_exceptions=True)


async def while_looking(context: Context, work: Callable[[], Awaitable[bool]], done: asyncio.Event) -> None:
    """Until the work says that it is done."""
    async with looking(lambda rounds, _: rounds.keep(Due.holds, work), context):
        await done.wait()


async def test_a_loop_works_when_something_is_due_and_again_while_there_is_more(context: Context, add: Add) -> None:
    agent = await add("agent", kind=PrincipalKind.agent)
    done = asyncio.Event()
    works = 0

    async def work() -> bool:
        nonlocal works
        works += 1
        # nothing else is done by this test, so that what is due stays so
        if works == 3:
            done.set()
        return works < 3

    waiting = asyncio.create_task(while_looking(context, work, done))
    await open_hold(context, agent, opening(expires_in=timedelta(hours=1)))
    await found(context)
    assert works == 0
    await shift_clock(context.database, 3601)
    await waiting
    assert works == 3


@pytest.mark.parametrize("lost", [errors.Unavailable(retry_after=0.01), errors.OutcomeUnknown(retry_after=0.01)])
async def test_a_database_that_is_away_is_waited_for(context: Context, add: Add, lost: errors.Unavailable) -> None:
    agent = await add("agent", kind=PrincipalKind.agent)
    await open_hold(context, agent, opening(expires_in=timedelta(hours=1)))
    await shift_clock(context.database, 3601)
    done = asyncio.Event()
    failures = 0

    async def work() -> bool:
        nonlocal failures
        if failures < 2:
            failures += 1
            raise lost
        await sweeping.sweep(context)
        done.set()
        return False

    await while_looking(context, work, done)
    assert Due.holds not in await found(context)
