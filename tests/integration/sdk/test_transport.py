"""Both clients over real sockets, with the faults of real networks: the same behaviour from one core."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Any

import pytest
from loopback import Answer, HangUp, Loopback, Silence
from sdk_wire import AT, HOLD_ID, hold, problem

from handrail_sdk import (
    Action,
    AsyncHandrail,
    Event,
    Forbidden,
    Handrail,
    RateLimited,
    Unauthenticated,
    Unavailable,
    UnexpectedAnswer,
)

Call = Callable[..., Awaitable[Any]]
ACTION = Action("deploy", {"n": 1})
PENDING, APPROVED, OPENED = Answer(200, hold()), Answer(200, hold("approved")), Answer(201, hold())


@pytest.fixture(params=["async", "sync"])
def caller(request: pytest.FixtureRequest) -> Callable[[Loopback], Call]:
    """Calls one method of a new client, awaiting or in a thread."""

    def of(server: Loopback, retry_for: float = 20) -> Call:
        async def awaiting(name: str, *args: Any, **kwargs: Any) -> Any:
            async with AsyncHandrail(server.url, "hr_test", retry_for=retry_for) as client:
                return await getattr(client, name)(*args, **kwargs)

        def blocking(name: str, *args: Any, **kwargs: Any) -> Any:
            with Handrail(server.url, "hr_test", retry_for=retry_for) as client:
                return getattr(client, name)(*args, **kwargs)

        async def threaded(name: str, *args: Any, **kwargs: Any) -> Any:
            return await asyncio.to_thread(blocking, name, *args, **kwargs)

        return awaiting if request.param == "async" else threaded

    return of


async def test_a_request_carries_token_key_and_body(caller: Callable[[Loopback], Call]) -> None:
    async with Loopback(OPENED).serving() as server:
        opened = await caller(server)("open", "approval", "Déploy €", ACTION, idempotency_key="k")
    [request] = server.received
    assert opened.id == HOLD_ID
    assert (request.method, request.target) == ("POST", "/api/holds")
    assert request.headers["authorization"] == "Bearer hr_test"
    assert request.headers["idempotency-key"] == "k"
    assert request.headers["content-type"] == "application/json"
    assert request.json()["title"] == "Déploy €"


async def test_waiting_survives_a_server_that_goes_away_and_comes_back(caller: Callable[[Loopback], Call]) -> None:
    server = Loopback(Silence(), APPROVED)
    with Retries() as retries:
        waiting = asyncio.create_task(_as_coroutine(caller(server)("wait", HOLD_ID)))
        await retries.next("ConnectError")
        async with server.serving():
            await server.until(lambda: len(server.received) == 1)
        # down again, in the middle of the poll
        await retries.next("ConnectError")
        async with server.serving():
            assert (await waiting).approved
    assert {request.target for request in server.received} == {f"/api/holds/{HOLD_ID}/wait?timeout=30"}


@pytest.mark.parametrize(
    "fault",
    [
        HangUp(),
        Answer(500, b"oops"),
        Answer(502, b"<html>bad gateway"),
        Answer(503, problem("unavailable"), {"Retry-After": "0"}),
        Answer(429, problem("rate_limited"), {"Retry-After": "0"}),
        Answer(200, hold("approved"), cut=True),
        PENDING,
    ],
    ids=str,
)
async def test_waiting_goes_on_after_a_fault_that_passes(caller: Callable[[Loopback], Call], fault: Answer) -> None:
    async with Loopback(fault, APPROVED).serving() as server:
        assert (await caller(server)("wait", HOLD_ID)).approved
    assert len(server.received) == 2


class Retries(logging.Handler):
    """What the SDK says it tries again after."""

    def __enter__(self) -> Retries:
        self._loop = asyncio.get_running_loop()
        self._messages = asyncio.Queue[str]()
        self._logger = logging.getLogger("handrail_sdk")
        self._logger.setLevel(logging.INFO)
        self._logger.addHandler(self)
        return self

    def __exit__(self, *_: object) -> None:
        self._logger.removeHandler(self)
        self._logger.setLevel(logging.NOTSET)

    def emit(self, record: logging.LogRecord) -> None:
        self._loop.call_soon_threadsafe(self._messages.put_nowait, record.getMessage())

    async def next(self, reason: str) -> None:
        """Waits for a retry with this reason, passing over those before."""
        self._messages = asyncio.Queue[str]()
        async with asyncio.timeout(60):
            while reason not in await self._messages.get():
                pass


async def _as_coroutine(call: Awaitable[Any]) -> Any:
    return await call


async def test_opening_without_a_key_is_sent_once_where_the_answer_was_lost(caller: Callable[[Loopback], Call]) -> None:
    async with Loopback(HangUp(), OPENED).serving() as server:
        with pytest.raises(Unavailable, match="may have been carried out") as raised:
            await caller(server)("open", "approval", "t", ACTION)
    assert raised.value.may_have_happened
    assert len(server.received) == 1


async def test_opening_without_a_key_waits_for_a_server_that_is_not_there_yet(
    caller: Callable[[Loopback], Call],
) -> None:
    server = Loopback(OPENED)
    with Retries() as retries:
        opening = asyncio.create_task(_as_coroutine(caller(server)("open", "approval", "t", ACTION)))
        await retries.next("ConnectError")
        async with server.serving():
            assert (await opening).pending
    assert len(server.received) == 1


async def test_opening_with_a_key_is_repeated_until_an_answer_comes(caller: Callable[[Loopback], Call]) -> None:
    async with Loopback(HangUp(), Answer(500, b""), OPENED).serving() as server:
        await caller(server)("open", "approval", "t", ACTION, idempotency_key="k")
    assert [request.headers["idempotency-key"] for request in server.received] == ["k", "k", "k"]
    assert len({request.body for request in server.received}) == 1


async def test_a_server_that_stays_away_is_unavailable(caller: Callable[..., Call]) -> None:
    server = Loopback()
    with pytest.raises(Unavailable, match=f"{server.port}.*is it running") as raised:
        await caller(server, 0.3)("get", HOLD_ID)
    assert not raised.value.may_have_happened


async def test_a_limit_that_lasts_longer_than_the_patience_is_told(caller: Callable[..., Call]) -> None:
    async with Loopback(Answer(429, problem("rate_limited"), {"Retry-After": "60"})).serving() as server:
        with pytest.raises(RateLimited) as raised:
            await caller(server, 1)("get", HOLD_ID)
    assert raised.value.retry_after == 60


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (Answer(401, problem("token_revoked")), Unauthenticated),
        (Answer(200, b"<html>welcome"), UnexpectedAnswer),
        (Answer(200, {"hello": "world"}), UnexpectedAnswer),
        (Answer(302, b"", {"Location": "http://elsewhere.example/"}), UnexpectedAnswer),
    ],
)
async def test_an_answer_that_time_does_not_mend_ends_the_waiting(
    caller: Callable[[Loopback], Call], answer: Answer, error: type[Exception]
) -> None:
    async with Loopback(answer).serving() as server:
        with pytest.raises(error):
            await caller(server)("wait", HOLD_ID)
    assert len(server.received) == 1


async def test_cancelling_a_waiting_task_ends_its_request_and_nothing_else() -> None:
    async with Loopback(Silence()).serving() as server, AsyncHandrail(server.url, "hr_test") as client:
        waiting = asyncio.create_task(client.wait(HOLD_ID))
        await server.until(lambda: len(server.received) == 1)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        await server.until(lambda: len(server.left) == 1)
    assert [request.method for request in server.received] == ["GET"]


async def test_any_number_of_tasks_wait_at_once_over_one_client() -> None:
    crowd = 150
    async with (
        Loopback(*[Silence()] * crowd).serving() as server,
        AsyncHandrail(server.url, "hr_test") as client,
        asyncio.TaskGroup() as tasks,
    ):
        waiting = [tasks.create_task(client.wait(HOLD_ID)) for _ in range(crowd)]
        await server.until(lambda: len(server.received) == crowd)
        for task in waiting:
            task.cancel()


def block(seq: int) -> bytes:
    data = {"seq": seq, "type": "hold.opened", "at": AT, "hold_id": HOLD_ID}
    return f": heartbeat\n\nid: {seq}\nevent: hold.opened\ndata: {json.dumps(data)}\n\n".encode()


SSE = {"Content-Type": "text/event-stream"}


async def follow(kind: str, server: Loopback, count: int) -> list[Event]:
    if kind == "sync":
        return await asyncio.to_thread(_follow_blocking, server, count)
    async with AsyncHandrail(server.url, "hr_test") as client:
        return [event async for event in _first(client.events(hold=HOLD_ID, after=0), count)]


def _follow_blocking(server: Loopback, count: int) -> list[Event]:
    with Handrail(server.url, "hr_test") as client:
        events = client.events(hold=HOLD_ID, after=0)
        got = [next(events) for _ in range(count)]
        events.close()
        return got


async def _first(events: AsyncGenerator[Event], count: int) -> AsyncGenerator[Event]:
    for _ in range(count):
        yield await anext(events)
    await events.aclose()


@pytest.mark.parametrize("kind", ["async", "sync"])
async def test_events_go_on_after_the_last_one_that_came(kind: str) -> None:
    replies = (
        Answer(200, block(1) + block(2) + block(3)[:-1], SSE, cut=True),
        HangUp(),
        Answer(503, problem("unavailable")),
        Answer(200, block(3) + block(4), SSE),
        Answer(200, block(5), SSE, cut=True),
    )
    async with Loopback(*replies).serving() as server:
        events = await follow(kind, server, 5)
    assert [event.seq for event in events] == [1, 2, 3, 4, 5]
    assert [request.headers["last-event-id"] for request in server.received] == ["0", "2", "2", "2", "4"]
    assert server.received[0].target == f"/api/events?hold={HOLD_ID}"


@pytest.mark.parametrize("kind", ["async", "sync"])
async def test_events_that_may_not_be_seen_end_the_stream(kind: str) -> None:
    async with Loopback(Answer(403, problem("forbidden"))).serving() as server:
        with pytest.raises(Forbidden):
            await follow(kind, server, 1)
