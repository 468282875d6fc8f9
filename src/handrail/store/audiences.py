"""Audiences: the sets of roles that may decide. Rows are never changed, so committed ids can be remembered."""

from __future__ import annotations

from typing import NamedTuple

from handrail.store.database import Connection


class Audiences:
    """Ids of role sets, remembered by this process."""

    def __init__(self) -> None:
        self._known: dict[frozenset[str], int] = {}

    async def id_of(self, conn: Connection, roles: frozenset[str]) -> int:
        """The id of this set, made where it is new; remembered only once committed, as a roll-back takes it away."""
        known = self._known.get(roles)
        if known is not None:
            return known
        names = sorted(roles)
        found = await _find(conn, names)
        if found is None:
            await conn.execute("INSERT INTO audiences (roles) VALUES (%s) ON CONFLICT DO NOTHING", (names,))
            found = await _find(conn, names)
            assert found is not None, "audiences are never deleted"
        if found.committed:
            self._known[roles] = found.id
        return found.id


class _Row(NamedTuple):
    """Not `committed` where this very transaction made it, for an earlier hold."""

    id: int
    committed: bool


async def _find(conn: Connection, names: list[str]) -> _Row | None:
    found = await conn.execute(
        """
        SELECT id, xmin IS DISTINCT FROM pg_current_xact_id_if_assigned()::xid AS committed
        FROM audiences WHERE roles = %s
        """,
        (names,),
    )
    row = await found.fetchone()
    return _Row(**row) if row else None
