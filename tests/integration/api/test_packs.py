"""Decision packs over HTTP: put together for one person, and named by their review."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import Any

import httpx
import pytest
from apps import Desk, desk, events_with

from handrail.holds import packing
from handrail.holds.packing import Packer
from handrail.holds.providers import Plugin

PAY: dict[str, Any] = {
    "kind": "approval",
    "title": "Pay the bill",
    "action": {"name": "pay_invoice", "args": {"amount": 900, "to": "acme"}, "target": "staging"},
}


async def opened(client: httpx.AsyncClient, **more: Any) -> dict[str, Any]:
    body = {**PAY, **more}
    return (await client.post("/api/holds", json=body)).raise_for_status().json()


async def decided(agent: httpx.AsyncClient, by: httpx.AsyncClient, verdict: str, amount: int) -> dict[str, Any]:
    hold = await opened(agent, action={**PAY["action"], "args": {"amount": amount, "to": "acme"}})
    said = {"verdict": verdict, "digest": hold["digest"], "reason": f"because {amount}"}
    return (await by.post(f"/api/holds/{hold['id']}/reviews", json=said)).raise_for_status().json()


async def pack(client: httpx.AsyncClient, hold: dict[str, Any]) -> dict[str, Any]:
    return (await client.get(f"/api/holds/{hold['id']}/pack")).raise_for_status().json()


def part(found: dict[str, Any], name: str) -> Any:
    return next(each for each in found["parts"] if each["name"] == name)


async def test_a_pack_says_what_is_known_and_where_it_comes_from(database: str) -> None:
    """B5."""
    async with desk(database) as at:
        agent, lead = await at.member("bot", "agent"), await at.member("lead", roles=["team_lead"])
        await decided(agent, lead, "approve", 100)
        await decided(agent, lead, "reject", 850)
        hold = await opened(agent, evidence={"tests": "green"})
        found = await pack(lead, hold)
        assert (found["digest"], found["hold_id"], found["words"] > 10) == (hold["digest"], hold["id"], True)
        assert part(found, "effect")["content"].startswith("Pay invoice: amount 900")
        assert part(found, "why")["content"]["level"] == hold["risk"]
        assert part(found, "tests")["source"] == "opener"
        precedents = part(found, "precedents")["content"]
        assert precedents["outcomes"] == {"approved": 1, "rejected": 1}
        assert [(one["said"], one["by"]) for one in precedents["nearest"]] == [
            ("because 850", "lead"),
            ("because 100", "lead"),
        ]
        changes = part(found, "changed")["content"]["changes"]
        assert changes == [{"path": "args.amount", "from": 100, "to": 900}]
        assert part(found, "requester")["content"]["this_action"] == {"approved": 1, "rejected": 1}


async def test_precedents_that_one_may_not_see_are_neither_listed_nor_counted(database: str) -> None:
    async with desk(database) as at:
        agent, lead = await at.member("bot", "agent"), await at.member("lead", roles=["team_lead"])
        cto, alone = await at.member("cto", roles=["cto"]), await at.member("alone", roles=["developer"])
        own = await opened(alone)
        # long enough that no id or hash has it by chance
        amount = 8_507_319_462
        await decided(agent, lead, "reject", amount)
        found, all_of_it = await pack(alone, own), await pack(cto, await opened(agent))
        assert part(found, "precedents")["state"] == "nothing"
        assert part(found, "requester")["content"]["this_action"] == {}
        assert str(amount) not in str(found) and "lead" not in str(part(found, "requester"))
        assert part(all_of_it, "precedents")["content"]["outcomes"] == {"rejected": 1}
        assert str(amount) in str(all_of_it)


async def test_an_agent_that_asks_and_cancels_again_and_again_pushes_no_precedent_out(database: str) -> None:
    async with desk(database) as at:
        agent, lead = await at.member("bot", "agent"), await at.member("lead", roles=["team_lead"])
        await decided(agent, lead, "reject", 850)
        for _ in range(packing.MOST_ALIKE):
            (await agent.post(f"/api/holds/{(await opened(agent))['id']}/cancel", json={})).raise_for_status()
        found = await pack(lead, await opened(agent))
        assert part(found, "precedents")["content"]["outcomes"] == {"rejected": 1}
        assert part(found, "requester")["content"]["this_action"]["rejected"] == 1


async def test_a_review_names_the_pack_that_was_shown_and_no_other(database: str) -> None:
    async with desk(database) as at:
        agent, lead = await at.member("bot", "agent"), await at.member("lead", roles=["team_lead"])
        tech, hold = await at.member("tech", roles=["tech_lead"]), await opened(agent)
        address, said = f"/api/holds/{hold['id']}/reviews", {"verdict": "reject", "digest": hold["digest"]}
        theirs = (await pack(tech, hold))["hash"]
        for made_up in ("0" * 64, theirs):
            refused = await lead.post(address, json={**said, "pack": made_up})
            assert (refused.status_code, refused.json()["code"]) == (422, "invalid_field")
        mine = (await pack(lead, hold))["hash"]
        done = (await lead.post(address, json={**said, "pack": mine})).raise_for_status().json()
        assert done["reviews"][0]["pack"] == mine
        events = await events_with(lead, hold["id"], "hold.reviewed")
        assert [e["data"].get("pack") for e in events if e["type"] == "hold.reviewed"] == [mine]


async def test_a_pack_of_an_earlier_revision_is_not_what_was_decided_on(database: str) -> None:
    async with desk(database) as at:
        agent, lead = await at.member("bot", "agent"), await at.member("lead", roles=["team_lead"])
        hold = await opened(agent)
        address, old = f"/api/holds/{hold['id']}/reviews", (await pack(lead, hold))["hash"]
        amended = {**PAY["action"], "args": {"amount": 5, "to": "acme"}}
        said = {"verdict": "amend", "digest": hold["digest"], "amended_action": amended, "pack": old}
        now = (await lead.post(address, json=said)).raise_for_status().json()
        late = await lead.post(address, json={"verdict": "approve", "digest": now["digest"], "pack": old})
        assert (late.status_code, late.json()["code"]) == (422, "invalid_field")
        events = await events_with(lead, hold["id"], "hold.amended")
        assert [e["data"].get("pack") for e in events if e["type"] == "hold.amended"] == [old]


async def test_packs_are_for_people(database: str) -> None:
    async with desk(database) as at:
        agent = await at.member("bot", "agent")
        hold = await opened(agent)
        refused = await agent.get(f"/api/holds/{hold['id']}/pack")
        assert (refused.status_code, refused.json()["code"]) == (403, "not_a_person")


@pytest.fixture
def hanging() -> Any:
    let_go = threading.Event()
    yield Plugin("hangs", lambda _: let_go.wait())
    let_go.set()


async def test_plugins_that_hang_throw_or_lie_break_no_pack(database: str, hanging: Plugin) -> None:
    async with desk(database) as at:
        agent, lead = await at.member("bot", "agent"), await at.member("lead", roles=["team_lead"])
        plugins = [hanging, Plugin("throws", lambda hold: hold["nowhere"]), Plugin("lies", lambda _: {"name": "why"})]
        _install(at, Packer(plugins))
        hold = await opened(agent)
        found = await pack(lead, hold)
        told = [(each["by"], each["state"], each["content"]) for each in found["parts"] if each["source"] == "plugin"]
        assert told == [("hangs", "late", None), ("throws", "failed", None), ("lies", "ready", {"name": "why"})]
        assert part(found, "why")["source"] == "policy"
        said = {"verdict": "approve", "digest": hold["digest"], "pack": found["hash"]}
        assert (await lead.post(f"/api/holds/{hold['id']}/reviews", json=said)).is_success


def _install(at: Desk, packer: Packer) -> None:
    at.app.state.services = replace(at.app.state.services, packer=packer)
