"""Confirmations of a case: all of them, page by page, with a true count, under any name that a case can have."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import apps
import httpx
import pytest

CONFIRM: dict[str, Any] = {"kind": "confirmation", "title": "Send it"}
FIELDS = ("request_id", "case_id", "agent_type", "action_description", "affected_items", "context", "created_at")


async def ask(agent: httpx.AsyncClient, case_id: str, **fields: Any) -> str:
    made = await agent.post("/api/holds", json={**CONFIRM, "case_id": case_id, **fields})
    return made.raise_for_status().json()["id"]


@pytest.fixture
async def agent(desk: apps.Desk) -> httpx.AsyncClient:
    return await desk.member("bot", "agent")


@pytest.fixture
async def dev(desk: apps.Desk) -> httpx.AsyncClient:
    return await desk.member("dev", roles=["developer"])


async def test_a_client_reads_every_field_answers_once_and_learns_who_was_first(
    agent: httpx.AsyncClient, dev: httpx.AsyncClient, desk: apps.Desk
) -> None:
    """S3.3: as request_confirmation opens it, without an action."""
    evidence = {"agent_type": "mailer", "affected_items": ["a@example.org", {"row": 2}]}
    asked = await ask(agent, "invoice-7", evidence=evidence, context={"template": "second"})
    base = "/api/cases/invoice-7/confirmations"
    pending = (await dev.get(f"{base}/pending")).json()
    [one] = pending["confirmations"]
    opened = (await dev.get(f"/api/holds/{asked}")).json()
    assert {name: one[name] for name in FIELDS} == {
        "request_id": asked,
        "case_id": "invoice-7",
        "agent_type": "mailer",
        "action_description": "Send it",
        "affected_items": ["a@example.org", {"row": 2}],
        "context": {"template": "second"},
        "created_at": opened["opened_at"],
    }
    assert pending["count"] == 1
    answered = await dev.post(f"{base}/{asked}", json={"approved": True, "reason": "go ahead"})
    assert (answered.status_code, answered.json()) == (200, {"status": "resolved", "approved": True})
    assert (await dev.get(f"{base}/pending")).json()["count"] == 0
    second = await desk.member("second", roles=["developer"])
    late = await second.post(f"{base}/{asked}", json={"approved": False, "reason": ""})
    assert (late.status_code, late.json()["code"]) == (404, "already_decided")
    assert (late.json()["data"]["outcome"], late.json()["data"]["decided_by"]["name"]) == ("approved", "dev")


async def test_what_waits_is_paged_oldest_first_and_all_of_it_is_counted(
    agent: httpx.AsyncClient, dev: httpx.AsyncClient
) -> None:
    actions: list[Any] = [None, {"name": "delete_everything", "target": "production"}, None, {"name": "get_x"}, None]
    asked = [await ask(agent, "c", action=action) for action in actions]
    await ask(agent, "another")
    for who in (agent, dev):
        # only who may decide it, or asked, sees the second one
        mine = asked if who is agent else [one for n, one in enumerate(asked) if n != 1]
        pages, cursor = list[list[str]](), None
        while not pages or cursor:
            query = {"limit": "2", **({"cursor": cursor} if cursor else {})}
            page = (await who.get("/api/cases/c/confirmations/pending", params=query)).raise_for_status().json()
            assert page["count"] == len(mine)
            pages.append([one["request_id"] for one in page["confirmations"]])
            cursor = page["next"]
        assert [one for page in pages for one in page] == mine
        assert len(pages) == (len(mine) + 1) // 2


async def test_more_than_a_page_is_counted_to_the_last(desk: apps.Desk, agent: httpx.AsyncClient) -> None:
    await ask(agent, "big")
    async with desk.database.transaction() as conn:
        await conn.execute(
            """
            INSERT INTO holds OVERRIDING USER VALUE
            SELECT (json_populate_record(h, json_build_object('id', gen_random_uuid()))).*
            FROM holds h, generate_series(1, 1999) WHERE case_id = 'big'
            """
        )
    found = (await agent.get("/api/cases/big/confirmations/pending")).json()
    assert (found["count"], len(found["confirmations"])) == (2000, 1000)
    rest = await agent.get("/api/cases/big/confirmations/pending", params={"cursor": found["next"]})
    assert (rest.json()["count"], len(rest.json()["confirmations"]), rest.json()["next"]) == (2000, 1000, None)


async def test_a_cursor_of_another_list_is_refused(agent: httpx.AsyncClient) -> None:
    for _ in range(2):
        await ask(agent, "c")
    other = (await agent.get("/api/holds?limit=1")).json()["next"]
    refused = await agent.get("/api/cases/c/confirmations/pending", params={"cursor": other})
    assert (refused.status_code, refused.json()["code"]) == (400, "bad_cursor")


NAMES = [
    "acme/2026/17",
    "50% off?",
    "#7",
    "a/confirmations/pending",
    "a/confirmations/batch",
    "a/events",
    "confirmations",
    "Größe & Co; x=1",
    "a\\b",
    "a%2Fb",
]


async def test_whatever_a_case_is_called_its_routes_find_it(agent: httpx.AsyncClient, dev: httpx.AsyncClient) -> None:
    """With slashes as they are, and escaped."""
    for case_id, safe in ((name, safe) for name in NAMES for safe in ("/", "")):
        asked = await ask(agent, case_id)
        batch = await ask(agent, case_id, items=[{"item_id": "1"}])
        base = f"/api/cases/{quote(case_id, safe=safe)}/confirmations"
        pending = (await dev.get(f"{base}/pending")).raise_for_status().json()
        assert [one["request_id"] for one in pending["confirmations"]] == [asked, batch]
        assert {one["case_id"] for one in pending["confirmations"]} == {case_id}
        assert (await dev.post(f"{base}/{asked}", json={"approved": True})).status_code == 200
        decisions = [{"item_id": "1", "approved": True}]
        assert (await dev.post(f"{base}/batch/{batch}", json={"decisions": decisions})).status_code == 200


async def test_a_case_that_no_address_carries_is_refused_at_opening(agent: httpx.AsyncClient) -> None:
    for case_id in (".", "..", "a/../b", "a//b", "/a", "a/", "a\nb"):
        refused = await agent.post("/api/holds", json={**CONFIRM, "case_id": case_id})
        assert (refused.status_code, refused.json()["code"]) == (422, "invalid_field")
        assert refused.json()["data"] == {"field": "case_id"}
