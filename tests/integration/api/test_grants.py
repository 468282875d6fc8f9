"""Standing permissions over HTTP: proposed from a hold, made by people, used within their bounds, ended at once."""

from __future__ import annotations

import asyncio
import json
import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import apps
import httpx
import psycopg
import pytest
from feed_world import audit_folder, key_file
from holds_world import shift_clock
from integration.api.test_audit import exported

from handrail.core.verification import verify
from handrail.store import restoring
from handrail.store.migrate import migrate

Json = dict[str, Any]

DEPLOY: Json = {
    "kind": "approval",
    "title": "Deploy to staging",
    "action": {"name": "deploy", "args": {"version": "1.2"}, "target": "staging"},
}
PRODUCTION: Json = {**DEPLOY, "action": {**DEPLOY["action"], "target": "production"}}
DELETE: Json = {
    "kind": "approval",
    "title": "Delete orders",
    "action": {"name": "delete_database", "args": {}, "target": "orders-prod"},
}
REFUND: Json = {
    "kind": "approval",
    "title": "Refund",
    "action": {"name": "orders.settle", "args": {"order": "A-1", "amount": 10}},
}
VERSIONS: Json = {"args": {"version": {"prefix": "1."}}, "target": {"exact": "staging"}}
WHY = {"reason": "enough of it"}


def code(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


@dataclass
class Office:
    desk: apps.Desk
    ann: httpx.AsyncClient
    ben: httpx.AsyncClient
    agent: httpx.AsyncClient

    async def ask(self, question: Json = DEPLOY, by: httpx.AsyncClient | None = None, **args: Any) -> Json:
        asked = {**question, "action": {**question["action"], "args": {**question["action"]["args"], **args}}}
        return (await (by or self.agent).post("/api/holds", json=asked)).raise_for_status().json()

    async def propose(self, like: Json, by: httpx.AsyncClient | None = None, **terms: Any) -> httpx.Response:
        body = {"digest": like["digest"], **VERSIONS, **terms}
        return await (by or self.ann).post(f"/api/holds/{like['id']}/grant", json=body)

    async def granted(self, like: Json | None = None, **terms: Any) -> Json:
        made = await self.propose(like or await self.ask(), **terms)
        assert made.status_code == 201, made.text
        return made.json()

    async def redeem(self, hold: Json, key: str = "k") -> httpx.Response:
        return await self.agent.post(f"/api/holds/{hold['id']}/redeem", json={"digest": hold["digest"], "key": key})

    async def revoke(self, grant: Json, by: httpx.AsyncClient | None = None) -> httpx.Response:
        return await (by or self.ann).post(f"/api/grants/{grant['id']}/revoke", json=WHY)

    async def grant(self, grant: Json) -> Json:
        return (await self.ann.get(f"/api/grants/{grant['id']}")).raise_for_status().json()

    async def change(self, name: str, **fields: Any) -> None:
        people = (await self.desk.admin.get("/api/people")).json()["people"]
        (found,) = [each["id"] for each in people if each["name"] == name]
        (await self.desk.admin.patch(f"/api/people/{found}", json=fields)).raise_for_status()


@pytest.fixture
async def office(desk: apps.Desk) -> Office:
    ann, ben = await desk.own_member("Ann", ["team_lead"]), await desk.own_member("Ben", ["tech_lead"])
    return Office(desk, ann, ben, await desk.member("robot", "agent"))


async def test_calls_like_one_that_was_seen_go_through_and_say_by_whose_word(office: Office) -> None:
    """B3."""
    like = await office.ask()
    grant = await office.granted(like, uses=3)
    assert (grant["status"], grant["owner"]["name"], [one["name"] for one in grant["makers"]]) == (
        "live",
        "Ann",
        ["Ann"],
    )
    assert grant["sentence"].startswith('robot may call deploy on "staging" with version beginning with "1.", up to 3')
    hold = await office.ask(version="1.3")
    decision = hold["decision"]
    assert (hold["status"], decision["basis"], decision["grant"], decision["by"]) == (
        "approved",
        "grant",
        grant["id"],
        None,
    )
    assert (await office.redeem(hold)).status_code == 200
    assert (await office.ask(version="2.0"))["status"] == "pending"
    assert (await office.ask(PRODUCTION))["status"] == "pending"
    assert (await office.desk.admin.get(f"/api/holds/{like['id']}")).json()["status"] == "pending", "it decides nothing"
    seen = await office.grant(grant)
    assert (seen["used"], seen["last_used_at"] is not None) == (1, True)
    said = [event for event in await office.desk.events() if event["data"].get("grant") == grant["id"]]
    assert [event["type"] for event in said] == ["grant.proposed", "hold.decided"]
    assert said[-1]["data"]["digest"] == hold["digest"]


async def test_a_high_call_is_allowed_by_two_people_and_a_critical_one_never(office: Office) -> None:
    like = await office.ask(PRODUCTION)
    grant = await office.granted(like, target={"exact": "production"})
    assert (grant["status"], grant["risk"]) == ("proposed", "high")
    assert (await office.ask(PRODUCTION))["status"] == "pending"
    made = (await office.ben.get(f"/api/holds/{grant['id']}")).json()
    assert (made["kind"], made["action"]["name"], made["may_decide"]["allowed"]) == ("review", "handrail.grant", True)
    say = {"verdict": "approve", "digest": made["digest"]}
    bulk = {"verdict": "approve", "holds": [{"id": made["id"], "digest": made["digest"]}]}
    (refused,) = (await office.ben.post("/api/holds/reviews", json=bulk)).json()["results"]
    assert (refused["ok"], refused["code"]) == (False, "not_in_bulk")
    (await office.ben.post(f"/api/holds/{grant['id']}/reviews", json=say)).raise_for_status()
    hold = await office.ask(PRODUCTION)
    assert (hold["status"], hold["decision"]["grant"]) == ("approved", grant["id"])
    critical = await office.ask(DELETE)
    refusal = await office.propose(critical, office.ben, args={}, target={"exact": "orders-prod"})
    assert code(refusal) == (403, "grant_refused")


async def test_a_grant_for_medium_does_not_cover_what_its_claims_make_high(office: Office) -> None:
    await office.granted()
    raised = {**DEPLOY, "task": {"environment": "production"}}
    assert (await office.ask(raised))["status"] == "pending"
    assert (await office.ask())["status"] == "approved"


async def test_whoever_asked_an_agent_or_somebody_without_the_role_makes_none(office: Office) -> None:
    asker = await office.desk.own_member("Cyd", ["team_lead"])
    own = await office.ask(by=asker)
    assert code(await office.propose(own, asker)) == (403, "own_request")
    assert code(await office.propose(own, office.agent)) == (403, "not_a_person")
    developer = await office.desk.own_member("Dee", ["developer"])
    assert code(await office.propose(own, developer)) == (404, "not_found")
    assert code(await office.propose({**own, "digest": "0" * 64})) == (409, "stale_digest")
    assert code(await office.propose(own, args={"version": {"exact": "9"}})) == (422, "invalid_field")
    assert code(await office.propose(own, args={})) == (422, "invalid_field")
    late = (datetime.now(UTC) + timedelta(days=100)).isoformat()
    assert code(await office.propose(own, until=late)) == (422, "invalid_field")


async def test_fifty_at_once_use_a_grant_of_ten_exactly_ten_times(office: Office) -> None:
    grant = await office.granted(uses=10)
    opened = await asyncio.gather(*(office.ask(version=f"1.{n}") for n in range(50)))
    assert sum(hold["status"] == "approved" for hold in opened) == 10
    seen = await office.grant(grant)
    assert (seen["used"], seen["status"]) == (10, "used_up")


async def test_amounts_are_never_beyond_their_limits_however_odd(office: Office) -> None:
    like = await office.ask(REFUND)
    bounds = {"order": {"prefix": "A-"}, "amount": {"range": {"min": 0, "max": 10}}}
    cap = {"argument": "amount", "per_call": 10, "per_day": 0.5, "total": 0.7}
    grant = await office.granted(like, args=bounds, target=None, amount={**cap, "per_day": 100, "total": 1})
    assert (await office.revoke(grant)).status_code == 200
    small = await office.ask(REFUND, amount=0.1)
    await office.granted(small, args=bounds, target=None, amount=cap)
    opened = await asyncio.gather(*(office.ask(REFUND, order=f"A-{n}", amount=0.1) for n in range(12)))
    assert sum(hold["status"] == "approved" for hold in opened) == 5, "0.1 five times is 0.5, exactly"
    await shift_clock(office.desk.database, 86400)
    later = [(await office.ask(REFUND, amount=0.1))["status"] for _ in range(4)]
    assert later == ["approved", "approved", "pending", "pending"], "0.7 in total"
    assert (await office.ask(REFUND, amount="0.1"))["status"] == "pending"
    assert (await office.ask(REFUND, amount=-5))["status"] == "pending"


async def test_cents_add_up_and_numbers_that_are_none_open_and_allow_nothing(office: Office) -> None:
    like = await office.ask(REFUND, amount=0.1)
    bounds = {"order": {"prefix": "A-"}, "amount": {"range": {"min": 0, "max": 10}}}
    grant = await office.granted(like, args=bounds, target=None, amount={"argument": "amount", "total": 0.3})
    for amount, status in ((0.1, "approved"), (0.2, "approved"), (1e-9, "pending")):
        assert (await office.ask(REFUND, amount=amount))["status"] == status, "0.1 and 0.2 are 0.3, exactly"
    assert (await office.grant(grant))["spent"] == 0.3
    for written in ("1e400", "-1e400", "NaN", "Infinity", "1e16", "9007199254740993"):
        body = json.dumps({**REFUND, "action": {**REFUND["action"], "args": {"order": "A-1", "amount": 7}}})
        raw = body.replace('"amount": 7', f'"amount": {written}')
        opened = await office.agent.post("/api/holds", content=raw, headers={"Content-Type": "application/json"})
        assert opened.status_code in (400, 422), (written, opened.text)
        for field in ("per_call", "per_day", "total"):
            terms = {"digest": like["digest"], "args": bounds, "amount": {"argument": "amount", field: 7}}
            raw = json.dumps(terms).replace(f'"{field}": 7', f'"{field}": {written}')
            headers = {"Content-Type": "application/json"}
            refused = await office.ann.post(f"/api/holds/{like['id']}/grant", content=raw, headers=headers)
            assert refused.status_code in (400, 422), (written, field, refused.text)
    for wrong in (-1, "5", True, None, [1]):
        cap = {"argument": "amount", "total": wrong}
        assert code(await office.propose(like, args=bounds, target=None, amount=cap)) == (422, "invalid_field"), wrong


async def test_of_two_that_overlap_the_one_that_ends_first_is_used_first(office: Office) -> None:
    week = await office.granted(uses=5)
    soon = (datetime.now(UTC) + timedelta(hours=1)).isoformat()
    versions = {"version": {"one_of": ["2.0", "1.2"]}}
    hour = await office.granted(await office.ask(version="2.0"), args=versions, until=soon, uses=1)
    used = [(await office.ask())["decision"]["grant"] for _ in range(2)]
    assert used == [hour["id"], week["id"]]
    await shift_clock(office.desk.database, 7 * 86400)
    assert (await office.ask())["status"] == "pending"
    assert (await office.grant(week))["status"] == "expired"


async def test_revoking_asks_from_then_on_and_voids_what_was_not_used(office: Office) -> None:
    grant = await office.granted()
    used, unused = await office.ask(), await office.ask()
    assert (await office.redeem(used)).status_code == 200
    developer = await office.desk.own_member("Dee", ["developer"])
    assert code(await office.revoke(grant, developer)) == (404, "not_found")
    assert (await office.revoke(grant, office.desk.admin)).json()["status"] == "ended"
    assert code(await office.revoke(grant)) == (409, "conflict")
    assert (await office.ask())["status"] == "pending"
    assert code(await office.redeem(unused)) == (409, "approval_void")
    assert (await office.agent.get(f"/api/holds/{unused['id']}")).json()["status"] == "pending"
    assert (await office.redeem(used)).status_code == 200, "a repeat of a use is answered as the first was"
    events = await apps.events_with(office.ann, unused["id"], "hold.reopened")
    assert [event["data"].get("cause") for event in events if event["type"] == "hold.reopened"] == ["grant"]


async def test_the_log_proves_how_a_grant_was_made_used_and_revoked(office: Office) -> None:
    grant = await office.granted(uses=3)
    hold = await office.ask(version="1.3")
    (await office.redeem(hold)).raise_for_status()
    (await office.revoke(grant)).raise_for_status()
    lines = await exported(office.desk)
    keys = key_file(audit_folder()).publics()
    assert verify(lines, keys).faults == ()
    entries = [(place, json.loads(line)) for place, line in enumerate(lines)]
    about = {entry["type"]: place for place, entry in entries if grant["id"] in str(entry.get("data"))}
    assert {"grant.proposed", "hold.decided", "grant.ended"} <= about.keys()
    used = json.loads(json.loads(lines[about["hold.decided"]])["data"])
    assert (used["grant"], used["digest"]) == (grant["id"], hold["digest"]), "a use is bound to grant and digest"
    for type_, old, new in (
        ("grant.proposed", r"\"uses\": ?3", '"uses": 9'),
        ("hold.decided", grant["id"], hold["id"]),
        ("grant.ended", "revoked", "expired"),
    ):
        told = json.loads(lines[about[type_]])
        forged = {**told, "data": re.sub(old, new, told["data"])}
        assert forged != told, type_
        changed = [*lines[: about[type_]], json.dumps(forged).encode(), *lines[about[type_] + 1 :]]
        assert verify(changed, keys).faults, type_


async def test_nothing_goes_through_after_revoking_was_acknowledged(office: Office) -> None:
    grant = await office.granted()
    holds = await asyncio.gather(*(office.ask() for _ in range(12)))
    revoking = asyncio.create_task(office.revoke(grant))
    during = await asyncio.gather(*(office.redeem(hold) for hold in holds[:6]), *(office.ask() for _ in range(6)))
    assert (await revoking).status_code == 200
    late = await asyncio.gather(*(office.redeem(hold) for hold in holds[6:]))
    assert {answer.status_code for answer in during[:6] if isinstance(answer, httpx.Response)} <= {200, 409}
    assert {code(answer) for answer in late} == {(409, "approval_void")}
    assert {hold["status"] for hold in await asyncio.gather(*(office.ask() for _ in range(6)))} == {"pending"}


@pytest.mark.parametrize("change", [{"roles": ["developer"]}, {"active": False}])
async def test_a_grant_dies_with_its_owners_role(office: Office, change: Json) -> None:
    await office.granted()
    unused = await office.ask()
    assert unused["status"] == "approved"
    await office.change("Ann", **change)
    assert (await office.ask())["status"] == "pending"
    assert code(await office.redeem(unused)) == (409, "approval_void")
    await office.change("Ann", roles=["team_lead"], active=True)
    assert (await office.ask())["status"] == "pending", "a role that comes back brings no grant back"
    (ended,) = [event for event in await office.desk.events() if event["type"] == "grant.ended"]
    assert ended["data"]["cause"] == "owner"


async def test_a_maker_who_takes_their_word_back_ends_it_until_it_is_given_again(office: Office) -> None:
    grant = await office.granted()
    (await office.ann.post(f"/api/holds/{grant['id']}/withdraw", json={})).raise_for_status()
    assert (await office.ask())["status"] == "pending"
    assert (await office.grant(grant))["status"] == "proposed"
    redeemed = await office.ann.post(f"/api/holds/{grant['id']}/redeem", json={"digest": "0" * 64, "key": "k"})
    assert redeemed.status_code == 409


async def test_a_stricter_policy_outweighs_a_grant(office: Office) -> None:
    await office.granted()
    unused = await office.ask()
    files: Json = (await office.desk.admin.get("/api/policy")).json()["files"]
    rules = files["risk-assessment-rules.yaml"].replace("  medium:\n", "  medium:\n    allow_grants: false\n", 1)
    assert rules != files["risk-assessment-rules.yaml"]
    stricter = {"files": {**files, "risk-assessment-rules.yaml": rules}}
    (await office.desk.admin.post("/api/policy", json=stricter)).raise_for_status()
    assert code(await office.redeem(unused)) == (409, "approval_void")
    asked = await office.ask()
    assert asked["status"] == "pending"
    assert code(await office.propose(asked)) == (403, "grant_refused")


async def test_a_row_that_was_edited_by_hand_covers_nothing(office: Office) -> None:
    grant = await office.granted()
    async with office.desk.database.transaction() as conn:
        await conn.execute(
            "UPDATE holds SET state = replace(state::text, '\"1.\"', '\"2.\"')::json WHERE id = %s", (grant["id"],)
        )
    assert (await office.ask(version="2.7"))["status"] == "pending"


async def test_the_brake_stops_what_a_grant_covers(office: Office) -> None:
    await office.granted()
    hold = await office.ask()
    (await office.desk.admin.post("/api/brake", json={"agent": "robot", "reason": "stop"})).raise_for_status()
    assert code(await office.redeem(hold)) == (423, "braked")
    assert code(await office.agent.post("/api/holds", json=DEPLOY)) == (423, "braked")
    assert code(await office.propose(hold)) == (423, "braked")


async def test_a_preview_says_what_it_would_have_covered_and_changes_nothing(office: Office) -> None:
    for number, verdict in enumerate(["approve", "approve", "reject"]):
        past = await office.ask(version=f"1.{number}")
        say = {"verdict": verdict, "digest": past["digest"], "reason": "seen"}
        (await office.ann.post(f"/api/holds/{past['id']}/reviews", json=say)).raise_for_status()
    like = await office.ask(version="1.7")
    route = f"/api/holds/{like['id']}/grant/preview"
    proposed = (await office.ann.post(route, json={})).json()
    assert proposed["terms"]["args"] == {"version": {"one_of": ["1.7", "1.0", "1.1"]}}
    assert (proposed["calls"], len(proposed["covered"]), proposed["allowed"]) == (3, 2, True)
    wider = (await office.ann.post(route, json=VERSIONS)).json()
    assert [one["outcome"] for one in wider["covered"]] == ["rejected", "approved", "approved"]
    assert wider["requirements"]["approvals"] == 1
    assert code(await office.ann.post(route, json={"args": {"version": {"prefix": "1"}}})) == (422, "invalid_field")
    assert (await office.ann.get("/api/grants")).json() == {"grants": []}


async def test_lists_show_to_each_what_they_may_decide(office: Office) -> None:
    live = await office.granted()
    ended = await office.granted(uses=1)
    (await office.revoke(ended)).raise_for_status()
    developer = await office.desk.own_member("Dee", ["developer"])

    async def listed(who: httpx.AsyncClient, **query: str) -> list[str]:
        return [one["id"] for one in (await who.get("/api/grants", params=query)).json()["grants"]]

    assert await listed(office.ann) == [live["id"]] == await listed(office.desk.admin)
    assert await listed(office.ann, ended="true") == [ended["id"], live["id"]]
    assert await listed(developer) == []
    assert code(await office.agent.get("/api/grants")) == (403, "forbidden")


async def test_what_the_policy_hides_is_in_no_sentence(office: Office) -> None:
    like = await office.ask(REFUND, password="hunter2-hunter2")
    args = {"order": {"exact": "A-1"}, "amount": {"exact": 10}, "password": {"exact": "hunter2-hunter2"}}
    made = await office.granted(like, args=args, target=None)
    assert "hunter2" not in made["sentence"] and "[redacted]" in made["sentence"]
    hold = (await office.ann.get(f"/api/holds/{made['id']}")).json()
    assert "hunter2" not in hold["title"] + hold["description"]


async def test_so_many_of_one_kind_and_no_more(office: Office) -> None:
    like = await office.ask()
    for _ in range(20):
        await office.granted(like)
    assert code(await office.propose(like)) == (409, "conflict")


async def test_a_restored_backup_brings_no_grant_back(database: str) -> None:
    async with apps.desk(database) as desk:
        ann = await desk.own_member("Ann", ["team_lead"])
        office = Office(desk, ann, ann, await desk.member("robot", "agent"))
        await office.granted()
    with psycopg.connect(database, autocommit=True) as conn:
        restoring.begin(conn)
        await migrate(database)
        assert conn.execute("SELECT count(*) FROM grants WHERE ended_at IS NULL").fetchone() == (0,)
