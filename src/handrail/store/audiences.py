"""Audiences: the sets of roles that may decide. Rows are never changed, so committed ids can be remembered."""

from __future__ import annotations

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
        found = await self._find(conn, names)
        if found is not None:
            self._known[roles] = found
            return found
        await conn.execute("INSERT INTO audiences (roles) VALUES (%s) ON CONFLICT DO NOTHING", (names,))
        made = await self._find(conn, names)
        assert made is not None, "audiences are never deleted"
        return made

    async def _find(self, conn: Connection, names: list[str]) -> int | None:
        row = await (await conn.execute("SELECT id FROM audiences WHERE roles = %s", (names,))).fetchone()
        return row["id"] if row else None
