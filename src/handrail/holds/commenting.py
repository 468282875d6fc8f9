"""The exchange on a hold: ask back, answer, read it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from handrail.core import authority, canonical, errors
from handrail.core.holds import Hold
from handrail.core.people import NameCard, Principal
from handrail.holds import notifying, reading
from handrail.holds.context import Context
from handrail.holds.events import HoldCommented
from handrail.holds.notifying import notify_of_comment
from handrail.store import comments, events, holds, names
from handrail.store.database import Connection


@dataclass(frozen=True, slots=True)
class Comment:
    id: int
    by: NameCard
    at: datetime
    text: str
    reply_to: int | None


async def comments_on(context: Context, who: Principal, hold_id: UUID, after: int = 0) -> list[Comment]:
    """What was said after the comment of that id, oldest first."""
    await reading.get(context, who, hold_id)
    async with context.database.connection() as conn:
        return await _read(conn, hold_id, after)


async def any_after(context: Context, hold_id: UUID, after: int) -> bool:
    async with context.database.connection() as conn:
        return await comments.any_after(conn, hold_id, after)


async def comment(context: Context, who: Principal, hold_id: UUID, text: str, reply_to: int | None = None) -> Comment:
    """Say or ask something about a hold, decided or not: the requester, or who may decide it.

    The same reply to the same comment again is the one that was made, so a lost answer can be asked for again.
    """
    canonical.check(text, "text")
    async with context.database.transaction() as conn:
        locked = await holds.lock(conn, hold_id)
        if locked is None or not authority.may_see(who, locked.hold):
            raise errors.NotFound(f"there is no hold {hold_id}, or you may not see it")
        hold, now = locked
        if who.id not in hold.requesters and not authority.decides(who, hold):
            raise errors.Forbidden("only the requester and those who may decide can comment")
        if reply_to is not None:
            made = await _reply(conn, hold, who, text, reply_to)
            if made is not None:
                return made
        context.database.space.check()
        await context.quotas.admit_comment(conn, who, hold, now)
        number = await comments.add(conn, hold.id, who.id, now, text, reply_to)
        audience_id = await context.audiences.id_of(conn, hold.assessment.requirements.roles)
        said = HoldCommented(actor=who.id, comment_id=number, text=text, reply_to=reply_to)
        await events.append(conn, [said], now, events.about(hold, audience_id))
        await notify_of_comment(conn, context.policy(), context.set_up, hold, notifying.Comment(who, text, number), now)
    context.poke()
    return Comment(number, NameCard(who.id, who.name, who.kind), now, text, reply_to)


async def _reply(conn: Connection, hold: Hold, who: Principal, text: str, reply_to: int) -> Comment | None:
    """The reply where it was made before; refused where there is nothing to reply to."""
    said = await _read(conn, hold.id)
    if all(one.id != reply_to for one in said):
        raise errors.InvalidField(f"reply_to: there is no comment {reply_to} on this hold", field="reply_to")
    same = [one for one in said if (one.by.id, one.reply_to, one.text) == (who.id, reply_to, text)]
    return same[0] if same else None


async def _read(conn: Connection, hold_id: UUID, after: int = 0) -> list[Comment]:
    rows = await comments.of_hold(conn, hold_id, after)
    people = await names.of(conn, {row["principal_id"] for row in rows})
    return [Comment(row["id"], people[row["principal_id"]], row["at"], row["text"], row["reply_to"]) for row in rows]
