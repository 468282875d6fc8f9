"""Sessions over HTTP: what is started, what is refused, what a history tells; the worker is played by the test."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import apps
import httpx
import pytest
from runs_world import ask, publish, row, say, settle
from skills_world import COLOUR, skill_in_force

from handrail.core.holds import Kind
from handrail.core.runs import Run
from handrail.store import chunks
from handrail.store.chunks import Chunk

START: dict[str, Any] = {"skill_id": COLOUR, "input": "Paint the shed", "mode": "HITL"}


@dataclass(frozen=True)
class Studio:
    desk: apps.Desk
    # who starts sessions
    mara: httpx.AsyncClient

    async def start(self, **more: Any) -> Run:
        made = await self.mara.post("/api/execution/start", json={**START, **more})
        assert made.status_code == 201, made.text
        return await row(self.desk.database, UUID(made.json()["session_id"]))

    async def look(self, run: Run) -> dict[str, Any]:
        return (await self.mara.get(f"/api/execution/sessions/{run.id}")).raise_for_status().json()


@pytest.fixture
async def studio(database: str) -> AsyncGenerator[Studio]:
    async with apps.desk(database, model_light="openai:small") as desk:
        await publish(desk.database, "skill", input_schema=None)
        ann, bob = [await desk.principal(name, roles=["team_lead"]) for name in ("ann", "bob")]
        await skill_in_force(desk.context, ann, bob)
        yield Studio(desk, await desk.member("mara"))


async def test_a_session_is_started_and_told_as_it_stands(studio: Studio) -> None:
    """S1.1, S1.2, S1.4."""
    made = await studio.mara.post("/api/execution/start", json={**START, "config": {"model_id": "light"}})
    assert made.status_code == 201 and set(made.json()) == {"session_id", "short_id", "status"}
    assert made.json()["status"] == "RUNNING"
    run = await row(studio.desk.database, UUID(made.json()["session_id"]))
    assert (run.workflow, run.mode) == ("skill", "interactive")
    expected = {"skill_id": COLOUR, "version": "1", "input": "Paint the shed", "model_id": "light", "max_steps": 10}
    assert run.input == expected
    session = await studio.look(run)
    assert (session["status"], session["mode"], session["skill_version"]) == ("CREATED", "HITL", "1")
    assert [(said["role"], said["content"]) for said in session["history"]] == [("HUMAN", "Paint the shed")]
    autonomous = await studio.start(mode="AUTONOMOUS", config={"max_steps": 3})
    assert autonomous.mode == "autonomous"
    assert (await studio.look(autonomous))["config"] == {"model_id": None, "max_steps": 3}


REFUSED: list[tuple[dict[str, Any], int, str]] = [
    ({"skill_id": "nowhere"}, 404, "not_found"),
    ({"mode": "hitl"}, 422, "invalid_field"),
    ({"mode": None}, 422, "invalid_field"),
    ({"input": ""}, 422, "invalid_field"),
    ({"input": {"a": 1}}, 422, "wrong_type"),
    ({"config": {"max_steps": 0}}, 422, "invalid_field"),
    ({"config": {"max_steps": 1001}}, 422, "invalid_field"),
    ({"config": {"max_steps": "10"}}, 422, "wrong_type"),
    ({"config": {"model_id": "openai:huge"}}, 422, "invalid_field"),
    ({"config": {"temperature": 1}}, 422, "unknown_field"),
]


async def test_what_cannot_be_started(studio: Studio) -> None:
    for change, status, code in REFUSED:
        refused = await studio.mara.post("/api/execution/start", json={**START, **change})
        assert (change, refused.status_code, refused.json()["code"]) == (change, status, code)


async def test_the_same_key_is_the_same_session(studio: Studio) -> None:
    headers = {"Idempotency-Key": "once"}
    first, again = [await studio.mara.post("/api/execution/start", json=START, headers=headers) for _ in range(2)]
    assert first.json() == again.json()
    other = await studio.mara.post("/api/execution/start", json={**START, "input": "x"}, headers=headers)
    assert (other.status_code, other.json()["code"]) == (409, "idempotency_conflict")


async def test_a_key_means_nothing_to_another_operation(studio: Studio) -> None:
    """The same key starts a session, a run of the same workflow, and a task, each once."""
    await publish(studio.desk.database, "task", input_schema=None)
    headers = {"Idempotency-Key": "once"}
    task = {"operation": "deploy", "environment": "staging", "description": "Deploy"}
    requests: dict[str, dict[str, Any]] = {
        "/api/execution/start": START,
        "/orchestrate": task,
        "/api/runs": {"workflow": "task", "input": {}},
        "/api/holds": {"kind": "confirmation", "title": "Send it"},
    }
    made = [(await studio.mara.post(path, json=body, headers=headers)) for path, body in requests.items()]
    assert [answer.is_success for answer in made] == [True] * len(requests), [answer.text for answer in made]
    again = [(await studio.mara.post(path, json=body, headers=headers)) for path, body in requests.items()]
    names = ("session_id", "workflow_id", "id", "id")
    ids = [[answer.json()[name] for answer, name in zip(part, names, strict=True)] for part in (made, again)]
    assert ids[0] == ids[1]
    assert len(set(ids[0])) == len(requests)


async def test_whoever_may_answer_its_question_sees_the_session(studio: Studio) -> None:
    lead, guest = await studio.desk.member("lead", roles=["team_lead"]), await studio.desk.member("guest")
    run = await studio.start()
    addresses = [f"/api/execution/sessions/{run.id}", f"/api/runs/{run.id}", f"/api/execution/sessions/{run.id}/files"]
    # as long as it asks nothing, it is nobody else's
    assert [(await lead.get(address)).status_code for address in addresses] == [404] * 3
    question = await ask(studio.desk.context, run, "Which colour?", kind=Kind.input, task=None)
    await settle(studio.desk.database, run.id, "paused")
    assert [(await lead.get(address)).status_code for address in addresses] == [200] * 3
    assert [(await guest.get(address)).status_code for address in addresses] == [404] * 3
    session = (await lead.get(addresses[0])).json()
    assert session["pending_input"]["request_id"] == str(question.id)
    # seeing is not having a say in it
    for word in ("cancel", "retry"):
        refused = await lead.post(f"/api/runs/{run.id}/{word}", json={})
        assert (refused.status_code, refused.json()["code"]) == (403, "forbidden")
    review = {"verdict": "answer", "digest": session["pending_input"]["digest"], "answer": "blue"}
    (await lead.post(f"/api/holds/{question.id}/reviews", json=review)).raise_for_status()
    assert (await lead.get(addresses[0])).status_code == 200


async def test_a_history_is_whole_while_the_session_runs_and_waits(studio: Studio) -> None:
    """S1.2, S1.4, S1.7: the input, what the model thought and said, each tool with its arguments, each answer."""
    run = await studio.start()
    context = studio.desk.context
    call: dict[str, Any] = {"name": "request_input", "call_id": "c1"}
    await say(context, run, "run.tool_called", **call, args={"prompt": "Which colour?"})
    question = await ask(context, run, "Which colour?", kind=Kind.input, task=None, schema={"enum": ["blue", "red"]})
    await settle(studio.desk.database, run.id, "paused")
    waiting = await studio.look(run)
    assert waiting["status"] == "PAUSED"
    pending = waiting["pending_input"]
    assert (pending["request_id"], pending["prompt"]) == (str(question.id), "Which colour?")
    assert pending["schema"] == {"enum": ["blue", "red"]}
    review = {"verdict": "answer", "digest": pending["digest"], "answer": "blue"}
    (await studio.mara.post(f"/api/holds/{question.id}/reviews", json=review)).raise_for_status()
    # the tool runs again from its start, and returns
    await say(context, run, "run.tool_called", **call, args={"prompt": "Which colour?"})
    await say(context, run, "run.tool_returned", **call, content="blue")
    said = {"message_id": "m1", "attempt": 1, "role": "ai", "node": None}
    said |= {"content": "Blue it is.", "reasoning": "They like blue."}
    await say(context, run, "message.completed", **said)
    async with studio.desk.database.transaction() as conn:
        await chunks.append(conn, run.id, 1, [Chunk("m2", 0, "reasoning", "Let "), Chunk("m2", 4, "answer", "The sh")])
    session = await studio.look(run)
    assert session["pending_input"] is None
    assert [(one["role"], one["content"]) for one in session["history"]] == [
        ("HUMAN", "Paint the shed"),
        ("HUMAN", "blue"),
        ("TOOL", "blue"),
        ("AI", "Blue it is."),
        ("AI", "The sh"),
    ]
    _, answer, tool, message, live = (one["metadata"] for one in session["history"])
    assert (answer["by"]["name"], answer["request_id"]) == ("mara", str(question.id))
    assert tool == {"tool": "request_input", "call_id": "c1", "args": {"prompt": "Which colour?"}}
    assert message == {"reasoning": "They like blue.", "message_id": "m1", "attempt": 1}
    assert live == {"reasoning": "Let ", "message_id": "m2", "attempt": 1, "streaming": True}
    assert session["cursor"] == f"{session['seq']}-m2.1.10"


async def test_a_session_that_ended_can_be_read_and_not_run_again(studio: Studio) -> None:
    """S1.7."""
    run = await studio.start()
    result = {"answer": "It is blue.", "artifacts": [{"path": "shed.png", "size": 3}]}
    await settle(studio.desk.database, run.id, "completed", result=result)
    session = await studio.look(run)
    assert (session["status"], session["answer"]) == ("COMPLETED", "It is blue.")
    assert (session["artifacts"], session["expires_at"]) == (result["artifacts"], None)
    failed = await studio.start()
    await settle(studio.desk.database, failed.id, "failed", error={"code": "node_failed", "message": "no"})
    for address in (f"/api/execution/sessions/{failed.id}/retry", f"/api/runs/{failed.id}/retry"):
        refused = await studio.mara.post(address, json={})
        assert (refused.status_code, refused.json()["code"]) == (409, "session_final")
    ended = await studio.mara.post(f"/api/execution/sessions/{failed.id}/cancel", json={})
    assert ended.json()["code"] == "run_ended"


async def test_sessions_are_listed_newest_first_by_status_and_skill(studio: Studio) -> None:
    first, second, third = [await studio.start(input=f"number {n}") for n in range(3)]
    (await studio.mara.post(f"/api/execution/sessions/{second.id}/cancel", json={"reason": "no"})).raise_for_status()
    await publish(studio.desk.database)
    await studio.mara.post("/api/runs", json={"workflow": "deploy", "input": {"service": "x"}})

    async def listed(**query: Any) -> tuple[list[str], str | None]:
        page = (await studio.mara.get("/api/execution/sessions", params=query)).raise_for_status().json()
        return [session["session_id"] for session in page["sessions"]], page["next"]

    newest_first = [str(run.id) for run in (third, second, first)]
    assert await listed() == (newest_first, None)
    beginning, cursor = await listed(limit=2)
    assert (beginning, await listed(limit=2, cursor=cursor)) == (newest_first[:2], (newest_first[2:], None))
    assert (await listed(status="CANCELLED"))[0] == [str(second.id)]
    assert (await listed(skill=COLOUR, status="CREATED"))[0] == [str(third.id), str(first.id)]
    assert (await listed(skill="other"))[0] == []
    assert (await studio.look(second))["history"][-1]["content"] == "The session was cancelled: no"


async def test_the_sixth_of_six_at_once_is_too_many(studio: Studio) -> None:
    """S1.9, in one process; a session that ends makes room."""
    made = await asyncio.gather(*(studio.mara.post("/api/execution/start", json=START) for _ in range(6)))
    assert sorted(one.status_code for one in made) == [201] * 5 + [429]
    refused = next(one for one in made if one.status_code == 429)
    assert refused.json()["detail"] == "Maximum concurrent sessions reached"
    assert int(refused.headers["retry-after"]) >= 1
    # a run of the workflow is a session, however it is started
    assert (await studio.mara.post("/api/runs", json={"workflow": "skill", "input": {}})).status_code == 429
    ended = next(one for one in made if one.status_code == 201).json()["session_id"]
    (await studio.mara.post(f"/api/execution/sessions/{ended}/cancel", json={})).raise_for_status()
    await studio.start()


async def test_files_are_given_listed_and_taken(studio: Studio) -> None:
    """S1.17: by who started it, while it has not ended; nobody else sees them."""
    run = await studio.start()
    address = f"/api/execution/sessions/{run.id}"
    given = await studio.mara.post(f"{address}/file", params={"path": "in/log.txt"}, files={"file": ("a", b"<script>")})
    assert (given.status_code, given.json()["size"]) == (201, 8)
    listed = (await studio.mara.get(f"{address}/files")).json()["files"]
    assert [file["path"] for file in listed] == ["in/log.txt"]
    taken = await studio.mara.get(f"{address}/file", params={"path": "in/log.txt"})
    assert taken.content == b"<script>"
    assert taken.headers["content-disposition"] == "attachment; filename*=UTF-8''log.txt"
    assert taken.headers["content-type"] == "application/octet-stream"
    missing = await studio.mara.get(f"{address}/file", params={"path": "nowhere"})
    assert missing.json()["code"] == "not_found"
    stranger = await studio.desk.member("stranger")
    for seen in (await stranger.get(f"{address}/files"), await stranger.get(f"{address}/file?path=in/log.txt")):
        assert seen.status_code == 404
    await settle(studio.desk.database, run.id, "completed")
    late = await studio.mara.post(f"{address}/file", params={"path": "b"}, files={"file": ("b", b"")})
    assert (late.status_code, late.json()["code"]) == (409, "run_ended")
