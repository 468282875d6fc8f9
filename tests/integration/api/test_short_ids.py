"""Short ids: every route takes one, and it tells nothing of what the caller may not see."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import apps
import httpx
import pytest
from runs_world import publish

ASKED: dict[str, Any] = {
    "kind": "confirmation",
    "title": "Send the report",
    "case_id": "case-1",
    "action": {"name": "mailer", "args": {}},
}
# far beyond what was ever given
NOBODY = 10**17


async def opened(client: httpx.AsyncClient, **more: Any) -> dict[str, Any]:
    return (await client.post("/api/holds", json={**ASKED, **more})).raise_for_status().json()


async def started(client: httpx.AsyncClient) -> dict[str, Any]:
    body = {"workflow": "deploy", "input": {"service": "billing"}}
    return (await client.post("/api/runs", json=body)).raise_for_status().json()


async def test_holds_opened_at_once_get_numbers_of_their_own(desk: apps.Desk) -> None:
    agent = await desk.member("bot", "agent")
    holds = await asyncio.gather(*(opened(agent) for _ in range(20)))
    shorts = {hold["short_id"] for hold in holds}
    assert len(shorts) == len(holds)
    assert all(re.fullmatch(r"H-[1-9][0-9]*", short) for short in shorts)


async def test_a_hold_is_read_decided_used_and_found_by_its_short_id(desk: apps.Desk) -> None:
    agent, lead = await desk.member("bot", "agent"), await desk.member("lead", roles=["team_lead"])
    hold = await opened(agent)
    place = f"/api/holds/{hold['short_id']}"
    assert (await lead.get(place)).json()["id"] == hold["id"]
    assert (await lead.get(place.replace("H-", "h-"))).json()["id"] == hold["id"]
    assert (await lead.post(f"{place}/comments", json={"text": "why?"})).status_code == 201
    found = (await lead.get("/api/holds", params={"text": f" {hold['short_id'].lower()} "})).json()["holds"]
    assert [one["id"] for one in found] == [hold["id"]]
    said = {"verdict": "approve", "holds": [{"id": hold["short_id"], "digest": hold["digest"]}]}
    bulk = (await lead.post("/api/holds/reviews", json=said)).json()["results"]
    assert bulk == [{"id": hold["short_id"], "ok": True, "status": "approved", "code": None, "message": None}]
    redeemed = await agent.post(f"{place}/redeem", json={"digest": hold["digest"], "key": "k"})
    assert redeemed.json()["hold_id"] == hold["id"]
    assert (await lead.get(f"{place}/wait?timeout=1")).json()["status"] == "approved"


async def test_a_confirmation_is_resolved_by_its_short_id(desk: apps.Desk) -> None:
    agent, lead = await desk.member("bot", "agent"), await desk.member("lead", roles=["team_lead"])
    hold = await opened(agent)
    listed = (await lead.get("/api/cases/case-1/confirmations/pending")).json()["confirmations"]
    assert listed[0]["short_id"] == hold["short_id"]
    answer = await lead.post(f"/api/cases/case-1/confirmations/{hold['short_id']}", json={"approved": True})
    assert answer.json() == {"status": "resolved", "approved": True}


async def test_a_run_is_read_and_cancelled_by_its_short_id_and_names_its_holds(desk: apps.Desk) -> None:
    await publish(desk.database)
    mara = await desk.member("mara")
    run = await started(mara)
    assert re.fullmatch(r"R-[1-9][0-9]*", run["short_id"])
    place = f"/api/runs/{run['short_id']}"
    assert (await mara.get(place)).json()["id"] == run["id"]
    assert (await mara.get("/api/holds", params={"run": run["short_id"]})).json()["holds"] == []
    assert (await mara.get(f"/workflows/{run['short_id']}/status")).json()["workflow"]["workflow_id"] == run["id"]
    assert (await mara.post(f"{place}/cancel", json={})).json()["status"] == "cancelled"


@pytest.mark.parametrize("other", ["", "/events", "/comments", "/deliveries", "/wait?timeout=0"])
async def test_a_hold_that_one_may_not_see_is_one_that_is_not_there(desk: apps.Desk, other: str) -> None:
    agent, stranger = await desk.member("bot", "agent"), await desk.member("other bot", "agent")
    hold = await opened(agent)
    seen, unknown = [await stranger.get(f"/api/holds/{short}{other}") for short in (hold["short_id"], f"H-{NOBODY}")]
    assert alike(seen, hold["short_id"]) == alike(unknown, f"H-{NOBODY}")
    assert seen.status_code == 404
    assert hold["id"] not in seen.text


async def test_deciding_in_bulk_tells_nothing_of_holds_that_one_may_not_see(desk: apps.Desk) -> None:
    agent, nobody = await desk.member("bot", "agent"), await desk.member("nobody")
    hold = await opened(agent)
    named = [{"id": short, "digest": "0" * 64} for short in (hold["short_id"], f"H-{NOBODY}")]
    answer = await nobody.post("/api/holds/reviews", json={"verdict": "approve", "holds": named})
    seen, unknown = answer.json()["results"]
    assert hold["id"] not in answer.text
    assert str(seen).replace(hold["short_id"], "") == str(unknown).replace(f"H-{NOBODY}", "")


@pytest.mark.parametrize("place", ["/api/runs/{}", "/workflows/{}/status", "/api/execution/sessions/{}"])
async def test_a_run_that_one_may_not_see_is_one_that_is_not_there(desk: apps.Desk, place: str) -> None:
    await publish(desk.database)
    mara, stranger = await desk.member("mara"), await desk.member("stranger")
    run = await started(mara)
    seen, unknown = [await stranger.get(place.format(short)) for short in (run["short_id"], f"R-{NOBODY}")]
    assert alike(seen, run["short_id"]) == alike(unknown, f"R-{NOBODY}")
    assert seen.status_code == 404
    assert run["id"] not in seen.text


@pytest.mark.parametrize("wrong", ["H-0", "H-01", "H-", "R-1", "H-1%20", "H-" + "9" * 19, "H-1.5", "1"])
async def test_what_is_no_short_id_of_a_hold_leads_nowhere(desk: apps.Desk, wrong: str) -> None:
    assert (await desk.admin.get(f"/api/holds/{wrong}")).status_code == 404
    assert (await desk.admin.get("/api/events", params={"hold": wrong})).status_code == 422


def alike(answer: httpx.Response, short: str) -> tuple[int, str, str]:
    problem = answer.json()
    assert short in problem["detail"]
    return answer.status_code, problem["code"], problem["detail"].replace(short, "")
