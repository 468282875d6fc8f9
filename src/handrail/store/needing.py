"""Whom a pending hold needs, as conditions on its row: what `core.authority` says of a person's say, in columns.

Who may decide it, has not said their word and does not look at it later: that is what an inbox counts.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from enum import StrEnum

from psycopg import sql

from handrail.core.absences import StandIn
from handrail.core.holds import Status
from handrail.core.people import Principal
from handrail.store import absences
from handrail.store.database import Connection


class View(StrEnum):
    """`mine`: asked by the viewer, or in a run that they started."""

    needs_me = "needs_me"
    waiting = "waiting"
    mine = "mine"
    done = "done"
    snoozed = "snoozed"

    @property
    def statuses(self) -> tuple[Status, ...]:
        match self:
            case View.needs_me | View.waiting | View.snoozed:
                return (Status.pending,)
            case View.done:
                return tuple(each for each in Status if each is not Status.pending)
            case View.mine:
                return tuple(Status)


_SPOKEN = sql.SQL("NOT (%(viewer)s = ANY(spoken))")
_BARRED = sql.SQL("NOT (%(viewer)s = ANY(barred))")
_REQUESTED = sql.SQL("%(viewer)s IN (opener_id, coalesce(starter_id, opener_id))")
_ASLEEP = sql.SQL(
    """EXISTS (SELECT FROM snoozes s WHERE s.principal_id = %(viewer)s AND s.hold_id = holds.id
      AND s.version = holds.version AND s.until > (SELECT handrail_now()))"""
)


async def ways(conn: Connection, viewer: Principal, *, snoozed: bool) -> list[sql.Composable]:
    """The ways in which a pending hold needs the viewer, each as a condition that one index answers; or, of those, the
    ones that the viewer snoozed. Both read `%(viewer)s`."""
    asleep = _ASLEEP if snoozed else sql.SQL("NOT {}").format(_ASLEEP)
    return [sql.SQL("{} AND {}").format(way, asleep) for way in await _ways(conn, viewer)]


async def others(conn: Connection, viewer: Principal, seen: Sequence[sql.Composable]) -> list[sql.Composable]:
    """Of what the viewer sees, that which waits for other people."""
    mine = await _ways(conn, viewer)
    if not mine:
        return list(seen)
    any_of = sql.SQL(" OR ").join(sql.SQL("({})").format(way) for way in mine)
    # `IS NOT TRUE`: an action that is missing makes a condition unknown
    return [sql.SQL("{} AND ({}) IS NOT TRUE").format(way, any_of) for way in seen]


async def _ways(conn: Connection, viewer: Principal) -> list[sql.Composable]:
    if not viewer.is_person:
        return []
    own = [
        sql.SQL("audience_id = {} AND {} AND {}").format(audience, _SPOKEN, _BARRED)
        for audience in await audiences(conn, viewer.roles)
    ]
    # whoever asked may answer, too
    asked = [sql.SQL("{} = %(viewer)s AND kind = 'input'").format(sql.Identifier(by)) for by in _REQUESTERS]
    for_others = [
        sql.SQL("{} AND {}").format(way, _for(absent))
        for absent in viewer.stands_in
        for way in await stood_in(conn, absent)
    ]
    return [*own, *asked, *for_others]


_REQUESTERS = ("opener_id", "starter_id")


def _for(absent: StandIn) -> sql.Composable:
    """Neither of the two asked, nobody gave the absent one's word, and who named the stand-in suffices."""
    limits = [
        _SPOKEN,
        sql.SQL("NOT {}").format(_REQUESTED),
        sql.SQL("NOT ({} = ANY(spoken))").format(absent.id),
        sql.SQL("{} NOT IN (opener_id, coalesce(starter_id, opener_id))").format(absent.id),
    ]
    if not absent.own:
        limits.append(sql.SQL("NOT in_person"))
    return sql.SQL(" AND ").join(limits)


async def audiences(conn: Connection, roles: Collection[str], *, everything: bool = False) -> list[int]:
    """The sets of deciding roles to which one of these belongs."""
    rows = await conn.execute("SELECT id FROM audiences WHERE %s OR roles && %s", (everything, sorted(roles)))
    return [row["id"] for row in await rows.fetchall()]


async def stood_in(conn: Connection, absent: StandIn) -> list[sql.Composable]:
    """What one decides for somebody who is away."""
    covered = absences.covered(absent.scope, "holds")
    return [
        sql.SQL("audience_id = {} AND {}").format(audience, covered) for audience in await audiences(conn, absent.roles)
    ]
