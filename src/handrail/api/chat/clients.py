"""One connection of the chat: who it is, the sessions that it follows, and its end when it may follow no more."""
# socketio is typed in part
# pyright: reportUnknownMemberType=false, reportMissingTypeStubs=false

from __future__ import annotations

import asyncio
import traceback
from collections import defaultdict
from collections.abc import Coroutine, Mapping
from contextlib import aclosing
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Protocol, cast
from uuid import UUID
from weakref import WeakKeyDictionary

import structlog
from socketio import packet

from handrail.api import following, sockets
from handrail.api.chat import updates
from handrail.api.chat.messages import MOST_SESSIONS, Resume
from handrail.api.chat.updates import Type, Update
from handrail.api.metrics import ChatMetrics
from handrail.api.references import named
from handrail.api.services import Services
from handrail.api.sockets import Identity
from handrail.changes import requests
from handrail.changes.requests import Change
from handrail.core import errors
from handrail.core.callers import Caller
from handrail.core.holds import Hold
from handrail.core.people import Principal
from handrail.core.run_events import ENDS, RunFailed
from handrail.core.runs import RunStatus
from handrail.feed.chunks import Delta
from handrail.feed.entries import Entry, about_principal
from handrail.store import changes as rows
from handrail.store import holds
from handrail.store import sessions as told

# no event says that a token has expired, nor that a client is gone: both are looked at this often at least
LOOK_SECONDS = 30.0
# for the last words; who takes none of them keeps nobody waiting
FAREWELL_SECONDS = 1.0
GREETING = "Connected. Send a `chat_message` with `repo_url` to start a change."

log = structlog.stdlib.get_logger("handrail.chat")


class Line(Protocol):
    """The way to a client. `send` waits for one that is slow, up to a limit."""

    @property
    def is_open(self) -> bool: ...

    async def send(self, message: str) -> None:
        """One that `encoded` made."""
        ...

    async def close(self, *, again: bool) -> None:
        """After what was emitted has gone out; `again` where the client should come back by itself."""
        ...


@dataclass(frozen=True, slots=True)
class Told:
    """An update as it goes over the wire."""

    type: Type
    message: str


# of entries that many follow; an entry is kept as long as the feed keeps it
_told: WeakKeyDictionary[Entry, Told | None] = WeakKeyDictionary()


class Client:
    def __init__(
        self,
        line: Line,
        services: Services,
        identity: Identity,
        caller: Caller,
        metrics: ChatMetrics,
        readers: asyncio.Semaphore,
    ) -> None:
        """`readers` are those of all chats: after an outage many come at once, and commands need connections, too."""
        self.services = services
        self.identity = identity
        self.caller = caller
        # what is said to one session is done in that order, and so are starts; a lock serves first come, first
        self.order: defaultdict[str | None, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._line = line
        self._metrics = metrics
        self._readers = readers
        self._sessions: dict[UUID, asyncio.Task[None]] = {}
        self._told: dict[UUID, int] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._is_ending = False

    def begin(self, resumed: list[Resume]) -> None:
        self._start(self._begin(resumed))

    def stop(self) -> None:
        """The connection is gone: nothing is told any more."""
        for task in self._tasks:
            task.cancel()

    async def _begin(self, resumed: list[Resume]) -> None:
        first = resumed[0].session_id if resumed else None
        try:
            for each in resumed:
                async with named(self.services, "R", each.session_id) as session_id:
                    await self.follow(session_id, each.after or 0, greets=each is resumed[0])
        except errors.Rejected as error:
            await self._status("error", errors.sentence(error.message), first)
            await self.refuse(error, None, first)
        if not resumed:
            await self._status("connected", GREETING, None)
        await self._watch()

    async def follow(self, session_id: UUID, after: int, *, greets: bool = False) -> None:
        """Tells the session from behind that number of the log on, unless that is being done."""
        current = self._sessions.get(session_id)
        if current is not None and not current.done():
            return
        if sum(not task.done() for task in self._sessions.values()) >= MOST_SESSIONS:
            raise errors.TooManyChanges(f"One connection follows at most {MOST_SESSIONS} sessions; open another one.")
        change = await self._change(self.caller.principal, session_id)
        start = await self.services.feed.start(after)
        self._told[session_id] = start
        if greets:
            await self._status("connected", f"Following {change.run.short_id}.", str(session_id))
        self._sessions[session_id] = self._start(self._tell(session_id, change.run.status))

    async def _tell(self, session_id: UUID, status: RunStatus) -> None:
        services, after = self.services, self._told[session_id]
        async with self._readers, services.database.connection() as conn:
            stage = await rows.stage_until(conn, session_id, after) or updates.FIRST_STAGE
            end = await told.number_of_end(conn, session_id) if _is_over(status) else None
        if end is not None and after >= end:
            return
        look = sockets.reader(self.identity, lambda who: self._change(who, session_id))
        stream = following.whole(services, self.caller.principal, look, session_id, after)
        async with aclosing(stream):
            async for found in stream:
                if isinstance(found, Delta):
                    said = _message(session_id, self._told[session_id], stage, updates.text(found), datetime.now(UTC))
                    await self._line.send(said)
                elif found is not None:
                    stage = await self._tell_entry(session_id, found, stage)
                    if found.type in ENDS and found.type != RunFailed.type:
                        return
        # why it may be followed no more: the token, or the session itself
        await self.identity()
        await self._change(self.caller.principal, session_id)

    async def _tell_entry(self, session_id: UUID, entry: Entry, stage: str) -> str:
        stage = updates.stage_after(entry, stage)
        self._told[session_id] = entry.seq
        told = await self._update_of(session_id, entry, stage)
        if told is not None:
            await self._line.send(told.message)
            self._metrics.told(told.type, (datetime.now(UTC) - entry.at).total_seconds())
        return stage

    async def _update_of(self, session_id: UUID, entry: Entry, stage: str) -> Told | None:
        """Made once, however many follow: all but what shows a hold as it is now."""
        if entry.type in updates.ASKS and entry.hold_id is not None:
            async with self._readers, self.services.database.connection() as conn:
                return _made(session_id, entry, stage, await holds.get(conn, entry.hold_id))
        if entry not in _told:
            _told[entry] = _made(session_id, entry, stage, None)
        return _told[entry]

    async def _change(self, who: Principal, session_id: UUID) -> Change:
        async with self._readers:
            return await requests.get(self.services.context, who, session_id)

    async def _status(self, status: str, message: str, session_id: str | None) -> None:
        sent = {"status": status, "message": message, "session_id": session_id, "seq": self._seq(session_id)}
        await self._line.send(encoded("connection_status", sent))

    async def refuse(
        self, error: errors.HandrailError, event: str | None, session_id: str | None = None
    ) -> dict[str, Any]:
        """Tells what could not be done, and why; what is told is the acknowledgement, too."""
        retry = {"retry_after": error.retry_after} if isinstance(error, errors.RateLimited | errors.Unavailable) else {}
        said = {"code": error.code, "message": errors.sentence(error.message), **error.data, **retry}
        sent = {**said, "event": event, "session_id": session_id, "seq": self._seq(session_id)}
        await self._line.send(encoded("error", sent))
        return {"error": said}

    def _seq(self, session_id: str | None) -> int:
        told = next((seq for id_, seq in self._told.items() if str(id_) == session_id), None)
        return self.services.feed.head if told is None else told

    async def _watch(self) -> None:
        """Until the client may no longer be here: its token has ended, or the server is stopping."""
        clock = asyncio.get_running_loop()
        while self._line.is_open:
            within = _until(self.caller)
            began = clock.time()
            topic = about_principal(self.caller.principal.id)
            self.caller = await self.services.feed.wait_for(topic, self.identity, lambda _: False, within)
            if clock.time() - began < within:
                await self.end(errors.Unavailable("The server is stopping. Connect again."), again=True)

    async def end(self, error: errors.HandrailError, *, again: bool) -> None:
        """With a word; once."""
        if self._is_ending:
            return
        self._is_ending = True
        self._metrics.ended(error.code)
        async with asyncio.timeout(FAREWELL_SECONDS):
            await self.refuse(error, None)
            await self._status("disconnected" if again else "error", errors.sentence(error.message), None)
        await self._line.close(again=again)

    def _start(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(self._guarded(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _guarded(self, work: Coroutine[Any, Any, None]) -> None:
        """What goes wrong ends the connection with a word: whatever was not told waits behind the client's cursor."""
        try:
            try:
                await work
            except errors.HandrailError as error:
                await self.end(error, again=isinstance(error, errors.Unavailable))
        except TimeoutError:
            # it would not take the word either
            log.info("chat.too_slow", principal_id=str(self.caller.principal.id))
            self._metrics.ended(errors.TooSlow.code)
            await self._line.close(again=True)
        except Exception:
            log.error("chat.failed", exception=traceback.format_exc())
            await self._line.close(again=True)


def encoded(event: str, data: Mapping[str, Any]) -> str:
    """As Socket.IO sends it."""
    return cast("str", packet.Packet(packet.EVENT, namespace="/", data=[event, data]).encode())


def _made(session_id: UUID, entry: Entry, stage: str, hold: Hold | None) -> Told | None:
    update = updates.update(entry, hold)
    return Told(update.type, _message(session_id, entry.seq, stage, update, entry.at)) if update else None


def _message(session_id: UUID, seq: int, stage: str, update: Update, at: datetime) -> str:
    sent = {
        "type": update.type,
        "timestamp": at.isoformat().replace("+00:00", "Z"),
        "stage": stage,
        "data": dict(update.data),
        "session_id": str(session_id),
        "seq": seq,
    }
    return encoded("agent_update", sent)


def _is_over(status: RunStatus) -> bool:
    """A failed one may be retried."""
    return status.ended and status is not RunStatus.failed


def _until(caller: Caller) -> float:
    if caller.expires_at is None:
        return LOOK_SECONDS
    left = (caller.expires_at - datetime.now(UTC)).total_seconds()
    return min(LOOK_SECONDS, max(0.1, left + 0.05))
