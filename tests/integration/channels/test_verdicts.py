"""Verdicts by a person's own program: signed, once, and under the rules of every decision."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import httpx
import pytest
from apps import Desk, desk
from standardwebhooks import Webhook

HOLD: dict[str, Any] = {
    "kind": "approval",
    "title": "Deploy billing",
    "action": {"name": "deploy", "args": {"version": "1.2"}, "target": "staging"},
}
CRITICAL: dict[str, Any] = {
    "kind": "approval",
    "title": "Delete the orders",
    "action": {"name": "delete", "args": {"table": "orders"}, "target": "production"},
    "task": {"operation": "delete", "environment": "production"},
}
SECRET_QUESTION: dict[str, Any] = {
    "kind": "input",
    "title": "Which password?",
    "schema": {"type": "string", "format": "password"},
}


@dataclass(frozen=True)
class Program:
    """A program of somebody's, with the secret that they gave it."""

    http: httpx.AsyncClient
    id: str
    secret: str
    path: str

    async def say(self, hold: dict[str, Any], verdict: str = "approve", **more: Any) -> httpx.Response:
        return await self.send(self.signed(hold, verdict, **more))

    def signed(self, hold: dict[str, Any], verdict: str = "approve", **more: Any) -> dict[str, Any]:
        data = {"hold_id": hold["id"], "verdict": verdict, "digest": hold["digest"], **more}
        return self.sealed({"type": "hold.verdict", "data": data})

    def sealed(self, body: Any, secret: str | None = None, age: float = 0) -> dict[str, Any]:
        """A request as any library of Standard Webhooks makes it."""
        text, id_, at = json.dumps(body), f"msg_{uuid4().hex}", datetime.now(UTC) - timedelta(seconds=age)
        headers = {
            "webhook-id": id_,
            "webhook-timestamp": str(int(at.timestamp())),
            "webhook-signature": Webhook(secret or self.secret).sign(id_, at, text),
            "content-type": "application/json",
        }
        return {"content": text.encode(), "headers": headers}

    async def send(self, request: dict[str, Any]) -> httpx.Response:
        return await self.http.post(self.path, **request)


@dataclass(frozen=True)
class Office:
    desk: Desk
    bot: httpx.AsyncClient
    ann: httpx.AsyncClient
    ben: httpx.AsyncClient
    program: Program

    async def open(self, **more: Any) -> dict[str, Any]:
        return (await self.bot.post("/api/holds", json={**HOLD, **more})).raise_for_status().json()

    async def status(self, hold: dict[str, Any]) -> str:
        return (await self.desk.admin.get(f"/api/holds/{hold['id']}")).json()["status"]

    async def id_of(self, name: str) -> str:
        return {one["name"]: one["id"] for one in (await self.desk.admin.get("/api/people")).json()["people"]}[name]


async def linked(at: Desk, who: httpx.AsyncClient) -> Program:
    made = (await who.post("/api/me/links/webhook", json={})).raise_for_status().json()
    return Program(at.client(), made["id"], made["secret"], httpx.URL(made["url"]).path)


@pytest.fixture
async def office(database: str) -> AsyncGenerator[Office]:
    async with desk(database) as at:
        ann, ben = await at.member("ann", roles=["team_lead"]), await at.member("ben", roles=["team_lead"])
        yield Office(at, await at.member("bot", "agent"), ann, ben, await linked(at, ann))


def code(answer: httpx.Response) -> str | None:
    return None if answer.is_success else answer.json()["code"]


async def test_a_signed_verdict_decides_as_its_person_and_says_by_what(office: Office) -> None:
    approved, rejected, asked = await office.open(), await office.open(), await office.open(kind="input", action=None)
    answer = await office.program.say(approved)
    assert answer.json() == {"hold_id": approved["id"], "status": "approved"}
    # the short id names the same hold
    short = {**rejected, "id": rejected["short_id"]}
    assert (await office.program.say(short, "reject", reason="not today")).json()["status"] == "rejected"
    assert (await office.program.say(asked, "answer", answer="blue")).json()["status"] == "answered"
    [review] = (await office.ann.get(f"/api/holds/{approved['id']}")).json()["reviews"]
    assert review["by"]["name"] == "ann"
    assert review["credential"]["kind"] == "link"
    [shown] = (await office.ann.get("/api/me/links")).json()["links"]
    assert (shown["channel"], shown["id"]) == ("webhook", office.program.id)


async def test_what_is_not_signed_with_the_secret_just_now_is_refused(office: Office) -> None:
    hold, program = await office.open(), office.program
    body = {"type": "hold.verdict", "data": {"hold_id": hold["id"], "verdict": "approve", "digest": hold["digest"]}}
    other = await linked(office.desk, office.ben)
    good = program.sealed(body)
    altered = good["content"].replace(b"approve", b"reject ")

    def with_(**headers: str) -> dict[str, Any]:
        return {
            **good,
            "headers": {**good["headers"], **{name.replace("_", "-"): value for name, value in headers.items()}},
        }

    forged = [
        program.sealed(body, secret=other.secret),
        program.sealed(body, age=301),
        # from a clock that is ahead: by more than the time that this test may take to send it
        program.sealed(body, age=-360),
        {**good, "content": altered},
        {**good, "content": good["content"] + b" "},
        {**good, "content": b"\xff"},
        with_(webhook_id="msg_other"),
        with_(webhook_id="m" * 201),
        with_(webhook_timestamp="1700000000"),
        with_(webhook_timestamp="nan"),
        with_(webhook_timestamp="now"),
        with_(webhook_signature=""),
        with_(webhook_signature="v1"),
        with_(webhook_signature="v1,"),
        with_(webhook_signature="v1,!!!"),
        with_(webhook_signature="v2," + good["headers"]["webhook-signature"][3:]),
        {"content": good["content"], "headers": {"content-type": "application/json"}},
    ]
    for request in forged:
        answer = await program.send(request)
        assert (answer.status_code, code(answer)) == (401, "bad_signature"), request
    # the secret of one is of no use at the address of another, nor at one that there is not
    for path in (other.path, f"/api/channels/webhook/{uuid4()}"):
        assert code(await program.http.post(path, **good)) == "bad_signature"
    assert await office.status(hold) == "pending"
    # a secret that is being changed: one of several signatures is enough
    both = with_(webhook_signature="v1,AAAA " + good["headers"]["webhook-signature"])
    assert (await program.send(both)).is_success


async def test_a_message_counts_once_also_where_it_was_refused(office: Office) -> None:
    hold = await office.open()
    request = office.program.signed(hold)
    answers = await asyncio.gather(*(office.program.send(request) for _ in range(5)))
    assert sorted(code(answer) or "ok" for answer in answers) == ["ok", *["replayed"] * 4]
    (await office.ann.post(f"/api/holds/{hold['id']}/withdraw", json={})).raise_for_status()
    assert code(await office.program.send(request)) == "replayed"
    assert await office.status(hold) == "pending"
    # refused while the brake is set: whoever recorded it cannot send it when it is lifted
    (await office.desk.admin.post("/api/brake", json={"reason": "stop"})).raise_for_status()
    held = office.program.signed(hold)
    assert code(await office.program.send(held)) == "braked"
    (await office.desk.admin.post("/api/brake/lift", json={"reason": "go"})).raise_for_status()
    assert code(await office.program.send(held)) == "replayed"
    assert await office.status(hold) == "pending"


async def test_of_two_who_race_one_decides_and_the_other_learns_who(office: Office) -> None:
    hold, other = await office.open(), await linked(office.desk, office.ben)
    answers = await asyncio.gather(office.program.say(hold), other.say(hold, "reject", reason="no"))
    assert sorted(code(answer) or "ok" for answer in answers) == ["already_decided", "ok"]
    [late] = [answer.json() for answer in answers if not answer.is_success]
    winner = (await office.ann.get(f"/api/holds/{hold['id']}")).json()["decision"]["by"]["name"]
    assert late["data"]["decided_by"]["name"] == winner
    assert winner in late["detail"]


async def test_the_rules_of_every_decision_hold(office: Office) -> None:
    program, hold = office.program, await office.open()
    amended = {"name": "deploy", "args": {"version": "1.3"}, "target": "staging"}
    body = {"verdict": "amend", "digest": hold["digest"], "amended_action": amended}
    (await office.ben.post(f"/api/holds/{hold['id']}/reviews", json=body)).raise_for_status()
    assert code(await program.say(hold)) == "stale_digest"
    critical = (await office.bot.post("/api/holds", json=CRITICAL)).raise_for_status().json()
    assert code(await program.say(critical)) in {"forbidden", "not_found"}
    batch = await office.open(kind="confirmation", items=[{"item_id": "1"}, {"item_id": "2"}])
    assert code(await program.say(batch)) == "forbidden"
    secret = (await office.bot.post("/api/holds", json=SECRET_QUESTION)).raise_for_status().json()
    assert code(await program.say(secret, "answer", answer="hunter2")) == "forbidden"
    own = (await office.ann.post("/api/holds", json=HOLD)).raise_for_status().json()
    assert code(await program.say(own)) == "own_request"
    assert code(await program.say({**hold, "id": str(uuid4())})) == "not_found"
    wrongs: list[Any] = [
        {"type": "hold.verdict"},
        {"type": "hold.opened", "data": {"hold_id": hold["id"], "verdict": "approve", "digest": hold["digest"]}},
        {"type": "hold.verdict", "data": {"hold_id": hold["id"], "verdict": "amend", "digest": hold["digest"]}},
        {"type": "hold.verdict", "data": {"hold_id": hold["id"], "verdict": "approve"}},
        [],
    ]
    for wrong in wrongs:
        answer = await program.send(program.sealed(wrong))
        assert answer.status_code == 422, answer.text


async def test_no_program_allows_calls_to_come(office: Office) -> None:
    tess = await office.desk.member("tess", roles=["tech_lead"])
    call = {**HOLD, "action": {"name": "deploy", "args": {"version": "1.2"}, "target": "production"}}
    high = (await office.bot.post("/api/holds", json=call)).raise_for_status().json()
    bounds = {"args": {"version": {"exact": "1.2"}}, "target": {"exact": "production"}}
    body = {"digest": high["digest"], **bounds}
    grant = (await tess.post(f"/api/holds/{high['id']}/grant", json=body)).raise_for_status().json()
    made = (await office.ann.get(f"/api/holds/{grant['id']}")).raise_for_status().json()
    assert (made["status"], code(await office.program.say(made))) == ("pending", "forbidden")
    assert await office.status(made) == "pending"


async def test_who_left_or_took_the_link_back_decides_nothing(office: Office) -> None:
    hold, other = await office.open(), await linked(office.desk, office.ben)
    assert code(await office.ben.post("/api/me/links/webhook", json={})) == "conflict"
    assert (await office.ben.delete(f"/api/me/links/{other.id}")).status_code == 204
    assert code(await other.say(hold)) == "bad_signature"
    ann = await office.id_of("ann")
    (await office.desk.admin.patch(f"/api/people/{ann}", json={"roles": []})).raise_for_status()
    assert code(await office.program.say(hold)) in {"wrong_role", "not_found"}
    (await office.desk.admin.patch(f"/api/people/{ann}", json={"active": False})).raise_for_status()
    assert code(await office.program.say(hold)) == "not_linked"
    assert await office.status(hold) == "pending"


async def test_only_people_with_all_their_rights_link_a_program_and_the_secret_lies_sealed(office: Office) -> None:
    lesser = office.desk.client(await office.desk.token("ben", scopes=["read", "decide"]))
    assert code(await lesser.post("/api/me/links/webhook", json={})) == "scope_missing"
    assert code(await office.bot.post("/api/me/links/webhook", json={})) == "not_a_person"
    async with office.desk.database.connection() as conn:
        row = await (await conn.execute("SELECT secret FROM linked_accounts")).fetchone()
    assert row is not None
    assert office.program.secret.encode() not in bytes(row["secret"])
    assert all(office.program.secret not in json.dumps(one["data"]) for one in await office.desk.events())
