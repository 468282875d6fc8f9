"""What every use case needs, and the one way in which a hold changes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from handrail.core import authority, errors, transitions
from handrail.core.holds import Hold
from handrail.core.people import Principal
from handrail.core.sealing import Sealer
from handrail.core.transitions import Step
from handrail.holds.notifying import INBOXES, TELLING, notify
from handrail.holds.policies import Policies
from handrail.holds.quotas import Quotas
from handrail.policy import Policy
from handrail.store import brakes, events, holds, names, people, restoring, runs
from handrail.store.audiences import Audiences
from handrail.store.database import Connection, Database


@dataclass(frozen=True, slots=True)
class Context:
    """`policies` has the policy in force; `poke` tells the feed that there is something to number, `wake` the workers
    that a run may be ready.

    `set_up` are the channels by which people can be told, `quotas` how much each principal may have. `sealer` has the
    key of secret answers, where this process may have it.
    """

    database: Database
    audiences: Audiences
    policies: Policies
    poke: Callable[[], None]
    set_up: frozenset[str] = INBOXES
    wake: Callable[[], None] = lambda: None
    quotas: Quotas = field(default_factory=Quotas)
    sealer: Sealer | None = None

    def policy(self) -> Policy:
        """The policy in force, as this process knows it."""
        return self.policies.current()

    def tell(self, hold: Hold) -> None:
        """After the commit of a change to a hold."""
        if hold.run_id is not None and not hold.pending:
            self.wake()
        self.poke()


async def change(
    context: Context,
    hold_id: UUID,
    who: Principal,
    command: Callable[[Hold, datetime], Step],
    *,
    brakes_stop_it: bool = False,
    recounts: bool = False,
) -> Hold:
    """`change_within` for a command that needs nothing but the hold."""

    async def alone(conn: Connection, hold: Hold, now: datetime) -> Step:
        return command(hold, now)

    return await change_within(context, hold_id, who, alone, brakes_stop_it=brakes_stop_it, recounts=recounts)


async def change_within(
    context: Context,
    hold_id: UUID,
    who: Principal,
    command: Callable[[Connection, Hold, datetime], Awaitable[Step]],
    *,
    brakes_stop_it: bool = False,
    recounts: bool = False,
) -> Hold:
    """Run one command on the locked hold and commit state and events together.

    A hold whose time is up expires here, in the same transaction, and the command is told so. Where it `recounts`, the
    command sees approvals only of those who still have their role, none that a backup brought back, and the caller must
    still have theirs. The command may look at more than the hold, in the same transaction.
    """
    async with context.database.transaction() as conn:
        if brakes_stop_it:
            await brakes.stand_back(conn)
        locked = await holds.lock(conn, hold_id)
        if locked is None or not authority.may_see(who, locked.hold):
            raise errors.NotFound(f"there is no hold {hold_id}, or you may not see it")
        hold, now = locked
        if brakes_stop_it:
            await check_brakes(conn, hold.opener)
        if hold.due(now) == "expire":
            hold = await commit(context, conn, hold, transitions.expire(hold, now), now)
            overdue = True
        else:
            overdue = False
            if recounts and hold.pending:
                hold = await _recounted(conn, hold, who)
            try:
                hold = await commit(context, conn, hold, await command(conn, hold, now), now)
            except errors.AlreadyDecided as error:
                await name_the_decider(conn, error)
                raise
    context.tell(hold)
    if overdue:
        raise errors.AlreadyDecided(
            f"the hold ran out of time: it is {hold.status}",
            outcome=hold.status.value,
            decided_at=now.isoformat(),
            decided_by=None,
            basis="expiry",
        )
    return hold


async def _recounted(conn: Connection, hold: Hold, who: Principal) -> Hold:
    found = await people.persons(conn, {who.id, *hold.approvers})
    roles_now = {person.id: person.roles for person in found}
    if who.is_person and roles_now.get(who.id) != who.roles:
        raise errors.Conflict("your roles have just changed: read the hold again")
    restored = await restoring.last(conn)
    if restored is not None:
        hold = transitions.approved_since(hold, restored)
    return transitions.recounted(hold, roles_now)


async def claims_trusted(conn: Connection, opener: UUID, starter: UUID | None) -> bool:
    """Whether claims count as facts: those of the one who started the run, or who opened the hold outside of one."""
    return await people.claims_are_trusted(conn, starter or opener)


async def check_brakes(conn: Connection, *stopped: UUID) -> None:
    """Refuses what an emergency brake on one of these stops; `brakes.stand_back` comes first."""
    brake = await brakes.on_for(conn, *stopped)
    if brake is not None:
        whom = "this agent" if brake.agent_id else "every agent"
        raise errors.Braked(
            f"the emergency brake has stopped {whom}: {brake.reason}",
            since=brake.set_at.isoformat(),
            reason=brake.reason,
        )


async def commit(context: Context, conn: Connection, before: Hold, step: Step, now: datetime) -> Hold:
    """Write what a transition made of a locked hold."""
    after = step.hold
    if after is before:
        return after
    audience_id = await context.audiences.id_of(conn, after.assessment.requirements.roles)
    async with conn.pipeline():
        if after.revision != before.revision:
            await holds.keep_revision(conn, before, now)
        await holds.save(conn, after, audience_id)
        await events.append(conn, step.events, now, events.about(after, audience_id))
        if after.run_id is not None and before.pending and not after.pending:
            await runs.wake(conn, after.run_id)
    for event in step.events:
        if event.type in TELLING:
            await notify(conn, context.policy(), context.set_up, after, event.type, now)
    return after


async def name_the_decider(conn: Connection, error: errors.AlreadyDecided) -> None:
    """Say who decided: the loser of a race wants a name, not an id."""
    decider = error.data.get("decided_by")
    if decider is not None:
        who = (await names.of(conn, {UUID(decider)}))[UUID(decider)]
        error.data["decided_by"] = {"id": decider, "name": who.name, "kind": who.kind.value}
        error.message = f"the hold was already {error.data['outcome']} by {who.name}"
