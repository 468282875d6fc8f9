"""Observe first: calls go through, what people would have been asked is recorded, and an administrator ends it."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import psycopg
from apps import Desk, desk, events_with

from handrail.store import restoring
from handrail.store.migrate import migrate

DELETE: dict[str, Any] = {
    "kind": "approval",
    "title": "Drop it",
    "action": {"name": "shell.run", "args": {"command": "rm -rf /srv/data"}},
}
WHY = {"agent": "bot", "reason": "a week to see what it does"}


async def opened(client: httpx.AsyncClient, **more: Any) -> dict[str, Any]:
    return (await client.post("/api/holds", json=DELETE | more)).raise_for_status().json()


async def redeemed(client: httpx.AsyncClient, hold: dict[str, Any], key: str = "k") -> httpx.Response:
    return await client.post(f"/api/holds/{hold['id']}/redeem", json={"digest": hold["digest"], "key": key})


def code(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


async def observed(at: Desk) -> httpx.AsyncClient:
    agent = await at.member("bot", "agent")
    (await at.admin.post("/api/observations", json=WHY)).raise_for_status()
    return agent


async def test_an_observed_agent_is_let_through_and_what_would_have_been_asked_is_shown(database: str) -> None:
    async with desk(database) as at:
        agent, auditor = await observed(at), await at.member("auditor", roles=["auditor"])
        first, hold = await opened(agent), await opened(agent)
        for one in (first, hold):
            assert (one["status"], one["decision"]["basis"], one["decision"]["by"]) == (
                "approved",
                "observation",
                None,
            )
            assert (await redeemed(agent, one)).status_code == 200
        (report,) = (await auditor.get("/api/observations")).json()["observed"]
        assert (report["agent"]["name"], report["by"]["name"], report["reason"]) == ("bot", "admin", WHY["reason"])
        (passed,) = report["passed"]
        assert (passed["action"], passed["risk"], passed["count"]) == ("shell.run", hold["risk"], 2)
        assert (passed["last_hold"], passed["last_short_id"]) == (hold["id"], hold["short_id"])
        assert passed["roles"] == sorted(hold["requirements"]["roles"])
        assert passed["approvals"] == hold["requirements"]["approvals"]


async def test_another_agent_questions_and_reviews_are_asked_as_before(database: str) -> None:
    async with desk(database) as at:
        agent, other = await observed(at), await at.member("other", "agent")
        assert (await opened(other))["status"] == "pending"
        assert (await opened(agent, kind="review"))["status"] == "pending"
        assert (await opened(agent, kind="confirmation"))["status"] == "pending"
        asks = {"kind": "input", "title": "Which one?", "schema": {"type": "string"}}
        assert (await agent.post("/api/holds", json=asks)).json()["status"] == "pending"


async def test_enforcing_asks_from_then_on_and_voids_what_was_not_used(database: str) -> None:
    async with desk(database) as at:
        agent = await observed(at)
        used, unused = await opened(agent), await opened(agent)
        assert (await redeemed(agent, used)).status_code == 200
        ended = {"agent": "bot", "reason": "rules are good"}
        assert (await at.admin.post("/api/observations/end", json=ended)).status_code == 204
        assert (await opened(agent))["status"] == "pending"
        assert code(await redeemed(agent, unused)) == (409, "approval_void")
        assert (await agent.get(f"/api/holds/{unused['id']}")).json()["status"] == "pending"
        assert (await redeemed(agent, used)).status_code == 200, "a repeat of a use is answered as the first was"
        events = await events_with(at.admin, unused["id"], "hold.reopened")
        assert [event["data"].get("cause") for event in events if event["type"] == "hold.reopened"] == ["enforced"]
        assert code(await at.admin.post("/api/observations/end", json=ended)) == (404, "not_found")
        assert (await at.admin.get("/api/observations")).json() == {"observed": []}


async def test_what_people_decide_on_stays_with_them_when_an_observation_begins(database: str) -> None:
    async with desk(database) as at:
        agent = await at.member("bot", "agent")
        waiting = await opened(agent)
        (await at.admin.post("/api/observations", json=WHY)).raise_for_status()
        assert code(await redeemed(agent, waiting)) == (409, "not_approved")
        assert code(await at.admin.post("/api/observations", json=WHY)) == (409, "conflict")


async def test_the_brake_stops_an_observed_agent(database: str) -> None:
    async with desk(database) as at:
        agent = await observed(at)
        hold = await opened(agent)
        (await at.admin.post("/api/brake", json={"agent": "bot", "reason": "stop"})).raise_for_status()
        assert code(await agent.post("/api/holds", json=DELETE)) == (423, "braked")
        assert code(await redeemed(agent, hold)) == (423, "braked")


async def test_nothing_goes_through_after_enforcing_was_acknowledged(database: str) -> None:
    async with desk(database) as at:
        agent = await observed(at)
        holds = await asyncio.gather(*(opened(agent) for _ in range(12)))
        enforcing = asyncio.create_task(at.admin.post("/api/observations/end", json=WHY))
        answers = await asyncio.gather(*(redeemed(agent, hold) for hold in holds[:6]))
        assert (await enforcing).status_code == 204
        late = await asyncio.gather(*(redeemed(agent, hold) for hold in holds[6:]))
        assert {answer.status_code for answer in answers} <= {200, 409}
        assert {code(answer) for answer in late} == {(409, "approval_void")}


async def test_people_are_not_observed_and_a_reason_is_needed(database: str) -> None:
    async with desk(database) as at:
        await at.member("ann", roles=["cto"])
        await at.member("bot", "agent")
        assert code(await at.admin.post("/api/observations", json=WHY | {"agent": "ann"})) == (422, "invalid_field")
        assert code(await at.admin.post("/api/observations", json=WHY | {"reason": ""})) == (422, "invalid_field")
        assert code(await at.admin.post("/api/observations", json=WHY | {"agent": "nobody"})) == (404, "not_found")


async def test_a_restored_backup_observes_nobody(database: str) -> None:
    async with desk(database) as at:
        await observed(at)
    with psycopg.connect(database, autocommit=True) as conn:
        restoring.begin(conn)
        await migrate(database)
        assert conn.execute("SELECT count(*) FROM observations WHERE ended_at IS NULL").fetchone() == (0,)
