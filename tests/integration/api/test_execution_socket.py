"""A session over a stock WebSocket client: its story once, from any cursor; what is said to it; who is refused."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import apps
import httpx
import pytest
import sockets
import websockets
from runs_world import Voice, ask, publish, row, say, settle
from skills_world import COLOUR, skill_in_force
from websockets.asyncio.client import ClientConnection

from handrail.api import sockets as server_sockets
from handrail.api.services import Services
from handrail.core.holds import Hold, Kind

DEADLINE_SECONDS = 60.0
START: dict[str, Any] = {"skill_id": COLOUR, "input": "Paint the shed", "mode": "HITL"}
LOUD = 30
RESULT: dict[str, Any] = {"answer": "Paint it blue.", "artifacts": []}

Json = dict[str, Any]


@dataclass(frozen=True)
class Studio(Voice):
    """A session on a served app, whose worker is played by the test."""

    desk: apps.Desk
    url: str
    mara: httpx.AsyncClient

    @asynccontextmanager
    async def watched(self, after: str | None = None, who: httpx.AsyncClient | None = None) -> AsyncGenerator[Client]:
        headers = {"Authorization": (who or self.mara).headers["Authorization"]}
        query = f"?after={after}" if after is not None else ""
        address = f"{self.url.replace('http', 'ws')}/ws/execution/{self.run.id}{query}"
        async with websockets.connect(address, additional_headers=headers, proxy=None) as connection:
            yield Client(connection)

    async def look(self) -> Json:
        """The session, once all that was said has its number."""
        return (await self.mara.get(f"/api/execution/sessions/{self.run.id}")).raise_for_status().json()

    async def ask(self, schema: Json | None = None) -> Hold:
        hold = await ask(self.context, self.run, "Which colour?", kind=Kind.input, task=None, schema=schema)
        await settle(self.desk.database, self.run.id, "paused")
        await say(self.context, self.run, "run.paused", holds=[str(hold.id)])
        return hold

    async def end(self) -> None:
        await settle(self.desk.database, self.run.id, "completed", result=RESULT)
        await say(self.context, self.run, "run.completed", result=RESULT)


class Client:
    """What a page does: takes messages, remembers the cursor, puts text together."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection

    async def next(self) -> Json:
        async with asyncio.timeout(DEADLINE_SECONDS):
            return json.loads(await self.connection.recv())

    async def until(self, event: str, **payload: Any) -> Json:
        while True:
            found = await self.next()
            if found["event"] == event and payload.items() <= found["payload"].items():
                return found

    async def say(self, event: str, **payload: Any) -> None:
        await self.connection.send(json.dumps({"event": event, "payload": payload}))

    async def closed(self) -> tuple[list[Json], int]:
        """What still comes, and the code with which the server closes."""
        left: list[Json] = []
        with pytest.raises(websockets.ConnectionClosed) as over:
            while True:
                left.append(await self.next())
        assert over.value.rcvd is not None
        return left, over.value.rcvd.code


@pytest.fixture
async def studio(database: str) -> AsyncGenerator[Studio]:
    async with apps.desk(database) as desk, sockets.served(desk.app) as url:
        await publish(desk.database, "skill", input_schema=None)
        ann, bob = [await desk.principal(name, roles=["team_lead"]) for name in ("ann", "bob")]
        await skill_in_force(desk.context, ann, bob)
        mara = await desk.member("mara")
        made = (await mara.post("/api/execution/start", json=START)).raise_for_status().json()
        run = await row(desk.database, UUID(made["session_id"]))
        studio = Studio(desk.context, run, desk, url, mara)
        await studio.look()
        yield studio


async def perform(studio: Studio) -> None:
    """A whole session: it thinks, calls a tool, asks, is answered, and answers."""
    call = {"name": "request_input", "call_id": "c1"}
    await studio.complete("", reasoning="I need a colour.", tool_calls=[{**call, "args": {}}])
    await say(studio.context, studio.run, "run.tool_called", **call, args={"prompt": "Which colour?"})
    hold = await studio.ask()
    review = {"verdict": "answer", "digest": hold.digest, "answer": "blue"}
    (await studio.mara.post(f"/api/holds/{hold.id}/reviews", json=review)).raise_for_status()
    await say(studio.context, studio.run, "run.resumed", holds=[str(hold.id)])
    await say(studio.context, studio.run, "run.tool_called", **call, args={"prompt": "Which colour?"})
    await say(studio.context, studio.run, "run.tool_returned", **call, content="blue")
    await studio.complete("Paint it blue.", "m2")
    await studio.end()


async def test_a_cursor_beyond_the_log_means_from_now_on(studio: Studio) -> None:
    async with studio.watched(str(10**15)) as client:
        await client.say("user_response", content="is anybody there?")
        assert (await client.until("error"))["payload"]["code"] == "conflict"
        await studio.complete("", reasoning="I need a colour.", tool_calls=[{"name": "request_input"}])
        told = await client.until("status_update", thought="I need a colour.")
    assert told["seq"] < 10**15
    async with studio.watched(told["cursor"]) as client:
        await studio.end()
        assert (await client.until("final_answer"))["payload"]["content"] == "Paint it blue."


async def test_a_person_answers_and_the_session_goes_on(studio: Studio) -> None:
    """S1.3."""
    async with studio.watched() as client:
        assert (await client.next())["payload"] == {"status": "CREATED", "thought": None, "tool_call": None}
        await studio.write(0, "I need ", kind="reasoning")
        token = await client.until("token")
        assert token["payload"] == {
            "message_id": "m1",
            "attempt": 1,
            "start": 0,
            "kind": "reasoning",
            "text": "I need ",
        }
        await studio.complete("", reasoning="I need a colour.", tool_calls=[{"name": "request_input"}])
        rest, thought = await client.next(), await client.next()
        assert (rest["payload"]["start"], rest["payload"]["text"]) == (7, "a colour.")
        assert (thought["event"], thought["payload"]["thought"]) == ("status_update", "I need a colour.")
        hold = await studio.ask({"enum": ["blue", "red"]})
        asked = await client.until("request_input")
        assert asked["payload"]["prompt"] == "Which colour?"
        assert asked["payload"]["schema"] == {"enum": ["blue", "red"]}
        paused = await client.until("status_update", status="PAUSED")
        assert paused["payload"]["holds"] == [str(hold.id)]
        await client.say("user_response", content="green")
        assert (await client.until("error"))["payload"]["code"] == "answer_mismatch"
        await client.say("user_response", content="blue")
        decided = (await client.until("status_update"))["payload"]["decided"]
        assert (decided["outcome"], decided["answer"], decided["by"]["name"]) == ("answered", "blue", "mara")
        assert (await row(studio.desk.database, studio.run.id)).status == "queued"
        await studio.end()
        left, code = await client.closed()
    assert code == 1000
    assert [(one["event"], one["payload"].get("status")) for one in left] == [
        ("final_answer", None),
        ("status_update", "COMPLETED"),
    ]
    assert left[0]["payload"] == {"content": "Paint it blue.", "artifacts": []}


async def test_a_client_that_comes_back_after_every_message_hears_the_same_story(studio: Studio) -> None:
    """S1.11: nothing missed and nothing repeated, wherever it was cut off."""
    await perform(studio)
    async with studio.watched() as client:
        whole, code = await client.closed()
    assert code == 1000
    heard: list[Json] = []
    for _ in range(len(whole)):
        async with studio.watched(heard[-1]["cursor"] if heard else None) as client:
            heard.append(await client.next())
    assert heard == whole
    async with studio.watched(heard[-1]["cursor"]) as client:
        assert await client.closed() == ([], 1000)
    assert [one["seq"] for one in whole] == sorted(one["seq"] for one in whole)
    numbered = [one["seq"] for one in whole if one["event"] != "token"]
    assert len(numbered) == len(set(numbered))
    calls = [one["payload"]["tool_call"] for one in whole if one["payload"].get("tool_call")]
    assert [call.get("result") for call in calls] == [None, "blue"]
    said = "".join(one["payload"]["text"] for one in whole if one["event"] == "token")
    assert said == "I need a colour.Paint it blue."
    (asked,) = [one["payload"] for one in whole if one["event"] == "request_input"]
    assert asked["pending"] is False


async def test_who_comes_back_in_mid_sentence_gets_the_rest_of_it(studio: Studio) -> None:
    """S1.11: while the model is still talking, after it has ended, and from where a page was loaded."""
    await studio.write(0, "The shed ", kind="answer")
    async with studio.watched() as client:
        assert (await client.until("token"))["payload"]["text"] == "The shed "
        await studio.write(9, "should ", kind="answer")
        cut = await client.until("token")
    await studio.write(16, "be ", kind="answer")
    async with studio.watched(cut["cursor"]) as client:
        more = await client.next()
        assert (more["payload"]["start"], more["payload"]["text"]) == (16, "be ")
    session = await studio.look()
    assert session["history"][-1]["content"] == "The shed should be "
    await studio.complete("The shed should be blue.")
    for cursor, rest in ((more["cursor"], "blue."), (cut["cursor"], "be blue."), (session["cursor"], "blue.")):
        async with studio.watched(cursor) as client:
            assert (await client.next())["payload"]["text"] == rest
            assert (await client.next())["payload"]["message_id"] == "m1"


async def test_text_that_does_not_count_is_taken_back(studio: Studio) -> None:
    """S1.7: a worker that died in mid-sentence; another one says it anew."""
    async with studio.watched() as client:
        await studio.write(0, "The sh", kind="answer")
        cut = await client.until("token")
    await studio.discard()
    await studio.write(0, "The shed", message="m2", attempt=2, kind="answer")
    await studio.look()
    async with studio.watched(cut["cursor"]) as client:
        void, anew = await client.next(), await client.next()
    assert void["payload"]["discarded"] == {"message_id": "m1", "attempt": 1}
    assert (anew["payload"]["message_id"], anew["payload"]["text"]) == ("m2", "The shed")


async def test_what_cannot_be_said_is_told_and_the_session_stands(studio: Studio) -> None:
    """A malformed message, an answer to nothing, a second answer, an answer of an agent, one after expiry."""
    agent = await studio.desk.member("helper", "agent")
    async with studio.watched() as client:

        async def refused(message: str | bytes) -> str:
            await client.connection.send(message)
            return (await client.until("error"))["payload"]["code"]

        def response(**payload: Any) -> str:
            return json.dumps({"event": "user_response", "payload": payload})

        for message, code in (
            ("chatter", "not_json"),
            (b"\xff\xfe", "bad_utf8"),
            ("[]", "wrong_type"),
            ('{"event": "shout"}', "invalid_field"),
            ('{"event": "user_response"}', "missing_field"),
            ('{"event": "user_response", "payload": {"text": "blue"}}', "missing_field"),
            ('{"event": "cancel", "payload": {"why": "x"}}', "unknown_field"),
            ('{"event": "cancel", "event": "cancel"}', "invalid_field"),
            (response(content="blue"), "conflict"),
            (response(content="blue", request_id=str(studio.run.id)), "not_found"),
        ):
            assert (message, await refused(message)) == (message, code)
        first = await studio.ask()
        await client.until("request_input")
        await client.say("user_response", content="blue")
        await client.until("status_update", status="PAUSED", thought=None)
        assert await refused(response(content="red")) == "already_decided"
        # an answer to what was told is no answer to what is asked meanwhile
        second = await ask(studio.context, studio.run, "And which brush?", kind=Kind.input, task=None)
        await client.until("request_input", request_id=str(second.id))
        assert await refused(response(content="red", request_id=str(first.id))) == "already_decided"
        await settle(studio.desk.database, studio.run.id, "expired")
        late = await refused(response(content="large"))
        assert late == "run_ended"
    async with studio.watched(who=agent) as stranger:
        assert (await stranger.closed())[1] == 4404
    session = await studio.look()
    assert session["status"] == "EXPIRED"
    assert [one["content"] for one in session["history"] if one["role"] == "HUMAN"] == ["Paint the shed", "blue"]


async def test_whoever_may_answer_hears_the_whole_story_and_answers_until_their_role_is_gone(studio: Studio) -> None:
    lead = await studio.desk.member("lead", roles=["team_lead"])
    await studio.complete("", reasoning="I need a colour.", tool_calls=[{"name": "request_input"}])
    await studio.ask()
    async with studio.watched(who=lead) as client:
        assert (await client.until("status_update", thought="I need a colour."))["seq"]
        await client.until("request_input")
        await client.say("cancel")
        assert (await client.until("error"))["payload"]["code"] == "forbidden"
        await client.say("user_response", content="blue")
        decided = (await client.until("status_update"))["payload"]
        while "decided" not in decided:
            decided = (await client.until("status_update"))["payload"]
        assert decided["decided"]["by"]["name"] == "lead"
        # what follows the answer is theirs to see as well
        await studio.complete("Paint it blue.", "m2")
        await client.until("token", message_id="m2")
        who = (await lead.get("/api/me")).json()["id"]
        (await studio.desk.admin.patch(f"/api/people/{who}", json={"roles": []})).raise_for_status()
        assert (await client.closed())[1] == 4401
    async with studio.watched(who=lead) as client:
        assert (await client.closed())[1] == 4404


async def test_a_client_can_cancel(studio: Studio) -> None:
    hold = await studio.ask()
    async with studio.watched() as client:
        await client.say("cancel", reason="enough")
        left, code = await client.closed()
    assert code == 1000
    assert left[-1]["payload"] | {"status": "CANCELLED", "reason": "enough"} == left[-1]["payload"]
    found = (await studio.mara.get(f"/api/holds/{hold.id}")).json()
    assert found["status"] == "cancelled"


async def test_how_a_socket_is_refused(studio: Studio) -> None:
    """The reason as an `error`, and as the code of the close."""
    stranger = await studio.desk.member("otto")
    base = studio.url.replace("http", "ws") + "/ws/execution/"
    mine, theirs = (who.headers["Authorization"] for who in (studio.mara, stranger))
    for path, header, first, code, number in (
        (f"{studio.run.id}", theirs, None, "not_found", 4404),
        (f"{UUID(int=7)}", mine, None, "not_found", 4404),
        ("nonsense", mine, None, "not_found", 4404),
        (f"{studio.run.id}?after=x", mine, None, "bad_cursor", 4400),
        (f"{studio.run.id}?after=4-m1", mine, None, "bad_cursor", 4400),
        (f"{studio.run.id}?aftr=4", mine, None, "unknown_field", 4422),
        (f"{studio.run.id}", "Bearer hr_wrong", None, "token_unknown", 4401),
        (f"{studio.run.id}", None, "{}", "unauthenticated", 4401),
    ):
        headers = {"Authorization": header} if header else {}
        async with websockets.connect(base + path, additional_headers=headers, proxy=None) as connection:
            if first is not None:
                await connection.send(first)
            told, closed = await Client(connection).closed()
        assert [one["payload"]["code"] for one in told if one["event"] == "error"] == [code], path
        assert closed == number


async def streaming(services: Services, count: int) -> None:
    """Waits until so many streams are open."""
    async with asyncio.timeout(DEADLINE_SECONDS):
        while services.feed.streams != count:  # noqa: ASYNC110 - nothing tells of it
            await asyncio.sleep(0.02)


async def test_a_client_that_never_reads_is_dropped_and_harms_nobody(
    studio: Studio, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server_sockets, "SEND_SECONDS", 0.5)
    services: Services = studio.desk.app.state.services
    headers = {"Authorization": studio.mara.headers["Authorization"]}
    address = f"{studio.url.replace('http', 'ws')}/ws/execution/{studio.run.id}"
    # small and uncompressed, so that what is sent is more than the buffers on the way hold
    small = socket.socket()
    small.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    small.connect(("127.0.0.1", httpx.URL(studio.url).port or 0))
    options: Json = {"sock": small, "max_queue": 1, "compression": None, "close_timeout": 0.1}
    async with websockets.connect(address, additional_headers=headers, **options):
        await streaming(services, 1)
        for _ in range(LOUD):
            await say(studio.context, studio.run, "run.tool_returned", name="loud", content="x" * 200_000)
        await streaming(services, 0)
        session = await studio.look()
    assert (session["status"], len(session["history"])) == ("CREATED", 1 + LOUD)
