"""Posts notices: to one channel of the workspace, or to each person who has linked an account.

What follows on a message, such as an amendment or a comment, is a reply in its thread.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any
from uuid import UUID

from handrail.channels import telling
from handrail.channels.channel import Channel, NotSent
from handrail.channels.memory import Memory
from handrail.channels.slack import cards, update
from handrail.channels.slack.api import Api
from handrail.channels.standing import Standing
from handrail.core.people import Principal
from handrail.holds.notifying import TELLING
from handrail.settings import Settings
from handrail.store import linked_accounts
from handrail.store.deliveries import Delivery
from handrail.store.messages import Message

# by which a message is found again whose answer was lost
MARK = "handrail_delivery"
LOOK_AT = 100


class Slack(Channel):
    def __init__(self, memory: Memory, settings: Settings, api: Api) -> None:
        self._memory = memory
        self._settings = settings
        self._api = api

    async def send(self, delivery: Delivery) -> None:
        """Those who have had it are skipped by a retry; one whom Slack refuses does not hold up the others."""
        to = await self._destinations(delivery)
        if not to:
            raise NotSent("none of these people has linked a Slack account", final=True)
        known, standing = await self._memory.of(delivery.hold_id), await self._memory.standing(delivery.hold_id)
        refusals: list[NotSent] = []
        for destination in to:
            try:
                await self._send(delivery, standing, destination, known.get(destination))
            except NotSent as refusal:
                if not refusal.final:
                    raise
                refusals.append(refusal)
        if refusals:
            raise refusals[0]

    async def update(self, message: Message, standing: Standing) -> None:
        await update.update(self._api, message, standing, self._link(standing))

    async def test(self, who: Principal) -> None:
        to = await self._places([who.id])
        if not to:
            raise NotSent("you have not linked a Slack account", final=True)
        text = f"{telling.TEST_TITLE}. {telling.test_text(who)}"
        await self._api.call("chat.postMessage", channel=to[0], text=cards.escaped(text), blocks=cards.note_of(text))

    async def recall(self, delivery: Delivery) -> None:
        known = await self._memory.of(delivery.hold_id)
        for destination in await self._destinations(delivery):
            if destination not in known and (place := await self._find(delivery, destination)):
                await self._memory.remember(delivery, destination, place, "")

    async def _destinations(self, delivery: Delivery) -> list[str]:
        return await self._places(delivery.people)

    async def _places(self, people: Collection[UUID]) -> list[str]:
        if self._settings.slack_channel:
            return [self._settings.slack_channel]
        async with self._memory.context.database.connection() as conn:
            linked = await linked_accounts.of_people(conn, "slack", people)
        return [one.account for one in linked]

    async def _send(self, delivery: Delivery, standing: Standing, destination: str, message: Message | None) -> None:
        if message is not None and delivery.id in message.told:
            return
        if message is not None and not message.lost:
            await self._follow_up(delivery, standing, message)
        elif delivery.event in TELLING:
            place = await self._find(delivery, destination) if delivery.attempts > 1 else None
            shown = "" if place else standing.face
            if place is None:
                blocks = cards.card(standing, self._link(standing))
                place = await self._post(delivery, destination, cards.summary(standing), blocks)
            await self._memory.remember(delivery, destination, place, shown)
        elif delivery.attempts == 1 or await self._find(delivery, destination) is None:
            blocks = cards.note(
                standing, [(by, text) for _, by, text in telling.comments(delivery)], self._link(standing)
            )
            await self._post(delivery, destination, cards.summary(standing), blocks)

    async def _follow_up(self, delivery: Delivery, standing: Standing, message: Message) -> None:
        """In the thread; what was written there is not repeated there."""
        channel, _, ts = message.place.partition("/")
        if delivery.event in TELLING:
            blocks = cards.reply(standing, delivery.event)
        else:
            said = await telling.news(self._memory, delivery, message)
            blocks = [block for by, text in said for block in cards.comment(by, text)]
        if blocks and (delivery.attempts == 1 or await self._find(delivery, channel, ts) is None):
            # those who are asked again are notified, also where they do not follow the thread
            aloud = {"reply_broadcast": True} if delivery.event in TELLING else {}
            await self._post(delivery, channel, cards.summary(standing), blocks, thread_ts=ts, **aloud)
        await self._memory.told(message, delivery)

    async def _post(self, delivery: Delivery, channel: str, text: str, blocks: cards.Blocks, **more: Any) -> str:
        mark = {"event_type": MARK, "event_payload": {"delivery": str(delivery.id)}}
        said = await self._api.call(
            "chat.postMessage",
            channel=channel,
            text=text,
            blocks=blocks,
            metadata=mark,
            unfurl_links=False,
            unfurl_media=False,
            **more,
        )
        return f"{said['channel']}/{said['ts']}"

    async def _find(self, delivery: Delivery, destination: str, thread: str | None = None) -> str | None:
        """Where an earlier attempt put it, if it did."""
        channel = destination
        if destination[:1] in "UW":
            channel = (await self._api.call("conversations.open", users=destination))["channel"]["id"]
        method = "conversations.replies" if thread else "conversations.history"
        since: dict[str, Any] = {"ts": thread} if thread else {"oldest": f"{delivery.queued_at.timestamp() - 60:.6f}"}
        found = await self._api.call(method, channel=channel, limit=LOOK_AT, include_all_metadata=True, **since)
        for message in found.get("messages", []):
            mark: dict[str, Any] = message.get("metadata") or {}
            if mark.get("event_payload", {}).get("delivery") == str(delivery.id):
                return f"{channel}/{message['ts']}"
        return None

    def _link(self, standing: Standing) -> str:
        return f"{self._settings.public_url}/holds/{standing.hold.id}"
