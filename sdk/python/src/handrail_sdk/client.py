"""The two clients: thin drivers that send what the operations ask for, one awaiting, one blocking."""

from __future__ import annotations

import asyncio
import functools
import os
import ssl
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Generator
from typing import Any, Concatenate, ParamSpec, Self, TypeVar
from urllib.parse import urlsplit

import httpx

from . import confirmations
from .errors import Misconfigured
from .exchange import Flow, Lost, Outcome, Pause, Reply, Request, Response, Tell
from .holds import Event
from .operations import Operations
from .streams import EventStream

P = ParamSpec("P")
T = TypeVar("T")

DEFAULT_URL = "http://127.0.0.1:8400"
RETRY_FOR = 30.0
CONNECT_TIMEOUT = 10.0
# below the 5 s after which uvicorn closes an idle connection, so that a request never meets one that is closing
KEEP_ALIVE = 3.0


def _awaiting(
    operation: Callable[Concatenate[Operations, P], Flow[T]],
) -> Callable[Concatenate[AsyncHandrail, P], Coroutine[Any, Any, T]]:
    @functools.wraps(operation)
    async def method(self: AsyncHandrail, *args: P.args, **kwargs: P.kwargs) -> T:
        return await self.run(operation(self.operations, *args, **kwargs))

    return method


def _blocking(operation: Callable[Concatenate[Operations, P], Flow[T]]) -> Callable[Concatenate[Handrail, P], T]:
    @functools.wraps(operation)
    def method(self: Handrail, *args: P.args, **kwargs: P.kwargs) -> T:
        return self.run(operation(self.operations, *args, **kwargs))

    return method


def _awaiting_stream(
    make: Callable[P, EventStream],
) -> Callable[Concatenate[AsyncHandrail, P], AsyncGenerator[Event]]:
    @functools.wraps(make, updated=[])
    def method(self: AsyncHandrail, *args: P.args, **kwargs: P.kwargs) -> AsyncGenerator[Event]:
        return self.follow(make(*args, **kwargs))

    return method


def _blocking_stream(make: Callable[P, EventStream]) -> Callable[Concatenate[Handrail, P], Generator[Event]]:
    @functools.wraps(make, updated=[])
    def method(self: Handrail, *args: P.args, **kwargs: P.kwargs) -> Generator[Event]:
        return self.follow(make(*args, **kwargs))

    return method


class _Client:
    def __init__(self, url: str | None = None, token: str | None = None, *, retry_for: float = RETRY_FOR) -> None:
        """Without arguments: HANDRAIL_URL (default http://127.0.0.1:8400) and HANDRAIL_TOKEN.

        `retry_for`: for how many seconds a request is retried while the server cannot be reached. Waiting for a
        decision and following events have no such limit.
        """
        self.url = _checked_url(url or os.environ.get("HANDRAIL_URL") or DEFAULT_URL)
        token = _checked_token(token or os.environ.get("HANDRAIL_TOKEN"))
        self.operations = Operations(retry_for)
        self._connect(
            base_url=self.url,
            headers={"Authorization": f"Bearer {token}", "User-Agent": "handrail-sdk"},
            verify=_tls(),
            # every program that waits keeps one connection, and there may be any number of them
            limits=httpx.Limits(max_connections=None, keepalive_expiry=KEEP_ALIVE),
        )

    def __repr__(self) -> str:
        return f"{type(self).__name__}(url={self.url!r})"

    def _connect(self, **options: Any) -> None:
        raise NotImplementedError

    def _lost(self, error: httpx.RequestError) -> Lost:
        unsent = isinstance(error, httpx.ConnectError | httpx.ConnectTimeout | httpx.PoolTimeout)
        return Lost(f"{self.url} ({type(error).__name__}: {error})", sent=not unsent)


class AsyncHandrail(_Client):
    """Handrail for asyncio programs; waiting never blocks the loop. Use it with `async with`, or `aclose()` it.

    Any number of tasks may await its methods at once. Cancelling a task cancels its request and nothing else.
    """

    open = _awaiting(Operations.open)
    ask = _awaiting(Operations.ask)
    get = _awaiting(Operations.get)
    wait = _awaiting(Operations.wait)
    review = _awaiting(Operations.review)
    redeem = _awaiting(Operations.redeem)
    result = _awaiting(Operations.result)
    withdraw = _awaiting(Operations.withdraw)
    cancel = _awaiting(Operations.cancel)
    comment = _awaiting(Operations.comment)
    comments = _awaiting(Operations.comments)
    events = _awaiting_stream(EventStream)
    request_confirmation = _awaiting(confirmations.request_confirmation)
    request_confirmations = _awaiting(confirmations.request_confirmations)
    resolve_confirmation = _awaiting(confirmations.resolve_confirmation)
    resolve_confirmations = _awaiting(confirmations.resolve_confirmations)

    def _connect(self, **options: Any) -> None:
        self._http = httpx.AsyncClient(**options)

    async def run(self, flow: Flow[T]) -> T:
        """Carries out an operation."""
        outcome: Outcome | Reply | None = None
        while True:
            try:
                step = flow.send(outcome)
            except StopIteration as done:
                return done.value
            if isinstance(step, Tell):
                answer = step.on_comment(step.comment)
                outcome = Reply(await answer if isinstance(answer, Awaitable) else answer)
            elif isinstance(step, Pause):
                outcome = await asyncio.sleep(step.seconds)
            else:
                outcome = await self._exchange(step)

    async def _exchange(self, request: Request) -> Outcome:
        try:
            answer = await self._http.send(_built(self._http, request))
        except httpx.RequestError as error:
            return self._lost(error)
        return Response(answer.status_code, answer.headers, answer.content)

    async def follow(self, stream: EventStream) -> AsyncGenerator[Event]:
        """The events of a stream, reconnecting forever."""
        while True:
            try:
                answer = await self._http.send(_built(self._http, stream.request()), stream=True)
                try:
                    if answer.is_success:
                        async for chunk in answer.aiter_bytes():
                            for event in stream.feed(chunk):
                                yield event
                    content = b"" if answer.is_success else await answer.aread()
                    outcome = Response(answer.status_code, answer.headers, content)
                finally:
                    await answer.aclose()
            except httpx.RequestError as error:
                outcome = self._lost(error)
            await asyncio.sleep(stream.reconnect_in(outcome))

    async def aclose(self) -> None:
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()


class Handrail(_Client):
    """Handrail for programs without an event loop. Use it with `with`, or `close()` it. Threads may share one."""

    open = _blocking(Operations.open)
    ask = _blocking(Operations.ask)
    get = _blocking(Operations.get)
    wait = _blocking(Operations.wait)
    review = _blocking(Operations.review)
    redeem = _blocking(Operations.redeem)
    result = _blocking(Operations.result)
    withdraw = _blocking(Operations.withdraw)
    cancel = _blocking(Operations.cancel)
    comment = _blocking(Operations.comment)
    comments = _blocking(Operations.comments)
    events = _blocking_stream(EventStream)
    request_confirmation = _blocking(confirmations.request_confirmation)
    request_confirmations = _blocking(confirmations.request_confirmations)
    resolve_confirmation = _blocking(confirmations.resolve_confirmation)
    resolve_confirmations = _blocking(confirmations.resolve_confirmations)

    def _connect(self, **options: Any) -> None:
        self._http = httpx.Client(**options)

    def run(self, flow: Flow[T]) -> T:
        """Carries out an operation."""
        outcome: Outcome | Reply | None = None
        while True:
            try:
                step = flow.send(outcome)
            except StopIteration as done:
                return done.value
            if isinstance(step, Tell):
                outcome = Reply(_at_once(step.on_comment(step.comment)))
            elif isinstance(step, Pause):
                outcome = time.sleep(step.seconds)
            else:
                outcome = self._exchange(step)

    def _exchange(self, request: Request) -> Outcome:
        try:
            answer = self._http.send(_built(self._http, request))
        except httpx.RequestError as error:
            return self._lost(error)
        return Response(answer.status_code, answer.headers, answer.content)

    def follow(self, stream: EventStream) -> Generator[Event]:
        """The events of a stream, reconnecting forever."""
        while True:
            try:
                answer = self._http.send(_built(self._http, stream.request()), stream=True)
                try:
                    if answer.is_success:
                        for chunk in answer.iter_bytes():
                            yield from stream.feed(chunk)
                    content = b"" if answer.is_success else answer.read()
                    outcome = Response(answer.status_code, answer.headers, content)
                finally:
                    answer.close()
            except httpx.RequestError as error:
                outcome = self._lost(error)
            time.sleep(stream.reconnect_in(outcome))

    def close(self) -> None:
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _at_once(answer: str | Awaitable[str | None] | None) -> str | None:
    if isinstance(answer, Awaitable):
        if isinstance(answer, Coroutine):
            answer.close()
        raise TypeError("`on_comment` is async: use AsyncHandrail, or pass a plain function")
    return answer


def _built(http: httpx.AsyncClient | httpx.Client, request: Request) -> httpx.Request:
    headers = dict(request.headers)
    if request.body is not None:
        headers["Content-Type"] = "application/json"
    return http.build_request(
        request.method,
        request.path,
        params=request.query,
        content=request.content(),
        headers=headers,
        timeout=httpx.Timeout(request.read_timeout, connect=CONNECT_TIMEOUT),
    )


@functools.cache
def _tls() -> ssl.SSLContext:
    # reading the trusted certificates takes tens of milliseconds: once for all clients
    return httpx.create_ssl_context()


def _checked_url(url: str) -> str:
    parts = urlsplit(url)
    if parts.username or parts.password:
        raise Misconfigured("the address must not contain a password: pass `token` or set HANDRAIL_TOKEN")
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise Misconfigured(f"{url!r} is not an address such as {DEFAULT_URL}: check `url` or HANDRAIL_URL")
    return url.rstrip("/")


def _checked_token(token: str | None) -> str:
    if not token:
        raise Misconfigured("no token: pass `token` or set HANDRAIL_TOKEN (`handrail token make` creates one)")
    if not token.isascii() or not token.isprintable() or token != token.strip():
        raise Misconfigured("the token has invalid characters: check `token` or HANDRAIL_TOKEN")
    return token
