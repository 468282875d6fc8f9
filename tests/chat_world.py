"""What tests of the chat share: a server, people, a change that happens as the test says, and the stock client."""
# socketio is typed in part
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

import apps
import change_scripts
import socketio
from runs_world import ask, publish, row, say, settle
from sockets import running, url_of

from handrail.api.connections import Config
from handrail.api.doors import Doors
from handrail.core.holds import Action, Hold, Kind
from handrail.core.runs import Run

PATH = "ws/chat"
SECONDS = 20


class Chatter:
    """A stock client that keeps whatever it is told."""

    def __init__(self) -> None:
        self.io = socketio.AsyncClient(reconnection=False)
        self.heard: list[tuple[str, Any]] = []
        self._more = asyncio.Condition()
        self.io.on("*", self._hear)
        self.io.on("disconnect", self._gone)

    async def _hear(self, event: str, data: Any = None) -> None:
        async with self._more:
            self.heard.append((event, data))
            self._more.notify_all()

    async def _gone(self, reason: str) -> None:
        await self._hear("disconnect", {"reason": reason})

    async def until(self, wanted: Callable[[list[tuple[str, Any]]], Any]) -> Any:
        """What it gives of all that was heard, once that is something."""
        async with asyncio.timeout(SECONDS), self._more:
            while not (found := wanted(self.heard)):
                await self._more.wait()
            return found

    async def first(self, event: str, **fields: Any) -> Any:
        """The first event of that name with these fields."""

        def found(heard: list[tuple[str, Any]]) -> Any:
            return next((data for name, data in heard if name == event and fits(data, fields)), None)

        return await self.until(found)

    async def say(self, event: str, **data: Any) -> Any:
        """The acknowledgement."""
        return await self.io.call(event, data, timeout=SECONDS)

    @property
    def updates(self) -> list[Any]:
        return [data for name, data in self.heard if name == "agent_update"]

    @property
    def seqs(self) -> list[int]:
        return [each["seq"] for each in self.updates]


def fits(data: Any, fields: dict[str, Any]) -> bool:
    given: dict[str, Any] = data or {}
    merged: dict[str, Any] = {**given.get("data", {}), **given}
    return all(merged.get(name) == value for name, value in fields.items())


@dataclass(frozen=True)
class Office:
    """A server with the workflow `change`, whose runs do what the test says; and people with their tokens."""

    desk: apps.Desk
    url: str
    shop: str
    tokens: dict[str, str]
    _stack: AsyncExitStack

    async def connect(self, who: str | None = "mara", url: str | None = None, **auth: Any) -> Chatter:
        chatter = Chatter()
        transports = auth.pop("transports", None)
        headers = auth.pop("headers", {})
        given = {**({"token": self.tokens[who]} if who else {}), **auth}
        await chatter.io.connect(url or self.url, headers, given, transports, socketio_path=PATH, wait_timeout=SECONDS)
        self._stack.push_async_callback(chatter.io.disconnect)
        return chatter

    async def run(self, session_id: str) -> Run:
        return await row(self.desk.database, UUID(session_id))

    async def happens(self, session_id: str, type_: str, **data: Any) -> None:
        await say(self.desk.context, await self.run(session_id), type_, **data)

    async def asks(self, session_id: str, title: str = "fix: round prices", **more: Any) -> Hold:
        """A plan, or with `schema` a question in words."""
        plan: dict[str, Any] = {"plan": {"title": title}, "facts": {"files": 1, "migrations": 0, "risk_score": 0}}
        given: dict[str, Any] = {"kind": Kind.review, "action": Action("change.plan", plan, self.shop), "task": None}
        if "schema" in more:
            given |= {"kind": Kind.input, "action": None}
        run = await self.run(session_id)
        hold = await ask(self.desk.context, run, title, **{**given, **more})
        await settle(self.desk.database, run.id, "paused")
        return hold

    async def ends(self, session_id: str, **result: Any) -> None:
        await self.happens(session_id, "run.completed", result=result)
        await settle(self.desk.database, UUID(session_id), "completed", result=result)


@asynccontextmanager
async def office(dsn: str, folder: Path, **options: Any) -> AsyncGenerator[Office]:
    shop = str(change_scripts.repository(folder / "shop"))
    async with apps.desk(dsn, repository_roots=(folder,), **options) as desk, AsyncExitStack() as stack:
        await publish(desk.database, "change", input_schema=None)
        tokens: dict[str, str] = {}
        for name, kind, roles in (
            ("mara", "person", ["developer"]),
            ("lee", "person", ["tech_lead"]),
            ("bob", "person", []),
            ("bot", "agent", []),
        ):
            await desk.principal(name, kind, roles)
            tokens[name] = await desk.token(name)
        config = Config(desk.app, Doors(500, 500), host="127.0.0.1", port=0, lifespan="off", log_config=None)
        server = await stack.enter_async_context(running(config))
        yield Office(desk, url_of(server), shop, tokens, stack)
