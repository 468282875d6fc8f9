"""What people do in Slack: clicks, dialogs, replies in threads, and the command.

A person is who their linked account says, and nobody else. Each thing that comes in is handled once, whichever server
gets it and however often it comes.
"""

from __future__ import annotations

import html
import json
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple, cast
from uuid import UUID

import structlog

from handrail.channels import linking
from handrail.channels.channel import NotSent
from handrail.channels.slack import cards, link, modals
from handrail.channels.slack.api import Api, Refused
from handrail.channels.texts import line
from handrail.core import authority, errors
from handrail.core.callers import Caller
from handrail.core.holds import Hold, Verdict
from handrail.holds import commenting, deciding, reading
from handrail.holds.context import Context, name_the_decider
from handrail.holds.deciding import Say
from handrail.people.sso.desk import SsoDesk
from handrail.store import messages, received

CHANNEL = "slack"
NOT_LINKED = (
    "Handrail does not know who you are. Run `handrail link slack` and send the code here: `/handrail link CODE`. "
    "Nothing was decided."
)
LONGEST_COMMENT = 20_000

log = structlog.get_logger()


class Reply(NamedTuple):
    """`body` is Slack's answer; `after` is done once it has been given, because a click must be answered in 3 s."""

    body: dict[str, Any] | None = None
    after: Callable[[], Awaitable[None]] | None = None


class Receiver:
    def __init__(self, context: Context, api: Api, desk: SsoDesk) -> None:
        self._context = context
        self._desk = desk
        self._api = api

    async def take(self, key: str, payload: dict[str, Any]) -> Reply:
        """`key` names the request: one that comes again is answered and does nothing."""
        async with self._context.database.transaction() as conn:
            fresh = await received.take(conn, CHANNEL, key)
        if not fresh:
            return Reply()
        reply = await self._handled(payload)
        async with self._context.database.transaction() as conn:
            await received.done(conn, CHANNEL, key)
        return reply

    async def _handled(self, payload: dict[str, Any]) -> Reply:
        match payload.get("type"):
            case "block_actions":
                return Reply(after=lambda: self._clicked(payload))
            case "view_submission":
                return Reply(await self._submitted(payload))
            case "event_callback":
                await self._said(payload["event"])
            case "command":
                text = await link.command(self._desk, payload["user_id"], payload.get("text", ""))
                return Reply({"response_type": "ephemeral", "text": cards.escaped(text)})
            case _:
                pass
        return Reply()

    async def _clicked(self, payload: dict[str, Any]) -> None:
        """Opens the dialog, or says to this person alone why not."""
        [action] = cast("list[dict[str, Any]]", payload.get("actions") or [{}])
        verb, user = str(action.get("action_id")), str(payload["user"]["id"])
        if verb not in ("approve", "reject", "answer", "respond"):
            return
        channel, seen = str(payload["container"]["channel_id"]), json.loads(action["value"])
        try:
            hold = await self._checked(user, UUID(seen["hold"]), seen["digest"])
            place = {**seen, "verdict": verb, "channel": channel}
            view = _dialog(hold, verb, place)
            assert view is not None, "a message has no button for a form that cannot be shown"
            await self._api.call("views.open", trigger_id=payload["trigger_id"], view=view)
        except (errors.Rejected, errors.SsoUnreachable) as refusal:
            await self._whisper(channel, user, refused(refusal))
        except Refused as refusal:
            late = refusal.code in ("expired_trigger_id", "trigger_expired")
            words = "That took too long. Please click again." if late else "Slack could not open the dialog."
            await self._whisper(channel, user, words)
        except NotSent as failure:
            log.warning("slack dialog not opened", error=str(failure))

    async def _checked(self, user: str, hold_id: UUID, digest: str) -> Hold:
        """The hold, where this person may decide it here and now; deciding checks all of it again."""
        caller = await self._caller(user)
        hold = await reading.get(self._context, caller.principal, hold_id)
        if not cards.decides_here(hold):
            raise errors.Forbidden("This one is decided on the page. Use Open.")
        if hold.decision is not None:
            raise await self._already(hold)
        if digest != hold.digest:
            raise errors.StaleDigest(digest=hold.digest, revision=hold.revision)
        authority.capacity(caller.principal, hold)
        return hold

    async def _already(self, hold: Hold) -> errors.AlreadyDecided:
        made = hold.decision
        assert made is not None
        error = errors.AlreadyDecided(
            f"the hold is already {made.outcome}",
            outcome=made.outcome.value,
            decided_at=made.at.isoformat(),
            decided_by=str(made.by) if made.by else None,
            on_behalf_of=str(made.on_behalf_of) if made.on_behalf_of else None,
            basis=made.basis,
        )
        async with self._context.database.connection() as conn:
            await name_the_decider(conn, error)
        return error

    async def _submitted(self, payload: dict[str, Any]) -> dict[str, Any] | None:
        """Decides; what is wrong is shown in the dialog, which stays open."""
        view = payload["view"]
        place, values = json.loads(view["private_metadata"]), view["state"]["values"]
        user, hold_id = str(payload["user"]["id"]), UUID(place["hold"])
        first = "f0" if view["callback_id"] == "answer" else modals.REASON
        try:
            caller = await self._caller(user)
            hold = await reading.get(self._context, caller.principal, hold_id)
            if not cards.decides_here(hold):
                raise errors.Forbidden("This one is decided on the page. Use Open.")
            answer = modals.answer_of(hold.question.schema, values) if first == "f0" else None
            say = Say(
                Verdict(place["verdict"]),
                place["digest"],
                modals.reason_of(values),
                answer,
                credential=caller.credential,
            )
            await deciding.review(self._context, caller.principal, hold_id, say)
        except (errors.Rejected, errors.SsoUnreachable) as refusal:
            return {"response_action": "errors", "errors": {first: refused(refusal)}}
        return None

    async def _said(self, event: dict[str, Any]) -> None:
        """A reply in the thread of a message is a comment on its hold."""
        thread, ts, user = event.get("thread_ts"), event.get("ts"), event.get("user")
        if event.get("type") != "message" or event.get("subtype") or event.get("bot_id") or thread in (None, ts):
            return
        channel, key = str(event["channel"]), f"message:{event['channel']}:{ts}"
        async with self._context.database.transaction() as conn:
            message = await messages.at_place(conn, CHANNEL, f"{channel}/{thread}")
            if message is None or not await received.take(conn, CHANNEL, key):
                return
        number = None
        try:
            caller = await self._caller(str(user))
            text = html.unescape(str(event.get("text", "")))[:LONGEST_COMMENT]
            if text.strip():
                said = await commenting.comment(self._context, caller.principal, message.hold_id, text)
                number = said.id
        except (errors.Rejected, errors.SsoUnreachable) as refusal:
            await self._whisper(channel, str(user), refused(refusal), thread_ts=thread)
        async with self._context.database.transaction() as conn:
            await received.done(conn, CHANNEL, key, number, message.id)

    async def _caller(self, user: str) -> Caller:
        caller = await linking.caller_of(self._desk, CHANNEL, user)
        if caller is None:
            raise errors.NotLinked(NOT_LINKED)
        return caller

    async def _whisper(self, channel: str, user: str, text: str, **more: Any) -> None:
        try:
            await self._api.call("chat.postEphemeral", channel=channel, user=user, text=cards.escaped(text), **more)
        except NotSent as failure:
            log.warning("slack refusal not shown", error=str(failure))


def refused(refusal: errors.HandrailError) -> str:
    """In words for whoever clicked; of one who came late, who was faster."""
    if isinstance(refusal, errors.AlreadyDecided):
        return f"Too late: {refusal.message}. Nothing was changed."
    if isinstance(refusal, errors.StaleDigest):
        return "This was amended after you opened it. The message shows the present version; please decide on that."
    return errors.sentence(refusal.message)


def _dialog(hold: Hold, verb: str, place: dict[str, Any]) -> dict[str, Any] | None:
    match verb:
        case "answer":
            return modals.answer(hold, place)
        case "respond":
            return modals.response(hold, _what(hold), place)
        case _:
            return modals.verdict(hold, verb, _what(hold), place)


def _what(hold: Hold) -> str:
    action = hold.question.action
    if action is None:
        return line(hold.question.title)
    upon = f" on {line(action.target)}" if action.target else ""
    return f"{line(hold.question.title)}: {line(action.name)}{upon}"
