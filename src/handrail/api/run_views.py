"""Domain → wire: what a caller is shown of a run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from handrail.api import views
from handrail.api.schemas.runs import BudgetOut, RunDetail, RunOut, StepOut, UsageOut
from handrail.core.callers import Caller
from handrail.core.people import NameCard
from handrail.core.runs import Run, Usage
from handrail.engine.reading import Detail, Step


def run(shown: Run, people: Mapping[UUID, NameCard], hint: str | None = None) -> RunOut:
    return RunOut(**_fields(shown, people), hint=hint)


def detail(shown: Detail, people: Mapping[UUID, NameCard], viewer: Caller) -> RunDetail:
    return RunDetail(
        **_fields(shown.run, people),
        input=shown.run.input,
        result=shown.run.result,
        steps=[_step(step) for step in shown.steps],
        holds=[views.hold(hold, people, viewer) for hold in shown.holds],
        seq=shown.seq,
        hint=shown.hint,
    )


def usage(shown: Usage) -> UsageOut:
    return UsageOut(
        steps=shown.steps,
        seconds=shown.seconds,
        tokens_in=shown.tokens_in,
        tokens_out=shown.tokens_out,
        cost=float(shown.cost),
    )


def _fields(shown: Run, people: Mapping[UUID, NameCard]) -> dict[str, Any]:
    budget = shown.budget
    return {
        "id": shown.id,
        "short_id": shown.short_id,
        "workflow": shown.workflow,
        "version": shown.version,
        "status": shown.status,
        "mode": shown.mode,
        "risk": shown.risk,
        "started_by": views.who(people[shown.starter]),
        "agent": views.who(people[shown.agent]),
        "error": shown.error,
        "budget": BudgetOut(
            steps=budget.steps, seconds=budget.seconds, cost=float(budget.cost) if budget.cost is not None else None
        ),
        "usage": usage(shown.usage),
        "created_at": shown.created_at,
        "started_at": shown.started_at,
        "ended_at": shown.ended_at,
        "active_at": shown.active_at,
    }


def _step(shown: Step) -> StepOut:
    step = shown.event
    return StepOut(
        seq=shown.seq,
        at=shown.at,
        step=step and step.step,
        node=step and step.node,
        task=step and step.task,
        namespace=step and step.namespace,
        update=step and step.update,
        truncated=bool(step and step.truncated),
    )
