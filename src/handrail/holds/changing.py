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
from handrail.store import brakes, clock, holds, people, restoring
from handrail.store.database import Connection
from handrail.store.holds import LockedHold

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
    async with context.database.transaction() as conn:
        hold, now = await _locked(conn, hold_id, who, rules)
        late = hold.due(now) == "expire"
        if late:
            hold = await commit(context, conn, hold, transitions.expire(hold, now), now)
        else:
            hold = await _commanded(context, conn, hold, now, who, command, rules)
    context.tell(hold)
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
    hold, now = await _locked(conn, hold_id, who, rules)
    if hold.due(now) == "expire":
        raise _out_of_time(transitions.expire(hold, now).hold, now)
    return await _commanded(context, conn, hold, now, who, command, rules)


async def _locked(conn: Connection, hold_id: UUID, who: Principal, rules: Rules) -> LockedHold:
    """In one round trip. Hold and clock are read once the locks are had, by statements of their own."""
    brake = None
    async with conn.pipeline():
        if rules.brakes_stop_it:
            await brakes.stand_back(conn)
        found = await holds.ask_locked(conn, hold_id)
        moment = await clock.ask(conn)
        if rules.brakes_stop_it:
            brake = await brakes.ask_of_hold(conn, hold_id)
    hold = await found.answer()
    if hold is None or not authority.may_see(who, hold):
        raise errors.NotFound(f"there is no hold {hold_id}, or you may not see it")
    if brake is not None:
        refuse_braked(await brake.answer())
    return LockedHold(hold, await moment.answer())


async def _commanded(
    context: Context, conn: Connection, hold: Hold, now: datetime, who: Principal, command: Command, rules: Rules
) -> Hold:
    if rules.recounts and hold.pending:
        hold = await _recounted(conn, hold, who)
    try:
        return await commit(context, conn, hold, await command(conn, hold, now), now)
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


async def _recounted(conn: Connection, hold: Hold, who: Principal) -> Hold:
    found = await people.persons(conn, {who.id, *hold.supporters})
    roles_now = {person.id: person.roles for person in found}
    if who.is_person and roles_now.get(who.id) != who.roles:
        raise errors.Conflict("your roles have just changed: read the hold again")
    restored = await restoring.last(conn)
    if restored is not None:
        hold = transitions.approved_since(hold, restored)
    return transitions.recounted(hold, roles_now)
