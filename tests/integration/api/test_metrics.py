"""Metrics: who may scrape, and that the figures are those of the database."""

from __future__ import annotations

import asyncio
from typing import Any

import apps
import httpx
from holds_world import shift_clock
from prometheus_client.parser import text_string_to_metric_families
from runs_world import publish

from handrail.core import ids
from handrail.core.risk import Level
from handrail.holds import sweeping
from handrail.store import figures

STATES = ("waiting", "running", "paused")
HOLD: dict[str, Any] = {"kind": "confirmation", "title": "Send it", "action": {"name": "mailer", "args": {}}}


async def scraped(client: httpx.AsyncClient) -> dict[tuple[str, frozenset[tuple[str, str]]], float]:
    text = (await client.get("/metrics")).raise_for_status().text
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def key(name: str, **labels: str) -> tuple[str, frozenset[tuple[str, str]]]:
    return name, frozenset(labels.items())


async def numbered(desk: apps.Desk) -> None:
    """Waits until every event has its number."""
    async with asyncio.timeout(60):
        while await waiting(desk):
            continue


async def waiting(desk: apps.Desk) -> bool:
    async with desk.database.connection() as conn:
        return await (await conn.execute("SELECT FROM event_inbox LIMIT 1")).fetchone() is not None


async def test_holds_are_counted_by_state_and_risk(desk: apps.Desk) -> None:
    """S4.9."""
    prometheus = await desk.member("prometheus", "service")
    agent, lead = await desk.member("bot", "agent"), await desk.member("lead", roles=["team_lead"])
    await scraped(prometheus)
    holds = [(await agent.post("/api/holds", json=HOLD)).raise_for_status().json() for _ in range(3)]
    review = {"verdict": "approve", "digest": holds[0]["digest"]}
    (await lead.post(f"/api/holds/{holds[0]['id']}/reviews", json=review)).raise_for_status()
    await numbered(desk)
    now = await scraped(prometheus)
    assert now[key("handrail_holds_pending", risk="medium")] == 2
    assert now[key("handrail_holds_pending", risk="critical")] == 0
    assert now[key("handrail_holds_opened_total", kind="confirmation", risk="medium")] == 3
    decided = key(
        "handrail_holds_decided_total", kind="confirmation", risk="medium", outcome="approved", basis="people"
    )
    assert now[decided] == 1
    assert now[key("handrail_time_to_decision_seconds_count", risk="medium")] == 1
    assert now[key("handrail_feed_lag_seconds")] == 0
    assert (await scraped(prometheus))[decided] == 1


async def test_escalations_timeouts_and_notices_are_counted(desk: apps.Desk) -> None:
    agent = await desk.member("bot", "agent")
    task = {"operation": "deploy", "environment": "production"}
    await scraped(desk.admin)
    opened = await agent.post("/api/holds", json={**HOLD, "kind": "approval", "task": task, "expires_in": 7200})
    hold = opened.raise_for_status().json()
    for minutes in (31, 120):
        await shift_clock(desk.database, minutes * 60)
        assert await sweeping.sweep(desk.app.state.services.context) == 1
    async with desk.database.transaction() as conn:
        notice = (ids.fresh(), hold["id"], hold["opened_at"], hold["opened_at"])
        await conn.execute(
            """
            INSERT INTO deliveries (id, hold_id, event, route, channels, people, body, status, queued_at, next_at)
            VALUES (%s, %s, 'hold.opened', 'approvers', '{webhook}', '{}', '{}', 'dead', %s, %s)
            """,
            notice,
        )
    await numbered(desk)
    now = await scraped(desk.admin)
    which = {"kind": "approval", "risk": "high"}
    assert now[key("handrail_holds_escalated_total", **which)] == 1
    assert now[key("handrail_holds_decided_total", **which, outcome="expired", basis="expiry")] == 1
    assert now[key("handrail_deliveries", status="dead")] == 1
    assert now[key("handrail_deliveries", status="queued")] == 0


async def test_requests_are_counted_by_route_and_never_by_address(desk: apps.Desk) -> None:
    agent = await desk.member("bot", "agent")
    hold = (await agent.post("/api/holds", json=HOLD)).json()
    for _ in range(2):
        await agent.get(f"/api/holds/{hold['id']}")
    await desk.client().get("/api/never/heard/of/it")
    now = await scraped(desk.admin)
    assert now[key("handrail_requests_total", method="GET", route="/api/holds/{hold_id}", status="200")] == 2
    assert now[key("handrail_requests_total", method="GET", route="unknown", status="404")] == 1
    assert now[key("handrail_request_seconds_count", route="/api/holds/{hold_id}")] == 2
    assert not any(hold["id"] in str(labels) or "never" in str(labels) for _, labels in now)


async def test_the_feed_lags_while_events_wait(desk: apps.Desk) -> None:
    await numbered(desk)
    async with desk.database.transaction() as conn:
        await conn.execute(
            "INSERT INTO event_inbox (at, type, data) VALUES (handrail_now() - interval '9 seconds', 'test.made', '{}')"
        )
        assert 9 <= await figures.feed_lag(conn) < 60


async def test_pending_holds_are_counted_to_a_bound(desk: apps.Desk) -> None:
    agent = await desk.member("bot", "agent")
    hold = (await agent.post("/api/holds", json=HOLD)).json()
    async with desk.database.transaction() as conn:
        await conn.execute(
            """
            INSERT INTO holds OVERRIDING USER VALUE
            SELECT (jsonb_populate_record(h, jsonb_build_object('id', gen_random_uuid()))).*
            FROM holds h, generate_series(1, %s) WHERE h.id = %s
            """,
            (figures.CAP + 5, hold["id"]),
        )
        assert (await figures.pending(conn))[Level.medium] == figures.CAP


async def test_runs_are_counted_by_what_they_wait_for(desk: apps.Desk) -> None:
    prometheus = await desk.member("prometheus", "service")
    await publish(desk.database, "task", input_schema=None)
    before = await scraped(prometheus)
    task = {"operation": "deploy", "environment": "staging", "description": "Deploy billing"}
    (await desk.admin.post("/orchestrate", json=task)).raise_for_status()
    after = await scraped(prometheus)
    added = {
        state: after[key("handrail_runs", state=state)] - before[key("handrail_runs", state=state)] for state in STATES
    }
    assert added == {"waiting": 1, "running": 0, "paused": 0}
