"""Opening: what is written, what is refused, and once for each key."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Any

import pytest
from holds_world import Add, inbox, opening, shift_clock

from handrail.core import errors
from handrail.core.holds import Action, Kind, Status, Verdict
from handrail.core.people import Principal, PrincipalKind
from handrail.holds import deciding, reading
from handrail.holds.context import Context
from handrail.holds.deciding import Say
from handrail.holds.opening import open_hold


async def test_a_hold_reads_back_as_it_was_opened(context: Context, add: Add) -> None:
    agent = await add("agent", kind=PrincipalKind.agent)
    action = Action("wire", {"amount": 0.1, "tiny": 5e-324, "names": ["ä", "𝄞"], "none": None}, "account-7")
    hold = await open_hold(context, agent, opening(action=action, context={"why": "invoice"}, case_id="c1"))
    assert await reading.get(context, agent, hold.id) == hold
    assert hold.digest == hold.question.digest()


async def test_opening_says_so_in_the_same_transaction(context: Context, add: Add) -> None:
    agent = await add("agent", kind=PrincipalKind.agent)
    hold = await open_hold(context, agent, opening(case_id="c1"))
    (event,) = await inbox(context.database)
    assert (event["type"], event["hold_id"], event["case_id"]) == ("hold.opened", hold.id, "c1")
    assert event["data"]["digest"] == hold.digest


async def test_a_low_approval_comes_back_approved_by_policy(context: Context, add: Add) -> None:
    agent = await add("agent", kind=PrincipalKind.agent)
    hold = await open_hold(context, agent, opening(Kind.approval, action=Action("read_report", {})))
    assert hold.status is Status.approved
    assert hold.decision is not None and hold.decision.basis == "policy"
    assert [e["type"] for e in await inbox(context.database)] == ["hold.opened", "hold.decided"]


async def test_the_same_key_and_body_gives_the_same_hold_under_concurrency(context: Context, add: Add) -> None:
    agent = await add("agent", kind=PrincipalKind.agent)
    holds = await asyncio.gather(*(open_hold(context, agent, opening(), "key-1") for _ in range(20)))
    assert len({hold.id for hold in holds}) == 1
    assert len(await inbox(context.database)) == 1


async def test_the_same_key_with_another_body_is_refused(context: Context, add: Add) -> None:
    agent = await add("agent", kind=PrincipalKind.agent)
    first = await open_hold(context, agent, opening(), "key-1")
    with pytest.raises(errors.IdempotencyConflict) as caught:
        await open_hold(context, agent, opening(expires_in=timedelta(minutes=1)), "key-1")
    assert caught.value.data["hold_id"] == str(first.id)


async def test_a_key_belongs_to_its_principal(context: Context, add: Add) -> None:
    one, other = await add("one", kind=PrincipalKind.agent), await add("other", kind=PrincipalKind.agent)
    first = await open_hold(context, one, opening(), "key-1")
    assert (await open_hold(context, other, opening(), "key-1")).id != first.id


BAD_OPENINGS: list[tuple[dict[str, Any], type[errors.Rejected]]] = [
    ({"action": Action("x", {"n": 2**53})}, errors.NumberOutOfRange),
    ({"action": Action("x", {"n": float("inf")})}, errors.NumberOutOfRange),
    ({"title": "a\x00b"}, errors.NulByte),
    ({"context": {"half": "\ud800"}}, errors.BadUtf8),
    ({"kind": Kind.input, "schema": {"type": "nonsense"}}, errors.BadSchema),
    ({"kind": Kind.input, "schema": {"$ref": "http://127.0.0.1:9/schema"}}, errors.BadSchema),
    ({"kind": Kind.approval, "schema": {"type": "string"}}, errors.InvalidField),
    ({"kind": Kind.approval, "items": ({"item_id": "a"},)}, errors.InvalidField),
    ({"items": ({"item_id": "a"}, {"item_id": "a"})}, errors.InvalidField),
    ({"items": ({"name": "no id"},)}, errors.InvalidField),
]


@pytest.mark.parametrize(("fields", "error"), BAD_OPENINGS)
async def test_what_cannot_be_bound_is_refused_and_nothing_is_written(
    context: Context, add: Add, fields: dict[str, Any], error: type[errors.Rejected]
) -> None:
    agent = await add("agent", kind=PrincipalKind.agent)
    with pytest.raises(error):
        await open_hold(context, agent, opening(**fields), "key-1")
    assert await inbox(context.database) == []


async def test_what_people_rejected_before_is_said_of_the_same_action_alone(context: Context, add: Add) -> None:
    agent, other = await add("agent", kind=PrincipalKind.agent), await add("other", kind=PrincipalKind.agent)
    lead = await add("lead", "team_lead")

    async def refused(who: Principal, **more: Any) -> object:
        """What its hold says of earlier ones; people reject it, too."""
        hold = await open_hold(context, who, opening(recalled=True, **more))
        await deciding.review(context, lead, hold.id, Say(Verdict.reject, hold.digest))
        said = [fact.value for fact in hold.assessment.facts if fact.name == "refused_before"]
        assert said == ([str(hold.refused_before)] if hold.refused_before else [])
        rules = {rule.rule: rule.claimed for rule in hold.assessment.rules}
        assert rules.get("asked-again") == (False if hold.refused_before else None)
        return hold.refused_before

    assert [await refused(agent, case_id="c1") for _ in range(3)] == [0, 1, 2]
    # in whatever words it is asked, and whatever is claimed
    assert await refused(agent, case_id="c1", title="Please", task={"refused_before": 0, "cost": 1}) == 3
    assert await refused(agent, case_id="c1", action=Action("send_report", {"to": [], "copies": 2}, "ops")) == 0
    assert await refused(agent, case_id="c2") == 0
    assert await refused(other, case_id="c1") == 0
    assert [await refused(agent), await refused(agent)] == [0, 1]
    await shift_clock(context.database, 86_401)
    assert await refused(agent) == 0
    assert await refused(agent, case_id="c1") == 4


async def test_the_same_key_gives_the_same_hold_whatever_was_rejected_since(context: Context, add: Add) -> None:
    agent, lead = await add("agent", kind=PrincipalKind.agent), await add("lead", "team_lead")
    first, second = [await open_hold(context, agent, opening(recalled=True), key) for key in ("key-1", "key-2")]
    await deciding.review(context, lead, first.id, Say(Verdict.reject, first.digest))
    third = await open_hold(context, agent, opening(recalled=True), "key-3")
    assert (third.refused_before, third.task) == (1, None)
    assert [(await open_hold(context, agent, opening(recalled=True), f"key-{n}")).id for n in (2, 3)] == [
        second.id,
        third.id,
    ]
