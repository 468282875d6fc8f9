"""What is known of skills, and what people do with them: approve what is safe, delete, look."""

from __future__ import annotations

from collections.abc import Sequence

from handrail.core import authority, errors
from handrail.core.callers import Caller, Scope
from handrail.core.holds import Status, Verdict
from handrail.core.skills import Version
from handrail.holds.context import Context
from handrail.holds.deciding import Outcome, review_many
from handrail.skills.events import SkillDeleted
from handrail.store import clock, events, holds
from handrail.store import skills as rows


async def skill(context: Context, name: str) -> Version:
    """The version in force."""
    async with context.database.connection() as conn:
        found = await rows.get(conn, name)
    if found is None:
        raise errors.NotFound(f"there is no approved skill {name!r}")
    return found


async def version(context: Context, name: str, number: int) -> Version:
    """Any version, also one that was rejected, or of a skill that was deleted."""
    for found in await versions(context, name):
        if found.number == number:
            return found
    raise errors.NotFound(f"the skill {name!r} has no version {number}")


async def versions(context: Context, name: str) -> list[Version]:
    async with context.database.connection() as conn:
        found = await rows.versions(conn, name)
    if not found:
        raise errors.NotFound(f"there is no skill {name!r}")
    return found


async def seen_by(context: Context, caller: Caller, found: Sequence[Version]) -> list[Version]:
    """Those that the caller may see: what nobody has approved is for those who may see its hold, and not for agents."""
    seen: list[Version] = []
    async with context.database.connection() as conn:
        for each in found:
            if each.status is not Status.approved:
                hold = await holds.get(conn, each.id) if Scope.decide in caller.scopes else None
                if hold is None or not authority.may_see(caller.principal, hold):
                    continue
            seen.append(each)
    return seen


async def files(context: Context, version: Version) -> dict[str, bytes]:
    async with context.database.connection() as conn:
        return await rows.files(conn, version.content_hash)


async def approve_safe(context: Context, caller: Caller, reason: str | None) -> list[Outcome]:
    """Approve every candidate in which the scan found nothing, each by its own hold's rules."""
    caller.require(Scope.decide)
    async with context.database.connection() as conn:
        queue = await rows.queue(conn)
    safe = [found for found in await seen_by(context, caller, queue) if found.safe]
    async with context.database.connection() as conn:
        waiting = [await holds.get(conn, found.id) for found in safe]
    seen = [(hold.id, hold.digest) for hold in waiting if hold is not None]
    return await review_many(context, caller.principal, Verdict.approve, seen, reason, caller.credential)


async def delete(context: Context, caller: Caller, name: str) -> None:
    """The skill cannot be used any more; its versions stay readable. Registering it again starts anew."""
    caller.require(Scope.decide)
    who = caller.principal
    if not who.administers and who.roles.isdisjoint(context.policy().approver_roles):
        raise errors.WrongRole("deleting a skill needs an approver role or the administrator role")
    async with context.database.transaction() as conn:
        if await rows.get(conn, name) is None:
            raise errors.NotFound(f"there is no approved skill {name!r}")
        await rows.lock(conn, name)
        now = await clock.now(conn)
        await rows.delete(conn, name, now, who.id)
        await events.append(conn, [SkillDeleted(actor=who.id, skill=name)], now)
    context.poke()
