"""Whose turn a hold is, over HTTP: views of the inbox, claims, assignments, snoozes, saved views."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import httpx
import pytest
from apps import Desk, events_with
from holds_world import shift_clock

STAGING: dict[str, Any] = {
    "kind": "approval",
    "title": "Deploy to staging",
    "action": {"name": "deploy", "args": {}, "target": "staging"},
    "task": {"operation": "deploy", "environment": "staging"},
}
PRODUCTION: dict[str, Any] = {
    **STAGING,
    "title": "Deploy to production",
    "action": {"name": "deploy", "args": {}, "target": "api-prod"},
    "task": {"operation": "deploy", "environment": "production"},
}
QUESTION: dict[str, Any] = {"kind": "input", "title": "Which logs?", "action": {"name": "read_logs", "args": {}}}


async def opened(client: httpx.AsyncClient, question: dict[str, Any] = STAGING, **changes: Any) -> dict[str, Any]:
    return (await client.post("/api/holds", json={**question, **changes})).raise_for_status().json()


async def approve(client: httpx.AsyncClient, hold: dict[str, Any], **more: Any) -> dict[str, Any]:
    said = {"verdict": "approve", "digest": hold["digest"], **more}
    return (await client.post(f"/api/holds/{hold['id']}/reviews", json=said)).raise_for_status().json()


async def titles(client: httpx.AsyncClient, **query: Any) -> list[str]:
    listed = (await client.get("/api/holds/rows", params=query)).raise_for_status().json()["rows"]
    return sorted(row["title"] for row in listed)


async def counted(client: httpx.AsyncClient, **query: Any) -> int:
    counts = (await client.get("/api/holds/counts", params=query)).raise_for_status().json()["counts"]
    return sum(one["count"] for one in counts.values())


async def row(client: httpx.AsyncClient, hold: dict[str, Any]) -> dict[str, Any]:
    query = {"ids": hold["id"], "status": "all"}
    [found] = (await client.get("/api/holds/rows", params=query)).raise_for_status().json()["rows"]
    return found


async def test_what_needs_me_is_what_i_may_decide_and_have_not(desk: Desk) -> None:
    agent, lead, cto = (
        await desk.member("bot", "agent"),
        await desk.member("lead", roles=["team_lead"]),
        await desk.own_member("cto", roles=["cto"]),
    )
    await opened(agent)
    both = await opened(agent, PRODUCTION)
    await opened(lead, PRODUCTION, title="Asked by lead")
    await opened(lead, QUESTION)
    assert await titles(lead, view="needs_me") == ["Deploy to production", "Deploy to staging", "Which logs?"]
    assert await titles(lead, view="waiting") == ["Asked by lead"]
    assert await titles(lead, view="mine") == ["Asked by lead", "Which logs?"]
    assert await counted(lead, view="needs_me") == 3

    await approve(lead, both)
    assert await titles(lead, view="needs_me") == ["Deploy to staging", "Which logs?"]
    assert await titles(lead, view="waiting") == ["Asked by lead", "Deploy to production"]
    assert await counted(lead, view="waiting") == 2
    assert "Deploy to production" in await titles(cto, view="needs_me")

    await approve(cto, both)
    assert await titles(lead, view="done") == ["Deploy to production"]
    assert "Deploy to production" not in await titles(lead, view="waiting")


async def test_who_reads_everything_is_needed_only_where_they_may_decide(desk: Desk) -> None:
    agent, auditor = await desk.member("bot", "agent"), await desk.member("auditor", roles=["auditor"])
    await opened(agent)
    assert (await titles(auditor, view="needs_me"), await counted(auditor, view="needs_me")) == ([], 0)
    assert await titles(auditor, view="waiting") == ["Deploy to staging"]
    assert await titles(agent, view="needs_me") == []
    assert await titles(agent, view="waiting") == ["Deploy to staging"]


async def test_an_amendment_that_nobody_else_must_approve_still_needs_the_amender(desk: Desk) -> None:
    agent, lead = await desk.member("bot", "agent"), await desk.member("lead", roles=["team_lead"])
    hold = await opened(agent)
    action = {**STAGING["action"], "args": {"version": "2"}}
    said = {"verdict": "amend", "digest": hold["digest"], "amended_action": action}
    (await lead.post(f"/api/holds/{hold['id']}/reviews", json=said)).raise_for_status()
    assert await titles(lead, view="needs_me") == ["Deploy to staging"]


async def test_a_stand_in_is_needed_until_the_absent_ones_word_is_in(desk: Desk) -> None:
    agent, lead = await desk.member("bot", "agent"), await desk.own_member("lead", roles=["team_lead"])
    ann, cto = await desk.member("ann"), await desk.own_member("cto", roles=["cto"])
    until = (datetime.now(UTC) + timedelta(days=1)).isoformat()
    (await lead.post("/api/absences", json={"stand_in": "ann", "until": until})).raise_for_status()
    both = await opened(agent, PRODUCTION)
    await opened(lead, PRODUCTION, title="Asked by lead")
    assert await titles(ann, view="needs_me") == ["Deploy to production"]
    assert await titles(ann, view="waiting") == ["Asked by lead"]
    await approve(ann, both)
    assert await titles(ann, view="needs_me") == []
    assert await titles(ann, view="waiting") == ["Asked by lead", "Deploy to production"]
    await approve(cto, both)


async def test_lists_are_narrowed_by_who_asked_what_and_when(desk: Desk) -> None:
    one, two = await desk.member("one-bot", "agent"), await desk.member("two-bot", "agent")
    lead = await desk.member("lead", roles=["team_lead"])
    await opened(one, title="first")
    second = await opened(two, {**STAGING, "action": {"name": "deploy_all", "args": {}}}, title="second", case_id="c-1")
    assert await titles(lead, view="needs_me", agent="ONE-bot") == ["first"]
    assert await titles(lead, view="needs_me", agent="nobody-of-that-name") == []
    assert await titles(lead, view="needs_me", action="deploy") == ["first"]
    assert await titles(lead, view="needs_me", action="deploy*") == ["first", "second"]
    assert await titles(lead, view="needs_me", action="%") == []
    assert await titles(lead, view="needs_me", case="c-1") == ["second"]
    assert await titles(lead, opened_after=second["opened_at"]) == ["second"]
    assert await titles(lead, opened_before=second["opened_at"]) == ["first"]


async def test_decided_holds_are_found_by_their_words(desk: Desk) -> None:
    agent, lead = await desk.member("bot", "agent"), await desk.member("lead", roles=["team_lead"])
    await approve(lead, await opened(agent, title="Deploy the warehouse"))
    await opened(agent, title="Deploy the warehouse again")
    assert await titles(lead, view="done", text="wareho") == ["Deploy the warehouse"]
    assert await titles(lead, status="all", text="wareho") == ["Deploy the warehouse", "Deploy the warehouse again"]
    assert await titles(lead, view="done", status="rejected") == []


@pytest.mark.parametrize(("view", "status"), [("needs_me", "approved"), ("done", "pending"), ("waiting", "expired")])
async def test_a_status_that_a_view_does_not_have_is_refused(desk: Desk, view: str, status: str) -> None:
    refused = await desk.admin.get("/api/holds/rows", params={"view": view, "status": status})
    assert (refused.status_code, refused.json()["code"]) == (422, "invalid_field")


async def test_pages_of_a_view_follow_each_other(desk: Desk) -> None:
    agent, lead = await desk.member("bot", "agent"), await desk.member("lead", roles=["team_lead"])
    for n in range(5):
        await opened(agent, title=str(n))
    seen: list[str] = []
    cursor: str | None = None
    for _ in range(3):
        query = {"view": "needs_me", "limit": 2, **({"cursor": cursor} if cursor else {})}
        page = (await lead.get("/api/holds/rows", params=query)).raise_for_status().json()
        seen += [one["title"] for one in page["rows"]]
        cursor = page["next"]
    assert (sorted(seen), cursor) == (list("01234"), None)


async def test_a_claim_says_who_looks_at_it_and_reserves_nothing(desk: Desk) -> None:
    agent, mara = await desk.member("bot", "agent"), await desk.member("mara", roles=["team_lead"])
    jon = await desk.member("jon", roles=["team_lead"])
    hold = await opened(agent)
    path = f"/api/holds/{hold['id']}"
    claimed = (await mara.put(f"{path}/assignee", json={})).raise_for_status().json()
    assert (claimed["assignee"]["person"]["name"], claimed["assignee"]["by"]["name"]) == ("mara", "mara")
    assert (await row(jon, hold))["assignee"]["person"]["name"] == "mara"
    assert await titles(jon, view="needs_me") == ["Deploy to staging"]
    assert await titles(mara, view="needs_me", assignee="me") == ["Deploy to staging"]
    assert await titles(jon, view="needs_me", assignee="nobody") == []
    assert await titles(jon, view="needs_me", assignee="mara") == ["Deploy to staging"]
    # the same again says nothing new
    await mara.put(f"{path}/assignee", json={})
    told = [one["type"] for one in await desk.events() if one["type"].startswith("hold.")]
    assert told == ["hold.opened", "hold.assigned"]
    released = (await jon.delete(f"{path}/assignee")).raise_for_status().json()
    assert released["assignee"] is None
    await mara.put(f"{path}/assignee", json={})
    await approve(jon, hold)
    assert (await row(mara, hold))["assignee"] is None


async def test_a_hold_is_assigned_to_somebody_who_may_decide_it(desk: Desk) -> None:
    agent, mara = await desk.member("bot", "agent"), await desk.member("mara", roles=["team_lead"])
    await desk.principal("jon", roles=["team_lead"])
    await desk.principal("dev", roles=["developer"])
    hold = await opened(agent)
    path = f"/api/holds/{hold['id']}"
    known = (await mara.get(f"{path}/triage")).raise_for_status().json()
    assert [one["name"] for one in known["deciders"] if one["name"] != "admin"] == ["jon", "mara"]
    assert ((await mara.put(f"{path}/assignee", json={"person": "jon"})).json()["assignee"]["by"]["name"]) == "mara"
    for name, code in (("dev", "invalid_field"), ("bot", "invalid_field"), ("nobody", "not_found")):
        refused = await mara.put(f"{path}/assignee", json={"person": name})
        assert refused.json()["code"] == code
    assert (await agent.get(f"{path}/triage")).json()["deciders"] == []
    events = await events_with(mara, hold["id"], "hold.assigned")
    assert [one["person"]["name"] for one in events if one["type"] == "hold.assigned"] == ["jon"]


async def test_a_snoozed_hold_is_back_in_time_or_when_anything_happens_to_it(desk: Desk) -> None:
    agent, lead = await desk.member("bot", "agent"), await desk.member("lead", roles=["team_lead"])
    cto = await desk.own_member("cto", roles=["cto"])
    later = (datetime.now(UTC) + timedelta(minutes=5)).isoformat()
    hold, other = await opened(agent, PRODUCTION), await opened(agent, PRODUCTION, title="other")
    for one in (hold, other):
        (await lead.put(f"/api/holds/{one['id']}/snooze", json={"until": later})).raise_for_status()
    assert (await titles(lead, view="needs_me"), await counted(lead, view="needs_me")) == ([], 0)
    assert await titles(lead, view="snoozed") == ["Deploy to production", "other"]
    assert (await row(lead, hold))["snoozed_until"] is not None
    assert (await row(cto, hold))["snoozed_until"] is None
    assert await counted(cto, view="needs_me") == 2

    await approve(cto, hold)
    assert await titles(lead, view="needs_me") == ["Deploy to production"]
    await shift_clock(desk.database, 360)
    assert await titles(lead, view="needs_me") == ["Deploy to production", "other"]


async def test_a_snooze_ends_when_its_owner_says_so(desk: Desk) -> None:
    agent, lead = await desk.member("bot", "agent"), await desk.member("lead", roles=["team_lead"])
    hold = await opened(agent)
    later = (datetime.now(UTC) + timedelta(minutes=5)).isoformat()
    (await lead.put(f"/api/holds/{hold['id']}/snooze", json={"until": later})).raise_for_status()
    woken = (await lead.delete(f"/api/holds/{hold['id']}/snooze")).raise_for_status().json()
    assert woken["snoozed_until"] is None
    assert await titles(lead, view="needs_me") == ["Deploy to staging"]


@pytest.mark.parametrize("after", [timedelta(seconds=-1), timedelta(days=31), timedelta(minutes=30)])
async def test_no_snooze_ends_in_the_past_far_ahead_or_past_the_deadline(desk: Desk, after: timedelta) -> None:
    agent, lead = await desk.member("bot", "agent"), await desk.member("lead", roles=["team_lead"])
    hold = await opened(agent, expires_in=600)
    until = (datetime.now(UTC) + after).isoformat()
    refused = await lead.put(f"/api/holds/{hold['id']}/snooze", json={"until": until})
    assert (refused.status_code, refused.json()["code"]) == (422, "invalid_field")


async def test_saved_views_are_ones_own_and_take_only_filters(desk: Desk) -> None:
    mara, jon = await desk.member("mara"), await desk.member("jon")
    body = {"name": "Deployments", "filters": {"action": "deploy*", "group": True}}
    saved = (await mara.post("/api/me/views", json=body)).raise_for_status().json()
    assert (await mara.get("/api/me/views")).json()["views"] == [saved]
    assert {name: one for name, one in saved["filters"].items() if one is not None} == body["filters"]
    again = (await mara.post("/api/me/views", json={**body, "filters": {"view": "done"}})).json()
    assert (again["id"], again["filters"]["view"]) == (saved["id"], "done")
    assert (await jon.get("/api/me/views")).json()["views"] == []
    assert (await jon.delete(f"/api/me/views/{saved['id']}")).json()["code"] == "not_found"
    for wrong in ({"script": "x"}, {"risk": "huge"}, {"group": "yes"}):
        assert (await mara.post("/api/me/views", json={"name": "x", "filters": wrong})).status_code == 422
    assert (await mara.delete(f"/api/me/views/{saved['id']}")).status_code == 204
    assert (await mara.delete(f"/api/me/views/{uuid4()}")).json()["code"] == "not_found"


async def test_a_person_keeps_so_many_views(desk: Desk) -> None:
    mara = await desk.member("mara")
    for n in range(50):
        (await mara.post("/api/me/views", json={"name": str(n), "filters": {}})).raise_for_status()
    assert (await mara.post("/api/me/views", json={"name": "one more", "filters": {}})).status_code == 409
    assert (await mara.post("/api/me/views", json={"name": "7", "filters": {"risk": "low"}})).status_code == 201
