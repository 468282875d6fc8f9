"""The chat over the wire, with the stock client: what is told, in which order, and from where it continues."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import apps
import chat_world
import pytest
from chat_world import Office
from runs_world import Voice, settle
from sockets import served

CHOICES: dict[str, Any] = {
    "type": "object",
    "properties": {"answer_1": {"type": "string", "enum": ["all", "something else"]}, "comment": {"type": "string"}},
    "required": ["answer_1"],
}


@pytest.fixture
async def office(database: str, tmp_path: Path) -> AsyncGenerator[Office]:
    async with chat_world.office(database, tmp_path) as office:
        yield office


async def started(office: Office, client: chat_world.Chatter, message: str = "Round prices.") -> str:
    ack = await client.say("chat_message", message=message, repo_url=office.shop)
    assert ack.keys() == {"session_id", "short_id", "status"}, ack
    return ack["session_id"]


@pytest.mark.parametrize("transports", [["websocket"], ["polling"]])
async def test_resumed_on_another_replica_without_gap_or_repeat(office: Office, transports: list[str]) -> None:
    """S2.1."""
    mara = await office.connect(transports=transports)
    session = await started(office, mara)
    await office.happens(session, "change.stage_began", stage="planning")
    await mara.first("agent_update", stage="planning")
    last = mara.seqs[-1]
    await mara.io.disconnect()
    for number in range(90):
        await office.happens(session, "change.answered", content=str(number))
    async with apps.desk(office.desk.database.dsn) as other, served(other.app) as url:
        again = await office.connect(url=url, session_id=session, after=last, transports=transports)
        await again.until(lambda heard: len(heard) > 50)
        for number in range(90, 100):
            await office.happens(session, "change.answered", content=str(number))
        await again.first("agent_update", message="99")
        assert [each["data"]["message"] for each in again.updates] == [str(number) for number in range(100)]
        assert {each["stage"] for each in again.updates} == {"planning"}
        assert (await again.first("connection_status"))["session_id"] == session
        assert again.seqs == sorted(set(again.seqs)) and again.seqs[0] > last
        whole = await office.connect(url=url, session_id=session)
        await whole.first("agent_update", message="99")
        assert whole.seqs == [*mara.seqs, *again.seqs]
        await again.io.disconnect()
        await whole.io.disconnect()


async def test_words_of_the_model_come_as_they_are_said(office: Office) -> None:
    mara = await office.connect()
    session = await started(office, mara)
    voice = Voice(office.desk.context, await office.run(session))
    await voice.write(0, "Rounding ")
    first = await mara.first("agent_update", kind="text")
    await voice.write(9, "half up")
    second = await mara.first("agent_update", kind="text", start=9)
    assert [first["data"]["message"], second["data"]["message"]] == ["Rounding ", "half up"]
    await voice.complete("Rounding half up")
    whole = await mara.first("agent_update", kind="model")
    assert whole["data"]["message"] == "Rounding half up" and whole["seq"] > second["seq"]


async def test_a_message_answers_what_is_asked_and_follows_up_on_what_has_ended(office: Office) -> None:
    mara = await office.connect()
    session = await started(office, mara)
    busy = await mara.say("chat_message", session_id=session, message="Faster!", repo_url=office.shop)
    assert busy["error"]["code"] == "conflict"
    question = await office.asks(session, "Which amounts?", schema=CHOICES)
    asked = await mara.first("agent_update", status="waiting_for_answer")
    assert (asked["data"]["question_id"], asked["data"]["schema"]) == (str(question.id), CHOICES)
    ack = await mara.say("chat_message", session_id=session, message="those of lamps")
    assert ack == {"session_id": session, "question_id": str(question.id), "status": "answered"}
    await mara.first("agent_update", kind="decision", question_id=str(question.id))
    await office.ends(session, branch="handrail/1", summary="Rounded", files=["money.py"])
    await mara.first("agent_update", status="completed")
    ack = await mara.say("chat_message", session_id=session, message="Document it, too.")
    assert ack["follows"] == session and ack["session_id"] != session
    given: Any = (await office.run(ack["session_id"])).input
    assert given["earlier"][0]["change"] == session and "Rounded" in given["earlier"][0]["outcome"]
    assert given["repo_url"] == office.shop
    await mara.first("agent_update", session_id=ack["session_id"])


async def test_several_sessions_at_once_each_with_its_own_story(office: Office) -> None:
    mara = await office.connect()
    sessions = [await started(office, mara, f"Round {number}.") for number in range(3)]
    for number, session in enumerate(sessions):
        await office.happens(session, "change.answered", content=f"answer {number}")
    for number, session in enumerate(sessions):
        assert (await mara.first("agent_update", message=f"answer {number}"))["session_id"] == session
    resumed = await office.connect(sessions=[{"session_id": session, "after": 0} for session in sessions])
    for number, session in enumerate(sessions):
        assert (await resumed.first("agent_update", message=f"answer {number}"))["session_id"] == session


async def test_the_same_key_starts_once(office: Office) -> None:
    mara = await office.connect()
    body: dict[str, Any] = {"message": "Round", "repo_url": office.shop, "idempotency_key": "k"}
    first, again = await mara.say("chat_message", **body), await mara.say("chat_message", **body)
    assert first["session_id"] == again["session_id"]


async def test_a_cancellation_does_not_wait_for_what_was_said_before(office: Office) -> None:
    mara = await office.connect()
    session = await started(office, mara)
    plan = await office.asks(session)
    async with office.desk.database.transaction() as conn:
        # whoever decides waits for this
        await conn.execute("SELECT * FROM holds WHERE id = %s FOR UPDATE", (plan.id,))
        approval: dict[str, Any] = {"session_id": session, "plan_id": str(plan.id), "approved": True}
        waiting = asyncio.create_task(mara.say("approve_plan", **approval))
        behind = asyncio.create_task(mara.say("chat_message", session_id=session, message="And now?"))
        cancelling = asyncio.create_task(mara.say("cancel_request", session_id=session))
        await mara.first("agent_update", status="cancelled")
        assert not waiting.done() and not behind.done()
    await waiting
    assert (await cancelling)["status"] == "cancelled"
    # in the order in which it was said: behind the approval, so it found a change that has ended
    assert (await behind)["follows"] == session


async def test_a_retried_failure_is_followed_on(office: Office) -> None:
    mara = await office.connect()
    session = await started(office, mara)
    await office.happens(session, "run.failed", code="worker_lost", message="the worker died")
    await settle(office.desk.database, (await office.run(session)).id, "failed", error={"code": "worker_lost"})
    await mara.first("agent_update", type="error")
    retried = await office.desk.client(office.tokens["mara"]).post(f"/api/runs/{session}/retry", json={})
    assert retried.status_code == 200, retried.text
    assert (await mara.first("agent_update", message="Retried"))["data"]["status"] == "queued"


async def test_the_metrics_say_how_the_chat_is(office: Office) -> None:
    mara = await office.connect()
    await started(office, mara)
    await mara.say("cancel_request", session_id="R-999")
    await mara.first("agent_update")
    page = (await office.desk.admin.get("/metrics")).text
    assert "handrail_chat_connections 1.0" in page
    assert 'handrail_chat_events_total{event="chat_message",outcome="ok"} 1.0' in page
    assert 'handrail_chat_events_total{event="cancel_request",outcome="not_found"} 1.0' in page
    assert 'handrail_chat_updates_total{type="status"}' in page
    assert "handrail_chat_update_delay_seconds_count" in page
