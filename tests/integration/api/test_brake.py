"""The emergency brake: from the moment it is set, nothing goes on for whom it stops."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
from apps import desk

BODY: dict[str, Any] = {"kind": "confirmation", "title": "Send", "action": {"name": "send", "args": {}}}


async def opened(client: httpx.AsyncClient) -> dict[str, Any]:
    return (await client.post("/api/holds", json=BODY)).raise_for_status().json()


async def review(client: httpx.AsyncClient, hold: dict[str, Any], verdict: str) -> httpx.Response:
    return await client.post(f"/api/holds/{hold['id']}/reviews", json={"verdict": verdict, "digest": hold["digest"]})


def code(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


async def test_the_brake_stops_opening_approving_and_redeeming_for_everybody(database: str) -> None:
    """B11."""
    async with desk(database) as at:
        agent, lead = await at.member("bot", "agent"), await at.member("lead", roles=["team_lead"])
        approved, waiting, other = await opened(agent), await opened(agent), await opened(agent)
        await review(lead, approved, "approve")
        assert (await lead.post("/api/brake", json={"reason": "something is wrong"})).status_code == 201
        refused = await agent.post("/api/holds", json=BODY)
        assert code(refused) == (423, "braked")
        assert "something is wrong" in refused.json()["detail"]
        redeem = {"digest": approved["digest"], "key": "k"}
        assert code(await agent.post(f"/api/holds/{approved['id']}/redeem", json=redeem)) == (423, "braked")
        assert code(await review(lead, waiting, "approve")) == (423, "braked")
        assert (await review(lead, other, "reject")).json()["status"] == "rejected"
        lifted = await at.admin.post("/api/brake/lift", json={"reason": "a false alarm"})
        assert lifted.status_code == 204
        assert (await agent.post(f"/api/holds/{approved['id']}/redeem", json=redeem)).status_code == 200
        assert (await review(lead, waiting, "approve")).json()["status"] == "approved"


async def test_a_brake_on_one_agent_leaves_the_others_alone_and_denies_what_waits(database: str) -> None:
    """B11."""
    async with desk(database) as at:
        bad, good = await at.member("bad", "agent"), await at.member("good", "agent")
        waiting, fine = await opened(bad), await opened(good)
        body = {"agent": "bad", "pending": "deny", "reason": "it loops"}
        assert (await at.admin.post("/api/brake", json=body)).json()["agent"]["name"] == "bad"
        denied = (await bad.get(f"/api/holds/{waiting['id']}")).json()
        assert (denied["status"], denied["decision"]["basis"], denied["decision"]["reason"]) == (
            "rejected",
            "brake",
            "it loops",
        )
        assert code(await bad.post("/api/holds", json=BODY)) == (423, "braked")
        assert (await good.get(f"/api/holds/{fine['id']}")).json()["status"] == "pending"
        await opened(good)
        assert code(await at.admin.post("/api/brake", json=body)) == (409, "conflict")
        listed = (await good.get("/api/brake")).json()["brakes"]
        assert [(b["agent"]["name"], b["pending"], b["set_by"]["name"]) for b in listed] == [("bad", "deny", "admin")]


async def test_nothing_is_redeemed_after_the_brake_was_acknowledged(database: str) -> None:
    async with desk(database) as at:
        agent, lead = await at.member("bot", "service"), await at.member("lead", roles=["team_lead"])
        holds = [await opened(agent) for _ in range(12)]
        await asyncio.gather(*(review(lead, hold, "approve") for hold in holds))

        async def redeem(hold: dict[str, Any]) -> str | None:
            answer = await agent.post(f"/api/holds/{hold['id']}/redeem", json={"digest": hold["digest"], "key": "k"})
            return answer.json().get("redeemed_at")

        redeeming = [asyncio.create_task(redeem(hold)) for hold in holds]
        brake = await at.admin.post("/api/brake", json={"reason": "stop"})
        redeemed = await asyncio.gather(*redeeming)
        assert all(when is None or when < brake.json()["set_at"] for when in redeemed)
        assert code(await agent.post("/api/holds", json=BODY)) == (423, "braked")
