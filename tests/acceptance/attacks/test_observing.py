"""Attacks on what lets an agent through unasked: begun by the wrong one, claimed by the agent, kept after its end."""

from __future__ import annotations

import pytest
from attacks_world import CRITICAL, HIGH, Cast, Json, joined

TRIAL: Json = {"reason": "a trial"}


def test_nobody_but_an_administrator_lets_an_agent_through(cast: Cast) -> None:
    bot = joined(cast.server, "bot", kind="agent")
    for who in (bot, cast.agent, cast.service, cast.team_lead, cast.cto):
        for route in ("/api/observations", "/api/observations/end"):
            refused = who.send("POST", route, json=TRIAL | {"agent": str(bot.id)})
            assert (refused.status_code, refused.json()["code"]) == (403, "forbidden"), who.name
        assert who.send("GET", "/api/observations").status_code == 403
    assert bot.open(HIGH)["status"] == "pending"


@pytest.mark.parametrize("field", ["observed", "mode", "basis", "decision"])
def test_no_field_of_the_api_says_that_an_agent_is_observed(cast: Cast, field: str) -> None:
    refused = cast.agent.post("/api/holds", {**HIGH, field: "observation"})

    assert (refused.status_code, refused.json()["code"]) == (422, "unknown_field")


def test_an_agent_keeps_nothing_of_what_went_through_once_it_is_enforced(cast: Cast) -> None:
    bot = joined(cast.server, "bot", kind="agent")
    cast.administrator.send("POST", "/api/observations", json=TRIAL | {"agent": str(bot.id)}).raise_for_status()
    stocked = [bot.open(CRITICAL) for _ in range(3)]
    assert {hold["status"] for hold in stocked} == {"approved"}
    cast.administrator.send("POST", "/api/observations/end", json=TRIAL | {"agent": str(bot.id)}).raise_for_status()

    assert {bot.redeem(hold).json()["code"] for hold in stocked} == {"approval_void"}
    assert {bot.redeem(hold).json()["code"] for hold in stocked} == {"not_approved"}


def test_what_went_through_is_of_no_use_to_another_agent(cast: Cast) -> None:
    bot = joined(cast.server, "bot", kind="agent")
    cast.administrator.send("POST", "/api/observations", json=TRIAL | {"agent": str(bot.id)}).raise_for_status()
    hold = bot.open(HIGH)

    assert cast.agent.redeem(hold).status_code in (403, 404)
    assert bot.redeem(hold).status_code == 200
