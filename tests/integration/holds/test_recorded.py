"""A decision is used only as the log recorded it: a row that was changed by hand does not redeem."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from feed_world import number_all
from holds_world import Add, inbox, opening

from handrail.core import errors
from handrail.core.canonical import JsonObject
from handrail.core.holds import Action, Decision, Hold, Kind, Redemption, Review, Status, Verdict
from handrail.core.people import Principal, PrincipalKind
from handrail.holds import deciding, reading, using
from handrail.holds.context import Context
from handrail.holds.deciding import Say
from handrail.holds.opening import open_hold
from handrail.store import holds, retention

PRODUCTION: JsonObject = {"operation": "deploy", "environment": "production"}


async def write(context: Context, hold: Hold, **changes: object) -> None:
    """Writes into the row as somebody with the database's password can."""
    async with context.database.transaction() as conn:
        await holds.save(conn, replace(hold, **changes), 1)


async def asked(context: Context, add: Add) -> tuple[Principal, Principal, Hold]:
    agent, lead = await add("agent", kind=PrincipalKind.agent), await add("lead", "team_lead")
    return agent, lead, await open_hold(context, agent, opening(Kind.approval, task=PRODUCTION))


@pytest.mark.parametrize("numbered", [False, True])
async def test_a_row_set_to_approved_does_not_redeem_and_people_are_asked_again(
    context: Context, add: Add, numbered: bool
) -> None:
    agent, lead, hold = await asked(context, add)
    if numbered:
        await number_all(context.database)
    review = Review(lead.id, lead.roles | {"cto"}, Verdict.approve, hold.opened_at)
    decision = Decision(Status.approved, "people", hold.opened_at, lead.id)
    await write(context, hold, status=Status.approved, decision=decision, reviews=(review,))
    with pytest.raises(errors.ApprovalVoid):
        await using.redeem(context, agent, hold.id, hold.digest, "k")
    after = await reading.get(context, agent, hold.id)
    assert (after.status, after.decision, after.redemption, after.reviews) == (Status.pending, None, None, ())
    (reopened,) = [e for e in await inbox(context.database) if e["type"] == "hold.reopened"]
    assert reopened["data"]["cause"] == "record"
    assert "status: the row says approved, the log says pending" in reopened["data"]["why"]


async def test_a_use_that_was_written_into_the_row_is_no_use(context: Context, add: Add) -> None:
    agent, _, hold = await asked(context, add)
    redemption = Redemption("k", agent.id, hold.opened_at)
    decision = Decision(Status.approved, "policy", hold.opened_at)
    await write(context, hold, status=Status.approved, decision=decision, redemption=redemption)
    with pytest.raises(errors.ApprovalVoid):
        await using.redeem(context, agent, hold.id, hold.digest, "k")


async def test_an_approval_that_was_used_and_looks_unused_is_not_used_again(context: Context, add: Add) -> None:
    agent = await add("agent", kind=PrincipalKind.agent)
    lead = await add("lead", "team_lead")
    hold = await open_hold(context, agent, opening())
    await deciding.review(context, lead, hold.id, Say(Verdict.approve, hold.digest))
    used = await using.redeem(context, agent, hold.id, hold.digest, "k")
    assert await using.redeem(context, agent, hold.id, hold.digest, "k") == used
    await write(context, used, redemption=None)
    with pytest.raises(errors.ApprovalVoid):
        await using.redeem(context, agent, hold.id, hold.digest, "another")


async def test_another_action_in_the_row_is_refused_and_not_asked(context: Context, add: Add) -> None:
    agent = await add("agent", kind=PrincipalKind.agent)
    lead = await add("lead", "team_lead")
    hold = await open_hold(context, agent, opening())
    approved = await deciding.review(context, lead, hold.id, Say(Verdict.approve, hold.digest))
    question = replace(hold.question, action=Action("send_report", {"to": ["eve@example.org"]}))
    await write(context, approved, question=question, digest=question.digest())
    with pytest.raises(errors.RecordMismatch) as refused:
        await using.redeem(context, agent, hold.id, question.digest(), "k")
    assert [found.partition(":")[0] for found in refused.value.data["differences"]] == ["content", "digest"]
    assert (await reading.get(context, agent, hold.id)).redemption is None


async def test_who_did_not_open_the_hold_cannot_have_it_opened_again(context: Context, add: Add) -> None:
    agent, lead, hold = await asked(context, add)
    await write(context, hold, status=Status.approved, decision=Decision(Status.approved, "policy", hold.opened_at))
    with pytest.raises(errors.Forbidden):
        await using.redeem(context, lead, hold.id, hold.digest, "k")
    assert (await reading.get(context, agent, hold.id)).status is Status.approved


async def test_an_approval_of_which_the_log_gave_up_the_data_is_asked_again(context: Context, add: Add) -> None:
    agent = await add("agent", kind=PrincipalKind.agent)
    lead = await add("lead", "team_lead")
    used, unused, waiting = [await open_hold(context, agent, opening()) for _ in range(3)]
    for hold in (used, unused):
        await deciding.review(context, lead, hold.id, Say(Verdict.approve, hold.digest))
    await using.redeem(context, agent, used.id, used.digest, "k")
    await number_all(context.database)
    async with context.database.transaction() as conn:
        await retention.empty_entries(conn, timedelta())
    assert (await using.redeem(context, agent, used.id, used.digest, "k")).redemption is not None
    with pytest.raises(errors.ApprovalVoid):
        await using.redeem(context, agent, unused.id, unused.digest, "k")
    # what the hold that waits needs was spared
    await deciding.review(context, lead, waiting.id, Say(Verdict.approve, waiting.digest))
    assert (await using.redeem(context, agent, waiting.id, waiting.digest, "k")).redemption is not None
