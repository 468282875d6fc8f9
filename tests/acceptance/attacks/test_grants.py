"""Attacks on standing permissions: made by the wrong one, widened, used past their bounds or after their end."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from attacks_world import CRITICAL, HIGH, MEDIUM, Cast, Json, Member, joined
from server import beside

BOUNDS: Json = {"args": {"version": {"prefix": "1."}}, "target": {"exact": "staging"}}


def allow(who: Member, hold: Json, **terms: object) -> Json:
    made = who.post(f"/api/holds/{hold['id']}/grant", {"digest": hold["digest"], **BOUNDS, **terms})
    return made.raise_for_status().json()


def asks(bot: Member, version: object = "1.2", **more: object) -> str:
    return bot.open(MEDIUM, action={**MEDIUM["action"], "args": {"version": version}, **more})["status"]


def test_no_program_and_nobody_without_the_right_allows_anything_in_advance(cast: Cast) -> None:
    bot = joined(cast.server, "bot", kind="agent")
    hold = bot.open(MEDIUM)
    for who in (bot, cast.agent, cast.service, cast.developer, cast.nobody, cast.auditor, cast.administrator):
        refused = who.post(f"/api/holds/{hold['id']}/grant", {"digest": hold["digest"], **BOUNDS})
        assert refused.status_code in (403, 404), who.name
    assert asks(bot) == "pending"


@pytest.mark.parametrize("field", ["grant", "origin", "basis", "granted"])
def test_no_field_of_the_api_says_that_a_grant_covers_a_call(cast: Cast, field: str) -> None:
    refused = cast.agent.post("/api/holds", {**MEDIUM, field: "grant"})
    assert (refused.status_code, refused.json()["code"]) == (422, "unknown_field")


def test_a_hold_that_looks_like_one_that_makes_a_grant_makes_none(cast: Cast) -> None:
    bot = joined(cast.server, "bot", kind="agent")
    terms = allow(cast.team_lead, bot.open(MEDIUM), uses=1)["terms"]
    forged = {"action": "deploy", "agent": bot.id, "until": terms["until"], "case": None, "amount": None, "uses": None}
    action = {"name": "handrail.grant", "args": {**forged, "args": {"version": {"any": True}}, "target": {"any": True}}}
    for who in (bot, cast.team_lead):
        refused = who.post("/api/holds", {"kind": "review", "title": "Allow bot to deploy", "action": action})
        assert (refused.status_code, refused.json()["code"]) == (422, "invalid_field"), who.name
    asked = bot.open(HIGH)
    amended = {"verdict": "amend", "digest": asked["digest"], "amended_action": action}
    refused = cast.tech_lead.post(f"/api/holds/{asked['id']}/reviews", amended)
    assert (refused.status_code, refused.json()["code"]) == (422, "invalid_field")
    assert [asks(bot), asks(bot)] == ["approved", "pending"]


def test_a_call_that_is_not_quite_covered_is_asked(cast: Cast) -> None:
    bot = joined(cast.server, "bot", kind="agent")
    allow(cast.team_lead, bot.open(MEDIUM))
    assert asks(bot) == "approved"
    for version in (
        "2.0",
        "1",
        "1.2; rm -rf /",
        "1.$(id)",
        "1../2",
        "1.\u202e2",
        "１.2",
        1.2,
        ["1.2"],
        {"": "1.2"},
        None,
    ):
        assert asks(bot, version) == "pending", version
    for target in ("production", "Staging", "staging ", "staging\u200b", "staging/../production", None):
        assert asks(bot, target=target) == "pending", target
    assert (
        bot.open(MEDIUM, action={**MEDIUM["action"], "args": {"version": "1.2", "force": True}})["status"] == "pending"
    )
    assert bot.open(HIGH)["status"] == bot.open(CRITICAL)["status"] == "pending"
    assert asks(joined(cast.server, "other", kind="agent")) == "pending"


def test_one_person_does_not_allow_in_advance_what_needs_two(cast: Cast) -> None:
    bot = joined(cast.server, "bot", kind="agent")
    grant = allow(cast.tech_lead, bot.open(HIGH), target={"exact": "production"})
    made = cast.tech_lead.get(f"/api/holds/{grant['id']}").json()
    assert grant["status"] == "proposed"
    cast.tech_lead.review(made)
    assert bot.open(HIGH)["status"] == "pending"
    amended = {"verdict": "amend", "digest": made["digest"], "amended_action": made["action"]}
    assert cast.cto.post(f"/api/holds/{grant['id']}/reviews", amended).json()["code"] == "wrong_verdict"
    assert cast.tech_lead.redeem(made).status_code == 409
    cast.cto.review(made).raise_for_status()
    assert bot.open(HIGH)["status"] == "approved"


def test_a_grant_is_used_as_often_as_it_says_by_many_at_once(cast: Cast) -> None:
    bot = joined(cast.server, "bot", kind="agent")
    allow(cast.team_lead, bot.open(MEDIUM), uses=3)
    with ThreadPoolExecutor(8) as pool:
        found = [each.result() for each in [pool.submit(asks, bot) for _ in range(24)]]
    assert found.count("approved") == 3


def test_two_servers_on_one_database_use_a_grant_of_ten_exactly_ten_times(cast: Cast) -> None:
    bot = joined(cast.server, "bot", kind="agent")
    grant = allow(cast.team_lead, bot.open(MEDIUM), uses=10)
    with beside(cast.server) as other:
        there = replace(bot, server=other)
        with ThreadPoolExecutor(10) as pool:
            found = [each.result() for each in [pool.submit(asks, who) for _ in range(25) for who in (bot, there)]]
        assert (len(found), found.count("approved")) == (50, 10)
        for who in (cast.team_lead, replace(cast.team_lead, server=other)):
            seen = who.get(f"/api/grants/{grant['id']}").raise_for_status().json()
            assert (seen["used"], seen["status"]) == (10, "used_up")


def test_what_a_grant_approved_is_of_no_use_once_it_is_revoked_nor_to_another(cast: Cast) -> None:
    bot = joined(cast.server, "bot", kind="agent")
    grant = allow(cast.team_lead, bot.open(MEDIUM))
    stocked = [bot.open(MEDIUM) for _ in range(3)]
    assert {hold["status"] for hold in stocked} == {"approved"}
    assert cast.agent.redeem(stocked[0]).status_code in (403, 404)
    refused = bot.post(f"/api/grants/{grant['id']}/revoke", {"reason": "x"})
    assert refused.json()["code"] == "not_a_person"
    cast.team_lead.post(f"/api/grants/{grant['id']}/revoke", {"reason": "over"}).raise_for_status()
    assert {bot.redeem(hold).json()["code"] for hold in stocked} == {"approval_void"}
