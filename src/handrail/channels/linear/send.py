"""Makes an issue for each hold in the configured team. What follows, such as an amendment, is a comment there."""

from __future__ import annotations

from handrail.channels import telling
from handrail.channels.channel import Channel, NotSent
from handrail.channels.linear import api as apis
from handrail.channels.linear import issues, update
from handrail.channels.linear.api import Api, Refused, made_id
from handrail.channels.memory import Memory
from handrail.channels.standing import Standing
from handrail.core import ids
from handrail.core.people import Principal
from handrail.holds.context import Context
from handrail.holds.notifying import TELLING
from handrail.settings import Settings
from handrail.store import linked_accounts, received
from handrail.store.deliveries import Delivery
from handrail.store.messages import Message

CHANNEL = "linear"
# there is one team
TEAM = ""


class Linear(Channel):
    """Issues and comments get their ids from us, so one that is sent again is refused, and found."""

    def __init__(self, memory: Memory, settings: Settings, api: Api) -> None:
        self._memory = memory
        self._settings = settings
        self._api = api

    async def send(self, delivery: Delivery) -> None:
        message = (await self._memory.of(delivery.hold_id)).get(TEAM)
        if message is not None and delivery.id in message.told:
            return
        standing = await self._memory.standing(delivery.hold_id)
        if message is not None and not message.lost:
            await self._follow_up(delivery, standing, message)
        elif standing.hold.pending:
            await self._create(delivery, standing, again=message is not None)
        else:
            raise NotSent("Linear has no issue about this hold", final=True)

    async def update(self, message: Message, standing: Standing) -> None:
        await update.update(self._api, message, standing, self._link(standing))

    async def test(self, who: Principal) -> None:
        """An issue that is done already."""
        team = await self._api.team()
        state = team.states.get("completed")
        fields = {"id": made_id(ids.fresh()), "teamId": team.id, "title": telling.TEST_TITLE}
        fields["description"] = issues.escaped(telling.test_text(who))
        await self._api.change(apis.CREATE_ISSUE, input=fields | ({"stateId": state} if state else {}))

    async def recall(self, delivery: Delivery) -> None:
        issue, known = made_id(delivery.hold_id), await self._memory.of(delivery.hold_id)
        if TEAM not in known and await self._api.exists(apis.ISSUE, issue):
            await self._memory.remember(delivery, TEAM, issue, "")

    async def _create(self, delivery: Delivery, standing: Standing, *, again: bool) -> None:
        """`again`: somebody deleted the one before."""
        issue = made_id(delivery.hold_id, delivery.id) if again else made_id(delivery.hold_id)
        fields = {**await update.fields(self._api, standing, self._link(standing)), "id": issue}
        fields["teamId"] = (await self._api.team()).id
        shown = standing.face
        try:
            await self._api.change(
                apis.CREATE_ISSUE, input={**fields, "subscriberIds": await self._subscribers(delivery)}
            )
        except Refused as refusal:
            if refusal.code != apis.INVALID:
                raise
            if await self._api.exists(apis.ISSUE, issue):
                # what it says is not known
                shown = ""
            else:
                # somebody among them may have left Linear, or the team has other states by now
                self._api.forget_team()
                fields |= await update.fields(self._api, standing, self._link(standing))
                await self._api.change(apis.CREATE_ISSUE, input=fields)
        await self._memory.remember(delivery, TEAM, issue, shown)

    async def _subscribers(self, delivery: Delivery) -> list[str]:
        async with self._memory.context.database.connection() as conn:
            linked = await linked_accounts.of_people(conn, CHANNEL, delivery.people)
        return [one.account for one in linked]

    async def _follow_up(self, delivery: Delivery, standing: Standing, message: Message) -> None:
        """As a comment; what was written there is not repeated there."""
        if delivery.event in TELLING:
            said = [issues.reply(standing, delivery.event)]
        else:
            said = [issues.comment(by, text) for by, text in await telling.news(self._memory, delivery, message)]
        if said:
            await self._comment(made_id(delivery.id), message.place, "\n\n".join(said))
        await self._memory.told(message, delivery)

    async def _comment(self, id_: str, issue: str, text: str) -> None:
        await announce(self._memory.context, id_)
        await comment(self._api, id_, issue, text)

    def _link(self, standing: Standing) -> str:
        return f"{self._settings.public_url}/holds/{standing.hold.id}"


async def announce(context: Context, comment_id: str) -> None:
    """Linear tells us of every comment: this one is ours."""
    async with context.database.transaction() as conn:
        await received.take(conn, CHANNEL, f"comment:{comment_id}")
        await received.done(conn, CHANNEL, f"comment:{comment_id}")


async def comment(api: Api, id_: str, issue: str, text: str, parent: str | None = None) -> None:
    try:
        await api.change(
            apis.CREATE_COMMENT,
            input={"id": id_, "issueId": issue, "body": text, **({"parentId": parent} if parent else {})},
        )
    except Refused as refusal:
        if refusal.code != apis.INVALID or not await api.exists(apis.COMMENT, id_):
            raise
