"""Deciding: exactly one decision, by the right people, on what they saw, in time."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest
from holds_world import Add, inbox, opening, shift_clock

from handrail.core import errors
from handrail.core.canonical import JsonObject
from handrail.core.holds import Action, Kind, Status, Verdict
from handrail.core.people import PrincipalKind
from handrail.core.risk import Level
from handrail.holds import deciding, reading, sweeping, using
from handrail.holds.context import Context
from handrail.holds.deciding import Say
from handrail.holds.opening import open_hold
from handrail.policy import ACTIONS
from handrail.store import clock, holds, policies
from handrail.store.policies import StoredPolicy

PRODUCTION: JsonObject = {"operation": "deploy", "environment": "production"}


async def test_fifty_concurrent_reviews_make_one_decision_and_tell_the_others_who(context: Context, add: Add) -> None:
    agent = await add("agent", kind=PrincipalKind.agent)
    people = [await add(f"lead{n}", "team_lead") for n in range(50)]
    hold = await open_hold(context, agent, opening())

    async def say(n: int) -> str:
        verdict = Verdict.approve if n % 2 else Verdict.reject
        try:
            await deciding.review(context, people[n], hold.id, Say(verdict, hold.digest))
        except errors.AlreadyDecided as error:
            return error.data["decided_by"]["name"]
        return f"I, lead{n}"

    told = await asyncio.gather(*(say(n) for n in range(50)))
    (winner,) = [t for t in told if t.startswith("I, ")]
    assert {t for t in told if t != winner} == {winner.removeprefix("I, ")}
    events = [e["type"] for e in await inbox(context.database)]
    assert events.count("hold.decided") == 1


async def test_a_production_deploy_needs_two_and_never_its_requester(context: Context, add: Add) -> None:
    requester = await add("ann", "tech_lead", "cto")
    lead, boss, developer = await add("lead", "team_lead"), await add("boss", "cto"), await add("dev", "developer")
    hold = await open_hold(context, requester, opening(Kind.approval, task=PRODUCTION))
    with pytest.raises(errors.OwnRequest):
        await deciding.review(context, requester, hold.id, Say(Verdict.approve, hold.digest))
    with pytest.raises(errors.NotFound):
        await deciding.review(context, developer, hold.id, Say(Verdict.approve, hold.digest))
    assert (await deciding.review(context, lead, hold.id, Say(Verdict.approve, hold.digest))).pending
    assert (await deciding.review(context, lead, hold.id, Say(Verdict.approve, hold.digest))).pending
    assert (await deciding.review(context, boss, hold.id, Say(Verdict.approve, hold.digest))).status is Status.approved


async def test_an_amendment_keeps_the_revision_it_replaces_and_makes_the_old_digest_stale(
    context: Context, add: Add
) -> None:
    agent = await add("agent", kind=PrincipalKind.agent)
    lead = await add("lead", "team_lead")
    hold = await open_hold(context, agent, opening())
    amended = await deciding.review(
        context, lead, hold.id, Say(Verdict.amend, hold.digest, amended_action=Action("send_report", {"copies": 1}))
    )
    assert (amended.revision, amended.status) == (2, Status.pending)
    with pytest.raises(errors.StaleDigest):
        await deciding.review(context, lead, hold.id, Say(Verdict.approve, hold.digest))
    with pytest.raises(errors.DigestRequired):
        await deciding.review(context, lead, hold.id, Say(Verdict.approve))
    async with context.database.connection() as conn:
        assert await holds.revisions(conn, hold.id) == [hold]


async def test_a_review_after_the_deadline_expires_the_hold_in_its_own_transaction(context: Context, add: Add) -> None:
    agent = await add("agent", kind=PrincipalKind.agent)
    lead = await add("lead", "team_lead")
    hold = await open_hold(context, agent, opening(expires_in=timedelta(seconds=60), on_expiry="reject"))
    await shift_clock(context.database, 61)
    with pytest.raises(errors.AlreadyDecided):
        await deciding.review(context, lead, hold.id, Say(Verdict.approve, hold.digest))
    stored = await reading.get(context, agent, hold.id)
    assert stored.status is Status.rejected
    assert stored.decision is not None and stored.decision.basis == "expiry"


async def test_one_sweep_never_both_escalates_and_expires(context: Context, add: Add) -> None:
    agent = await add("agent", kind=PrincipalKind.agent)
    hold = await open_hold(context, agent, opening(Kind.approval, task=PRODUCTION, expires_in=timedelta(hours=1)))
    await shift_clock(context.database, 86_400)
    assert await sweeping.sweep(context) == 1
    escalated = await reading.get(context, agent, hold.id)
    assert (escalated.pending, escalated.expires_at) == (
        True,
        (escalated.escalated_at or hold.opened_at) + timedelta(minutes=30),
    )
    assert await sweeping.sweep(context) == 0
    await shift_clock(context.database, 1_800)
    assert await sweeping.sweep(context) == 1
    assert (await reading.get(context, agent, hold.id)).status is Status.expired
    assert await sweeping.sweep(context) == 0
    types = [e["type"] for e in await inbox(context.database)]
    assert types == ["hold.opened", "hold.escalated", "hold.decided"]


async def test_concurrent_sweeps_expire_each_hold_once(context: Context, add: Add) -> None:
    agent = await add("agent", kind=PrincipalKind.agent)
    for _ in range(30):
        await open_hold(context, agent, opening(expires_in=timedelta(seconds=5)))
    await shift_clock(context.database, 6)
    assert sum(await asyncio.gather(*(sweeping.sweep(context) for _ in range(5)))) == 30
    types = [e["type"] for e in await inbox(context.database)]
    assert types.count("hold.decided") == 30


async def test_an_approval_is_redeemed_once_and_only_by_its_opener(context: Context, add: Add) -> None:
    agent = await add("agent", kind=PrincipalKind.agent)
    lead = await add("lead", "team_lead")
    hold = await open_hold(context, agent, opening())
    with pytest.raises(errors.NotApproved):
        await using.redeem(context, agent, hold.id, hold.digest, "k1")
    await deciding.review(context, lead, hold.id, Say(Verdict.approve, hold.digest))
    with pytest.raises(errors.Forbidden):
        await using.redeem(context, lead, hold.id, hold.digest, "k1")

    async def redeem(key: str) -> str:
        try:
            return (await using.redeem(context, agent, hold.id, hold.digest, key)).redemption.key  # pyright: ignore[reportOptionalMemberAccess] - redeem gives a redeemed hold
        except errors.AlreadyRedeemed:
            return "refused"

    got = await asyncio.gather(*(redeem(f"k{n}") for n in range(10)))
    (key,) = set(got) - {"refused"}
    assert got.count(key) == 1
    assert await redeem(key) == key
    with pytest.raises(errors.AlreadyRedeemed):
        await deciding.withdraw(context, lead, hold.id, None)


async def test_a_stricter_policy_voids_the_approval_when_it_is_used(context: Context, add: Add) -> None:
    agent = await add("agent", kind=PrincipalKind.agent)
    hold = await open_hold(context, agent, opening(Kind.approval, action=Action("read_report", {})))
    assert hold.status is Status.approved
    async with context.database.transaction() as conn:
        # the same as if the policy in force when it opened had called a production deploy low
        await holds.save(conn, replace(hold, task=PRODUCTION), 1)
    with pytest.raises(errors.ApprovalVoid):
        await using.redeem(context, agent, hold.id, hold.digest, "k1")
    reopened = await reading.get(context, agent, hold.id)
    assert reopened.pending and reopened.assessment.requirements.approvals == 2


async def test_an_approval_is_used_under_the_policy_that_the_database_has_now(context: Context, add: Add) -> None:
    """Another process applied it: this one has not heard of it yet."""
    agent = await add("agent", kind=PrincipalKind.agent)
    hold = await open_hold(context, agent, opening(Kind.approval, action=Action("read_report", {})))
    assert hold.status is Status.approved
    source = context.policy().source
    stricter = {**source, ACTIONS: source[ACTIONS].replace("    operation: read\n", "    operation: pay\n")}
    async with context.database.transaction() as conn:
        await policies.insert(conn, StoredPolicy(1, stricter, None, None, await clock.now(conn)))
    assert context.policy().version == 0
    with pytest.raises(errors.ApprovalVoid):
        await using.redeem(context, agent, hold.id, hold.digest, "k1")
    reopened = await reading.get(context, agent, hold.id)
    assert (reopened.status, reopened.assessment.level) == (Status.pending, Level.high)


async def test_a_withdrawn_approval_opens_the_hold_again(context: Context, add: Add) -> None:
    agent = await add("agent", kind=PrincipalKind.agent)
    lead = await add("lead", "team_lead")
    hold = await open_hold(context, agent, opening())
    await deciding.review(context, lead, hold.id, Say(Verdict.approve, hold.digest))
    assert (await deciding.withdraw(context, lead, hold.id, "too early")).pending
    with pytest.raises(errors.NotApproved):
        await using.redeem(context, agent, hold.id, hold.digest, "k1")


async def test_bulk_reviews_have_a_result_for_each_hold(context: Context, add: Add) -> None:
    agent = await add("agent", kind=PrincipalKind.agent)
    lead = await add("lead", "team_lead")
    first, second = [await open_hold(context, agent, opening()) for _ in range(2)]
    await using.cancel(context, agent, second.id, None)
    seen = [(first.id, first.digest), (second.id, second.digest), (first.id, "0" * 64)]
    outcomes = await deciding.review_many(context, lead, Verdict.approve, seen, None)
    codes = [o.error.code if o.error else "ok" for o in outcomes]
    assert codes == ["ok", "already_decided", "already_decided"]


async def test_an_action_amended_to_production_is_assessed_as_production(context: Context, add: Add) -> None:
    agent, lead = await add("agent", kind=PrincipalKind.agent), await add("lead", "team_lead")
    staging: JsonObject = {"operation": "deploy", "environment": "staging"}
    action = Action("deploy", {"environment": "staging", "version": "1.2"}, "shop")
    hold = await open_hold(context, agent, opening(Kind.approval, action=action, task=staging))
    assert hold.assessment.level is Level.medium
    production = Action("deploy", {"environment": "production", "version": "1.2"}, "shop")
    amended = await deciding.review(context, lead, hold.id, Say(Verdict.amend, hold.digest, amended_action=production))
    assert amended.assessment.level is Level.high
    assert amended.approvers == {}, "the level rose, so amending is no approval"
