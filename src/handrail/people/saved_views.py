"""A person's own views of the inbox: filters under a name."""

from __future__ import annotations

from uuid import UUID

from handrail.core import errors, ids
from handrail.core.callers import Caller
from handrail.core.canonical import JsonObject
from handrail.store import clock, saved_views
from handrail.store.database import Database
from handrail.store.saved_views import SavedView

MOST = 50


async def of(database: Database, caller: Caller) -> list[SavedView]:
    """The caller's, by name."""
    _check(caller)
    async with database.connection() as conn:
        return await saved_views.of_person(conn, caller.principal.id)


async def save(database: Database, caller: Caller, name: str, filters: JsonObject) -> SavedView:
    """Under a name that the caller has already it takes the place of that one."""
    _check(caller)
    who = caller.principal.id
    async with database.transaction() as conn:
        known = await saved_views.of_person(conn, who)
        if len(known) >= MOST and all(one.name != name for one in known):
            raise errors.Conflict(f"You have {MOST} saved views. Remove one first.")
        return await saved_views.save(conn, who, SavedView(ids.fresh(), name, filters, await clock.now(conn)))


async def remove(database: Database, caller: Caller, view_id: UUID) -> None:
    _check(caller)
    async with database.transaction() as conn:
        if not await saved_views.remove(conn, caller.principal.id, view_id):
            raise errors.NotFound(f"You have no saved view {view_id}.")


def _check(caller: Caller) -> None:
    if not caller.principal.is_person:
        raise errors.Forbidden("Only people have an inbox.")
