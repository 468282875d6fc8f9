"""What tests of the chat share: a server, people, a change that happens as the test says, and the stock clients."""
# socketio is typed in part
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false

from __future__ import annotations

import asyncio
import json
from asyncio.subprocess import PIPE
from collections.abc import AsyncGenerator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar
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
# a machine that runs other tests beside this one is slow
SECONDS = 60
CLIENT = Path(__file__).with_name("chat_client.mjs")
MODULES = Path(__file__).parents[1] / "web" / "package.json"


class Ears:
    """What a client was told, kept."""

    def __init__(self) -> None:
        self.heard: list[tuple[str, Any]] = []
        self._more = asyncio.Condition()

    async def hear(self, event: str, data: Any = None) -> None:
        async with self._more:
            self.heard.append((event, data))
            self._more.notify_all()

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

    @property
    def updates(self) -> list[Any]:
        return [data for name, data in self.heard if name == "agent_update"]

    @property
    def seqs(self) -> list[int]:
        return [each["seq"] for each in self.updates]

    @property
    def numbered(self) -> list[int]:
        """Of what is in the log: the words of a model as they come are not."""
        return [each["seq"] for each in self.updates if each["data"].get("kind") != "text"]


class Chatter(Ears):
    """The stock client of Python."""

    def __init__(self, *, reconnects: bool = False) -> None:
        super().__init__()
        self.io = socketio.AsyncClient(reconnection=reconnects)
        self._seen: dict[str, Any] = {}
        self.io.on("*", self._note)
        self.io.on("disconnect", self._gone)

    async def enter(self, url: str, auth: dict[str, Any], headers: Any = None, transports: Any = None) -> None:
        """A client that reconnects by itself continues behind what it has seen."""
        await self.io.connect(
            url, headers or {}, lambda: {**auth, **self._seen}, transports, socketio_path=PATH, wait_timeout=SECONDS
        )

    async def say(self, event: str, **data: Any) -> Any:
        """The acknowledgement."""
        return await self.io.call(event, data, timeout=SECONDS)

    async def leave(self) -> None:
        await self.io.disconnect()

    async def _note(self, event: str, data: Any = None) -> None:
        if event == "agent_update":
            self._seen = {"session_id": data["session_id"], "after": data["seq"]}
        await self.hear(event, data)

    async def _gone(self, reason: str) -> None:
        await self.hear("disconnect", {"reason": reason})


class NodeChatter(Ears):
    """The stock client of JavaScript, in a process of its own."""

    def __init__(self, *, reconnects: bool = False) -> None:
        super().__init__()
        self._reconnects = reconnects
        self._acks: dict[int, asyncio.Future[Any]] = {}

    async def enter(self, url: str, auth: dict[str, Any], headers: Any = None, transports: Any = None) -> None:
        self._node = await asyncio.create_subprocess_exec(
            "node", str(CLIENT), str(MODULES), stdin=PIPE, stdout=PIPE, limit=64 << 20
        )
        self._listening = asyncio.create_task(self._listen())
        options = {"headers": headers or {}, "transports": transports, "reconnects": self._reconnects}
        self._tell("connect", url=url, auth=auth, **options)
        await self.until(lambda heard: any(name in {"connect", "connect_error"} for name, _ in heard))

    async def say(self, event: str, **data: Any) -> Any:
        """The acknowledgement."""
        id_ = len(self._acks)
        self._acks[id_] = asyncio.get_running_loop().create_future()
        self._tell("say", id=id_, event=event, data=data)
        return await asyncio.wait_for(self._acks[id_], SECONDS)

    async def leave(self) -> None:
        if self._node.returncode is None:
            self._tell("leave")
        await self._node.wait()
        await self._listening

    def _tell(self, what: str, **given: Any) -> None:
        assert self._node.stdin is not None
        self._node.stdin.write(json.dumps({"do": what, **given}).encode() + b"\n")

    async def _listen(self) -> None:
        assert self._node.stdout is not None
        async for line in self._node.stdout:
            said = json.loads(line)
            if "ack" in said:
                self._acks[said["ack"]].set_result(said["data"])
            else:
                await self.hear(said["event"], said["data"])


AnyChatter = Chatter | NodeChatter
C = TypeVar("C", bound=Chatter | NodeChatter)


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
        return await self.enter(Chatter(), who, url, **auth)

    async def enter(self, chatter: C, who: str | None = "mara", url: str | None = None, **auth: Any) -> C:
        headers, transports = auth.pop("headers", None), auth.pop("transports", None)
        given = {**({"token": self.tokens[who]} if who else {}), **auth}
        self._stack.push_async_callback(chatter.leave)
        await chatter.enter(url or self.url, given, headers, transports)
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
