"""The policy over HTTP: assessed, checked, put in force at once, kept, followed by other processes."""

from __future__ import annotations

from typing import Any

import pytest
from apps import desk, services

from handrail.policy import default_policy

FILES = dict(default_policy().source)
RULES = "risk-assessment-rules.yaml"
READ: dict[str, Any] = {"operation": "read", "environment": "development"}


def stricter() -> dict[str, str]:
    """The default, in which reading in development is high."""
    rule = "\nrules:\n  - {id: read-is-high, operation: read, environment: development, level: high}\n"
    return {**FILES, RULES: FILES[RULES].replace("\nrules:\n", rule)}


async def test_an_assessment_explains_itself(database: str) -> None:
    async with desk(database) as at:
        agent = await at.member("bot", "agent")
        task = {"operation": "deploy", "environment": "production"}
        said = (await agent.post("/api/policy/assess", json={"task": task})).json()
        assert (said["level"], said["requirements"]["approvals"]) == ("high", 2)
        assert said["rules"][0]["level"] == "high" and "production" in said["rules"][0]["reason"]
        assert (said["escalate_after"], said["policy_version"]) == (1800, 1)
        unknown = (await agent.post("/api/policy/assess", json={"action": {"name": "paint_the_fence"}})).json()
        assert unknown["level"] == "medium"
        nothing = await agent.post("/api/policy/assess", json={})
        assert nothing.json()["code"] == "missing_field"


async def test_the_default_is_in_force_from_the_first_start(database: str) -> None:
    async with desk(database) as at:
        policy = (await at.admin.get("/api/policy")).json()
        assert (policy["version"], policy["applied_by"], policy["files"]) == (1, None, FILES)
        agent = await at.member("bot", "agent")
        assert (await agent.get("/api/policy")).json()["code"] == "forbidden"


async def test_a_policy_is_applied_whole_by_an_administrator_and_kept(database: str) -> None:
    async with desk(database) as at:
        dev = await at.member("dev", roles=["developer"])
        assert (await dev.post("/api/policy", json={"files": stricter()})).status_code == 403
        applied = await at.admin.post("/api/policy", json={"files": stricter(), "reason": "after the incident"})
        assert applied.status_code == 201
        assert applied.json()["version"] == 2
        assert any("read-is-high" in change for change in applied.json()["changes"])
        versions = (await dev.get("/api/policy/versions")).json()["versions"]
        assert [(v["version"], v["reason"]) for v in versions] == [(2, "after the incident"), (1, "the default")]
        assert (await dev.get("/api/policy/versions/1")).json()["files"] == FILES
        assert (await dev.get("/api/policy/versions/9")).json()["code"] == "not_found"
        assert (await at.admin.post("/api/policy/assess", json={"task": READ})).json()["level"] == "high"


async def test_mistakes_are_named_with_their_place_and_change_nothing(database: str) -> None:
    async with desk(database) as at:
        broken = {**FILES, RULES: FILES[RULES].replace("level: high", "level: hgih", 1)}
        checked = (await at.admin.post("/api/policy/check", json={"files": broken})).json()
        (problem,) = checked["problems"]
        assert checked["valid"] is False
        assert (problem["file"], problem["field"].split(".")[-1]) == (RULES, "level")
        assert "level: high" in FILES[RULES].splitlines()[int(problem["line"]) - 1]
        refused = await at.admin.post("/api/policy", json={"files": broken})
        assert (refused.status_code, refused.json()["code"]) == (422, "bad_policy")
        assert (await at.admin.get("/api/policy")).json()["version"] == 1


async def test_what_a_stricter_policy_voids_is_asked_again(database: str) -> None:
    async with desk(database) as at:
        agent = await at.member("bot", "agent")
        body = {"kind": "approval", "title": "Read", "action": {"name": "read"}, "task": READ}
        hold = (await agent.post("/api/holds", json=body)).json()
        assert hold["status"] == "approved"
        await at.admin.post("/api/policy", json={"files": stricter()})
        redeem = {"digest": hold["digest"], "key": "k"}
        void = await agent.post(f"/api/holds/{hold['id']}/redeem", json=redeem)
        assert (void.status_code, void.json()["code"]) == (409, "approval_void")
        again = (await agent.get(f"/api/holds/{hold['id']}")).json()
        assert (again["status"], again["risk"], again["policy_version"]) == ("pending", "high", 2)


async def test_another_process_follows(database: str) -> None:
    async with desk(database) as at, services(database) as other:
        await at.admin.post("/api/policy", json={"files": stricter()})
        assert other.policies.current().version == 1
        await other.policies.refresh()
        assert other.policies.current().version == 2


@pytest.mark.parametrize("files", [{}, {"x.yaml": ""}, {**FILES, RULES: "a: &a [*a]"}, {**FILES, RULES: "- - -"}])
async def test_what_is_no_policy_is_refused(database: str, files: dict[str, str]) -> None:
    async with desk(database) as at:
        assert (await at.admin.post("/api/policy", json={"files": files})).json()["code"] == "bad_policy"


async def test_its_files_are_always_in_the_same_order(database: str) -> None:
    async with desk(database) as at:
        before = (await at.admin.get("/api/policy")).json()["files"]
        turned = dict(reversed(stricter().items()))
        (await at.admin.post("/api/policy", json={"files": turned})).raise_for_status()
        after = (await at.admin.get("/api/policy")).json()["files"]
        assert list(after) == list(before) and after == turned
