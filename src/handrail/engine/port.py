"""What the code of a graph gets from its run: effects, results of holds, assessments; all under the run's fence."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from hashlib import sha256
from typing import Any
from uuid import UUID

from handrail.core import errors, holds
from handrail.core.events import Event
from handrail.core.holds import Kind
from handrail.core.people import Principal, PrincipalKind
from handrail.core.run_events import EffectCompleted, EffectReserved, EffectUnknown
from handrail.core.runs import Run
from handrail.engine.kinds import Kind as WorkflowKind
from handrail.holds import using
from handrail.holds.context import Context, check_brakes, claims_trusted
from handrail.policy import assess, registered_executor
from handrail.settings import Settings
from handrail.store import brakes, claims, effects, events
from handrail.store.claims import Claim
from handrail_sdk.holds import Action, ResultOutcome
from handrail_sdk.langgraph.port import Done, MayHaveHappened, Reservation, ReservedEffect, current


def here() -> Port:
    """Of the run that is at work, for workflows of ours."""
    found = current.get()
    assert isinstance(found, Port), "the workflow runs in a worker of Handrail"
    return found


class Port:
    """A `RunPort` of the SDK; `context`, `run`, `settings` and `say` are for workflows of ours."""

    def __init__(
        self,
        context: Context,
        run: Run,
        kind: WorkflowKind,
        settings: Settings,
        say: Callable[[Event], None],
    ) -> None:
        self.loop = asyncio.get_running_loop()
        self.run_id = str(run.id)
        self.context = context
        self.run = run
        self.settings = settings
        self.say = say
        self._kind = kind
        self._agent = Principal(run.agent, f"workflow/{run.workflow}", PrincipalKind.agent)

    async def reserve(self, name: str, digest: str, *, task: str, call: int) -> Reservation:
        key = sha256(f"{self.run_id}|{task}|{call}".encode()).hexdigest()[:32]
        async with claims.fenced(self.context.database, Claim.of(self.run)) as conn:
            await brakes.stand_back(conn)
            await check_brakes(conn, self.run.agent, self.run.starter)
            found = await effects.reserve(conn, self.run.id, task, call, name, digest, key)
            done = found.completed and found.digest == digest
            if not done:
                kind = EffectReserved if found.fresh else EffectUnknown
                since = found.reserved_at.isoformat()
                said = kind(actor=self.run.agent, name=found.name, key=key, since=since)
                await events.append(conn, [said], None, events.of_run(self.run))
        if done:
            return Done(found.result)
        self.context.poke()
        return ReservedEffect(key) if found.fresh else MayHaveHappened(found.key, found.name, found.reserved_at)

    async def complete(self, task: str, call: int, result: Any) -> None:
        async with claims.fenced(self.context.database, Claim.of(self.run)) as conn:
            name = await effects.complete(conn, self.run.id, task, call, result)
            if name is not None:
                done = EffectCompleted(actor=self.run.agent, name=name)
                await events.append(conn, [done], None, events.of_run(self.run))
        self.context.poke()

    async def release(self, task: str, call: int) -> None:
        async with claims.fenced(self.context.database, Claim.of(self.run)) as conn:
            await effects.release(conn, self.run.id, task, call)

    async def record_result(self, hold_id: str, outcome: ResultOutcome, detail: Any) -> None:
        try:
            await using.record_result(self.context, self._agent, UUID(hold_id), outcome, detail)
        except errors.ResultRecorded:
            return

    async def check_executor(self, action: Action) -> None:
        """By the policy in force now: it may have changed since the task was submitted, or approved."""
        async with self.context.database.connection() as conn:
            policy = await self.context.policies.in_force(conn)
        registered_executor(policy, holds.Action(action.name, dict(action.args), action.target))

    async def assess(self, action: Action, task: dict[str, Any] | None) -> dict[str, Any]:
        async with self.context.database.connection() as conn:
            policy = await self.context.policies.in_force(conn)
            trusted = await claims_trusted(conn, self.run.agent, self.run.starter)
        found = assess(
            policy,
            kind=Kind.approval,
            action=holds.Action(action.name, dict(action.args), action.target),
            claims=task,
            trusted=trusted,
            origin=self._kind.origin(action.name),
        )
        rules = [{"rule": rule.rule, "level": rule.level.value, "reason": rule.reason} for rule in found.rules]
        return {"risk": found.level.value, "rules": rules, "auto_approve": found.auto_approve}
