"""Live text of models, on a real socket: whole at connect, then piece by piece, once, and bounded."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import apps
import httpx
import inbox
import pytest
import sockets
import uvicorn
import websockets
from runs_world import Voice, ask, publish, row, say
from websockets.asyncio.client import ClientConnection

from handrail.api import sockets as server_sockets
from handrail.store import events

DEADLINE_SECONDS = 60.0


@dataclass(frozen=True)
class Studio(Voice):
    """A run on a served app, whose worker is played by the test."""

    desk: apps.Desk
    server: uvicorn.Server
    token: str

    @property
    def url(self) -> str:
        return sockets.url_of(self.server)

    @property
    def served(self) -> int:
        """How many clients the app is at work for."""
        return len(self.server.server_state.tasks)

    @property
    def unsent(self) -> int:
        """Bytes that wait in this process for clients to take them."""
        return sum(each.transport.get_write_buffer_size() for each in self.server.server_state.connections)

    async def tell(self, count: int, size: int) -> None:
        """So many large events of the run."""
        async with self.desk.database.transaction() as conn:
            for n in range(count):
                step = {"step": n, "task": "t", "namespace": "", "node": str(n), "update": "x" * size}
                await inbox.put(conn, "run.step_completed", step, events.of_run(self.run))
        self.desk.context.poke()

    @asynccontextmanager
    async def watched(self, after: int | None = 0, **headers: str) -> AsyncGenerator[ClientConnection]:
        query = "" if after is None else f"?after={after}"
        headers = headers or {"Authorization": f"Bearer {self.token}"}
        address = f"{self.url.replace('http', 'ws')}/ws/runs/{self.run.id}{query}"
        async with websockets.connect(address, additional_headers=headers, proxy=None, compression=None) as socket:
            yield socket


@pytest.fixture
async def studio(database: str) -> AsyncGenerator[Studio]:
    # the address of the socket server is named by its port alone
    async with apps.desk(database) as desk, sockets.serving(desk.app) as server:
        await publish(desk.database)
        mara = await desk.member("mara")
        made = (await mara.post("/api/runs", json={"workflow": "deploy", "input": {"service": "x"}})).json()
        token = mara.headers["Authorization"].removeprefix("Bearer ")
        yield Studio(desk.context, await row(desk.database, made["id"]), desk, server, token)


async def heard(socket: ClientConnection, count: int) -> list[dict[str, Any]]:
    async with asyncio.timeout(DEADLINE_SECONDS):
        return [json.loads(await socket.recv()) for _ in range(count)]


class Page:
    """What a client shows: the text of each message, by the offsets of its pieces."""

    def __init__(self) -> None:
        self.texts: dict[tuple[str, int], str] = {}
        self.types: list[str] = []

    def take(self, said: dict[str, Any]) -> None:
        self.types.append(said["type"])
        if said["type"] == "message.delta":
            data = said["data"]
            key = (data["message_id"], data["attempt"])
            known = self.texts.get(key, "")
            assert data["start"] in {0, len(known)}, "a piece is doubled or missing"
            self.texts[key] = known[: data["start"]] + data["text"]
        if said["type"] == "message.discarded":
            self.texts.pop((said["story"]["message_id"], said["story"]["attempt"]), None)

    async def until(self, socket: ClientConnection, text: str, message: str = "m1", attempt: int = 1) -> None:
        async with asyncio.timeout(DEADLINE_SECONDS):
            while self.texts.get((message, attempt)) != text:
                self.take(json.loads(await socket.recv()))


async def test_text_comes_as_it_is_written_and_ends_with_the_whole(studio: Studio) -> None:
    page = Page()
    async with studio.watched() as socket:
        ready, started = await heard(socket, 2)
        assert (ready["type"], ready["seq"], started["type"]) == ("stream.ready", 0, "run.started")
        await studio.write(0, "The ")
        await page.until(socket, "The ")
        await studio.write(4, "answer ")
        await studio.write(11, "is 42")
        await page.until(socket, "The answer is 42")
        await studio.complete("The answer is 42")
        (done,) = await heard(socket, 1)
    assert (done["type"], done["story"]["content"]) == ("message.completed", "The answer is 42")
    assert isinstance(done["seq"], int)


async def test_who_comes_back_in_mid_sentence_sees_the_whole_sentence_once(studio: Studio) -> None:
    first = Page()
    async with studio.watched() as socket:
        _, started = await heard(socket, 2)
        await studio.write(0, "The answer ")
        await first.until(socket, "The answer ")
    await studio.write(11, "is ")
    async with studio.watched(after=started["seq"]) as socket:
        # the same page: what it has so far stays, and nothing is doubled
        await first.until(socket, "The answer is ")
        await studio.write(14, "42")
        await first.until(socket, "The answer is 42")
    assert "run.started" not in first.types


async def test_text_of_a_message_that_has_ended_is_not_told_again(studio: Studio) -> None:
    async with studio.watched() as before, studio.watched() as other:
        for socket in (before, other):
            await heard(socket, 2)
        await studio.write(0, "done")
        await Page().until(before, "done")
        await studio.complete("done")
        while (await heard(before, 1))[0]["type"] != "message.completed":
            pass
        async with studio.watched(after=None) as late:
            (ready,) = await heard(late, 1)
            await studio.write(0, "next", message="m2")
            (delta,) = await heard(late, 1)
        assert ready["type"] == "stream.ready"
        assert delta["data"]["message_id"] == "m2"


async def test_a_new_attempt_is_another_message(studio: Studio) -> None:
    page = Page()
    async with studio.watched() as socket:
        await studio.write(0, "half a sen")
        await page.until(socket, "half a sen")
        await studio.discard()
        await studio.write(0, "a whole sentence", attempt=2)
        await page.until(socket, "a whole sentence", attempt=2)
        while "message.discarded" not in page.types:
            page.take((await heard(socket, 1))[0])
    assert page.texts == {("m1", 2): "a whole sentence"}


async def test_server_sent_events_carry_the_text_too_and_keep_the_cursor(studio: Studio) -> None:
    path = f"/api/events?run={studio.run.id}&after=0&deltas=true"
    async with sockets.stream(studio.url, path, studio.token) as messages:
        started = await anext(messages)
        await studio.write(0, "Hello")
        delta = await anext(messages)
        assert (delta.event, delta.id, delta.data["data"]["text"]) == ("message.delta", started.id, "Hello")
        await studio.complete("Hello")
        done = await anext(messages)
    assert (done.event, int(done.id)) == ("message.completed", done.data["seq"])


async def test_the_story_is_told_in_words_from_the_beginning_and_again_from_a_cursor(studio: Studio) -> None:
    path = f"/api/runs/{studio.run.id}/story"
    call = {"name": "paint", "call_id": "c", "args": {"what": "shed"}}
    await say(studio.context, studio.run, "run.tool_called", **call)
    await say(studio.context, studio.run, "hold.redeemed", digest="d")
    await say(studio.context, studio.run, "run.completed", result={"colour": "blue"})
    async with sockets.stream(studio.url, path, studio.token) as messages:
        told = [await anext(messages) for _ in range(3)]
    assert [each.data["story"]["words"] for each in told] == [
        "Started by mara",
        'Calls paint with what = "shed"',
        "Completed",
    ]
    assert told[1].data["story"].items() >= {"is": "call", "truncated": False, **call}.items()
    assert "data" not in told[0].data
    async with sockets.stream(studio.url, f"{path}?after={told[1].id}", studio.token) as messages:
        assert (await anext(messages)).data == told[2].data


async def test_who_loses_sight_of_the_run_hears_no_more_of_its_story(studio: Studio) -> None:
    hold = await ask(studio.context, studio.run)
    lena = await studio.desk.principal("lena", roles=["team_lead"])
    path = f"/api/runs/{studio.run.id}/story"
    async with sockets.stream(studio.url, path, await studio.desk.token("lena")) as messages:
        while (await anext(messages)).data["hold_id"] != str(hold.id):
            pass
        await studio.desk.admin.patch(f"/api/people/{lena.id}", json={"roles": []})
        await say(studio.context, studio.run, "run.completed", result=None)
        assert not [message async for message in messages if message.event == "run.completed"]


async def test_who_may_not_see_the_run_gets_no_text(studio: Studio) -> None:
    stranger = await studio.desk.member("otto")
    bare = await stranger.get("/api/events", params={"deltas": "true"})
    assert (bare.status_code, bare.json()["code"]) == (422, "invalid_field")
    refused = await stranger.get("/api/events", params={"run": str(studio.run.id), "deltas": "true"})
    assert refused.status_code == 404


async def test_a_client_that_reads_nothing_is_let_go_and_costs_little(
    studio: Studio, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server_sockets, "SEND_SECONDS", 0.5)
    async with studio.watched() as deaf, studio.watched() as other:
        await heard(other, 2)
        # more than the buffers of both sockets take
        await studio.tell(300, 64 << 10)
        assert [told["story"]["node"] for told in await heard(other, 300)] == [str(number) for number in range(300)]
        assert studio.unsent < 1 << 20
        # before the 30 s that it has otherwise
        async with asyncio.timeout(25):
            while studio.served != 1:  # noqa: ASYNC110 - the server's doing
                await asyncio.sleep(0.02)
        await studio.write(0, "still here")
        await Page().until(other, "still here")
        deaf.transport.abort()


async def test_a_cursor_beyond_the_log_becomes_its_end(studio: Studio) -> None:
    feed = studio.desk.app.state.services.feed
    async with studio.watched() as socket:
        await heard(socket, 2)
    # what came before may still be on its way into the log
    known = feed.head
    async with studio.watched(10**15) as socket:
        (ready,) = await heard(socket, 1)
    assert 0 < known <= ready["seq"] <= feed.head


async def closed(studio: Studio, run: str | None = None, first: str | None = None, **headers: str) -> tuple[int, str]:
    """How the server closes the socket."""
    address = f"{studio.url.replace('http', 'ws')}/ws/runs/{run or studio.run.id}"
    async with websockets.connect(address, additional_headers=headers, proxy=None) as socket:
        if first is not None:
            await socket.send(first)
        async with asyncio.timeout(DEADLINE_SECONDS):
            with pytest.raises(websockets.ConnectionClosed) as over:
                while True:
                    await socket.recv()
    assert over.value.rcvd is not None
    return over.value.rcvd.code, over.value.rcvd.reason


async def test_how_a_socket_is_refused(studio: Studio) -> None:
    stranger = await studio.desk.member("otto")
    mine = {"Authorization": f"Bearer {studio.token}"}
    theirs = {"Authorization": stranger.headers["Authorization"]}
    assert await closed(studio, **theirs) == (4404, "not_found")
    assert await closed(studio, "nonsense", **mine) == (4404, "not_found")
    assert await closed(studio, **{"Authorization": "Bearer hr_wrong"}) == (4401, "token_unknown")
    assert await closed(studio, first="{}") == (4401, "unauthenticated")
    assert await closed(studio, first="no json") == (4401, "unauthenticated")
    assert await closed(studio, first=json.dumps({"token": "hr_wrong"})) == (4401, "token_unknown")
    assert await closed(studio, f"{studio.run.id}?after=x", **mine) == (4400, "bad_cursor")
    assert await closed(studio, f"{studio.run.id}?data=yes", **mine) == (4422, "invalid_field")
    assert await closed(studio, first="chatter", **mine) == (4400, "rejected")


async def test_with_data_what_happens_in_a_code_change_is_told_with_its_event_and_nothing_else_is(
    studio: Studio,
) -> None:
    async with studio.desk.database.transaction() as conn:
        await inbox.put(conn, "change.stage_began", {"stage": "planning"}, events.of_run(studio.run))
    studio.desk.context.poke()
    mine = {"Authorization": f"Bearer {studio.token}"}
    address = f"{studio.url.replace('http', 'ws')}/ws/runs/{studio.run.id}?after=0"
    for query, known in (("", False), ("&data=true", True)):
        async with websockets.connect(address + query, additional_headers=mine, proxy=None) as socket:
            _, started, began = await heard(socket, 3)
        assert (began["type"], began["story"]["is"]) == ("change.stage_began", "stage")
        assert began.get("data") == ({"stage": "planning"} if known else None)
        assert "data" not in started


async def test_a_token_may_come_as_the_first_message(studio: Studio) -> None:
    address = f"{studio.url.replace('http', 'ws')}/ws/runs/{studio.run.id}?after=0"
    async with websockets.connect(address, proxy=None) as socket:
        await socket.send(json.dumps({"token": studio.token}))
        ready, started = await heard(socket, 2)
    assert (ready["type"], started["type"]) == ("stream.ready", "run.started")


async def test_a_foreign_page_is_refused_at_the_door(studio: Studio) -> None:
    with pytest.raises(websockets.InvalidStatus) as refused:
        async with studio.watched(Origin="https://evil.example", Authorization=f"Bearer {studio.token}"):
            pass
    assert refused.value.response.status_code == 403


async def test_a_revoked_token_ends_the_stream(studio: Studio) -> None:
    async with studio.watched() as socket:
        await heard(socket, 2)
        listed: httpx.Response = await studio.desk.admin.get("/api/tokens")
        mine = next(one for one in listed.json()["tokens"] if one["principal"]["name"] == "mara")
        (await studio.desk.admin.delete(f"/api/tokens/{mine['id']}")).raise_for_status()
        with pytest.raises(websockets.ConnectionClosed) as over:
            await heard(socket, 1)
    assert over.value.rcvd is not None and over.value.rcvd.code == 4401
