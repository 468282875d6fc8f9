"""What every use case needs, and the one way in which a changed hold is written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from handrail.core import errors
from handrail.core.holds import Hold
from handrail.core.sealing import Sealer
from handrail.core.transitions import Step
from handrail.holds.notifying import INBOXES, TELLING, face, notify
from handrail.holds.places import Place, Places
from handrail.holds.policies import Policies
from handrail.holds.quotas import Quotas
from handrail.policy import Policy
from handrail.store import brakes, events, holds, messages, names, people, runs
from handrail.store.audiences import Audiences
from handrail.store.brakes import Brake
from handrail.store.database import Connection, Database


@dataclass(frozen=True, slots=True)
class Context:
    """`policies` has the policy in force; `poke` tells the feed that there is something to number, `wake` the workers
    that a run may be ready.

    `set_up` are the channels by which people can be told, and `choosing.SHARED_SLACK` where Slack is one place for all;
    `quotas` how much each principal may have. `sealer` has the key of secret answers, where this process may have it;
    `places` the worker of this process.
    """

    database: Database
    audiences: Audiences
    policies: Policies
    poke: Callable[[], None]
    set_up: frozenset[str] = INBOXES
    wake: Callable[[], None] = lambda: None
    quotas: Quotas = field(default_factory=Quotas)
    sealer: Sealer | None = None
    places: Places = field(default_factory=Places)

    def policy(self) -> Policy:
        """The policy in force, as this process knows it."""
        return self.policies.current()

    def tell(self, hold: Hold, *, taken: bool = False) -> None:
        """After the commit of a change to a hold, whose run was taken with it or waits for a worker."""
        if hold.run_id is not None and not hold.pending and not taken:
            self.wake()
        self.poke()


async def claims_trusted(conn: Connection, opener: UUID, starter: UUID | None) -> bool:
    """Whether claims count as facts: those of the one who started the run, or who opened the hold outside of one."""
    return await people.claims_are_trusted(conn, starter or opener)


async def check_brakes(conn: Connection, *stopped: UUID) -> None:
    """Refuses what an emergency brake on one of these stops; `brakes.stand_back` comes first."""
    refuse_braked(await brakes.on_for(conn, *stopped))


def refuse_braked(brake: Brake | None) -> None:
    if brake is not None:
        whom = "this agent" if brake.agent_id else "every agent"
        raise errors.Braked(
            f"the emergency brake has stopped {whom}: {brake.reason}",
            since=brake.set_at.isoformat(),
            reason=brake.reason,
        )


async def commit(
    context: Context,
    conn: Connection,
    before: Hold,
    step: Step,
    now: datetime,
    place: Place | None = None,
) -> Hold:
    """Write what a transition made of a locked hold. The run that it wakes gets this place, if it can."""
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
            if place is not None:
                await place.claim(conn, after.run_id)
        if face(after) != face(before):
            await messages.outdate(conn, after.id)
    for event in step.events:
        if event.type in TELLING:
            await notify(conn, context.policy(), context.set_up, after, event.type, now)
    return after


async def name_the_decider(conn: Connection, error: errors.AlreadyDecided) -> None:
    """Say who decided: the loser of a race wants a name, not an id."""
    decider, absent = error.data.get("decided_by"), error.data.pop("on_behalf_of", None)
    if decider is None:
        return
    found = await names.of(conn, {UUID(each) for each in (decider, absent) if each})
    who = found[UUID(decider)]
    error.data["decided_by"] = {"id": decider, "name": who.name, "kind": who.kind.value}
    error.message = f"the hold was already {error.data['outcome']} by {who.name}"
    if absent is not None:
        away = found[UUID(absent)]
        error.data["on_behalf_of"] = {"id": absent, "name": away.name, "kind": away.kind.value}
        error.message += f" for {away.name}"
