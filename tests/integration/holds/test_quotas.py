"""Quotas: how much one principal may have open and say, counted by the database."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncGenerator
from dataclasses import replace
from pathlib import Path

import pytest
from holds_world import Add, opening, shift_clock

from handrail.core import errors
from handrail.core.holds import Action, Kind
from handrail.core.people import Principal, PrincipalKind
from handrail.core.quotas import Quota
from handrail.core.sizes import MIB
from handrail.holds import using
from handrail.holds.commenting import comment
from handrail.holds.context import Context
from handrail.holds.opening import open_hold
from handrail.holds.quotas import Quotas
from handrail.store.database import opened
from handrail.store.space import Space


def limited(context: Context, **limits: int) -> Context:
    return replace(context, quotas=Quotas(Quota(**limits)))


@pytest.fixture
async def agent(add: Add) -> AsyncGenerator[Principal]:
    yield await add("agent", kind=PrincipalKind.agent)


async def test_one_more_open_hold_than_allowed_is_refused_with_the_limit(context: Context, agent: Principal) -> None:
    context = limited(context, open_holds=3)
    for _ in range(3):
        await open_hold(context, agent, opening())
    with pytest.raises(errors.QuotaExceeded, match="you have 3 open holds") as refused:
        await open_hold(context, agent, opening())
    assert refused.value.data == {"quota": "open_holds", "most": 3}


async def test_a_hold_that_is_open_no_more_makes_room(context: Context, agent: Principal) -> None:
    context = limited(context, open_holds=1)
    first = await open_hold(context, agent, opening())
    await using.cancel(context, agent, first.id, None)
    await open_hold(context, agent, opening())


async def test_the_quota_of_one_leaves_others_alone(context: Context, agent: Principal, add: Add) -> None:
    context = limited(context, open_holds=1)
    await open_hold(context, agent, opening())
    await open_hold(context, await add("other", kind=PrincipalKind.agent), opening())


async def test_what_a_low_approval_needs_is_nothing(context: Context, agent: Principal) -> None:
    context = limited(context, open_holds=1)
    for _ in range(3):
        await open_hold(context, agent, opening(Kind.approval, action=Action("read_report", {})))


async def test_the_same_key_finds_its_hold_although_the_quota_is_used_up(context: Context, agent: Principal) -> None:
    context = limited(context, open_holds=1)
    first = await open_hold(context, agent, opening(), "k1")
    assert await open_hold(context, agent, opening(), "k1") == first


async def test_holds_of_runs_count_for_who_started_them(context: Context, agent: Principal, add: Add) -> None:
    context = limited(context, open_holds=1)
    mara, theo = await add("mara"), await add("theo")
    await open_hold(context, agent, opening(starter=mara.id))
    with pytest.raises(errors.QuotaExceeded):
        await open_hold(context, agent, opening(starter=mara.id))
    await open_hold(context, agent, opening(starter=theo.id))
    await open_hold(context, agent, opening())


async def test_bytes_count_too(context: Context, agent: Principal) -> None:
    context = limited(context, open_bytes=2 * MIB)
    # random, because the database compresses
    large = opening(action=Action("send", {"text": secrets.token_hex(MIB // 2)}))
    await open_hold(context, agent, large)
    await open_hold(context, agent, large)
    with pytest.raises(errors.QuotaExceeded, match="2 MiB are allowed") as refused:
        await open_hold(context, agent, opening())
    assert refused.value.data["quota"] == "open_bytes"


async def test_servers_that_open_at_once_stay_within_the_limit_together(
    context: Context, agent: Principal, database: str
) -> None:
    async with opened(database) as other:
        servers = [limited(context, open_holds=25), limited(replace(context, database=other), open_holds=25)]
        done = await asyncio.gather(
            *(open_hold(server, agent, opening()) for server in servers * 30), return_exceptions=True
        )
    refused = [one for one in done if isinstance(one, BaseException)]
    assert all(isinstance(one, errors.QuotaExceeded) for one in refused)
    assert len(done) - len(refused) == 25


async def test_comments_on_one_hold_have_an_end(context: Context, agent: Principal, add: Add) -> None:
    context = limited(context, comments_on_hold=2)
    hold = await open_hold(context, agent, opening())
    for n in range(2):
        await comment(context, agent, hold.id, f"please {n}")
    with pytest.raises(errors.QuotaExceeded, match="2 comments on this hold"):
        await comment(context, agent, hold.id, "please")
    await comment(context, await add("lea", "team_lead"), hold.id, "no")


async def test_comments_in_a_minute_have_an_end_over_all_holds(context: Context, agent: Principal) -> None:
    context = limited(context, comments_a_minute=2)
    holds = [await open_hold(context, agent, opening()) for _ in range(3)]
    for hold in holds[:2]:
        await comment(context, agent, hold.id, "please")
    with pytest.raises(errors.QuotaExceeded, match="in the last minute") as refused:
        await comment(context, agent, holds[2].id, "please")
    assert refused.value.data["quota"] == "comments_a_minute"
    await shift_clock(context.database, 61)
    await comment(context, agent, holds[2].id, "please")


async def test_the_same_reply_again_needs_no_quota(context: Context, agent: Principal, add: Add) -> None:
    context = limited(context, comments_on_hold=1)
    hold = await open_hold(context, agent, opening())
    asked = await comment(context, await add("lea", "team_lead"), hold.id, "why?")
    first = await comment(context, agent, hold.id, "because", asked.id)
    assert (await comment(context, agent, hold.id, "because", asked.id)).id == first.id


async def test_below_the_reserve_nothing_new_is_taken(agent: Principal, context: Context, database: str) -> None:
    hold = await open_hold(context, agent, opening())
    async with opened(database, space=Space(Path("/"), 1 << 60)) as full:
        context = replace(context, database=full)
        with pytest.raises(errors.OutOfSpace):
            await open_hold(context, agent, opening())
        with pytest.raises(errors.OutOfSpace):
            await comment(context, agent, hold.id, "please")
        await using.cancel(context, agent, hold.id, None)


async def test_a_database_that_cannot_write_says_so_and_is_believed_for_a_while(context: Context) -> None:
    with pytest.raises(errors.OutOfSpace):
        async with context.database.transaction() as conn:
            await conn.execute("DO $$ BEGIN RAISE 'no space left on device' USING ERRCODE = '53100'; END $$")
    with pytest.raises(errors.OutOfSpace):
        context.database.space.check()
