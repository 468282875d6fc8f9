"""Attacks on whose turn a hold is: strangers claim, assign, snooze and look; none of it decides, hides or reserves."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
from attacks_world import HIGH, Cast, Json, Member

STRANGERS = ("agent", "rival", "service", "developer", "security_team", "auditor", "administrator", "nobody", "gone")
VIEWS = ("needs_me", "waiting", "mine", "done", "snoozed")


def of(cast: Cast, name: str) -> Member:
    return getattr(cast, name)


def later() -> str:
    return (datetime.now(UTC) + timedelta(minutes=3)).isoformat()


def sent(who: Member, method: str, path: str, body: Json | None = None) -> httpx.Response:
    return who.send(method, path, json=body)


@pytest.mark.parametrize("name", STRANGERS)
def test_who_may_not_decide_neither_claims_nor_assigns_nor_snoozes(cast: Cast, name: str) -> None:
    hold = cast.agent.open(HIGH)
    path = f"/api/holds/{hold['id']}"
    tries: list[tuple[str, str, Json | None]] = [
        ("PUT", f"{path}/assignee", {}),
        ("PUT", f"{path}/assignee", {"person": cast.cto.name}),
        ("DELETE", f"{path}/assignee", None),
        ("PUT", f"{path}/snooze", {"until": later()}),
        ("DELETE", f"{path}/snooze", None),
    ]
    for attempt in tries:
        assert sent(of(cast, name), *attempt).status_code in (401, 403, 404), attempt
    seen = cast.cto.get(f"{path}/triage").json()
    assert (seen["assignee"], seen["snoozed_until"]) == (None, None)


def test_no_view_shows_what_its_viewer_may_not_see(cast: Cast) -> None:
    hold = cast.agent.open(HIGH, title="nobody else's business")
    for name in ("rival", "service", "developer", "nobody"):
        for view in VIEWS:
            for more in ({}, {"ids": hold["id"]}, {"agent": cast.agent.name}, {"action": "*"}, {"assignee": "nobody"}):
                found: dict[str, Any] = of(cast, name).get("/api/holds/rows", params={"view": view, **more}).json()
                assert hold["id"] not in str(found)


def test_a_claim_by_one_and_a_snooze_by_another_leave_the_hold_to_everybody(cast: Cast) -> None:
    hold = cast.agent.open(HIGH)
    path = f"/api/holds/{hold['id']}"
    assert sent(cast.tech_lead, "PUT", f"{path}/assignee", {}).status_code == 200
    assert sent(cast.tech_lead, "PUT", f"{path}/snooze", {"until": later()}).status_code == 200
    rows = cast.team_lead.get("/api/holds/rows", params={"view": "needs_me", "ids": hold["id"]}).json()["rows"]
    assert [row["snoozed_until"] for row in rows] == [None]
    assert cast.team_lead.review(hold, "approve").json()["status"] == "pending"
    assert cast.cto.review(hold, "approve").json()["status"] == "approved"


def test_what_a_filter_contains_is_never_a_pattern_or_a_statement(cast: Cast) -> None:
    cast.agent.open(HIGH)
    for name in ("action", "agent", "case", "assignee"):
        for text in ("%", "_", "' OR true --", "\\", "%(viewer)s", "{}"):
            answer = cast.cto.get("/api/holds/rows", params={"view": "needs_me", name: text})
            assert (answer.status_code, answer.json()["rows"]) == (200, []), (name, text)


def test_a_saved_view_is_seen_and_removed_by_its_owner_alone(cast: Cast) -> None:
    made = sent(cast.cto, "POST", "/api/me/views", {"name": "secret plans", "filters": {"text": "merger"}}).json()
    for name in ("team_lead", "administrator", "auditor"):
        assert "merger" not in of(cast, name).get("/api/me/views").text
        assert sent(of(cast, name), "DELETE", f"/api/me/views/{made['id']}").status_code == 404
    assert [one["name"] for one in cast.cto.get("/api/me/views").json()["views"]] == ["secret plans"]
