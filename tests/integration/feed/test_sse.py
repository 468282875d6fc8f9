"""Event streams over real sockets: what is sent, who is cut off, and what a client costs."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Any

import apps
import pytest
import sockets
from feed_world import DEADLINE_SECONDS, commit, until
from sockets import Message, stream
from sse_starlette.sse import AppStatus

from handrail.cli import serving
from handrail.feed import sse
from handrail.feed.live import Feed


@dataclass
class Place:
    desk: apps.Desk
    url: str

    @property
    def feed(self) -> Feed:
        return self.desk.app.state.services.feed

    async def open(self, opener: Any, **fields: Any) -> dict[str, Any]:
        body: dict[str, Any] = {
            "kind": "confirmation",
            "title": "Send it?",
            "action": {"name": "mail", "args": {}},
            **fields,
        }
        return (await opener.post("/api/holds", json=body)).raise_for_status().json()

    async def until_streams(self, count: int) -> None:
        await until(lambda: self.feed.streams == count)


@pytest.fixture
async def place(database: str) -> AsyncGenerator[Place]:
    async with apps.desk(database) as desk, sockets.served(desk.app) as url:
        await settled(desk)
        yield Place(desk, url)


async def settled(desk: apps.Desk) -> None:
    """Returns when the events of the first start are in the log, and this process has seen them."""
    waiting = "SELECT (SELECT count(*) FROM event_inbox) AS waiting, seq FROM feed_head"
    async with asyncio.timeout(DEADLINE_SECONDS):
        while True:
            async with desk.database.connection() as conn:
                row = await (await conn.execute(waiting)).fetchone()
            assert row is not None
            if not row["waiting"]:
                break
        await desk.app.state.services.feed.reaches(row["seq"])


async def take(messages: AsyncGenerator[Message], count: int) -> list[Message]:
    async with asyncio.timeout(DEADLINE_SECONDS):
        return [await anext(messages) for _ in range(count)]


async def test_an_event_is_sent_with_its_number_its_type_and_its_data(place: Place) -> None:
    agent = await place.desk.member("mailer", "agent")
    async with stream(place.url, "/api/events?kind=confirmation", apps.ADMIN_TOKEN) as messages:
        hold = await place.open(agent, case_id="case 1 event: forged", title="Zeile\r\nevent: forged\neins\u2028zwei")
        (opened,) = await take(messages, 1)
    assert opened.event == "hold.opened"
    assert opened.data["type"] == "hold.opened"
    assert opened.id == str(opened.data["seq"])
    assert opened.data["hold_id"] == hold["id"]
    assert opened.data["case_id"] == "case 1 event: forged"
    assert opened.data["actor"]["name"] == "mailer"
    assert opened.data["actor"]["kind"] == "agent"
    assert opened.data["kind"] == "confirmation"
    assert opened.data["run_id"] is None
    assert opened.data["data"]["digest"] == hold["digest"]
    assert opened.data["at"] == hold["opened_at"]


async def test_a_stream_begins_with_its_cursor_and_replays_after_one(place: Place) -> None:
    for n in range(5):
        await commit(place.desk.database, f"e{n}", kind="review")
    await place.feed.reaches(place.feed.head + 5)
    last = place.feed.head
    async with stream(place.url, f"/api/events?kind=review&after={last - 2}", apps.ADMIN_TOKEN) as messages:
        assert [m.event for m in await take(messages, 2)] == ["e3", "e4"]
    # the header counts more: a browser repeats the address it was given
    again = stream(place.url, "/api/events?kind=review&after=0", apps.ADMIN_TOKEN, **{"Last-Event-ID": str(last - 1)})
    async with again as messages:
        assert [m.event for m in await take(messages, 1)] == ["e4"]
    async with asyncio.timeout(DEADLINE_SECONDS):
        reader, writer = await asyncio.open_connection("127.0.0.1", int(place.url.rsplit(":", 1)[1]))
        writer.write(_request("/api/events"))
        await reader.readuntil(f"retry: 1000\nid: {last}\n\n".encode())
        writer.close()


@pytest.mark.parametrize("path", ["/api/events", "/api/events?kind=confirmation", "/api/cases/c1/events"])
async def test_a_cursor_beyond_the_log_becomes_its_end_so_that_nothing_that_comes_is_missed(
    place: Place, path: str
) -> None:
    beyond = {"Last-Event-ID": str(10**15)}
    cursor = await first_id(place, path, **beyond)
    assert cursor == place.feed.head
    # the client was cut off after its first block, and comes back later
    agent = await place.desk.member("mailer", "agent")
    hold = await place.open(agent, case_id="c1")
    async with stream(place.url, path, apps.ADMIN_TOKEN, **{"Last-Event-ID": str(cursor)}) as messages:
        async with asyncio.timeout(DEADLINE_SECONDS):
            found = await anext(each async for each in messages if hold["id"] in str(each.data))
    assert int(found.id) > cursor


async def first_id(place: Place, path: str, **headers: str) -> int:
    """The cursor that a stream begins with."""
    async with asyncio.timeout(DEADLINE_SECONDS):
        reader, writer = await asyncio.open_connection("127.0.0.1", int(place.url.rsplit(":", 1)[1]))
        more = "".join(f"{name}: {value}\r\n" for name, value in headers.items()).encode()
        writer.write(_request(path).removesuffix(b"\r\n") + more + b"\r\n")
        await reader.readuntil(b"\nid: ")
        cursor = int(await reader.readuntil(b"\n"))
        writer.close()
    return cursor


def _request(path: str) -> bytes:
    head = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {apps.ADMIN_TOKEN}\r\n\r\n"
    return head.encode()


@pytest.mark.parametrize("cursor", ["x", "-1", "1.5", "9" * 19, "9" * 40, "٣", ""])
async def test_a_malformed_cursor_is_refused(place: Place, cursor: str) -> None:
    answer = await place.desk.admin.get("/api/events", params={"after": cursor})
    assert answer.status_code == 400
    assert answer.json()["code"] == "bad_cursor"


@pytest.mark.parametrize("query", ["hold=x", "run=1", "kind=question", "case="])
async def test_a_malformed_filter_is_refused(place: Place, query: str) -> None:
    answer = await place.desk.admin.get(f"/api/events?{query}")
    assert answer.status_code == 422


async def test_strangers_get_no_stream(place: Place) -> None:
    for path in ("/api/events", "/api/cases/c/events"):
        assert (await place.desk.client().get(path)).json()["code"] == "unauthenticated"


async def test_an_agent_gets_only_its_own(place: Place) -> None:
    one, other = await place.desk.member("one", "agent"), await place.desk.member("other", "agent")
    token = one.headers["Authorization"].removeprefix("Bearer ")
    async with stream(place.url, "/api/events?after=0&kind=confirmation", token) as messages:
        await place.open(other)
        mine = await place.open(one)
        assert (await take(messages, 1))[0].data["hold_id"] == mine["id"]


async def test_a_stream_ends_when_its_token_is_revoked(place: Place) -> None:
    await place.desk.principal("mara", roles=["team_lead"])
    made = (await place.desk.admin.post("/api/tokens", json={"principal": "mara"})).json()
    async with stream(place.url, "/api/events", made["token"]) as messages:
        await place.until_streams(1)
        await place.desk.admin.delete(f"/api/tokens/{made['id']}")
        async with asyncio.timeout(DEADLINE_SECONDS):
            seen = [message.event async for message in messages]
    assert "token.revoked" not in seen


async def test_a_stream_ends_when_its_person_is_made_inactive(place: Place) -> None:
    who = await place.desk.principal("mara", roles=["team_lead"])
    token = await place.desk.token("mara")
    async with stream(place.url, "/api/events?kind=confirmation", token) as messages:
        await place.until_streams(1)
        await place.desk.admin.patch(f"/api/people/{who.id}", json={"active": False})
        async with asyncio.timeout(DEADLINE_SECONDS):
            assert [message async for message in messages] == []


async def test_a_role_gained_and_lost_shows_in_the_open_stream(place: Place) -> None:
    agent = await place.desk.member("deployer", "agent")
    who = await place.desk.principal("mara", roles=[])
    token = await place.desk.token("mara")
    async with stream(place.url, "/api/events?kind=confirmation", token) as messages:
        await place.open(agent, title="unseen")
        own = await place.open(place.desk.client(token), title="her own, so that what came before it has passed")
        assert (await take(messages, 1))[0].data["hold_id"] == own["id"]
        await place.desk.admin.patch(f"/api/people/{who.id}", json={"roles": ["team_lead"]})
        seen = await place.open(agent, title="seen")
        assert (await take(messages, 1))[0].data["hold_id"] == seen["id"]
        await place.desk.admin.patch(f"/api/people/{who.id}", json={"roles": ["auditor"]})
        again = await place.open(agent, title="seen by reading all")
        assert (await take(messages, 1))[0].data["hold_id"] == again["id"]


async def test_clients_that_go_away_leave_nothing_behind(place: Place) -> None:
    port = int(place.url.rsplit(":", 1)[1])
    before = len(asyncio.all_tasks())
    for _ in range(3):
        writers: list[asyncio.StreamWriter] = []
        for n in range(30):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(_request(f"/api/events?case={n}"))
            await reader.readuntil(b"id: ")
            writers.append(writer)
        await place.until_streams(30)
        for writer in writers:
            writer.transport.abort()
        await place.until_streams(0)
        assert place.feed.waiting_topics == 0
    # the library keeps one task for all streams
    await until(lambda: len(asyncio.all_tasks()) <= before + 1)


async def test_a_client_that_takes_nothing_holds_up_nobody_and_is_dropped(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sse, "SEND_SECONDS", 0.3)
    stuck = socket.socket()
    stuck.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    stuck.connect(("127.0.0.1", int(place.url.rsplit(":", 1)[1])))
    stuck.sendall(_request("/api/events?kind=review"))
    await place.until_streams(1)
    monkeypatch.undo()
    async with stream(place.url, "/api/events?kind=review", apps.ADMIN_TOKEN) as messages:
        await place.until_streams(2)
        for n in range(100):
            await commit(place.desk.database, f"e{n}", kind="review", data={"text": "x" * 100_000})
        taken = await take(messages, 100)
        assert [m.event for m in taken] == [f"e{n}" for n in range(100)]
        await place.until_streams(1)
    stuck.close()


async def test_a_server_that_stops_ends_its_streams_as_the_protocol_asks(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with stream(place.url, "/api/events", apps.ADMIN_TOKEN) as messages:
        await place.until_streams(1)
        # what uvicorn's handler of SIGTERM sets
        monkeypatch.setattr(AppStatus, "should_exit", True)
        async with asyncio.timeout(DEADLINE_SECONDS):
            assert [message async for message in messages] == []
    await place.until_streams(0)


async def test_a_case_tells_its_confirmations_and_their_answers(place: Place) -> None:
    agent = await place.desk.member("cleaner", "agent")
    lead = await place.desk.member("mara", roles=["team_lead"])
    path = "/api/cases/case-1/events"
    async with stream(place.url, path, apps.ADMIN_TOKEN) as messages:
        asked = await place.open(
            agent,
            case_id="case-1",
            title="Delete 2 rows",
            action={"name": "cleanup", "args": {"affected_items": ["a", "b"]}},
            context={"why": "dup"},
        )
        await place.open(agent, case_id="case-2")
        route = f"/api/cases/case-1/confirmations/{asked['id']}"
        (await lead.post(route, json={"approved": False, "reason": "keep b"})).raise_for_status()
        required, resolved = await take(messages, 2)
    ids = {"task_id": asked["id"], "request_id": asked["id"], "case_id": "case-1"}
    assert required.event == "confirmation-required"
    assert required.data == {
        **ids,
        "short_id": asked["short_id"],
        "agent_type": "cleanup",
        "action_description": "Delete 2 rows",
        "affected_items": ["a", "b"],
        "context": {"why": "dup"},
        "created_at": asked["opened_at"],
        "digest": asked["digest"],
    }
    assert resolved.event == "confirmation-resolved"
    decided = (await lead.get(f"/api/holds/{asked['id']}")).json()["decision"]
    assert resolved.data == {**ids, "approved": False, "reason": "keep b", "responded_at": decided["at"]}
    async with stream(place.url, path, apps.ADMIN_TOKEN, **{"Last-Event-ID": "0"}) as messages:
        assert await take(messages, 2) == [required, resolved]
    async with stream(place.url, path, apps.ADMIN_TOKEN, **{"Last-Event-ID": required.id}) as messages:
        assert await take(messages, 1) == [resolved]


async def test_a_batch_tells_its_items_and_a_decision_for_each(place: Place) -> None:
    """S3.5."""
    agent = await place.desk.member("cleaner", "agent")
    lead = await place.desk.member("mara", roles=["team_lead"])
    items = [{"item_id": "a", "size": 1}, {"item_id": "b", "size": 2}]
    decisions = [
        {"item_id": "a", "approved": True, "reason": None},
        {"item_id": "b", "approved": False, "reason": "no"},
    ]
    async with stream(place.url, "/api/cases/c/events", apps.ADMIN_TOKEN) as messages:
        asked = await place.open(agent, case_id="c", items=items)
        route = f"/api/cases/c/confirmations/batch/{asked['id']}"
        (await lead.post(route, json={"decisions": decisions})).raise_for_status()
        given_up = await place.open(agent, case_id="c", items=items)
        (await agent.post(f"/api/holds/{given_up['id']}/cancel", json={"reason": "gone"})).raise_for_status()
        required, resolved, _, cancelled = await take(messages, 4)
    assert required.event == "confirmation-batch-required"
    assert required.data["items"] == items
    assert resolved.event == "confirmation-batch-resolved"
    assert resolved.data["decisions"] == decisions
    assert cancelled.event == "confirmation-batch-resolved"
    assert cancelled.data["decisions"] == [
        {"item_id": "a", "approved": False, "reason": "gone"},
        {"item_id": "b", "approved": False, "reason": "gone"},
    ]


async def test_a_replay_shows_each_revision_as_it_was(place: Place) -> None:
    agent = await place.desk.member("cleaner", "agent")
    lead = await place.desk.member("mara", roles=["team_lead"])
    asked = await place.open(agent, case_id="c", action={"name": "cleanup", "args": {"affected_items": ["a", "b"]}})
    amended_action = {"name": "cleanup", "args": {"affected_items": ["a"]}}
    amend = {"verdict": "amend", "digest": asked["digest"], "amended_action": amended_action}
    amended = (await lead.post(f"/api/holds/{asked['id']}/reviews", json=amend)).raise_for_status().json()
    async with stream(place.url, "/api/cases/c/events?after=0", apps.ADMIN_TOKEN) as messages:
        first, second = await take(messages, 2)
    assert [first.event, second.event] == ["confirmation-required"] * 2
    assert first.data["affected_items"] == ["a", "b"]
    assert first.data["digest"] == asked["digest"]
    assert second.data["affected_items"] == ["a"]
    assert second.data["digest"] == amended["digest"]


async def test_the_system_cuts_off_a_client_that_never_takes_what_was_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "UNTAKEN_SECONDS", 1)
    with serving.listener("127.0.0.1", 0) as listener, socket.socket() as stuck:
        listener.listen()
        stuck.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        stuck.connect(listener.getsockname())
        connection, _ = listener.accept()
        with connection:
            connection.setblocking(False)
            async with asyncio.timeout(DEADLINE_SECONDS):
                with pytest.raises(TimeoutError, match="timed out"):
                    await asyncio.get_running_loop().sock_sendall(connection, b"x" * (64 << 20))
