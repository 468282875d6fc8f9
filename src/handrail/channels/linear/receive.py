"""What people do in Linear: comments on the issue of a hold are its conversation, and moving it decides nothing.

A person is who their linked account says, and nobody else. Each thing that comes in is handled once, whichever server
gets it, however often and in whichever order it comes.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, cast

import structlog

from handrail.channels import linking, updating
from handrail.channels.channel import NotSent
from handrail.channels.linear import issues, link
from handrail.channels.linear.api import Api, made_id
from handrail.channels.linear.send import CHANNEL, announce, comment
from handrail.channels.standing import standing
from handrail.core import errors
from handrail.holds import commenting
from handrail.holds.context import Context
from handrail.people.sso.desk import SsoDesk
from handrail.store import messages, received
from handrail.store.messages import Message

NOT_LINKED = (
    "Handrail does not know who you are, so this comment stays here. To link your account, run "
    "handrail link linear on the command line, or open Your account in Handrail."
)
LONGEST_COMMENT = 20_000

log = structlog.get_logger()
# done once Linear has its answer, because it waits for 5 s only
After = Callable[[], Awaitable[None]]


class Receiver:
    def __init__(self, context: Context, api: Api, desk: SsoDesk) -> None:
        self._context = context
        self._api = api
        self._desk = desk

    async def take(self, key: str, payload: dict[str, Any]) -> After | None:
        """`key` names the request: one that comes again does nothing."""
        async with self._context.database.transaction() as conn:
            if not await received.take(conn, CHANNEL, f"delivery:{key}"):
                return None
        after = await self._handled(payload)
        async with self._context.database.transaction() as conn:
            await received.done(conn, CHANNEL, f"delivery:{key}")
        return after

    async def _handled(self, payload: dict[str, Any]) -> After | None:
        data = cast("dict[str, Any]", payload.get("data") if isinstance(payload.get("data"), dict) else {})
        match payload.get("type"), payload.get("action"):
            case "Comment", "create":
                return await self._said(data)
            case "Issue", "update":
                changed: Any = payload.get("updatedFrom")
                return await self._moved(data) if isinstance(changed, dict) and "stateId" in changed else None
            case "Issue", "remove":
                await self._removed(str(data.get("id")))
            case _:
                pass
        return None

    async def _said(self, data: dict[str, Any]) -> After | None:
        id_, issue, user, text = (data.get(name) for name in ("id", "issueId", "userId", "body"))
        if not (isinstance(id_, str) and isinstance(issue, str) and isinstance(user, str) and isinstance(text, str)):
            # of an integration, or not under an issue
            return None
        code, key = link.code_in(text), f"comment:{id_}"
        async with self._context.database.transaction() as conn:
            message = await messages.at_place(conn, CHANNEL, issue)
            if (message is None and code is None) or not await received.take(conn, CHANNEL, key):
                return None
        number, answer = None, None
        if code is not None:
            answer = await link.command(self._desk, user, code)
        elif message is not None:
            number, answer = await self._commented(message, user, text)
        async with self._context.database.transaction() as conn:
            await received.done(conn, CHANNEL, key, number, message.id if message else None)
        return None if answer is None else lambda: self._answer(issue, id_, answer)

    async def _commented(self, message: Message, user: str, text: str) -> tuple[int | None, str | None]:
        """The comment that it became, or why not."""
        try:
            caller = await linking.caller_of(self._desk, CHANNEL, user)
            if caller is None:
                return None, await self._once(f"unlinked:{message.id}:{user}", NOT_LINKED)
            if not text.strip():
                return None, None
            said = await commenting.comment(self._context, caller.principal, message.hold_id, text[:LONGEST_COMMENT])
        except (errors.Rejected, errors.SsoUnreachable) as refusal:
            return None, errors.sentence(refusal.message)
        return said.id, None

    async def _moved(self, data: dict[str, Any]) -> After | None:
        """Put back, once for each state of the hold: its people may have reasons of their own to move it again."""
        state: Any = data.get("state")
        async with self._context.database.transaction() as conn:
            message = await messages.at_place(conn, CHANNEL, str(data.get("id")))
            if message is None or message.lost or not isinstance(state, dict):
                return None
            now = await standing(conn, self._context.policy(), message.hold_id)
            ends = cast("dict[str, Any]", state).get("type") in ("completed", "canceled")
            if ends is not now.hold.pending or not await received.take(conn, CHANNEL, f"moved:{message.id}:{now.face}"):
                return None
            await received.done(conn, CHANNEL, f"moved:{message.id}:{now.face}")
            await messages.doubt(conn, message.id)
        words = f"Moving this issue decides nothing. {now.outcome}."
        return lambda: self._answer(message.place, now.face, words, reply=False)

    async def _removed(self, issue: str) -> None:
        async with self._context.database.transaction() as conn:
            message = await messages.at_place(conn, CHANNEL, issue)
            if message is not None:
                await updating.lose(self._context, conn, message, "somebody deleted the issue")
        self._context.poke()

    async def _once(self, key: str, words: str) -> str | None:
        async with self._context.database.transaction() as conn:
            fresh = await received.take(conn, CHANNEL, key)
            await received.done(conn, CHANNEL, key)
        return words if fresh else None

    async def _answer(self, issue: str, to: str, text: str, *, reply: bool = True) -> None:
        """Under the comment. What cannot be said there is in the log."""
        id_ = made_id("answer", issue, to)
        try:
            await announce(self._context, id_)
            await comment(self._api, id_, issue, issues.escaped(text), to if reply else None)
        except NotSent as failure:
            log.warning("linear answer not shown", error=str(failure))
