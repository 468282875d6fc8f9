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
    hold = await opened(agent)
    assert (hold["status"], hold["risk"]) == ("approved", "low")
    used = {"digest": hold["digest"], "key": "k"}
    (await agent.post(f"/api/holds/{hold['id']}/redeem", json=used)).raise_for_status()
    return hold


async def opened(agent: httpx.AsyncClient) -> dict[str, Any]:
    return (await agent.post("/api/holds", json=READ)).raise_for_status().json()


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
        after = await listed(dev)
        assert (after["samples"], after["proposals"], after["raised"]) == ([], [], [])
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
        after = await listed(dev)
        assert after["proposals"] == [] and (await opened(agent))["risk"] == "medium"
        assert [(one["action"], one["risk"], len(one["findings"])) for one in after["raised"]] == [
            ("read_ledger", "medium", 2)
        ]


async def test_a_proposed_rule_comes_as_a_policy_with_its_replay(database: str) -> None:
    async with office(database, 1) as (at, agent, dev):
        holds = [await ran(agent) for _ in range(3)]
        assert (await look(dev, holds[0], finding=True, reason="it shows salaries")).is_success
        [proposal] = (await listed(dev))["proposals"]
        path = f"/api/samples/rules/{proposal['id']}"
        assert code(await dev.get(path)) == (403, "forbidden")
        found = (await at.admin.get(path)).raise_for_status().json()
        assert (found["rule"], found["replay"]["changes"]["asked"]) == (proposal["rule"], 3)
        assert any("sampled-read-ledger" in change for change in found["changes"])
        assert (await opened(agent))["risk"] == "low", "looking applies nothing"
        applied = await at.admin.post("/api/policy", json={"files": found["files"], "reason": "a finding"})
        assert applied.is_success, applied.text
        assert (await opened(agent))["risk"] == "medium"
        assert code(await at.admin.get(path)) == (404, "not_found")


async def test_rates_are_by_entry_and_action_and_count_only_what_is_yours_to_see(database: str) -> None:
    async with office(database, 1) as (at, agent, dev):
        holds = [await ran(agent) for _ in range(3)]
        (await agent.post("/api/holds", json=READ)).raise_for_status()
        await look(dev, holds[0], finding=True, reason="it shows salaries")
        await look(dev, holds[1], finding=False)
        drawn = {"action": "read_ledger", "drawn": 3, "looked": 2, "findings": 1}
        for who in (dev, at.admin):
            assert (await listed(who))["rates"] == [{"entry": "sampled-reads", "share": 1, "actions": [drawn]}]
        nobody = await at.member("nobody", roles=[])
        assert (await listed(nobody))["rates"] == [{"entry": "sampled-reads", "share": 1, "actions": []}]


async def test_what_is_drawn_and_never_runs_hides_nothing_that_ran(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sampling, "MOST", 2)
    async with office(database, 1) as (_, agent, dev):
        for _ in range(3):
            await opened(agent)
        hold = await ran(agent)
        assert [one["hold_id"] for one in (await listed(dev))["samples"]] == [hold["id"]]


async def test_names_that_differ_in_little_get_rules_of_their_own(database: str) -> None:
    names = ["read_ledger", "read-ledger", "read__ledger", "читать", "прочесть"]
    async with office(database, 1) as (at, agent, dev):
        policy = (await at.admin.get("/api/policy")).json()["files"]
        policy[ACTIONS] = policy[ACTIONS].replace('["read_ledger"]', '["read*ledger", "читать", "прочесть"]')
        policy[RULES] = policy[RULES].replace(
            "\nrules:\n", '\nrules:\n  - {id: reads, action: ["читать", "прочесть"], level: low}\n', 1
        )
        (await at.admin.post("/api/policy", json={"files": policy, "reason": "names"})).raise_for_status()
        for name in names:
            body: dict[str, Any] = {**READ, "action": {"name": name, "args": {}}}
            hold = (await agent.post("/api/holds", json=body)).raise_for_status().json()
            if hold["status"] == "approved":
                used = {"digest": hold["digest"], "key": "k"}
                (await agent.post(f"/api/holds/{hold['id']}/redeem", json=used)).raise_for_status()
                assert (await look(dev, hold, finding=True, reason="x")).is_success
        for _ in names:
            proposals = (await listed(dev))["proposals"]
            if not proposals:
                break
            found = (await at.admin.get(f"/api/samples/rules/{proposals[0]['id']}")).raise_for_status().json()
            applied = await at.admin.post("/api/policy", json={"files": found["files"], "reason": "a finding"})
            assert applied.is_success, applied.text
        after = await listed(dev)
        assert after["proposals"] == [] and {one["risk"] for one in after["raised"]} == {"medium"}
        assert len(after["raised"]) > 1


async def test_what_others_may_not_see_is_not_in_their_list(database: str) -> None:
    async with office(database, 1) as (at, agent, dev):
        hold = await ran(agent)
        assert (await look(dev, hold, finding=True, reason="secret words")).is_success
        nobody = await at.member("nobody", roles=[])
        seen = await listed(nobody)
        assert (seen["samples"], seen["proposals"], seen["raised"]) == ([], [], [])
        assert code(await agent.get("/api/samples")) == (403, "not_a_person")


@pytest.mark.parametrize("name", ["read_ledger", 'x"y\\z', "é: - {", "mcp__shop__get_order", "line\nbreak", "n" * 300])
def test_a_proposed_rule_is_yaml_whatever_the_action_is_called(name: str) -> None:
    source = default_policy().source
    entry = "".join(f"  {line}\n" for line in sampling.rule(name, [], ()).splitlines())
    changed = {**source, RULES: source[RULES].replace("\nrules:\n", f"\nrules:\n{entry}", 1)}
    load(changed)
