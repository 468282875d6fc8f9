"""Out of office: somebody is away and names who decides for them; or an administrator does, with a reason."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import NamedTuple
from uuid import UUID

from handrail.core import canonical, errors, ids
from handrail.core.absences import Absence, End, Scope
from handrail.core.callers import Caller, scopes_of
from handrail.core.ids import PrincipalId
from handrail.core.people import Principal
from handrail.people.events import AbsenceEnded, AbsenceSet
from handrail.store import absences, clock, events, people
from handrail.store.database import Connection, Database

LONGEST = timedelta(days=366)
# that concern one person at a time: there may be several stand-ins, each with a scope
MOST = 50
MOST_LISTED = 500


@dataclass(frozen=True, slots=True)
class Plan:
    """Without `person` it is the caller's own absence; without `starts_at` it begins now."""

    stand_in: UUID
    ends_at: datetime
    starts_at: datetime | None = None
    person: UUID | None = None
    scope: Scope = field(default_factory=Scope)
    reason: str | None = None


class Listed(NamedTuple):
    """`suspended`: the stand-in is away as well, so nobody decides for the person."""

    absence: Absence
    in_force: bool
    suspended: bool


async def identified(database: Database, caller: Caller) -> Caller:
    """The caller with those for whom they stand in now. Services and agents stand in for nobody."""
    if not caller.principal.is_person:
        return caller
    async with database.connection() as conn:
        found = await absences.stood_in_for(conn, caller.principal.id)
    return replace(caller, principal=replace(caller.principal, stands_in=found)) if found else caller


async def set_(database: Database, caller: Caller, plan: Plan) -> Absence:
    """`Conflict` where the stand-in is away within that time: so nobody stands in for one who stands in for them."""
    canonical.check(plan.reason, "reason")
    person = _whose(caller, plan)
    async with database.transaction() as conn:
        await absences.clear_the_way(conn)
        now = await clock.now(conn)
        starts_at = max(plan.starts_at or now, now)
        _check_time(starts_at, plan.ends_at, now)
        away, stand_in = await _active(conn, person, "person"), await _active(conn, plan.stand_in, "stand_in")
        await _check_pair(conn, caller, away, stand_in)
        if await absences.away_within(conn, stand_in.id, starts_at, plan.ends_at):
            raise errors.Conflict(f"{stand_in.name} is away within that time. Choose somebody else, or another time.")
        new = Absence(
            ids.fresh(),
            away.id,
            stand_in.id,
            starts_at,
            plan.ends_at,
            plan.scope,
            caller.principal.id,
            now,
            plan.reason,
        )
        await absences.insert(conn, new)
        await events.append(conn, [_set(new)], now)
    return new


async def end(database: Database, caller: Caller, absence_id: UUID, reason: str | None = None) -> Absence:
    """By who is away, who stands in, or an administrator. When this returns, nobody decides by it any more."""
    canonical.check(reason, "reason")
    _check_full_scopes(caller)
    who = caller.principal
    async with database.transaction() as conn:
        await absences.clear_the_way(conn)
        now = await clock.now(conn)
        found = await absences.get(conn, absence_id)
        if found is None or not (caller.administers or who.id in (found.person, found.stand_in)):
            raise errors.NotFound(f"There is no absence {absence_id}, or it is not yours.")
        if not await absences.end(conn, absence_id, who.id, now):
            raise errors.Conflict("This absence has already ended.")
        causes: dict[UUID, End] = {found.stand_in: "declined", found.person: "returned"}
        await events.append(conn, [ended(found, causes.get(who.id, "administrator"), who.id, reason)], now)
    return replace(found, ended_at=now, ended_by=who.id)


async def current(database: Database, caller: Caller, *, everybody: bool = False) -> Sequence[Listed]:
    """Your own, those in which you stand in; or everybody's, for those who may read everything."""
    if not caller.principal.is_person or (everybody and not caller.principal.reads_all):
        raise errors.Forbidden("Everybody's absences are for auditors and administrators.")
    async with database.connection() as conn:
        now = await clock.now(conn)
        found = await absences.current(conn, now, None if everybody else caller.principal.id, MOST_LISTED)
        away = {one.stand_in for one in found if await absences.away_within(conn, one.stand_in, now, now)}
    return [Listed(one, one.in_force(now), one.in_force(now) and one.stand_in in away) for one in found]


def ended(one: Absence, cause: End, by: PrincipalId | None, reason: str | None = None) -> AbsenceEnded:
    return AbsenceEnded(actor=by, id=one.id, person=one.person, stand_in=one.stand_in, cause=cause, reason=reason)


def _set(new: Absence) -> AbsenceSet:
    return AbsenceSet(
        actor=new.set_by,
        id=new.id,
        person=new.person,
        stand_in=new.stand_in,
        starts_at=new.starts_at.isoformat(),
        ends_at=new.ends_at.isoformat(),
        levels=tuple(sorted(new.scope.levels)),
        actions=new.scope.actions,
        cases=new.scope.cases,
        reason=new.reason,
    )


def _whose(caller: Caller, plan: Plan) -> UUID:
    """Whose absence the caller may set: their own with a credential of their own, or anybody's as an administrator."""
    _check_full_scopes(caller)
    if plan.person is None or plan.person == caller.principal.id:
        if caller.credential is None or not caller.credential.origin.own:
            raise errors.CredentialNotOwn
        return caller.principal.id
    if not caller.administers:
        raise errors.Forbidden("Only an administrator can set somebody else's absence.")
    if not (plan.reason and plan.reason.strip()):
        raise errors.MissingField("`reason` is needed to set somebody else's absence", field="reason")
    return plan.person


def _check_full_scopes(caller: Caller) -> None:
    """Whoever stands in gets the person's whole say, so a token that can do less must not name them."""
    if not caller.principal.is_person or caller.credential is None:
        raise errors.Forbidden("Only people are away; services and agents decide nothing.")
    if caller.scopes != scopes_of(caller.principal.kind, caller.principal.roles):
        raise errors.ScopeMissing("A token with limited scopes cannot set or end absences.")


def _check_time(starts_at: datetime, ends_at: datetime, now: datetime) -> None:
    if ends_at <= starts_at:
        raise errors.InvalidField("`until` must be later than now and than `from`", field="until")
    if starts_at - now > LONGEST or ends_at - starts_at > LONGEST:
        raise errors.InvalidField(f"`until` must be within {LONGEST.days} days", field="until")


async def _check_pair(conn: Connection, caller: Caller, away: Principal, stand_in: Principal) -> None:
    if away.id == stand_in.id:
        raise errors.InvalidField("`stand_in` must be somebody else", field="stand_in")
    if away.id != caller.principal.id and stand_in.id == caller.principal.id:
        raise errors.Forbidden(f"You cannot name yourself: {away.name} or another administrator must.")
    if len(await absences.current(conn, await clock.now(conn), away.id, MOST)) >= MOST:
        raise errors.Conflict(f"{away.name} has {MOST} absences and duties already. End one first.")


async def _active(conn: Connection, principal_id: UUID, field: str) -> Principal:
    # without a lock: whoever deactivates somebody also waits for the one that is had here, and ends this then
    account = await people.get(conn, principal_id)
    if account is None:
        raise errors.NotFound(f"There is no principal {principal_id}.")
    who = account.principal
    if not who.is_person or not who.active:
        raise errors.InvalidField(f"`{field}` must be an active person; {who.name!r} is not", field=field)
    return who
