"""Opening and using in one transaction: only what nobody has to be asked for, once, as redeeming by itself would."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from holds_world import Add, credential, inbox, opening

from handrail.core import errors
from handrail.core.callers import Caller, Scope
from handrail.core.holds import Action, Hold, Kind, Status, Verdict
from handrail.core.people import Principal, PrincipalKind
from handrail.holds import deciding, policies, using
from handrail.holds.context import Context
from handrail.holds.deciding import Say
from handrail.holds.opening import Opening, Use, open_hold
from handrail.policy import default_policy

LOW = opening(Kind.approval, action=Action("read_report", {}))
ASKS = opening(Kind.approval, action=Action("deploy", {}, "staging"))
STRICT = "\nrules:\n  - id: reading-asks\n    action: read_report\n    level: medium\n"


@pytest.fixture
async def agent(add: Add) -> Principal:
    return await add("agent", kind=PrincipalKind.agent)


async def types(context: Context) -> list[str]:
    return [event["type"] for event in await inbox(context.database)]


async def test_what_nobody_is_asked_for_is_used_as_it_opens(context: Context, agent: Principal) -> None:
    hold = await open_hold(context, agent, LOW, use=Use("once"))
    assert hold.status is Status.approved and hold.redemption is not None
    assert (hold.redemption.by, hold.redemption.at) == (agent.id, hold.opened_at)
    assert await types(context) == ["hold.opened", "hold.decided", "hold.redeemed"]
    assert await using.redeem(context, agent, hold.id, hold.digest, "once") == hold
    with pytest.raises(errors.AlreadyRedeemed):
        await using.redeem(context, agent, hold.id, hold.digest, "twice")
    assert (await using.record_result(context, agent, hold.id, "succeeded", None)).result is not None


@pytest.mark.parametrize("asks", [ASKS, replace(LOW, kind=Kind.confirmation), replace(LOW, kind=Kind.review)])
async def test_what_asks_people_is_only_opened(context: Context, agent: Principal, asks: Opening) -> None:
    hold = await open_hold(context, agent, asks, use=Use("once"))
    assert (hold.status, hold.redemption) == (Status.pending, None)
    assert await types(context) == ["hold.opened"]


async def test_what_is_not_what_is_about_to_run_is_not_even_opened(context: Context, agent: Principal) -> None:
    other = await open_hold(context, agent, ASKS)
    before = await types(context)
    with pytest.raises(errors.StaleDigest):
        await open_hold(context, agent, LOW, "key", Use("once", other.digest))
    assert await types(context) == before
    assert (await open_hold(context, agent, ASKS, "key")).id != other.id, "the key was not taken"


async def test_the_same_key_and_use_again_is_the_same_answer(context: Context, agent: Principal) -> None:
    first = await open_hold(context, agent, LOW, "key", Use("once"))
    assert await open_hold(context, agent, LOW, "key", Use("once")) == first
    assert len(await types(context)) == 3
    with pytest.raises(errors.AlreadyRedeemed) as caught:
        await open_hold(context, agent, LOW, "key", Use("twice"))
    assert caught.value.data["hold_id"] == str(first.id)


async def test_of_many_at_once_under_one_key_one_uses_it(context: Context, agent: Principal) -> None:
    tried = await asyncio.gather(
        *(open_hold(context, agent, LOW, "key", Use(f"use-{n}")) for n in range(20)), return_exceptions=True
    )
    (won,) = [one for one in tried if isinstance(one, Hold)]
    assert won.redemption is not None
    assert all(isinstance(one, errors.AlreadyRedeemed) for one in tried if one is not won)
    assert (await types(context)).count("hold.redeemed") == 1


async def test_what_people_approved_meanwhile_is_used_by_the_same_request_again(
    context: Context, add: Add, agent: Principal
) -> None:
    lead = await add("lead", "team_lead")
    hold = await open_hold(context, agent, ASKS, "key", Use("once"))
    say = Say(Verdict.approve, hold.digest, credential=credential(lead))
    await deciding.review(context, lead, hold.id, say)
    used = await open_hold(context, agent, ASKS, "key", Use("once"))
    assert (used.id, used.redemption and used.redemption.key) == (hold.id, "once")


async def test_what_people_amended_is_not_used_as_it_was_asked(context: Context, add: Add, agent: Principal) -> None:
    lead, second = await add("lead", "team_lead"), await add("second", "team_lead")
    hold = await open_hold(context, agent, ASKS, "key", Use("once"))
    amend = Say(Verdict.amend, hold.digest, amended_action=Action("deploy", {"slowly": True}, "staging"))
    amended = await deciding.review(context, lead, hold.id, replace(amend, credential=credential(lead)))
    await deciding.review(context, second, hold.id, Say(Verdict.approve, amended.digest, credential=credential(second)))
    seen = await open_hold(context, agent, ASKS, "key", Use("once"))
    assert (seen.revision, seen.status, seen.redemption) == (2, Status.approved, None)


async def test_the_policy_is_the_one_that_the_database_has(context: Context, add: Add, agent: Principal) -> None:
    """Another process applied it; this one has not heard of it."""
    administrator = await add("admin", "administrator")
    caller = Caller(administrator, frozenset(Scope), credential(administrator))
    files = dict(default_policy().source)
    rules = next(name for name in files if name.startswith("risk-assessment-rules"))
    files[rules] = files[rules].replace("\nrules:\n", STRICT, 1)
    elsewhere = await policies.in_force(context.database)
    await policies.apply(context.database, elsewhere, caller, files, "reading asks")
    hold = await open_hold(context, agent, LOW, use=Use("once"))
    assert (hold.status, hold.redemption) == (Status.pending, None)
