"""The inbox over HTTP: rows, counts and what they are narrowed to."""

from __future__ import annotations

from typing import Any

import httpx
from apps import Desk

MAIL: dict[str, Any] = {
    "kind": "confirmation",
    "title": "Send the report",
    "action": {"name": "mailer", "args": {"to": "everybody", "body": "long " * 100}},
    "context": {"log": "not for a list " * 100},
}


async def opened(client: httpx.AsyncClient, **changes: Any) -> dict[str, Any]:
    return (await client.post("/api/holds", json={**MAIL, **changes})).raise_for_status().json()


async def rows(client: httpx.AsyncClient, **query: Any) -> list[dict[str, Any]]:
    return (await client.get("/api/holds/rows", params=query)).raise_for_status().json()["rows"]


async def titles(client: httpx.AsyncClient, **query: Any) -> list[str]:
    return [row["title"] for row in await rows(client, **query)]


async def test_a_row_has_what_a_list_shows_and_nothing_large(desk: Desk) -> None:
    agent, lead = await desk.member("bot", "agent"), await desk.member("lead", roles=["team_lead"])
    hold = await opened(agent)
    [row] = await rows(lead)
    assert (row["id"], row["digest"], row["may_decide"], row["items"]) == (hold["id"], hold["digest"], True, 0)
    assert row["action"] == {"name": "mailer", "args": {}, "target": None}
    assert not {"context", "evidence", "description", "rules", "reviews"} & row.keys()


async def test_a_row_that_was_amended_says_what_it_became(desk: Desk) -> None:
    agent, lead = await desk.member("bot", "agent"), await desk.member("lead", roles=["team_lead"])
    hold = await opened(agent)
    action = {**MAIL["action"], "args": {"to": "nobody"}}
    said = {"verdict": "amend", "digest": hold["digest"], "amended_action": action}
    (await lead.post(f"/api/holds/{hold['id']}/reviews", json=said)).raise_for_status()
    [row] = await rows(lead)
    assert (row["revision"], row["action"]["args"], row["reviewed"]) == (2, {"to": "nobody"}, True)
    [of_agent] = await rows(agent)
    assert of_agent["reviewed"] is False


async def test_holds_are_found_by_long_and_short_ids(desk: Desk) -> None:
    agent, lead = await desk.member("bot", "agent"), await desk.member("lead", roles=["team_lead"])
    first, second, _ = [await opened(agent, title=f"Send {n}") for n in range(3)]
    assert sorted(await titles(lead, ids=f"{first['id']},{second['short_id']}")) == ["Send 0", "Send 1"]
    counts = (await lead.get("/api/holds/counts", params={"ids": first["id"]})).json()["counts"]
    assert counts["medium"]["count"] == 1
    strange = await lead.get("/api/holds/rows", params={"ids": f"{first['id']},\N{SNOWMAN}"})
    assert strange.status_code == 422
    refused = await lead.get("/api/holds/rows", params={"ids": f"{first['id']},nonsense"})
    assert (refused.status_code, refused.json()["code"]) == (404, "not_found")


async def test_lists_are_compressed_and_the_answer_with_a_secret_is_not(desk: Desk) -> None:
    agent, lead = await desk.member("bot", "agent"), await desk.member("lead", roles=["team_lead"])
    for _ in range(5):
        await opened(agent)
    assert (await lead.get("/api/holds")).headers.get("content-encoding") == "gzip"
    plain = await lead.get("/api/holds", headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers and len(plain.json()["holds"]) == 5
    assert "content-encoding" not in (await lead.get("/api/me")).headers
