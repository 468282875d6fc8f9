"""S1.8: a session in which nothing happens ends, and frees all that it held; whatever happens keeps it alive."""

from __future__ import annotations

import asyncio

from holds_world import Add, shift_clock
from runs_world import Voice, ask, engine, publish, row, say, settle, started

from handrail.core.callers import Caller, Scope
from handrail.core.holds import Kind, Verdict
from handrail.core.people import Principal
from handrail.core.runs import Run, RunStatus
from handrail.engine.cancelling import sweep
from handrail.engine.expiring import expire_idle
from handrail.holds import commenting, deciding, reading
from handrail.holds.braking import lift_brake, set_brake
from handrail.holds.context import Context
from handrail.holds.deciding import Say


async def pass_time(context: Context, minutes: float) -> int:
    """The time passes, and the sweep comes; how many sessions it ended."""
    await shift_clock(context.database, minutes * 60)
    return await expire_idle(engine(context))


async def session(context: Context, who: Principal) -> Run:
    await publish(context.database, "skill", input_schema=None)
    return await started(context, who, "skill", input={"skill_id": "x"})


async def status(context: Context, run: Run) -> RunStatus:
    return (await row(context.database, run.id)).status


async def test_thirty_minutes_without_activity_end_a_session_and_its_holds(context: Context, add: Add) -> None:
    mara = await add("mara")
    run = await session(context, mara)
    await publish(context.database)
    other = await started(context, mara)
    hold = await ask(context, run, "Which colour?", kind=Kind.input, task=None)
    await settle(context.database, run.id, "paused")
    assert await pass_time(context, 29.9) == 0
    assert await status(context, run) is RunStatus.paused
    # several servers sweep at once: it ends once
    await shift_clock(context.database, 12)
    assert sorted(await asyncio.gather(*(expire_idle(engine(context)) for _ in range(3)))) == [0, 0, 1]
    ended = await row(context.database, run.id)
    assert (ended.status, ended.ended_at is not None, ended.epoch) == (RunStatus.expired, True, run.epoch + 1)
    found = await reading.get(context, mara, hold.id)
    assert found.decision is not None
    assert (found.status, found.decision.basis) == ("expired", "expiry")
    # other runs have no such limit
    assert await pass_time(context, 60 * 24) == 0
    assert await status(context, other) is RunStatus.queued


async def test_whatever_happens_begins_the_time_anew(context: Context, add: Add) -> None:
    mara = await add("mara")
    run = await session(context, mara)
    hold = await ask(context, run, "Which colour?", kind=Kind.input, task=None)
    await settle(context.database, run.id, "running")

    async def alive() -> bool:
        return await pass_time(context, 20) == 0 and (await status(context, run)).active

    assert await alive()
    await commenting.comment(context, mara, hold.id, "let me think", None)
    assert await alive()
    await deciding.review(context, mara, hold.id, Say(Verdict.answer, hold.digest, answer="blue"))
    assert await alive()
    await say(context, run, "run.tool_called", name="paint", args={}, call_id="c1")
    assert await alive()
    # a model that talks for very long
    voice = Voice(context, run)
    for start in range(3):
        await voice.write(start, "x")
        assert await alive()
    await voice.complete("xxx")
    assert await alive()
    assert await pass_time(context, 11) == 1
    assert await status(context, run) is RunStatus.expired


async def test_time_under_a_brake_does_not_count(context: Context, add: Add) -> None:
    run = await session(context, await add("mara"))
    boss = Caller(await add("boss", "administrator"), frozenset(Scope))
    await set_brake(context, boss, run.agent, "freeze", "smoke")
    assert await pass_time(context, 100) == 0
    await lift_brake(context, boss, run.agent, "a false alarm")
    assert await pass_time(context, 29) == 0
    assert await pass_time(context, 2) == 1


async def test_what_a_crash_left_of_an_expired_session_expires_too(context: Context, add: Add) -> None:
    mara = await add("mara")
    run = await session(context, mara)
    hold = await ask(context, run, "Which colour?", kind=Kind.input, task=None)
    await settle(context.database, run.id, "expired")
    assert (await sweep(context))[1] == 1
    assert (await reading.get(context, mara, hold.id)).status == "expired"
