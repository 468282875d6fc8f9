"""Who looks at a hold: claim it, assign it to somebody, look at it later.

It says who does what and reserves nothing: whoever may decide the hold still may, and the hold itself stays as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple
from uuid import UUID

from handrail.core import authority, errors
from handrail.core.holds import Hold
from handrail.core.people import NameCard, Principal
from handrail.holds.context import Context
from handrail.holds.events import HoldAssigned, HoldReleased
from handrail.store import events, holds, names, people, triage
from handrail.store.database import Connection
from handrail.store.holds import LockedHold
from handrail.store.triage import Assignee, Triage

LONGEST_SNOOZE = timedelta(days=30)
# more names are no help
MOST_DECIDERS = 200


class Standing(NamedTuple):
    """How a hold stands for whoever asks, and to whom they may assign it."""

    triage: Triage
    people: dict[UUID, NameCard]
    deciders: list[NameCard]


async def standing(context: Context, who: Principal, hold_id: UUID) -> Standing:
    """Without deciders for whoever may not decide it: it is not theirs to assign."""
    async with context.database.connection() as conn:
        hold = await holds.get(conn, hold_id)
        if hold is None or not authority.may_see(who, hold):
            raise errors.NotFound(f"there is no hold {hold_id}, or you may not see it")
        found = (await triage.of(conn, who.id, [hold_id])).get(hold_id, Triage())
        known = await names.of(conn, _named([found]))
        able: list[Principal] = []
        if hold.pending and authority.decides(who, hold):
            able = await people.with_roles(conn, hold.assessment.requirements.roles)
    deciders = [NameCard(each.id, each.name, each.kind) for each in able if authority.refusal(each, hold) is None]
    return Standing(found, known, sorted(deciders, key=lambda each: each.name.lower())[:MOST_DECIDERS])


async def of(
    context: Context, who: Principal, shown: Sequence[Hold]
) -> tuple[dict[UUID, Triage], dict[UUID, NameCard]]:
    """How these holds, which the viewer may see, stand for them; and those whom that names."""
    async with context.database.connection() as conn:
        found = await triage.of(conn, who.id, [hold.id for hold in shown])
        return found, await names.of(conn, _named([*found.values()]))


async def assign(context: Context, who: Principal, hold_id: UUID, to: UUID) -> None:
    """To oneself, or to somebody else who may decide it. The same again changes nothing."""
    async with context.database.transaction() as conn:
        hold, now = await _locked(conn, who, hold_id)
        account = await people.get(conn, to)
        if account is None:
            raise errors.NotFound(f"there is no principal {to}")
        if to != who.id and (refused := authority.refusal(account.principal, hold)) is not None:
            raise errors.InvalidField(
                f"`person`: {account.principal.name} cannot decide this: {refused.message}", field="person"
            )
        before = (await triage.of(conn, who.id, [hold_id])).get(hold_id, Triage()).assignee
        if before is not None and before.person == to:
            return
        await triage.assign(conn, hold_id, Assignee(to, who.id, now))
        said = HoldAssigned(actor=who.id, person=account.principal.id)
        await events.append(conn, [said], now, events.about(hold, await _audience(context, conn, hold)))
    context.poke()


async def release(context: Context, who: Principal, hold_id: UUID) -> None:
    """Nobody in particular looks at it; whoever may decide it can say so. Again it changes nothing."""
    async with context.database.transaction() as conn:
        hold, now = await _locked(conn, who, hold_id)
        if (await triage.of(conn, who.id, [hold_id])).get(hold_id, Triage()).assignee is None:
            return
        await triage.release(conn, hold_id)
        said = HoldReleased(actor=who.id)
        await events.append(conn, [said], now, events.about(hold, await _audience(context, conn, hold)))
    context.poke()


async def snooze(context: Context, who: Principal, hold_id: UUID, until: datetime) -> None:
    """Out of one's own inbox until then, or until the hold changes. Never past its deadline."""
    async with context.database.transaction() as conn:
        hold, now = await _locked(conn, who, hold_id)
        if until <= now or until - now > LONGEST_SNOOZE:
            raise errors.InvalidField(f"`until` must be within the next {LONGEST_SNOOZE.days} days", field="until")
        if hold.expires_at is not None and until >= hold.expires_at:
            raise errors.InvalidField("`until` must be before the hold expires", field="until")
        await triage.snooze(conn, hold_id, who.id, until)


async def wake(context: Context, who: Principal, hold_id: UUID) -> None:
    async with context.database.transaction() as conn:
        await _locked(conn, who, hold_id)
        await triage.wake(conn, hold_id, who.id)


async def _locked(conn: Connection, who: Principal, hold_id: UUID) -> LockedHold:
    """The hold, if it waits for this person or for somebody like them."""
    locked = await holds.lock(conn, hold_id)
    if locked is None or not authority.may_see(who, locked.hold):
        raise errors.NotFound(f"there is no hold {hold_id}, or you may not see it")
    if not authority.decides(who, locked.hold):
        # says why not
        authority.capacity(who, locked.hold)
    if not locked.hold.pending:
        raise errors.AlreadyDecided(f"the hold is {locked.hold.status}")
    return locked


async def _audience(context: Context, conn: Connection, hold: Hold) -> int:
    return await context.audiences.id_of(conn, hold.assessment.requirements.roles)


def _named(found: Sequence[Triage]) -> set[UUID]:
    return {who for one in found if one.assignee for who in (one.assignee.person, one.assignee.by)}
