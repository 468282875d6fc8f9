"""A person's time zone and language of dates, the same on every device."""

from __future__ import annotations

from zoneinfo import available_timezones

from handrail.core import errors
from handrail.core.callers import Caller, scopes_of
from handrail.store import date_choices
from handrail.store.database import Database
from handrail.store.date_choices import Dates


async def of(database: Database, caller: Caller) -> Dates:
    async with database.connection() as conn:
        return await date_choices.of(conn, caller.principal.id)


async def choose(database: Database, caller: Caller, dates: Dates) -> None:
    """A token that can do less than its person must not change what that person reads."""
    if not caller.principal.is_person:
        raise errors.Forbidden("Only people read dates here.")
    if caller.scopes != scopes_of(caller.principal.kind, caller.principal.roles):
        raise errors.ScopeMissing("A token with limited scopes cannot change how you read dates.")
    if dates.zone is not None and dates.zone not in available_timezones():
        raise errors.InvalidField(f"`zone` {dates.zone!r} is not a time zone such as Europe/Berlin", field="zone")
    async with database.transaction() as conn:
        await date_choices.save(conn, caller.principal.id, dates)
