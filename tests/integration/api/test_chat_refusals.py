"""What the chat refuses: each with its code, nobody else disturbed, and nothing lost."""
# socketio is typed in part
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import aiohttp
import chat_world
import httpx
import pytest
import socketio
from chat_world import SECONDS, Chatter, Office
from socketio.exceptions import ConnectionError as ConnectionFailed
from starlette.routing import Mount

from handrail.api import sockets
from handrail.api.chat import server
from handrail.api.chat.server import LARGEST_MESSAGE, MOST_WAITING, Chat
from handrail.api.connections import LARGEST_GREETING
from handrail.core.holds import Action, Verdict
from handrail.feed.live import Feed
from handrail.holds import deciding
from handrail.holds.deciding import Say


@pytest.fixture
async def office(database: str, tmp_path: Path) -> AsyncGenerator[Office]:
    async with chat_world.office(database, tmp_path, chat_handshakes_per_address="1000/minute") as office:
        yield office


async def started(office: Office, client: Chatter) -> str:
    return (await client.say("chat_message", message="Round prices.", repo_url=office.shop))["session_id"]


async def refused(office: Office, **options: Any) -> str:
    """The code with which a connection is refused."""
    client = socketio.AsyncClient(reconnection=False)
    told: asyncio.Future[Any] = asyncio.get_running_loop().create_future()

    async def refusal(data: Any) -> None:
        told.set_result(data)

    client.on("connect_error", refusal)
    with pytest.raises(ConnectionFailed):
        await client.connect(office.url, socketio_path="ws/chat", wait_timeout=SECONDS, **options)
    return (await asyncio.wait_for(told, SECONDS))["data"]["code"]


async def test_without_a_good_token_nobody_connects(office: Office) -> None:
    assert await refused(office) == "unauthenticated"
    assert await refused(office, auth={"token": "hr_guessed-0123456789abcdef"}) == "token_unknown"
    assert await refused(office, auth={"tokken": "x"}) == "unknown_field"
    # a cookie says nothing here: any page's request carries it
    assert await refused(office, headers={"Cookie": "handrail_session=x"}) == "unauthenticated"
    by_header = await office.connect(None, headers={"Authorization": f"Bearer {office.tokens['bot']}"})
    assert (await by_header.first("connection_status"))["status"] == "connected"


async def test_an_agent_starts_and_follows_and_never_decides(office: Office) -> None:
    bot = await office.connect("bot")
    session = await started(office, bot)
    plan = await office.asks(session)
    answer = await bot.say("approve_plan", session_id=session, plan_id=str(plan.id), approved=True)
    assert answer["error"]["code"] == "not_a_person"
    assert (await bot.first("error"))["code"] == "not_a_person"
    answer = await bot.say("reject_plan", session_id=session, plan_id=str(plan.id), reason="no")
    assert answer["error"]["code"] == "not_a_person"


async def test_sessions_and_plans_that_are_not_there_or_not_yours(office: Office) -> None:
    mara, lee, bob = await office.connect(), await office.connect("lee"), await office.connect("bob")
    session, other = await started(office, mara), await started(office, mara)
    plan = await office.asks(session)
    approval: dict[str, Any] = {"plan_id": str(plan.id), "approved": True}
    for client, event, said in (
        (bob, "cancel_request", {"session_id": session}),
        (bob, "chat_message", {"session_id": session, "message": "And now?"}),
        (bob, "approve_plan", {"session_id": session, **approval}),
        (mara, "cancel_request", {"session_id": "R-999"}),
        (lee, "approve_plan", {"session_id": other, **approval}),
        (lee, "approve_plan", {"session_id": session, "plan_id": "H-999", "approved": True}),
    ):
        answer = await client.say(event, **said)
        assert answer["error"]["code"] == "not_found", (event, said, answer)
    own = await mara.say("approve_plan", session_id=session, **approval)
    assert own["error"]["code"] in {"own_request", "wrong_role"}
    eavesdropper = await office.connect("bob", session_id=session)
    assert (await eavesdropper.first("error"))["code"] == "not_found"
    assert (await eavesdropper.first("connection_status"))["status"] == "error"
    assert eavesdropper.updates == []
    assert (await lee.say("approve_plan", session_id=session, **approval))["status"] == "approved"


async def test_a_plan_that_was_amended_meanwhile_is_decided_by_its_new_digest_only(office: Office) -> None:
    mara, lee = await office.connect(), await office.connect("lee")
    session = await started(office, mara)
    plan = await office.asks(session)
    shown = await mara.first("agent_update", type="approval_request")
    ann = await office.desk.principal("ann", roles=["tech_lead"])
    assert plan.question.action is not None
    amended = Action("change.plan", {**plan.question.action.args, "plan": {"title": "half up"}}, office.shop)
    say = Say(Verdict.amend, plan.digest, amended_action=amended)
    await deciding.review(office.desk.context, ann, plan.id, say)
    new = await mara.first("agent_update", cause="amended")
    assert (new["data"]["plan"], new["data"]["current"]) == ({"title": "half up"}, True)
    about: dict[str, Any] = {"session_id": session, "plan_id": str(plan.id)}
    old = await lee.say("approve_plan", **about, approved=True, digest=shown["data"]["digest"])
    assert old["error"]["code"] == "stale_digest"
    blind = await lee.say("approve_plan", **about, approved=True)
    assert "error" in blind and blind["error"]["code"] in {"stale_digest", "missing_field", "digest_required"}
    rejected = await lee.say("reject_plan", **about, reason="half down", digest=new["data"]["digest"])
    assert rejected["status"] == "rejected"


async def test_what_is_no_message_is_refused_and_the_connection_stays(office: Office) -> None:
    mara = await office.connect()
    for event, said, code in (
        ("chat_message", {}, "missing_field"),
        ("chat_message", {"message": "x", "repo_url": "/x", "approved": True}, "unknown_field"),
        ("chat_message", {"message": "x", "repo_url": "ext::sh -c id"}, "invalid_field"),
        ("approve_plan", {"session_id": "R-1", "plan_id": "H-1", "approved": "yes"}, "wrong_type"),
        ("drop_tables", {"message": "x"}, "invalid_field"),
        ("chat_message", {"message": "x" * (LARGEST_MESSAGE + 1)}, "body_too_large"),
        ("chat_message", {"message": "x" * 10_000_000}, "body_too_large"),
    ):
        answer = await mara.say(event, **said)
        assert answer["error"]["code"] == code, (event, answer)
    await mara.io.emit("chat_message", {"message": b"bytes"})
    assert (await mara.first("error", code="wrong_type"))["message"]
    assert await started(office, mara)


async def test_too_many_messages_are_refused_and_cancelling_still_works(database: str, tmp_path: Path) -> None:
    async with chat_world.office(database, tmp_path, chat_messages_per_principal="20/minute") as office:
        mara, lee = await office.connect(), await office.connect("lee")
        session = await started(office, mara)
        for _ in range(1_000):
            await mara.io.emit("chat_message", {"message": "more", "session_id": session})
        limited = await mara.first("error", code="rate_limited")
        assert limited["retry_after"] > 0
        assert (await lee.say("cancel_request", session_id="R-999"))["error"]["code"] == "not_found"
        assert (await mara.say("cancel_request", session_id=session))["status"] == "cancelled"
        for _ in range(100):
            await mara.io.emit("chat_message", {"message": "more", "session_id": session})
        await mara.first("disconnect")


async def test_connections_and_handshakes_have_limits(database: str, tmp_path: Path) -> None:
    options: dict[str, Any] = {"chat_connections_per_principal": 2, "chat_handshakes_per_address": "12/minute"}
    async with chat_world.office(database, tmp_path, **options) as office:
        first = await office.connect(transports=["websocket"])
        await office.connect(transports=["websocket"])
        assert await refused(office, auth={"token": office.tokens["mara"]}, transports=["websocket"]) == (
            "too_many_connections"
        )
        async with httpx.AsyncClient() as http:
            asked = {"EIO": 4, "transport": "polling"}
            *_, last = [await http.get(f"{office.url}/ws/chat/", params=asked) for _ in range(20)]
        assert (last.status_code, last.json()["code"]) == (429, "rate_limited") and last.headers["retry-after"]
        # the storm of newcomers does not disturb who is here
        assert await started(office, first)


async def test_who_does_not_say_who_they_are_is_hung_up_on(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sockets, "ENTER_SECONDS", 0.2)
    address = f"{office.url}/ws/chat/?EIO=4&transport=websocket"
    async with aiohttp.ClientSession() as http, http.ws_connect(address) as socket, asyncio.timeout(SECONDS):
        assert (await socket.receive_str()).startswith("0{")
        while (await socket.receive()).type is aiohttp.WSMsgType.TEXT:
            pass
        assert socket.closed


async def test_who_has_not_said_who_they_are_sends_little(office: Office) -> None:
    host = f"{office.url}/ws/chat/?EIO=4&transport="
    async with aiohttp.ClientSession() as http, asyncio.timeout(SECONDS):
        async with http.ws_connect(f"{host}websocket", compress=15) as socket:
            # what comes compressed would be as long as its sender likes
            assert not socket.compress
            await socket.receive_str()
            await socket.send_str("40" + "x" * LARGEST_GREETING)
            end = await socket.receive()
            assert (end.type, end.data, end.extra) == (aiohttp.WSMsgType.CLOSE, 1009, "body_too_large")
        opened = await (await http.get(f"{host}polling")).text()
        sid = json.loads(opened[1:])["sid"]
        for body in ("x" * (LARGEST_GREETING + 1), _chunked(LARGEST_GREETING + 1)):
            answer = await http.post(f"{host}polling&sid={sid}", data=body)
            assert (answer.status, (await answer.json())["code"]) == (413, "body_too_large")
    # somebody who is known may, by either way, and hears why not
    for transports in (["websocket"], ["polling"], None):
        mara = await office.connect(transports=transports)
        said = await mara.say("chat_message", message="x" * 1_000_000)
        assert said["error"]["code"] == "body_too_large", transports


async def _chunked(size: int) -> AsyncGenerator[bytes]:
    for _ in range(0, size, 1000):
        yield b"x" * 1000


async def test_a_storm_of_clients_that_come_back_gets_everything_and_keeps_nobody_out(office: Office) -> None:
    mara = await office.connect()
    session = await started(office, mara)
    for number in range(30):
        await office.happens(session, "change.answered", content=str(number))
    await mara.first("agent_update", message="29")
    coming = [asyncio.create_task(office.connect("mara", session_id=session, after=mara.seqs[0])) for _ in range(40)]
    http = office.desk.client(office.tokens["lee"])
    while not all(task.done() for task in coming):
        assert (await http.get("/api/holds")).status_code == 200
    for task in coming:
        client = await task
        await client.first("agent_update", message="29")
        assert client.seqs == mara.seqs[1:]


async def test_a_token_that_ends_ends_the_connection_with_a_word(office: Office) -> None:
    made = await office.desk.admin.post("/api/tokens", json={"principal": "mara", "expires_in": 1.5})
    revoked = await office.desk.admin.post("/api/tokens", json={"principal": "mara"})
    office.tokens.update(expiring=made.json()["token"], revoked=revoked.json()["token"])
    expiring, other = await office.connect("expiring"), await office.connect("revoked")
    session = await started(office, expiring)
    await office.desk.admin.delete(f"/api/tokens/{revoked.json()['id']}")
    for client, code in ((expiring, "token_expired"), (other, "token_revoked")):
        assert (await client.first("error"))["code"] == code
        assert (await client.first("connection_status", status="error"))["message"]
        # stock clients do not come back by themselves after this
        assert (await client.first("disconnect"))["reason"] == "server disconnect"
    assert (await office.run(session)).status == "queued"


async def test_who_reads_nothing_costs_little_and_delays_nobody(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sockets, "SEND_SECONDS", 0.5)
    mara = await office.connect()
    session = await started(office, mara)
    deaf = await _deaf(office, session)
    chat, most = chat_of(office), 0
    try:
        for number in range(150):
            await office.happens(session, "change.edited", path=f"{number}.py", hash="h", diff="x" * 60_000)
            most = max(most, *(socket.queue.qsize() for socket in chat.eio.sockets.values()))
        await mara.first("agent_update", path="149.py")
        assert most <= MOST_WAITING + 5
        # one more for each look, until the server has given the other up
        while sum(not socket.closed for socket in chat.eio.sockets.values()) > 1:
            await office.happens(session, "change.answered", content="more")
    finally:
        deaf.transport.abort()


async def test_who_reads_nothing_does_not_hold_up_the_stop(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "CLOSE_SECONDS", 0.5)
    mara = await office.connect()
    session = await started(office, mara)
    deaf, chat = await _deaf(office, session), chat_of(office)
    try:
        queues = [socket.queue for socket in chat.eio.sockets.values()]
        # until the buffers on the way are full, however large they are
        while not (full := [each for each in queues if each.qsize() > 5]):
            await office.happens(session, "change.edited", path="a.py", hash="h", diff="x" * 60_000)
        feed_of(office).end_waits()
        stopped = await mara.first("connection_status", status="disconnected")
        assert "Connect again" in stopped["message"]
        # well before the 30 s that a slow client has otherwise
        async with asyncio.timeout(25):
            while any(not socket.closed for socket in chat.eio.sockets.values()):  # noqa: ASYNC110 - tells no other way
                await asyncio.sleep(0.05)
        assert full[0].qsize() <= MOST_WAITING + 5
    finally:
        deaf.transport.abort()


async def test_who_answers_no_heartbeat_is_let_go_and_counted(office: Office) -> None:
    chat = chat_of(office)
    chat.eio.ping_interval = chat.eio.ping_timeout = 0.3
    deaf = await _deaf(office, "R-999")
    try:
        reason = 'handrail_chat_disconnects_total{reason="transport_close"} 1.0'
        async with asyncio.timeout(SECONDS):
            while reason not in (page := (await office.desk.admin.get("/metrics")).text):  # noqa: ASYNC110 - read as people do
                await asyncio.sleep(0.05)
        assert "handrail_chat_connections 0.0" in page
    finally:
        deaf.transport.abort()


def chat_of(office: Office) -> Chat:
    [chat] = [each.app for each in office.desk.app.routes if isinstance(each, Mount) and isinstance(each.app, Chat)]
    return chat


def feed_of(office: Office) -> Feed:
    return office.desk.app.state.services.feed


async def _deaf(office: Office, session: str) -> asyncio.StreamWriter:
    """A client that connects, follows the session, and takes nothing."""
    host, _, port = office.url.removeprefix("http://").partition(":")
    reader, writer = await asyncio.open_connection(host, int(port), limit=1024)
    writer.write(
        (
            f"GET /ws/chat/?EIO=4&transport=websocket HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\n"
            "Connection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
        ).encode()
    )
    await reader.readuntil(b"\r\n\r\n")
    auth = f'40{{"token":"{office.tokens["mara"]}","session_id":"{session}"}}'.encode()
    writer.write(bytes([0x81, 0x80 | 126]) + len(auth).to_bytes(2, "big") + bytes(4) + auth)
    await writer.drain()
    return writer


async def test_pages_from_elsewhere_need_the_operators_word(database: str, tmp_path: Path) -> None:
    ours = "https://chat.example.org"
    async with chat_world.office(database, tmp_path, websocket_cors_origins=(ours,)) as office:
        asked = {"EIO": "4", "transport": "polling"}
        async with httpx.AsyncClient() as http:
            foreign = await http.get(f"{office.url}/ws/chat/", params=asked, headers={"Origin": "https://evil.example"})
            assert foreign.status_code == 400 and "access-control-allow-origin" not in foreign.headers
            allowed = await http.get(f"{office.url}/ws/chat/", params=asked, headers={"Origin": ours})
            assert allowed.headers["access-control-allow-origin"] == ours
            rest = await http.post(f"{office.url}/api/changes", headers={"Origin": ours}, json={})
            assert rest.json()["code"] == "origin_refused"
        for origin, fits in ((ours, True), ("https://evil.example", False), (office.url, True)):
            address = f"{office.url}/ws/chat/?EIO=4&transport=websocket"
            async with aiohttp.ClientSession() as http:
                try:
                    async with http.ws_connect(address, headers={"Origin": origin}):
                        assert fits, origin
                except aiohttp.WSServerHandshakeError as error:
                    assert (fits, error.status) == (False, 403)
