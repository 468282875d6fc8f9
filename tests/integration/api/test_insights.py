"""Figures on how holds are decided: each adds up, and leads to exactly the holds that it counts."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import httpx
from apps import Desk, desk
from holds_world import inbox, shift_clock

from handrail.store.database import Database

STAGING: dict[str, Any] = {
    "kind": "approval",
    "title": "Deploy billing to staging",
    "action": {"name": "deploy", "args": {"version": "1.2"}, "target": "staging"},
}
READ: dict[str, Any] = {"kind": "approval", "title": "Look", "action": {"name": "shell.run", "args": {"command": "ls"}}}


async def opened(client: httpx.AsyncClient, question: dict[str, Any] = STAGING, **more: Any) -> dict[str, Any]:
    return (await client.post("/api/holds", json=question | more)).raise_for_status().json()


async def said(client: httpx.AsyncClient, hold: dict[str, Any], verdict: str = "approve") -> None:
    body = {"verdict": verdict, "digest": hold["digest"]}
    (await client.post(f"/api/holds/{hold['id']}/reviews", json=body)).raise_for_status()


async def numbered(database: Database) -> None:
    """What was said so far is in the log."""
    while await inbox(database):  # noqa: ASYNC110 - the sequencer is another connection's
        await asyncio.sleep(0.01)


@asynccontextmanager
async def office(database: str) -> AsyncGenerator[tuple[Desk, dict[str, httpx.AsyncClient]]]:
    """Two agents and two leads; the deployer's first hold took a minute, its second ten, and its third waits."""
    async with desk(database) as at:
        who = {
            "deployer": await at.member("deployer", "agent"),
            "cleaner": await at.member("cleaner", "agent"),
            "ann": await at.member("ann", roles=["team_lead"]),
            "bob": await at.member("bob", roles=["team_lead"]),
        }
        quick = await opened(who["deployer"])
        await shift_clock(at.database, 60)
        await said(who["ann"], quick)
        slow = await opened(who["deployer"])
        await shift_clock(at.database, 600)
        await said(who["bob"], slow, "reject")
        await opened(who["deployer"])
        await opened(who["cleaner"], READ)
        await shift_clock(at.database, 5 * 3600)
        await numbered(at.database)
        yield at, who


async def figures(client: httpx.AsyncClient, **narrowed: Any) -> dict[str, Any]:
    return (await client.get("/api/insights", params=narrowed)).raise_for_status().json()


async def titles(client: httpx.AsyncClient, **narrowed: Any) -> list[str]:
    rows = (await client.get("/api/insights/holds", params=narrowed)).raise_for_status().json()["rows"]
    return [row["short_id"] for row in rows]


async def test_figures_say_how_long_people_took_and_what_waits(database: str) -> None:
    async with office(database) as (at, _):
        found = await figures(at.admin)
        assert found["target"] == 300
        assert (found["times"]["count"], found["times"]["late"]) == (2, 1)
        assert 330 <= found["times"]["p50"] < 340 and 545 <= found["times"]["p90"] < 560
        assert [one["risk"] for one in found["by_risk"]] == ["medium"]
        assert (found["outcomes"]["total"], found["outcomes"]["unasked"], found["outcomes"]["pending"]) == (4, 1, 1)
        assert (found["outcomes"]["approved"], found["outcomes"]["rejected"]) == (1, 1)
        assert found["backlog"]["count"] == 1
        assert [age["count"] for age in found["backlog"]["ages"]] == [0, 0, 0, 1, 0, 0]
        assert sum(slot["opened"] for slot in found["slots"]) == 3
        assert sum(slot["unasked"] for slot in found["slots"]) == 1
        assert found["slots"][-1]["backlog"] == 1
        assert len(found["slots"]) in (30, 31)
        assert {one["person"]["name"]: one["reviews"] for one in found["people"]} == {"ann": 1, "bob": 1}
        assert sum(one["reviews"] for one in found["hours"]) == 2
        assert {one["agent"]["name"]: one["total"] for one in found["agents"]} == {"deployer": 3, "cleaner": 1}
        assert {one["name"]: one["total"] for one in found["actions"]} == {"deploy": 3, "shell.run": 1}
        assert sum(one["rejected"] for one in found["rules"]) >= 1
        assert not found["capped"]


async def test_every_figure_leads_to_the_holds_that_it_counts(database: str) -> None:
    async with office(database) as (at, _):
        whole = await figures(at.admin)
        since = {"since": whole["since"], "until": whole["until"]}
        agents = {one["agent"]["name"]: one["agent"]["id"] for one in whole["agents"]}
        people = {one["person"]["name"]: one["person"]["id"] for one in whole["people"]}
        rule = whole["rules"][0]
        hour = next(one for one in whole["hours"])
        for narrowed, count in (
            ({}, whole["counted"]),
            ({"asked": "nobody"}, whole["outcomes"]["unasked"]),
            ({"asked": "people", "status": "rejected"}, whole["outcomes"]["rejected"]),
            ({"decided": "people"}, whole["times"]["count"]),
            ({"decided": "people", "longer": 300}, whole["times"]["late"]),
            ({"decided": "people", "shorter": 300}, whole["times"]["count"] - whole["times"]["late"]),
            ({"status": "pending", "longer": 4 * 3600, "shorter": 86_400}, whole["backlog"]["ages"][3]["count"]),
            ({"agent": agents["deployer"]}, 3),
            ({"action": "shell.run"}, 1),
            ({"rule": rule["name"]}, rule["total"]),
            ({"person": people["ann"]}, 1),
            ({"hour": hour["hour"], "weekday": hour["weekday"]}, hour["reviews"]),
            ({"risk": "medium"}, 3),
            ({"kind": "input"}, 0),
            ({"happened": "withdrawn"}, whole["happened"]["withdrawn"]),
        ):
            listed = await titles(at.admin, **narrowed, **since)
            assert len(listed) == len(set(listed)) == count, narrowed
            assert (await figures(at.admin, **narrowed, **since))["counted"] == count, narrowed
        slot = next(one for one in whole["slots"] if one["opened"])
        assert len(await titles(at.admin, asked="people", since=slot["since"], until=slot["until"])) == slot["opened"]


async def test_withdrawn_escalated_and_reopened_holds_are_counted_once_each(database: str) -> None:
    async with office(database) as (at, who):
        hold = await opened(who["deployer"])
        for _ in range(2):
            await said(who["ann"], hold)
            (await who["ann"].post(f"/api/holds/{hold['id']}/withdraw", json={})).raise_for_status()
        await numbered(at.database)
        found = await figures(at.admin)
        assert (found["happened"]["withdrawn"], found["happened"]["reopened"]) == (1, 1)
        (ann,) = [one for one in found["people"] if one["person"]["name"] == "ann"]
        assert (ann["reviews"], ann["holds"], ann["withdrawn"]) == (3, 2, 2)
        assert await titles(at.admin, happened="withdrawn") == [hold["short_id"]]


async def test_figures_are_of_what_one_may_see(database: str) -> None:
    async with office(database) as (at, who):
        # a developer may decide what is low, and a lead what is medium
        eve = await at.member("eve", roles=["developer"])
        for name, client in (("cleaner", eve), ("cleaner", who["cleaner"]), ("deployer", who["deployer"])):
            found = await figures(client)
            assert [one["agent"]["name"] for one in found["agents"]] == [name]
        assert (await figures(eve))["people"] == []
        assert {one["agent"]["name"] for one in (await figures(who["ann"]))["agents"]} >= {"deployer"}


async def test_days_begin_where_the_reader_is(database: str) -> None:
    async with office(database) as (at, _):
        for zone, offset in (("Asia/Kolkata", "18:30"), ("UTC", "00:00")):
            first = (await figures(at.admin, zone=zone))["slots"][0]["since"]
            assert f"T{offset}" in first, first


async def test_what_cannot_be_asked_is_refused(database: str) -> None:
    async with desk(database) as at:
        for wrong, field in (
            ({"zone": "Mars/Olympus"}, "zone"),
            ({"since": "2026-01-01T00:00:00"}, "since"),
            ({"since": "2020-01-01T00:00:00Z"}, "since"),
            ({"since": "2026-11-02T00:00:00Z", "until": "2026-11-01T00:00:00Z"}, "since"),
            ({"hour": "24"}, "hour"),
            ({"longer": "nan"}, "longer"),
            ({"happened": "born"}, "happened"),
        ):
            answer = await at.admin.get("/api/insights", params=wrong)
            assert (answer.status_code, answer.json()["code"]) == (422, "invalid_field"), wrong
            assert answer.json()["data"]["field"].endswith(field), answer.json()


async def test_many_who_ask_at_once_are_all_answered(database: str) -> None:
    async with office(database) as (at, _):
        answers = await asyncio.gather(*(at.admin.get("/api/insights") for _ in range(8)))
        assert {answer.status_code for answer in answers} == {200}
