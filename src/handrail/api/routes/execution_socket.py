"""A session as it goes, over a WebSocket: its story after a cursor, and what the client says to it."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from functools import partial
from typing import Annotated, Literal, assert_never
from uuid import UUID

from fastapi import APIRouter, WebSocket
from pydantic import Field, JsonValue, TypeAdapter, ValidationError

from handrail.api import body, following, problems, sockets
from handrail.api.references import check, named
from handrail.api.schemas.fields import HoldReference, Text, Wire
from handrail.api.services import Services, services_of
from handrail.api.session_events import Story
from handrail.api.sockets import Identity
from handrail.core import errors
from handrail.core.callers import Caller, Scope
from handrail.core.holds import Hold, Kind
from handrail.core.people import Principal
from handrail.core.run_events import ENDS
from handrail.core.runs import Run
from handrail.engine import cancelling
from handrail.feed.chunks import Delta
from handrail.feed.entries import Entry
from handrail.skills import sessions
from handrail.skills.cursors import Cursor
from handrail.store import holds, runs
from handrail.store import sessions as rows

router = APIRouter(tags=["execution"])

ENDED = 1000


class Response(Wire):
    content: JsonValue
    request_id: HoldReference | None = Field(
        default=None, description="Which question; by default, the last one asked."
    )


class UserResponse(Wire):
    event: Literal["user_response"]
    payload: Response


class Reason(Wire):
    reason: Text | None = None


class CancelIt(Wire):
    event: Literal["cancel"]
    payload: Reason = Reason()


Said = Annotated[UserResponse | CancelIt, Field(discriminator="event")]
_said: TypeAdapter[Said] = TypeAdapter(Said)


@router.websocket("/ws/execution/{session_id}")
async def execution_socket(socket: WebSocket, session_id: str, after: str | None = None) -> None:
    """Without a cursor, the whole story. What is refused is told as an `error`, and closes where nothing can follow."""
    await socket.accept()
    telling = _Telling(socket)
    async with sockets.closing(socket, telling.error):
        telling.identity = await sockets.entered(socket)
        await telling.begin(check("R", session_id, "session"), after)
        await sockets.both(telling.tell(), telling.hear())
        await socket.close(ENDED, "ended")


class _Telling:
    """One client's way through one session."""

    identity: Identity
    _run: Run
    _cursor: Cursor

    def __init__(self, socket: WebSocket) -> None:
        self._socket = socket
        self._story = Story(Cursor(0), set())
        # the question that the client was told last
        self._asked: UUID | None = None
        self._at_work = asyncio.Lock()

    @property
    def _services(self) -> Services:
        return services_of(self._socket)

    async def begin(self, session_id: str, after: str | None) -> None:
        caller = await self.identity()
        caller.require(Scope.read)
        async with named(self._services, "R", session_id) as id_:
            self._run = await sessions.get(self._services.context, caller.principal, id_)
        self._cursor = await self._start(Cursor.read(after, self._run.id))
        async with self._services.database.connection() as conn:
            calls = await rows.calls_until(conn, self._run.id, self._cursor.after)
        self._story = Story(self._cursor, calls)

    async def _start(self, cursor: Cursor) -> Cursor:
        """The cursor; one beyond the log, as after the restore of an older backup, means: from now on."""
        start = await self._services.feed.start(cursor.after)
        return cursor if start == cursor.after else Cursor.behind(start, {})

    async def tell(self) -> None:
        """Until the session has ended and all of it was told; what the client asked for is done to its end."""
        await self._tell()
        await self._at_work.acquire()

    async def _tell(self) -> None:
        if await self._all_told():
            return
        who, look = (await self.identity()).principal, sockets.reader(self.identity, self._may_see)
        cursor = self._cursor
        stream = following.whole(self._services, who, look, self._run.id, cursor.after, cursor.said)
        async with aclosing(stream):
            async for found in stream:
                if isinstance(found, Delta):
                    await sockets.send(self._socket, self._story.text(found))
                elif found is not None:
                    await self._tell_entry(found)
                    if found.type in ENDS:
                        return
        raise errors.SignInEnded

    async def _may_see(self, who: Principal) -> Run:
        return await sessions.get(self._services.context, who, self._run.id)

    async def _all_told(self) -> bool:
        if not self._run.status.ended:
            return False
        async with self._services.database.connection() as conn:
            end = await rows.number_of_end(conn, self._run.id)
        return end is not None and self._cursor.after >= end

    async def _tell_entry(self, entry: Entry) -> None:
        about = await self._about(entry)
        for message in self._story.entry(entry, about):
            await sockets.send(self._socket, message)
            if isinstance(about, Hold) and about.question.kind is Kind.input:
                self._asked = about.id

    async def _about(self, entry: Entry) -> Hold | Run | None:
        """What the event does not tell all of: a question, or the run that has completed."""
        async with self._services.database.connection() as conn:
            if entry.type == "hold.opened" and entry.hold_id is not None:
                return await holds.get(conn, entry.hold_id)
            return await runs.get(conn, self._run.id) if entry.type == "run.completed" else None

    async def hear(self) -> None:
        """What the client says, one at a time; what cannot be done is told, and it may go on."""
        while True:
            text = await sockets.heard(self._socket)
            try:
                async with self._at_work:
                    await self._do(_read(text))
            except errors.Unavailable:
                raise
            except errors.HandrailError as error:
                await self.error(error)

    async def _do(self, said: Said) -> None:
        caller, context = await self.identity(), self._services.context
        match said:
            case UserResponse(payload=response):
                caller.require(Scope.decide)
                await self._answer(caller, response)
            case CancelIt(payload=payload):
                caller.require(Scope.open)
                await cancelling.cancel(context, caller.principal, self._run.id, payload.reason)
            case _:
                assert_never(said)

    async def _answer(self, caller: Caller, response: Response) -> None:
        asked = response.request_id or (str(self._asked) if self._asked else None)
        answered = partial(sessions.answer, self._services.context, caller, self._run.id, response.content)
        if asked is None:
            await answered(None)
            return
        async with named(self._services, "H", asked) as request_id:
            await answered(request_id)

    async def error(self, error: errors.HandrailError) -> None:
        await sockets.send(self._socket, self._story.error(error.code, errors.sentence(error.message), **error.data))


def _read(text: str | bytes) -> Said:
    value = body.parse(text if isinstance(text, bytes) else text.encode())
    try:
        return _said.validate_python(value)
    except ValidationError as error:
        raise problems.complaint([{**each, "loc": ("message", *each["loc"])} for each in error.errors()]) from None
