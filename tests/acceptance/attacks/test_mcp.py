"""Clients and servers of MCP that want to get past the gateway."""

from __future__ import annotations

from uuid import uuid4

import pytest
from attacks_world import Cast, Json

HOOK = "/api/hooks/mcp?wait=0"


def call(**said: object) -> Json:
    return {
        "hook_event_name": "PreToolUse",
        "session_id": f"s-{uuid4().hex}",
        "tool_use_id": uuid4().hex,
        "tool_name": "mcp__tracker__close",
        "tool_input": {"number": 1},
        **said,
    }


def hold_of(cast: Cast, short_id: str) -> Json:
    return cast.administrator.get(f"/api/holds/{short_id}").raise_for_status().json()


def decide(cast: Cast, short_id: str, verdict: str) -> None:
    review = {"verdict": verdict, "digest": hold_of(cast, short_id)["digest"]}
    cast.team_lead.post(f"/api/holds/{short_id}/reviews", review).raise_for_status()


def test_a_session_uses_no_approval_of_another_nor_of_another_agent(cast: Cast) -> None:
    asked = call()
    held = cast.agent.post(HOOK, asked).json()["hold"]
    decide(cast, held, "approve")
    others = [cast.agent.post(HOOK, call(session_id="s-2")).json(), cast.rival.post(HOOK, asked).json()]
    assert [(one["decision"], one["hold"] == held) for one in others] == [("pending", False), ("pending", False)]
    assert hold_of(cast, held)["redeemed"] is None


def test_arguments_that_change_after_the_approval_get_nothing(cast: Cast) -> None:
    asked = call()
    held = cast.agent.post(HOOK, asked).json()["hold"]
    decide(cast, held, "approve")
    answer = cast.agent.post(HOOK, {**asked, "tool_input": {"number": 2}})
    assert (answer.status_code, answer.json()["code"]) == (409, "idempotency_conflict")


def test_a_repeated_call_that_waits_for_an_earlier_hold_gets_that_holds_no(cast: Cast) -> None:
    """A second call of the same session attaches to the first one's hold; the no is for both, and no new question."""
    asked = call()
    held = cast.agent.post(HOOK, asked).json()["hold"]
    again = {**asked, "tool_use_id": uuid4().hex}
    assert cast.agent.post(HOOK, again).json()["hold"] == held
    decide(cast, held, "reject")
    assert [cast.agent.post(HOOK, one).json()["decision"] for one in (asked, again)] == ["deny", "deny"]


@pytest.mark.parametrize(
    "claims",
    [
        {"annotations": {"readOnlyHint": True, "destructiveHint": False}},
        {"operation": "read", "environment": "development"},
        {"description": "Only reads.", "client": "handrail", "level": "low"},
    ],
)
def test_what_a_server_or_client_says_of_a_tool_lowers_nothing(cast: Cast, claims: Json) -> None:
    answer = cast.agent.post(HOOK, call(handrail=claims, task=claims)).json()
    assert answer["decision"] == "pending"
    assert hold_of(cast, answer["hold"])["risk"] == "medium"


@pytest.mark.parametrize("name", ["claude.Read", "Read", "mcp__x", "mcp____read", "change.plan", "mcp__a b__read"])
def test_a_gateway_does_not_speak_for_other_agents_tools(cast: Cast, name: str) -> None:
    assert cast.agent.post(HOOK, call(tool_name=name)).status_code == 422
