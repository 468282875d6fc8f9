"""Observe first: an agent's calls go through, and what people would have been asked is recorded."""

from __future__ import annotations

from typing import NamedTuple
from uuid import UUID

from handrail.core import canonical, errors, ids
from handrail.core.callers import Caller, Scope
from handrail.holds.context import Context
from handrail.holds.events import AgentEnforced, AgentObserved
from handrail.store import brakes, clock, events, observations, people
from handrail.store.observations import Observation, Passed

MOST_ACTIONS = 200


class Report(NamedTuple):
    observation: Observation
    passed: list[Passed]


async def observe(context: Context, caller: Caller, agent_id: UUID, reason: str) -> Observation:
    """From now on nobody is asked about this agent's own approvals. Those that wait already stay with people.

    Its runs are not meant: a workflow of Handrail's asks wherever it is written to ask.
    """
    caller.require(Scope.administer)
    canonical.check(reason, "reason")
    who = caller.principal
    async with context.database.transaction() as conn:
        agent = await people.steady(conn, agent_id)
        if agent is None:
            raise errors.NotFound(f"there is no principal {agent_id}")
        if agent.principal.is_person:
            raise errors.InvalidField("`agent` must be an agent or a service; people are not observed", field="agent")
        new = Observation(ids.fresh(), agent_id, reason, who.id, await clock.now(conn))
        if not await observations.begin(conn, new):
            raise errors.Conflict(f"{agent.principal.name} is already observed")
        await events.append(conn, [AgentObserved(actor=who.id, agent=agent_id, reason=reason)], new.begun_at)
    context.poke()
    return new


async def enforce(context: Context, caller: Caller, agent_id: UUID, reason: str) -> None:
    """From the moment this returns, people are asked; what went through and was not used is asked when it is."""
    caller.require(Scope.administer)
    canonical.check(reason, "reason")
    async with context.database.transaction() as conn:
        # whoever looked before this has committed
        await brakes.clear_the_way(conn)
        now = await clock.now(conn)
        if not await observations.end(conn, agent_id, caller.principal.id, now):
            raise errors.NotFound("this agent is not observed")
        ended = AgentEnforced(actor=caller.principal.id, agent=agent_id, reason=reason)
        await events.append(conn, [ended], now)
    context.poke()


async def reports(context: Context, caller: Caller) -> list[Report]:
    """Who is observed, and what went through since: for those who may read everything."""
    if not caller.principal.reads_all:
        raise errors.Forbidden("what went through unasked is for auditors and administrators")
    async with context.database.connection() as conn:
        return [
            Report(one, await observations.passed(conn, one.agent_id, one.begun_at, MOST_ACTIONS))
            for one in await observations.on(conn)
        ]
