"""Out of office over HTTP: who stands in, what they see and decide, how it is shown, and when it ends."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import apps
import httpx
import pytest
from holds_world import shift_clock

Json = dict[str, Any]

UNTIL = (datetime.now(UTC) + timedelta(days=7)).isoformat()
DEPLOY: Json = {
    "kind": "approval",
    "title": "Deploy to staging",
    "action": {"name": "deploy", "args": {"version": "1.2"}, "target": "staging"},
}
CRITICAL: Json = {
    "kind": "approval",
    "title": "Delete orders",
    "action": {"name": "delete_database", "args": {}, "target": "orders-prod"},
}


@dataclass
class Office:
    """Bob approves, Ann does not; an agent asks."""

    desk: apps.Desk
    ann: httpx.AsyncClient
    bob: httpx.AsyncClient
    agent: httpx.AsyncClient

    async def ask(self, question: Json = DEPLOY, **more: Any) -> Json:
        return (await self.agent.post("/api/holds", json={**question, **more})).raise_for_status().json()

    async def away(self, by: httpx.AsyncClient | None = None, **more: Any) -> httpx.Response:
        return await (by or self.bob).post("/api/absences", json={"stand_in": "Ann", "until": UNTIL, **more})

    async def person(self, name: str) -> str:
        people = (await self.desk.admin.get("/api/people")).json()["people"]
        return next(each["id"] for each in people if each["name"] == name)


@pytest.fixture
async def office(desk: apps.Desk) -> Office:
    bob = await desk.own_member("Bob", ["team_lead", "tech_lead"])
    ann = await desk.own_member("Ann")
    return Office(desk, ann, bob, await desk.member("robot", "agent"))


def verdict(hold: Json, **more: Any) -> Json:
    return {"verdict": "approve", "digest": hold["digest"], **more}


async def approve(who: httpx.AsyncClient, hold: Json, **more: Any) -> httpx.Response:
    return await who.post(f"/api/holds/{hold['id']}/reviews", json=verdict(hold, **more))


async def seen(who: httpx.AsyncClient) -> set[str]:
    return {hold["id"] for hold in (await who.get("/api/holds")).raise_for_status().json()["holds"]}


async def test_a_stand_in_sees_decides_and_is_named_with_who_is_away(office: Office) -> None:
    """B7."""
    hold = await office.ask()
    assert await seen(office.ann) == set()
    assert (await approve(office.ann, hold)).status_code == 404

    absence = (await office.away()).raise_for_status().json()
    assert (absence["status"], absence["person"]["name"], absence["stand_in"]["name"]) == ("in_force", "Bob", "Ann")
    assert await seen(office.ann) == {hold["id"]}
    shown = (await office.ann.get(f"/api/holds/{hold['id']}")).json()
    assert shown["may_decide"]["allowed"] is True
    assert shown["may_decide"]["own_right"] is False
    assert [one["name"] for one in shown["may_decide"]["stands_in_for"]] == ["Bob"]

    decided = (await approve(office.ann, hold)).raise_for_status().json()

    assert decided["status"] == "approved"
    for said in (decided["decision"], decided["reviews"][0]):
        assert (said["by"]["name"], said["on_behalf_of"]["name"]) == ("Ann", "Bob")
    events: list[Json] = []
    # they get their numbers a moment later
    while len(events) < 3:
        events = (await office.bob.get(f"/api/holds/{hold['id']}/events")).json()["events"]
    assert [e["type"] for e in events] == ["hold.opened", "hold.reviewed", "hold.decided"]
    assert [e["actor"]["name"] for e in events] == ["robot", "Ann", "Ann"]
    assert [e["on_behalf_of"] and e["on_behalf_of"]["name"] for e in events] == [None, "Bob", "Bob"]
    audit = (await office.desk.admin.get("/api/audit/entries", params={"type": "hold.decided"})).json()["entries"]
    assert [one["on_behalf_of"]["name"] for one in audit] == ["Bob"]
    late = await approve(office.bob, hold)
    assert late.status_code == 409
    assert "by Ann for Bob" in late.json()["detail"]


async def test_the_log_keeps_who_named_whom_and_why_it_ended(office: Office) -> None:
    absence = (await office.away(levels=["medium"], actions=["deploy*"], reason="Holiday")).json()
    (await office.bob.post(f"/api/absences/{absence['id']}/end", json={})).raise_for_status()

    found = [event for event in await office.desk.events() if event["type"].startswith("absence.")]

    bob, ann = await office.person("Bob"), await office.person("Ann")
    assert [event["type"] for event in found] == ["absence.set", "absence.ended"]
    assert {str(event["actor_id"]) for event in found} == {bob}
    data = found[0]["data"]
    assert (data["person"], data["stand_in"], data["levels"], data["actions"]) == (bob, ann, ["medium"], ["deploy*"])
    assert (found[1]["data"]["id"], found[1]["data"]["cause"]) == (absence["id"], "returned")


async def test_only_what_the_scope_and_the_policy_allow_is_seen_and_decided(office: Office) -> None:
    (await office.away(actions=["dep*"], cases=["blue"])).raise_for_status()
    within = await office.ask(case_id="blue")
    outside = [await office.ask(case_id="red"), await office.ask(CRITICAL, case_id="blue")]
    underscore = await office.ask(case_id="blue", action={"name": "de_loy", "args": {}, "target": "staging"})

    assert await seen(office.ann) == {within["id"]}
    counts = (await office.ann.get("/api/holds")).json()["counts"]
    assert sum(one["count"] for one in counts.values()) == 1
    for hold in (*outside, underscore):
        assert (await office.ann.get(f"/api/holds/{hold['id']}")).status_code == 404
        assert (await approve(office.ann, hold)).status_code == 404


async def test_at_critical_nobody_stands_in_by_default(office: Office) -> None:
    (await office.away()).raise_for_status()
    hold = await office.ask(CRITICAL)
    assert hold["requirements"]["stand_ins"] is False
    assert hold["id"] not in await seen(office.ann)
    assert (await approve(office.ann, hold, reason="why not")).status_code == 404


@pytest.mark.parametrize("ending", ["returned", "declined", "administrator", "deactivated", "role", "time"])
async def test_it_ends_at_once(office: Office, ending: str) -> None:
    absence = (await office.away()).raise_for_status().json()
    hold, admin = await office.ask(), office.desk.admin
    assert await seen(office.ann) == {hold["id"]}
    bob = await office.person("Bob")
    match ending:
        case "returned" | "declined" | "administrator":
            by = {"returned": office.bob, "declined": office.ann, "administrator": admin}[ending]
            ended = (await by.post(f"/api/absences/{absence['id']}/end", json={})).raise_for_status().json()
            assert ended["status"] == "ended"
        case "deactivated":
            (await admin.patch(f"/api/people/{bob}", json={"active": False})).raise_for_status()
        case "role":
            (await admin.patch(f"/api/people/{bob}", json={"roles": ["developer"]})).raise_for_status()
        case _:
            await shift_clock(office.desk.database, timedelta(days=8).total_seconds())

    assert hold["id"] not in await seen(office.ann)
    assert (await approve(office.ann, hold)).status_code in {404, 409}
    causes = [event["data"]["cause"] for event in await office.desk.events() if event["type"] == "absence.ended"]
    assert causes == ([ending] if ending not in {"role", "time"} else [])


async def test_a_planned_absence_begins_when_its_time_comes(office: Office) -> None:
    begin = (datetime.now(UTC) + timedelta(days=1)).isoformat()
    later: Json = {"from": begin}
    assert (await office.away(None, **later)).json()["status"] == "planned"
    hold = await office.ask(expires_in=10 * 86400)
    assert await seen(office.ann) == set()
    await shift_clock(office.desk.database, timedelta(hours=25).total_seconds())
    listed = (await office.ann.get("/api/absences")).json()["absences"]
    assert [one["status"] for one in listed] == ["in_force"]
    assert hold["id"] in await seen(office.ann) or hold["status"] != "pending"


async def test_an_approval_for_someone_who_loses_the_role_no_longer_counts(office: Office) -> None:
    high = await office.ask(action={"name": "deploy", "args": {}, "target": "api-prod"})
    assert high["risk"] == "high"
    (await office.away()).raise_for_status()
    assert (await approve(office.ann, high)).json()["status"] == "pending"
    cto = await office.desk.own_member("Cleo", ["cto"])
    bob = await office.person("Bob")
    (await office.desk.admin.patch(f"/api/people/{bob}", json={"roles": ["developer"]})).raise_for_status()

    after = (await approve(cto, high)).raise_for_status().json()

    assert after["status"] == "pending"
    assert [one["by"]["name"] for one in after["reviews"]] == ["Cleo"]


async def test_a_requester_neither_stands_in_nor_is_stood_in_for(office: Office) -> None:
    (await office.away()).raise_for_status()
    own = (await office.ann.post("/api/holds", json=DEPLOY)).raise_for_status().json()
    theirs = (await office.bob.post("/api/holds", json=DEPLOY)).raise_for_status().json()
    assert (await approve(office.ann, own)).json()["code"] == "own_request"
    assert (await approve(office.ann, theirs)).json()["code"] == "own_request"


async def test_who_may_name_a_stand_in(office: Office) -> None:
    desk = office.desk
    lent = desk.client(await desk.token("Bob"))
    assert (await office.away(lent)).json()["code"] == "credential_not_own"
    narrow = await office.bob.post("/api/tokens", json={"principal": "Bob", "scopes": ["read", "decide"]})
    reader = await office.bob.post("/api/tokens", json={"principal": "Bob", "scopes": ["read"]})
    assert (await office.away(desk.client(reader.json()["token"]))).json()["code"] == "scope_missing"
    assert narrow.is_success
    assert (await office.away(office.agent)).json()["code"] == "not_a_person"
    assert (await office.away(office.ann, person="Bob")).json()["code"] == "forbidden"
    # an administrator gives a reason, and does not name themself
    assert (await office.away(desk.admin, person="Bob")).json()["code"] == "missing_field"
    assert (await office.away(desk.admin, person="Bob", reason="ill", stand_in="admin")).json()["code"] == "forbidden"
    made = (await office.away(desk.admin, person="Bob", reason="ill")).raise_for_status().json()
    assert (made["set_by"]["name"], made["reason"]) == ("admin", "ill")


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"stand_in": "Bob"}, "invalid_field"),
        ({"stand_in": "robot"}, "invalid_field"),
        ({"stand_in": "nobody"}, "not_found"),
        ({"until": "2020-01-01T00:00:00Z"}, "invalid_field"),
        ({"until": "2099-01-01T00:00:00Z"}, "invalid_field"),
        ({"until": "2027-01-01T00:00:00"}, "invalid_field"),
        ({"from": UNTIL, "until": UNTIL}, "invalid_field"),
        ({"levels": ["severe"]}, "invalid_field"),
        ({"actions": [""]}, "invalid_field"),
        ({"actions": ["a"] * 51}, "invalid_field"),
    ],
)
async def test_a_plan_that_makes_no_sense_is_refused(office: Office, body: Json, code: str) -> None:
    answer = await office.away(**body)
    assert answer.json()["code"] == code, answer.text
    assert (await office.bob.get("/api/absences")).json()["absences"] == []


async def test_nobody_stands_in_who_is_away_themself(office: Office) -> None:
    (await office.away()).raise_for_status()
    back = await office.away(office.ann, stand_in="Bob")
    assert back.status_code == 409
    assert "Bob is away" in back.json()["detail"]
    # Ann may go, and what she decided for Bob is not handed on
    cleo = await office.desk.own_member("Cleo")
    (await office.away(office.ann, stand_in="Cleo")).raise_for_status()
    hold = await office.ask()
    assert await seen(office.ann) == await seen(cleo) == set()
    assert (await approve(cleo, hold)).status_code == 404
    states = {
        one["person"]["name"]: one["status"] for one in (await office.ann.get("/api/absences")).json()["absences"]
    }
    assert states == {"Bob": "suspended", "Ann": "in_force"}


async def test_of_two_who_name_each_other_at_once_one_is_refused(office: Office) -> None:
    """B7."""
    answers = await asyncio.gather(office.away(), office.away(office.ann, stand_in="Bob"))
    assert sorted(answer.status_code for answer in answers) == [201, 409]


async def test_an_absence_that_ends_while_its_stand_in_decides_decides_nothing(office: Office) -> None:
    """The review waits for the hold; meanwhile the absence ends, and that is what the review then finds."""
    absence = (await office.away()).raise_for_status().json()
    hold = await office.ask()
    async with office.desk.database.transaction() as conn:
        await conn.execute("SELECT FROM holds WHERE id = %s FOR UPDATE", (hold["id"],))
        deciding = asyncio.create_task(approve(office.ann, hold))
        await _waits(office)
        (await office.bob.post(f"/api/absences/{absence['id']}/end", json={})).raise_for_status()
    answer = await deciding
    assert answer.json()["code"] == "wrong_role"
    assert (await office.bob.get(f"/api/holds/{hold['id']}")).json()["reviews"] == []


async def test_ending_waits_for_a_decision_on_its_way_and_comes_after_it(office: Office) -> None:
    """Whoever got the answer that it ended can rely on it: nothing by it commits later."""
    from handrail.store import absences

    absence = (await office.away()).raise_for_status().json()
    async with office.desk.database.transaction() as conn:
        # what a decision for somebody holds until it commits
        await absences.stand_back(conn)
        ending = asyncio.create_task(office.bob.post(f"/api/absences/{absence['id']}/end", json={}))
        await _waits(office)
        assert not ending.done()
    assert (await ending).json()["status"] == "ended"


async def _waits(office: Office) -> None:
    async with office.desk.database.connection() as look:
        while not await (await look.execute("SELECT pid FROM pg_locks WHERE NOT granted")).fetchone():
            continue


async def test_everybodys_absences_are_for_those_who_read_all(office: Office) -> None:
    (await office.away()).raise_for_status()
    assert len((await office.desk.admin.get("/api/absences?everybody=true")).json()["absences"]) == 1
    assert (await office.desk.admin.get("/api/absences")).json()["absences"] == []
    assert (await office.ann.get("/api/absences?everybody=true")).json()["code"] == "forbidden"


async def test_a_stranger_cannot_end_one_nor_learn_that_it_exists(office: Office) -> None:
    absence = (await office.away()).raise_for_status().json()
    stranger = await office.desk.own_member("Dora", ["cto"])
    assert (await stranger.post(f"/api/absences/{absence['id']}/end", json={})).status_code == 404
    (await office.bob.post(f"/api/absences/{absence['id']}/end", json={})).raise_for_status()
    assert (await office.bob.post(f"/api/absences/{absence['id']}/end", json={})).status_code == 409
