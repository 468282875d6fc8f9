"""Read holds: one, a page, what waits in a case, the exchange on it."""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from handrail.core import authority, canonical, errors
from handrail.core.events import Event
from handrail.core.holds import Hold
from handrail.core.people import Principal
from handrail.core.risk import Level
from handrail.holds import notifying
from handrail.holds.context import Context
from handrail.holds.notifying import notify_of_comment
from handrail.store import events, holds, names, pages

Named = names.Named


async def get(context: Context, who: Principal, hold_id: UUID) -> Hold:
    async with context.database.connection() as conn:
        hold = await holds.get(conn, hold_id)
    if hold is None or not authority.may_see(who, hold):
        raise errors.NotFound(f"there is no hold {hold_id}, or you may not see it")
    return hold


async def page(context: Context, who: Principal, filters: pages.Filters, cursor: str | None, limit: int) -> pages.Page:
    async with context.database.connection() as conn:
        return await pages.page(conn, who, filters, cursor, limit)


class Counts:
    """Pending by level. Exact while counting is cheap; a count that took long is shown for a second.

    Ten thousand rows a level is the most that is counted, about 10 ms, so a busy page cannot make the database count
    all the time.
    """

    CHEAP_SECONDS = 0.004
    KEEP_SECONDS = 1.0

    def __init__(self) -> None:
        self._kept: dict[tuple[object, ...], tuple[float, dict[Level, int]]] = {}

    async def of(self, context: Context, who: Principal, filters: pages.Filters) -> dict[Level, int]:
        asked = (who.id, who.roles, filters)
        kept = self._kept.get(asked)
        if kept is not None and time.monotonic() < kept[0]:
            return kept[1]
        began = time.monotonic()
        async with context.database.connection() as conn:
            counts = await pages.count(conn, who, filters)
        ended = time.monotonic()
        if len(self._kept) > 1000:
            self._kept.clear()
        if ended - began > self.CHEAP_SECONDS:
            self._kept[asked] = (ended + self.KEEP_SECONDS, counts)
        return counts


async def people_of(context: Context, shown: list[Hold]) -> dict[UUID, Named]:
    """Everybody who is named on these holds."""
    ids: set[UUID] = set()
    for hold in shown:
        ids |= hold.requesters | {review.by for review in hold.reviews}
        ids |= {hold.decision.by} if hold.decision and hold.decision.by else set()
        ids |= {hold.redemption.by} if hold.redemption else set()
    async with context.database.connection() as conn:
        return await names.of(conn, ids)


@dataclass(frozen=True, slots=True)
class Comment:
    id: int
    by: Named
    at: datetime
    text: str


async def comments(context: Context, who: Principal, hold_id: UUID) -> list[Comment]:
    await get(context, who, hold_id)
    async with context.database.connection() as conn:
        rows = await holds.comments(conn, hold_id)
        people = await names.of(conn, {row["principal_id"] for row in rows})
    return [Comment(row["id"], people[row["principal_id"]], row["at"], row["text"]) for row in rows]


async def comment(context: Context, who: Principal, hold_id: UUID, text: str) -> Comment:
    """Say or ask something about a hold: the requester, or who may decide it."""
    canonical.check(text, "text")
    async with context.database.transaction() as conn:
        locked = await holds.lock(conn, hold_id)
        if locked is None or not authority.may_see(who, locked.hold):
            raise errors.NotFound(f"there is no hold {hold_id}, or you may not see it")
        hold, now = locked
        if who.id not in hold.requesters and authority.refusal(who, hold) is not None:
            raise errors.Forbidden("only who asked and who may decide can comment")
        number = await holds.add_comment(conn, hold.id, who.id, now, text)
        audience_id = await context.audiences.id_of(conn, hold.assessment.requirements.roles)
        said = Event("hold.commented", who.id, {"comment_id": number, "text": text})
        await events.append(conn, [said], now, events.about(hold, audience_id))
        await notify_of_comment(conn, context.policy(), context.set_up, hold, notifying.Comment(who, text), now)
    context.poke()
    return Comment(number, Named(who.id, who.name, who.kind), now, text)
