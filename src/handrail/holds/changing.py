"""The one way in which a command changes a hold: locked, in one transaction, which may be the caller's."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from handrail.core import authority, errors, transitions
from handrail.core.holds import Hold
from handrail.core.people import Principal
from handrail.core.transitions import Step
from handrail.holds.context import Context, commit, name_the_decider, refuse_braked
from handrail.holds.places import Place
from handrail.store import brakes, holds, people
from handrail.store.database import Connection
from handrail.store.holds import Locked

# what is done with a locked hold, at a moment, in a transaction
Command = Callable[[Connection, Hold, datetime], Awaitable[Step]]


@dataclass(frozen=True, slots=True)
class Rules:
    """`brakes_stop_it`: an emergency brake refuses the command. `recounts`: it sees approvals only of those who still
    have their role, none that a backup brought back, and the caller must still have theirs."""

    brakes_stop_it: bool = False
    recounts: bool = False


def alone(command: Callable[[Hold, datetime], Step]) -> Command:
    """Of a command that needs nothing but the hold."""

    async def run(_conn: Connection, hold: Hold, now: datetime) -> Step:
        return command(hold, now)

    return run


async def change(context: Context, hold_id: UUID, who: Principal, command: Command, rules: Rules = Rules()) -> Hold:
    """Run one command on the locked hold and commit state and events together. The command may look at more than the
    hold, in the same transaction. A hold whose time is up expires here, and the caller is told so."""
    with context.places.place() as place:
        async with context.database.transaction() as conn:
            found = await _locked(conn, hold_id, who, rules)
            hold, now = found.hold, found.now
            late = hold.due(now) == "expire"
            if late:
                hold = await commit(context, conn, hold, transitions.expire(hold, now), now)
            else:
                # who claims a run has stood back from brakes
                wanted = place if rules.brakes_stop_it else None
                hold = await _commanded(context, conn, found, who, command, rules, wanted)
                await place.take(hold, who)
    context.tell(hold, taken=place.taken is not None)
    if late:
        raise _out_of_time(hold, now)
    return hold


async def change_within(
    context: Context, conn: Connection, hold_id: UUID, who: Principal, command: Command, rules: Rules
) -> Hold:
    """The same in the caller's transaction: it counts where that commits. `context.tell(hold)` comes after it.

    It comes before the caller locks a run: whoever decides locks the hold first. A hold whose time is up is refused,
    and left to the sweep.
    """
    found = await _locked(conn, hold_id, who, rules)
    if found.hold.due(found.now) == "expire":
        raise _out_of_time(transitions.expire(found.hold, found.now).hold, found.now)
    return await _commanded(context, conn, found, who, command, rules)


async def _locked(conn: Connection, hold_id: UUID, who: Principal, rules: Rules) -> Locked:
    found = await holds.lock_for(conn, hold_id, who.id, brakes_stop_it=rules.brakes_stop_it)
    if found is None or not authority.may_see(who, found.hold):
        raise errors.NotFound(f"there is no hold {hold_id}, or you may not see it")
    if found.brake_id is not None:
        refuse_braked(await brakes.get(conn, found.brake_id))
    return found


async def _commanded(
    context: Context,
    conn: Connection,
    found: Locked,
    who: Principal,
    command: Command,
    rules: Rules,
    place: Place | None = None,
) -> Hold:
    hold, now = found.hold, found.now
    if rules.recounts and hold.pending:
        hold = await _recounted(conn, found, who)
    try:
        return await commit(context, conn, hold, await command(conn, hold, now), now, place)
    except errors.AlreadyDecided as error:
        await name_the_decider(conn, error)
        raise


def _out_of_time(expired: Hold, now: datetime) -> errors.AlreadyDecided:
    return errors.AlreadyDecided(
        f"the hold ran out of time: it is {expired.status}",
        outcome=expired.status.value,
        decided_at=now.isoformat(),
        decided_by=None,
        basis="expiry",
    )


async def _recounted(conn: Connection, found: Locked, who: Principal) -> Hold:
    if who.is_person and found.roles != who.roles:
        raise errors.Conflict("your roles have just changed: read the hold again")
    hold = found.hold
    if not hold.supporters:
        return hold
    if found.restored_at is not None:
        hold = transitions.approved_since(hold, found.restored_at)
    supporters = await people.persons(conn, hold.supporters)
    return transitions.recounted(hold, {person.id: person.roles for person in supporters})
