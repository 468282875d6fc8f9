"""The contract of the chat, over the wire with both stock clients: each event, each field, one table for both."""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import chat_world
import pytest
from chat_contract import AGENT_UPDATE, APPROVAL_REQUEST, CONNECTION_STATUS, ERROR, ROWS, STAGES, TYPES
from chat_world import AnyChatter, Chatter, NodeChatter, Office
from runs_world import Voice

from handrail.api import catalogue
from handrail.core.holds import Hold

INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")
QUESTION: dict[str, Any] = {"type": "object", "properties": {"answer_1": {"type": "string"}}, "required": ["answer_1"]}


@pytest.fixture
async def office(database: str, tmp_path: Path) -> AsyncGenerator[Office]:
    async with chat_world.office(database, tmp_path) as office:
        yield office


@pytest.fixture(params=[Chatter, NodeChatter], ids=["python", "javascript"])
def kind(request: pytest.FixtureRequest) -> type[AnyChatter]:
    return request.param


async def begun(office: Office, client: AnyChatter) -> str:
    """The acknowledgement's fields are the contract, too."""
    ack = await client.say("chat_message", message="Round prices.", repo_url=office.shop)
    assert ack.keys() == {"session_id", "short_id", "status"} and ack["status"] == "queued", ack
    return ack["session_id"]


def test_the_table_has_every_event_of_a_change_and_every_stage() -> None:
    assert {type_ for type_ in catalogue.declared() if type_.startswith("change.")} <= {row.event for row in ROWS}
    assert {row.given["stage"] for row in ROWS if row.event == "change.stage_began"} == set(STAGES)


async def test_what_happens_is_told_field_by_field(office: Office, kind: type[AnyChatter]) -> None:
    """S2.2."""
    client = await office.enter(kind())
    hello = await client.first("connection_status")
    assert hello.keys() == CONNECTION_STATUS
    assert (hello["status"], hello["session_id"]) == ("connected", None) and isinstance(hello["seq"], int)
    session = await begun(office, client)
    for row in ROWS:
        await office.happens(session, row.event, **row.given)
    await office.ends(session, branch="handrail/1")
    await client.first("agent_update", status="completed")
    accepted, *told, done = client.updates
    assert accepted["data"] == {"status": "queued", "message": "Accepted"}
    assert done["data"] == {"status": "completed", "message": "Done", "result": {"branch": "handrail/1"}}
    stage = "intent_extraction"
    for sent, row in zip(told, ROWS, strict=True):
        stage = row.given.get("stage", stage)
        assert sent.keys() == AGENT_UPDATE
        assert INSTANT.fullmatch(sent["timestamp"]), sent
        rest = {name: sent[name] for name in AGENT_UPDATE - {"timestamp", "seq"}}
        data = {"message": sent["data"]["message"], **row.data}
        assert rest == {"type": row.type, "stage": stage, "data": data, "session_id": session}
        assert isinstance(data["message"], str) and data["message"].strip()
    assert client.seqs == sorted(set(client.seqs)), "each once, in order"
    # another client that comes later is told the very same, down to the times
    late = await office.enter(Chatter(), session_id=session)
    await late.first("agent_update", status="completed")
    assert late.updates == client.updates
    assert (await late.first("connection_status"))["session_id"] == session


async def test_words_of_a_model_and_what_it_says_as_a_whole(office: Office, kind: type[AnyChatter]) -> None:
    client = await office.enter(kind())
    session = await begun(office, client)
    await client.first("agent_update", status="queued")
    voice = Voice(office.desk.context, await office.run(session))
    said: dict[str, Any] = {"message_id": "m1", "attempt": 1}
    heard: list[Any] = []
    for start, word, thinks in ((0, "Rounding ", True), (9, "half ", False), (14, "up — ½ 😀", False)):
        await voice.write(start, word, kind="reasoning" if thinks else "text")
        heard.append(await client.first("agent_update", kind="text", start=start))
        assert heard[-1]["data"] == {"kind": "text", "message": word, "reasoning": thinks, **said, "start": start}
    await voice.complete("half up — ½ 😀", reasoning="Rounding ")
    whole = await client.first("agent_update", kind="model")
    content = {"kind": "model", "message": "half up — ½ 😀", "reasoning": "Rounding ", "node": None, **said}
    assert (whole["type"], whole["data"]) == ("log", content)
    assert {each["seq"] for each in heard} == {client.updates[0]["seq"]} and whole["seq"] > heard[0]["seq"]
    await voice.write(0, "Never", message="m2")
    await client.first("agent_update", kind="text", message_id="m2")
    await voice.discard("m2")
    assert (await client.first("agent_update", kind="discarded"))["data"]["message_id"] == "m2"


async def test_every_event_of_a_client_and_its_acknowledgement(office: Office, kind: type[AnyChatter]) -> None:
    """S2.1."""
    mara, lee = await office.enter(kind()), await office.enter(kind(), "lee")
    session = await begun(office, mara)
    question = await office.asks(session, "Which amounts?", schema=QUESTION)
    asked = (await mara.first("agent_update", status="waiting_for_answer"))["data"]
    assert asked == {
        "status": "waiting_for_answer",
        "message": "Which amounts?",
        "question_id": str(question.id),
        "schema": QUESTION,
        "description": None,
        "evidence": None,
        "pending": True,
    }
    ack = await mara.say("chat_message", session_id=session, message="all", repo_url=office.shop)
    assert ack == {"session_id": session, "question_id": str(question.id), "status": "answered"}
    decided = (await mara.first("agent_update", kind="decision"))["data"]
    assert decided.keys() == {"kind", "message", "question_id", "outcome", "basis", "reason", "by"}
    assert (decided["outcome"], decided["by"]["name"]) == ("answered", "mara")
    for title, event, said, status in (
        ("fix: one", "approve_plan", {"approved": True, "notes": "good"}, "approved"),
        ("fix: two", "approve_plan", {"approved": False, "notes": "no"}, "rejected"),
        ("fix: three", "reject_plan", {"reason": "half up"}, "rejected"),
    ):
        plan = await office.asks(session, title)
        shown = await mara.first("agent_update", type="approval_request", plan_id=str(plan.id))
        _assert_shows(shown["data"], plan, office.shop)
        ack = await lee.say(event, session_id=session, plan_id=str(plan.id), **said)
        assert ack == {"session_id": session, "plan_id": str(plan.id), "status": status}
        decided = (await mara.first("agent_update", kind="decision", plan_id=str(plan.id)))["data"]
        assert (decided["outcome"], decided["by"]["name"]) == (status, "lee")
        assert decided["reason"] == (said.get("notes") or said.get("reason"))
    ack = await mara.say("cancel_request", session_id=session)
    assert ack == {"session_id": session, "status": "cancelled"}
    ended = (await mara.first("agent_update", status="cancelled"))["data"]
    assert ended.keys() == {"status", "message", "by", "plan_id"} and ended["by"]["name"] == "mara"
    ack = await mara.say("chat_message", session_id=session, message="Again.", repo_url=office.shop)
    assert ack.keys() == {"session_id", "short_id", "status", "follows"} and ack["follows"] == session
    await office.happens(ack["session_id"], "run.failed", code="given_up", message="a person gave it up")
    failed = await mara.first("agent_update", type="error")
    assert failed["data"] == {"code": "given_up", "message": "a person gave it up", "status": "failed"}
    assert {each["type"] for each in mara.updates} | {row.type for row in ROWS} == TYPES


def _assert_shows(data: dict[str, Any], plan: Hold, shop: str) -> None:
    assert data.keys() == APPROVAL_REQUEST and plan.question.action is not None
    assert data == {
        "message": plan.question.title,
        "plan_id": str(plan.id),
        "plan_short_id": plan.short_id,
        "digest": plan.digest,
        "cause": "opened",
        "asks": "plan",
        "risk": plan.assessment.level.value,
        "expires_at": plan.expires_at.isoformat() if plan.expires_at else None,
        "pending": True,
        "current": True,
        "description": None,
        "action": {"name": "change.plan", "args": plan.question.action.args, "target": shop},
        "plan": {"title": plan.question.title},
        "evidence": None,
    }


async def test_every_refusal_is_an_error_and_the_acknowledgement(office: Office, kind: type[AnyChatter]) -> None:
    mara = await office.enter(kind())
    session = await begun(office, mara)
    plan = await office.asks(session)
    about = {"session_id": session, "plan_id": str(plan.id)}
    for event, said, code, more in (
        ("chat_message", {"message": "x", "repo_url": "/x", "y": 1}, "unknown_field", {"field": "y"}),
        ("chat_message", {"repo_url": office.shop}, "missing_field", {"field": "message"}),
        ("chat_message", {"message": "now?", "session_id": session}, "conflict", {}),
        ("approve_plan", {**about, "approved": True}, "wrong_role", {}),
        ("approve_plan", {**about, "approved": 1}, "wrong_type", {"field": "approved"}),
        ("reject_plan", {"session_id": session, "plan_id": "H-999", "reason": "no"}, "not_found", {}),
        ("reject_plan", about, "missing_field", {"field": "reason"}),
        ("cancel_request", {"session_id": "R-999"}, "not_found", {}),
    ):
        before = len(mara.heard)
        ack = await mara.say(event, **said)
        told = await mara.until(lambda heard, before=before: _error(heard[before:]))
        assert (told["code"], told["event"], told["session_id"]) == (code, event, said.get("session_id")), told
        assert told.keys() >= ERROR and isinstance(told["seq"], int)
        assert {name: told[name] for name in told.keys() - ERROR}.items() >= more.items()
        assert ack == {"error": {name: told[name] for name in told.keys() - {"event", "session_id", "seq"}}}
        assert told["message"][-1] in ".?" and told["message"][0] in f"`{told['message'][0].upper()}"


def _error(heard: list[tuple[str, Any]]) -> Any:
    return next((data for name, data in heard if name == "error"), None)


async def test_the_client_of_javascript_is_told_why_it_may_not_connect(office: Office) -> None:
    refusal = await (await office.enter(NodeChatter(), None)).first("connect_error")
    assert refusal["code"] == "unauthenticated" and "token" in refusal["message"]
