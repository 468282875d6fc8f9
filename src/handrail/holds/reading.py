"""Read holds: one, a page, what waits in a case."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any, NamedTuple
from uuid import UUID

from handrail.core import authority, errors
from handrail.core.holds import Hold
from handrail.core.people import NameCard, Principal
from handrail.core.risk import Level
from handrail.holds.context import Context
from handrail.holds.secret_answers import opened_for
from handrail.store import holds, names, pages, timelines


async def get(context: Context, who: Principal, hold_id: UUID) -> Hold:
    """Whoever opened it reads a secret answer in clear; nobody else does."""
    async with context.database.connection() as conn:
        hold = await holds.get(conn, hold_id)
        if hold is None or not authority.may_see(who, hold):
            raise errors.NotFound(f"there is no hold {hold_id}, or you may not see it")
        return await opened_for(context, conn, who, hold)


class Happened(NamedTuple):
    """`on_behalf_of` is who was away, `person` whom it was assigned to."""

    row: Mapping[str, Any]
    actor: NameCard | None
    on_behalf_of: NameCard | None
    person: NameCard | None


async def events_of(context: Context, who: Principal, hold_id: UUID) -> list[Happened]:
    """What happened on a hold, each with who did it, and for whom, oldest first."""
    await get(context, who, hold_id)
    async with context.database.connection() as conn:
        rows = await timelines.of_hold(conn, hold_id)
        happened = [
            (row, row["actor_id"], names.in_data(row["data"], "on_behalf_of"), names.in_data(row["data"], "person"))
            for row in rows
        ]
        people = await names.of(conn, {each for _, *named in happened for each in named if each})
    return [Happened(row, *(people[each] if each else None for each in named)) for row, *named in happened]


async def page(context: Context, who: Principal, filters: pages.Filters, cursor: str | None, limit: int) -> pages.Page:
    async with context.database.connection() as conn:
        return await pages.page(conn, who, filters, cursor, limit)


async def counted(
    context: Context, who: Principal, filters: pages.Filters, cursor: str | None, limit: int
) -> tuple[pages.Page, int]:
    """A page, and how many there are on all pages together."""
    async with context.database.connection() as conn:
        found = await pages.page(conn, who, filters, cursor, limit)
        return found, await pages.total(conn, who, filters)


async def counted_by_level(context: Context, who: Principal, filters: pages.Filters) -> dict[Level, int]:
    """Pending by level, as of now."""
    async with context.database.connection() as conn:
        return await pages.count(conn, who, filters)


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
        asked = (who.id, who.roles, who.stands_in, filters)
        kept = self._kept.get(asked)
        if kept is not None and time.monotonic() < kept[0]:
            return kept[1]
        began = time.monotonic()
        counts = await counted_by_level(context, who, filters)
        ended = time.monotonic()
        if len(self._kept) > 1000:
            self._kept.clear()
        if ended - began > self.CHEAP_SECONDS:
            self._kept[asked] = (ended + self.KEEP_SECONDS, counts)
        return counts


async def people_of(context: Context, shown: list[Hold], known: Principal | None = None) -> dict[UUID, NameCard]:
    """Everybody who is named on these holds. The name of `known` was read just now: where nobody else is named, the
    database is not asked."""
    ids: set[UUID] = set()
    for hold in shown:
        ids |= hold.requesters | {who for review in hold.reviews for who in (review.by, review.authority)}
        origins = [review.credential.origin for review in hold.reviews if review.credential]
        ids |= {by for origin in origins for by in (origin.made_by, origin.lent_by) if by}
        ids |= {who for made in [hold.decision] if made for who in (made.by, made.on_behalf_of) if who}
        ids |= {hold.redemption.by} if hold.redemption else set()
    if known is not None and ids <= {known.id}:
        return {known.id: NameCard(known.id, known.name, known.kind)}
    async with context.database.connection() as conn:
        return await names.of(conn, ids)
