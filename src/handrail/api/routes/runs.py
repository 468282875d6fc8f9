"""Runs over HTTP: start, list, read, cancel, retry; and the workflows that can be run."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated
from uuid import UUID

import structlog
from fastapi import Header, Query, Request

from handrail.api import run_views
from handrail.api.identity import Opener, Reader, guarded_router, rates_of
from handrail.api.references import RunInPath
from handrail.api.schemas.runs import (
    BudgetIn,
    CancelRun,
    RetryRun,
    RunDetail,
    RunOut,
    RunPage,
    StartRun,
    WorkflowList,
    WorkflowOut,
)
from handrail.api.services import Services, Use
from handrail.core.runs import Run, RunStatus
from handrail.engine import cancelling, reading, retrying, starting
from handrail.engine.starting import BudgetRequest, Start
from handrail.holds import reading as holds_reading
from handrail.store.run_pages import Filters

router = guarded_router("runs")

IdempotencyKey = Annotated[str | None, Header(min_length=1, max_length=200)]


@router.post("/api/runs", status_code=201, summary="Start a run")
async def start_run(
    body: StartRun, request: Request, caller: Opener, services: Use, idempotency_key: IdempotencyKey = None
) -> RunOut:
    """Start a run. With an `Idempotency-Key`, the same body returns the same run."""
    await rates_of(request).opening(caller.principal)
    asked = Start(body.workflow, body.input, body.mode, budget_of(body.budget) or BudgetRequest())
    return await shown(services, await starting.start(services.engine, caller.principal, asked, idempotency_key))


@router.get("/api/runs", summary="List runs")
async def list_runs(
    caller: Reader,
    services: Use,
    status: RunStatus | None = None,
    workflow: Annotated[str | None, Query(min_length=1, max_length=200)] = None,
    starter: Annotated[UUID | None, Query(description="The principal who started them.")] = None,
    mine: Annotated[bool, Query(description="Only runs that you started.")] = False,
    cursor: Annotated[str | None, Query(max_length=500)] = None,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
) -> RunPage:
    """Newest first."""
    filters = Filters(status, workflow, caller.principal.id if mine else starter)
    page = await reading.page(services.context, caller.principal, filters, cursor, limit)
    people = await reading.people_of(services.context, page.runs)
    return RunPage(runs=[run_views.run(run, people) for run in page.runs], next=page.next)


@router.get("/api/runs/{run_id:run}", summary="Read a run")
async def get_run(run_id: RunInPath, caller: Reader, services: Use) -> RunDetail:
    """The run with its steps, its holds and its usage."""
    found = await reading.detail(services.context, caller.principal, run_id)
    people = await reading.people_of(services.context, [found.run])
    people |= await holds_reading.people_of(services.context, found.holds)
    return run_views.detail(found, people, caller)


@router.post("/api/runs/{run_id:run}/cancel", summary="Cancel a run")
async def cancel_run(run_id: RunInPath, body: CancelRun, caller: Opener, services: Use) -> RunOut:
    """End the run. Its holds are cancelled, and its work stops within a second or two."""
    return await shown(services, await cancelling.cancel(services.context, caller.principal, run_id, body.reason))


@router.post("/api/runs/{run_id:run}/retry", summary="Resume a failed run")
async def retry_run(run_id: RunInPath, body: RetryRun, caller: Opener, services: Use) -> RunOut:
    """Resume a failed run from its last good step."""
    asked = budget_of(body.budget)
    return await shown(services, await retrying.retry(services.engine, caller.principal, run_id, asked))


@router.get("/api/workflows", summary="List workflows")
async def list_workflows(caller: Reader, services: Use) -> WorkflowList:
    """The workflows that workers serve, by name."""
    found = await reading.served(services.context)
    return WorkflowList(workflows=[WorkflowOut.model_validate(one, from_attributes=True) for one in found])


async def shown(services: Services, run: Run) -> RunOut:
    structlog.contextvars.bind_contextvars(run_id=str(run.id))
    people = await reading.people_of(services.context, [run])
    return run_views.run(run, people, await reading.hint(services.context, run))


def budget_of(budget: BudgetIn | None) -> BudgetRequest | None:
    if budget is None:
        return None
    return BudgetRequest(budget.steps, budget.seconds, Decimal(str(budget.cost)) if budget.cost is not None else None)
