"""Use cases in the caller's transaction: all of them count, or none."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from holds_world import Add, opening, shift_clock
from runs_world import INPUT, engine, publish

from handrail.core import errors
from handrail.core.callers import Caller, Scope
from handrail.core.holds import Action, Hold, Kind, Status, Verdict
from handrail.core.people import Principal
from handrail.core.runs import Run
from handrail.engine.starting import Start, start_within
from handrail.holds import reading
from handrail.holds.braking import set_brake
from handrail.holds.context import Context
from handrail.holds.deciding import Say, review, review_within
from handrail.holds.opening import open_hold, open_within
from handrail.store.database import Connection

AMENDED = Action("send_report", {"to": ["ops@example.org"], "copies": 3}, "ops")


@asynccontextmanager
async def dying(context: Context) -> AsyncGenerator[Connection]:
    """A transaction whose server dies when all is done and nothing committed."""
    with pytest.raises(errors.Unavailable):
        async with context.database.transaction() as conn:
            yield conn
            async with context.database.connection() as other:
                await other.execute("SELECT pg_terminate_backend(%s)", (conn.info.backend_pid,))
            await conn.execute("SELECT 1")


async def everything(context: Context, conn: Connection, mara: Principal, lead: Principal) -> tuple[Run, Hold]:
    """A run, a hold and what somebody says of it, each by its own use case."""
    run = await start_within(engine(context), conn, mara, Start("deploy", INPUT), "once")
    asked = replace(opening(Kind.confirmation), run_id=run.id, starter=mara.id)
    hold = await open_within(context, conn, mara, asked, "once")
    amended = await review_within(context, conn, lead, hold.id, Say(Verdict.amend, hold.digest, amended_action=AMENDED))
    return run, await review_within(context, conn, lead, hold.id, Say(Verdict.approve, amended.digest))


async def counts(context: Context) -> dict[str, Any]:
    async with context.database.connection() as conn:
        found = await conn.execute(
            """
            SELECT (SELECT count(*) FROM runs) AS runs, (SELECT count(*) FROM holds) AS holds,
              (SELECT count(*) FROM event_inbox) AS events, (SELECT count(*) FROM idempotency_keys) AS keys,
              (SELECT count(*) FROM hold_revisions) AS revisions
            """
        )
        row = await found.fetchone()
    assert row is not None
    return row


async def test_a_crash_before_the_commit_leaves_nothing_and_the_same_again_does_it_all(
    context: Context, add: Add
) -> None:
    mara, lead = await add("mara", "developer"), await add("lead", "tech_lead", "team_lead")
    await publish(context.database)
    before = await counts(context)
    async with dying(context) as conn:
        _, hold = await everything(context, conn, mara, lead)
        assert hold.status is Status.approved
    assert await counts(context) == before

    async with context.database.transaction() as conn:
        run, hold = await everything(context, conn, mara, lead)
    after = await counts(context)
    assert (after["runs"], after["holds"], after["keys"], after["revisions"]) == (1, 1, 2, 1)
    found = await reading.get(context, lead, hold.id)
    assert (found.status, found.run_id, found.revision, found.question.action) == ("approved", run.id, 2, AMENDED)


async def test_who_may_decide_is_not_remembered_from_a_transaction_that_failed(context: Context, add: Add) -> None:
    """The set of roles is made with the first hold that needs it; another hold of the same transaction finds it."""
    mara = await add("mara", "developer")
    with pytest.raises(ConnectionError):
        async with context.database.transaction() as conn:
            for _ in range(2):
                await open_within(context, conn, mara, opening())
            raise ConnectionError
    hold = await open_hold(context, mara, opening())
    assert (await reading.get(context, mara, hold.id)).pending


async def test_a_hold_whose_time_is_up_is_refused_within_and_expires_without(context: Context, add: Add) -> None:
    mara, lead = await add("mara", "developer"), await add("lead", "tech_lead", "team_lead")
    hold = await open_hold(context, mara, opening(expires_in=timedelta(minutes=1)))
    await shift_clock(context.database, 61)
    yes = Say(Verdict.approve, hold.digest)
    with pytest.raises(errors.AlreadyDecided, match="ran out of time: it is expired"):
        async with context.database.transaction() as conn:
            await review_within(context, conn, lead, hold.id, yes)
    assert (await reading.get(context, mara, hold.id)).pending
    with pytest.raises(errors.AlreadyDecided, match="ran out of time: it is expired"):
        await review(context, lead, hold.id, yes)
    assert (await reading.get(context, mara, hold.id)).status is Status.expired


async def test_brakes_and_roles_count_within_a_caller_s_transaction_too(context: Context, add: Add) -> None:
    mara, lead = await add("mara", "tech_lead"), await add("lead", "tech_lead")
    boss = await add("boss", "administrator")
    await publish(context.database)
    hold = await open_hold(context, mara, opening())
    yes = Say(Verdict.approve, hold.digest)
    with pytest.raises(errors.OwnRequest):
        async with context.database.transaction() as conn:
            await review_within(context, conn, mara, hold.id, yes)
    with pytest.raises(errors.Conflict, match="your roles have just changed"):
        async with context.database.transaction() as conn:
            await review_within(context, conn, replace(lead, roles=lead.roles | {"cto"}), hold.id, yes)
    await set_brake(context, Caller(boss, frozenset(Scope)), None, "freeze", "smoke")
    with pytest.raises(errors.Braked, match="smoke"):
        async with context.database.transaction() as conn:
            await review_within(context, conn, lead, hold.id, yes)
    with pytest.raises(errors.Braked, match="smoke"):
        async with context.database.transaction() as conn:
            await start_within(engine(context), conn, mara, Start("deploy", INPUT))
    assert (await reading.get(context, mara, hold.id)).pending
