"""Agents as people look at them: who asks, what their runs used, and what stops them; each as far as one may see."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from apps import desk
from runs_world import publish

HOLD: dict[str, Any] = {
    "kind": "approval",
    "title": "Deploy to staging",
    "action": {"name": "deploy", "args": {"version": "1"}, "target": "staging"},
}
CRITICAL: dict[str, Any] = {**HOLD, "action": {"name": "delete", "args": {}, "target": "production"}}


async def test_agents_are_listed_with_what_waits_of_theirs(database: str) -> None:
    async with desk(database) as at:
        busy, ann = await at.member("busy", "agent"), await at.member("ann", roles=["team_lead"])
        await at.member("idle", "service")
        first = (await busy.post("/api/holds", json=HOLD)).json()
        await busy.post("/api/holds", json=HOLD)
        said = {"verdict": "reject", "digest": first["digest"]}
        (await ann.post(f"/api/holds/{first['id']}/reviews", json=said)).raise_for_status()
        found = (await at.admin.get("/api/agents")).json()["agents"]
        assert [(one["name"], one["kind"], one["holds"], one["pending"], one["rejected"]) for one in found] == [
            ("busy", "agent", 2, 1, 1),
            ("idle", "service", 0, 0, 0),
        ]
        # a lead sees who asked what a lead decides
        assert [one["name"] for one in (await ann.get("/api/agents")).json()["agents"]] == ["busy"]


async def test_one_sees_the_agents_whose_holds_one_sees_and_no_others(database: str) -> None:
    async with desk(database) as at:
        secret, other = await at.member("secret", "agent"), await at.member("other", "agent")
        ann = await at.member("ann", roles=["team_lead"])
        (await secret.post("/api/holds", json=CRITICAL)).raise_for_status()
        for who in (ann, other):
            names = [one["name"] for one in (await who.get("/api/agents")).json()["agents"]]
            assert "secret" not in names
            hidden, missing = [await who.get(f"/api/agents/{name}") for name in ("secret", "nobody")]
            assert (hidden.status_code, hidden.json()["code"]) == (404, "not_found")
            assert hidden.json()["detail"].replace("secret", "nobody") == missing.json()["detail"]
        own = (await other.get("/api/agents/other")).json()
        assert (own["name"], own["credentials"], own["observed_since"]) == ("other", None, None)


async def test_what_stops_an_agent_and_how_it_signs_in_is_shown(database: str) -> None:
    async with desk(database) as at:
        await at.member("bot", "agent")
        auditor = await at.member("auditor", roles=["auditor"])
        (await at.admin.post("/api/observations", json={"agent": "bot", "reason": "trial"})).raise_for_status()
        (await at.admin.post("/api/brake", json={"agent": "bot", "reason": "stop"})).raise_for_status()
        found = (await at.admin.get("/api/agents/bot")).json()
        assert (found["brake"]["reason"], found["credentials"]["tokens"]) == ("stop", 1)
        assert found["observed_since"] is not None
        seen = (await auditor.get("/api/agents/bot")).json()
        assert (seen["brake"]["reason"], seen["credentials"]) == ("stop", None)
        assert seen["observed_since"] is not None
        assert (await at.admin.get("/api/agents/admin")).status_code == 404, "a person is no agent"


async def test_usage_is_of_the_runs_that_one_may_see(database: str) -> None:
    async with desk(database) as at:
        await publish(at.database)
        ann, bob = await at.member("ann", roles=["team_lead"]), await at.member("bob", roles=["team_lead"])
        started = (await ann.post("/api/runs", json={"workflow": "deploy", "input": {"service": "x"}})).json()
        agent = started["agent"]["id"]
        async with at.database.transaction() as conn:
            await conn.execute(
                "UPDATE runs SET tokens_in = 100, tokens_out = 7, cost = 0.5 WHERE id = %s", (UUID(started["id"]),)
            )
            # somebody else's hold that both may see
            await conn.execute("UPDATE principals SET kind = 'agent' WHERE id = %s", (UUID(agent),))
        token = await at.token(agent)
        (await at.client(token).post("/api/holds", json=HOLD)).raise_for_status()
        for who, runs, tokens in ((at.admin, 1, 100), (ann, 1, 100), (bob, 0, 0)):
            used = (await who.get(f"/api/agents/{agent}")).raise_for_status().json()["usage"]
            assert (used["runs"], used["tokens_in"]) == (runs, tokens)
