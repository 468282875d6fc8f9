"""Sampling after the fact: what is drawn, who looks at it, and the rule that a finding proposes."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest
from apps import Desk, desk, events_with

from handrail.core.holds import Action, Kind
from handrail.core.risk import Level
from handrail.holds import sampling
from handrail.policy import assess, default_policy, load
from handrail.policy.loading import ACTIONS, RULES

READ: dict[str, Any] = {"kind": "approval", "title": "Read it", "action": {"name": "read_ledger", "args": {"month": 5}}}
REGISTERED = '\n  - {{id: sampled-reads, name: ["read_ledger"], sample: {share}}}\n'


def with_share(source: dict[str, str], share: object) -> dict[str, str]:
    return {
        **source,
        ACTIONS: source[ACTIONS].replace("\nactions:\n", f"\nactions:{REGISTERED.format(share=share)}", 1),
    }


@asynccontextmanager
async def office(database: str, share: float) -> AsyncGenerator[tuple[Desk, httpx.AsyncClient, httpx.AsyncClient]]:
    async with desk(database) as at:
        source = (await at.admin.get("/api/policy")).json()["files"]
        applied = await at.admin.post("/api/policy", json={"files": with_share(source, share), "reason": "sampling"})
        assert applied.is_success, applied.text
        yield at, await at.member("bot", "agent"), await at.member("dev", roles=["developer"])


async def ran(agent: httpx.AsyncClient) -> dict[str, Any]:
    hold = (await agent.post("/api/holds", json=READ)).raise_for_status().json()
    assert (hold["status"], hold["risk"]) == ("approved", "low")
    used = {"digest": hold["digest"], "key": "k"}
    (await agent.post(f"/api/holds/{hold['id']}/redeem", json=used)).raise_for_status()
    return hold


async def listed(client: httpx.AsyncClient) -> dict[str, Any]:
    return (await client.get("/api/samples")).raise_for_status().json()


async def look(client: httpx.AsyncClient, hold: dict[str, Any], **said: Any) -> httpx.Response:
    return await client.post(f"/api/holds/{hold['id']}/sample", json=said)


def code(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


async def test_what_ran_unasked_is_looked_at_once_by_somebody_else(database: str) -> None:
    async with office(database, 1) as (at, agent, dev):
        hold, waits = await ran(agent), (await agent.post("/api/holds", json=READ)).json()
        assert [one["hold_id"] for one in (await listed(dev))["samples"]] == [hold["id"]]
        # it has not run
        assert code(await look(dev, waits, finding=False)) == (404, "not_found")
        assert code(await look(agent, hold, finding=False)) == (403, "not_a_person")
        nobody = await at.member("nobody", roles=[])
        assert code(await look(nobody, hold, finding=False)) == (404, "not_found")
        assert code(await look(dev, hold, finding=True)) == (422, "missing_field")
        assert (await look(dev, hold, finding=False)).json()["finding"] is False
        assert code(await look(dev, hold, finding=True, reason="late")) == (409, "conflict")
        assert (await listed(dev)) == {"samples": [], "proposals": []}
        events = await events_with(dev, hold["id"], "hold.sampled")
        assert events[-1]["type"] == "hold.sampled" and events[-1]["data"]["finding"] is False


async def test_nobody_judges_what_they_asked_for_themself(database: str) -> None:
    async with office(database, 1) as (_, _, dev):
        hold = await ran(dev)
        assert (await listed(dev))["samples"] == []
        assert code(await look(dev, hold, finding=False)) == (403, "own_request")


async def test_nothing_is_drawn_at_a_share_of_zero_nor_of_what_people_decided(database: str) -> None:
    async with office(database, 0) as (_, agent, dev):
        hold = await ran(agent)
        assert (await listed(dev))["samples"] == []
        assert code(await look(dev, hold, finding=True, reason="x")) == (404, "not_found")


async def test_a_finding_proposes_a_rule_and_applies_nothing(database: str) -> None:
    async with office(database, 1) as (at, agent, dev):
        first, second = await ran(agent), await ran(agent)
        before = (await at.admin.get("/api/policy")).json()
        for hold in (first, second):
            assert (await look(dev, hold, finding=True, reason="it shows salaries")).is_success
        [proposal] = (await listed(dev))["proposals"]
        assert (proposal["action"], len(proposal["findings"])) == ("read_ledger", 2)
        assert (await at.admin.get("/api/policy")).json() == before
        assert (await ran(agent))["risk"] == "low"
        # what a person would apply does ask
        files = before["files"]
        entry = "".join(f"  {line}\n" for line in proposal["rule"].splitlines())
        changed = {**files, RULES: files[RULES].replace("\nrules:\n", f"\nrules:\n{entry}", 1)}
        action = Action("read_ledger", {"month": 5})
        assert assess(load(changed), kind=Kind.approval, action=action).level is Level.medium
        applied = await at.admin.post("/api/policy", json={"files": changed, "reason": "two findings"})
        assert applied.is_success, applied.text
        assert (await listed(dev))["proposals"] == []


async def test_what_others_may_not_see_is_not_in_their_list(database: str) -> None:
    async with office(database, 1) as (at, agent, dev):
        hold = await ran(agent)
        assert (await look(dev, hold, finding=True, reason="secret words")).is_success
        nobody = await at.member("nobody", roles=[])
        assert await listed(nobody) == {"samples": [], "proposals": []}
        assert code(await agent.get("/api/samples")) == (403, "not_a_person")


@pytest.mark.parametrize("name", ["read_ledger", 'x"y\\z', "é: - {", "mcp__shop__get_order", "line\nbreak", "n" * 300])
def test_a_proposed_rule_is_yaml_whatever_the_action_is_called(name: str) -> None:
    source = default_policy().source
    entry = "".join(f"  {line}\n" for line in sampling.rule(name, []).splitlines())
    changed = {**source, RULES: source[RULES].replace("\nrules:\n", f"\nrules:\n{entry}", 1)}
    load(changed)
