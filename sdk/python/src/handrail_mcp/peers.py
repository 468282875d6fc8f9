"""One end of a connection: requests both ways at once, each cancellable, and notifications in their order."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, Protocol, cast

from .messages import Broken, Json, Wire

MOST_AT_ONCE = 1000
MOST_BROKEN = 100
"""So much in a row that is not a message ends the connection."""
WRITE_SECONDS = 30.0

INVALID_REQUEST, NO_METHOD, INVALID, INTERNAL = -32600, -32601, -32602, -32603


class Refused(Exception):
    """The other side answered with an error, or must be answered with one."""

    def __init__(self, code: int, message: str, data: object = None) -> None:
        super().__init__(message)
        self.error: Json = {"code": code, "message": message} | ({} if data is None else {"data": data})


class Gone(Refused):
    """The other side has ended."""

    def __init__(self, why: str) -> None:
        super().__init__(INTERNAL, why)


class Incoming:
    """A request from the other side while it is being answered."""

    def __init__(self, method: str, params: Json) -> None:
        self.method, self.params = method, params
        self.withdrawn = False
        """The other side cancelled it, and reads no answer."""
        self.left = asyncio.Event()
        """The other side hung up without cancelling: whatever would happen now would happen for nobody."""

    @property
    def progress_token(self) -> str | int | None:
        meta = self.params.get("_meta")
        token: object = cast(Json, meta).get("progressToken") if isinstance(meta, dict) else None
        return token if isinstance(token, str | int) else None


class Handler(Protocol):
    async def on_request(self, peer: Peer, asked: Incoming) -> Json:
        """The result; Refused is the error."""
        ...

    async def on_notification(self, peer: Peer, method: str, params: Json) -> None: ...


class Peer:
    """Reads from its wire until `run` ends, which is when the other side does."""

    def __init__(self, name: str, wire: Wire, handler: Handler) -> None:
        self.name = name
        self._wire, self._handler = wire, handler
        self._asked: dict[int, asyncio.Future[Json]] = {}
        self._serving: dict[str | int, tuple[Incoming, asyncio.Task[None]]] = {}
        self._number = 0
        self._writing = asyncio.Lock()
        self._ended: str | None = None
        self.watch: Callable[[Incoming, Json], Awaitable[None]] | None = None
        """Called with each request and its message before it is served."""

    async def run(self) -> None:
        why = "ended"
        try:
            broken = 0
            while (message := await self._wire.read()) is not None:
                if not isinstance(message, Broken):
                    broken = 0
                    await self._on_message(message)
                    continue
                broken += 1
                self._on_broken(message)
                if broken >= MOST_BROKEN:
                    why = f"sent {message.why}, {broken} times in a row"
                    break
        except (OSError, TimeoutError) as error:
            why = f"was lost ({type(error).__name__})"
        finally:
            self._ended = f"{self.name} {why}"
            for waiting in self._asked.values():
                if not waiting.done():
                    waiting.set_exception(Gone(self._ended))
            await self._stop_serving()

    async def request(self, method: str, params: Json | None, seconds: float | None = None) -> Json:
        """The other side's result. Cancelling it, or running out of time, cancels it there."""
        if self._ended:
            raise Gone(self._ended)
        self._number += 1
        number, answer = self._number, asyncio.get_running_loop().create_future()
        self._asked[number] = answer
        try:
            body = {} if params is None else {"params": params}
            await self._write({"jsonrpc": "2.0", "id": number, "method": method, **body})
            async with asyncio.timeout(seconds):
                return await answer
        except TimeoutError:
            await self._cancel(number, "timeout")
            raise Refused(INTERNAL, f"{self.name} did not answer {method} within {seconds:g} s") from None
        except asyncio.CancelledError:
            await asyncio.shield(self._cancel(number, "cancelled"))
            raise
        finally:
            del self._asked[number]
            answer.cancel()

    async def notify(self, method: str, params: Json | None = None) -> None:
        """Never fails: who has gone hears nothing."""
        with suppress(OSError, TimeoutError):
            await self._write({"jsonrpc": "2.0", "method": method, **({} if params is None else {"params": params})})

    async def _cancel(self, number: int, reason: str) -> None:
        if not self._ended:
            await self.notify("notifications/cancelled", {"requestId": number, "reason": reason})

    async def _write(self, message: Json) -> None:
        async with asyncio.timeout(WRITE_SECONDS), self._writing:
            await self._wire.write(message)

    async def _on_message(self, message: Json) -> None:
        method, number = message.get("method"), message.get("id")
        params: Any = message.get("params", {})
        if isinstance(method, str) and isinstance(params, dict):
            if number is None:
                await self._on_notification(method, cast(Json, params))
            elif isinstance(number, str | int):
                await self._on_request(number, Incoming(method, cast(Json, params)), message)
        elif method is not None and isinstance(number, str | int):
            await self._answer(number, {"error": {"code": INVALID_REQUEST, "message": "Invalid request"}})
        elif isinstance(number, int):
            self._on_answer(number, message)

    async def _on_notification(self, method: str, params: Json) -> None:
        if method == "notifications/cancelled":
            number = params.get("requestId")
            served = self._serving.get(number) if isinstance(number, str | int) else None
            if served is not None:
                served[0].withdrawn = True
                served[1].cancel()
            return
        # a note that we cannot make sense of must not end the connection
        with suppress(Exception):
            await self._handler.on_notification(self, method, params)

    async def _on_request(self, number: str | int, asked: Incoming, message: Json) -> None:
        if number in self._serving or len(self._serving) >= MOST_AT_ONCE:
            why = "This id is in use" if number in self._serving else "Too many requests at once"
            await self._answer(number, {"error": {"code": INVALID_REQUEST, "message": why}})
            return
        if self.watch is not None:
            await self.watch(asked, message)
        serving = asyncio.create_task(self._serve(number, asked))
        self._serving[number] = (asked, serving)
        # also one that is cancelled before it has begun
        serving.add_done_callback(lambda _: self._serving.pop(number, None))

    async def _serve(self, number: str | int, asked: Incoming) -> None:
        try:
            answer = {"result": await self._handler.on_request(self, asked)}
        except Refused as refused:
            answer = {"error": refused.error}
        except Exception as error:  # a fault of ours: the other side must neither wait without end nor read its text
            answer = {"error": {"code": INTERNAL, "message": f"Handrail failed ({type(error).__name__})"}}
        await self._answer(number, answer)

    async def _answer(self, number: str | int, answer: Json) -> None:
        with suppress(OSError, TimeoutError):
            await self._write({"jsonrpc": "2.0", "id": number, **answer})

    def _on_answer(self, number: int, message: Json) -> None:
        waiting = self._asked.get(number)
        if waiting is None or waiting.done():
            return
        result, error = message.get("result"), message.get("error")
        if isinstance(result, dict):
            waiting.set_result(cast(Json, result))
        elif isinstance(error, dict):
            refused = Refused(INTERNAL, "")
            refused.error = cast(Json, error)
            waiting.set_exception(refused)
        else:
            waiting.set_exception(Refused(INTERNAL, f"{self.name} sent an answer without a result"))

    def _on_broken(self, broken: Broken) -> None:
        """The request it answers fails; without one that can be told, all that were sent before it."""
        numbers = [broken.id] if broken.id in self._asked else list(self._asked) if "MB" in broken.why else []
        for number in numbers:
            if not self._asked[number].done():
                self._asked[number].set_exception(Refused(INTERNAL, f"{self.name} answered with {broken.why}"))

    async def _stop_serving(self) -> None:
        tasks = [task for _, task in self._serving.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
