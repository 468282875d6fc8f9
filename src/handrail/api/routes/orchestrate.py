"""Risk-gated workflows over HTTP: submit a task, see what waits, approve, reject, ask how it stands."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from fastapi import Query, Request

from handrail.api import views
from handrail.api.identity import Decider, Opener, Reader, guarded_router, rates_of
from handrail.api.references import RunInPath
from handrail.api.routes.runs import IdempotencyKey
from handrail.api.schemas.orchestrate import (
    ApprovalOut,
    ApproveWorkflow,
    Orchestrate,
    PendingWorkflow,
    PendingWorkflows,
    RejectWorkflow,
    WorkflowStatus,
)
from handrail.api.services import Services, Use
from handrail.core import authority
from handrail.core.callers import Caller
from handrail.core.canonical import JsonObject
from handrail.core.holds import Hold, Status, Verdict
from handrail.engine import orchestrating, starting, tasks
from handrail.engine.orchestrating import Standing
from handrail.engine.starting import Start
from handrail.feed.entries import about_run
from handrail.holds import reading
from handrail.holds.context import claims_trusted
from handrail.holds.deciding import Say
from handrail.policy import RECORD
from handrail.store.pages import Filters

router = guarded_router("workflows")

# the answer tells of the hold where a worker is that quick; without one it is there all the same
PATIENCE_SECONDS = 0.25


@router.post("/orchestrate", status_code=202)
async def orchestrate(
    body: Orchestrate, request: Request, caller: Opener, services: Use, idempotency_key: IdempotencyKey = None
) -> WorkflowStatus:
    """Submit a task. A low one is carried out; any other waits for the approvers that the policy requires."""
    await rates_of(request).opening(caller.principal)
    facts: JsonObject = body.model_dump(
        mode="json", exclude={"description", "executor", "payload"}, exclude_none=True, exclude_unset=True
    )
    given = tasks.input_of(facts, body.description, body.executor, body.payload)
    most = services.settings.run_budget
    asked = Start(tasks.WORKFLOW, given, operation="orchestrate")
    run = await starting.start(services.context, most, caller.principal, asked, idempotency_key)
    found = await services.feed.wait_for(
        about_run(run.id),
        lambda: orchestrating.standing(services.context, caller.principal, run.id),
        lambda seen: seen.settled,
        PATIENCE_SECONDS,
    )
    shown = await _shown(services, found)
    if shown.rules:
        return shown
    async with services.database.connection() as conn:
        trusted = await claims_trusted(conn, caller.principal.id, None)
    action = tasks.action_of(facts, body.executor or RECORD, body.payload)
    assessment = tasks.assessed(services.context.policy(), action, trusted=trusted)
    return shown.model_copy(update={"rules": views.rules(assessment)})


@router.get("/workflows/pending")
async def pending(
    caller: Reader,
    services: Use,
    cursor: Annotated[str | None, Query(max_length=500)] = None,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
) -> PendingWorkflows:
    """Workflows that wait for a decision and that the caller may see, most urgent first."""
    page = await reading.page(services.context, caller.principal, Filters(of_runs=True), cursor, limit)
    found = [_waiting(hold, caller) for hold in page.holds]
    return PendingWorkflows(workflows=found, count=len(found), next=page.next)


@router.post("/workflows/{run_id:run}/approve")
async def approve(run_id: RunInPath, body: ApproveWorkflow, caller: Decider, services: Use) -> WorkflowStatus:
    """Approve what the workflow waits for; the caller is the approver."""
    say = Say(Verdict.approve, body.digest, body.justification, credential=caller.credential)
    return await _decided(services, caller, run_id, say)


@router.post("/workflows/{run_id:run}/reject")
async def reject(run_id: RunInPath, body: RejectWorkflow, caller: Decider, services: Use) -> WorkflowStatus:
    """Reject it: the task is not carried out."""
    say = Say(Verdict.reject, body.digest, body.reason, credential=caller.credential)
    return await _decided(services, caller, run_id, say)


@router.get("/workflows/{run_id:run}/status")
async def status(run_id: RunInPath, caller: Reader, services: Use) -> WorkflowStatus:
    """The status of a workflow, for its starter and for people who may decide its holds."""
    return await _shown(services, await orchestrating.standing(services.context, caller.principal, run_id))


async def _decided(services: Services, caller: Caller, run_id: UUID, say: Say) -> WorkflowStatus:
    """The status is what the say has come to, not how far a worker is with it by now."""
    found, hold = await orchestrating.decide(services.context, caller.principal, run_id, say)
    shown = await _shown(services, found, hold)
    return shown.model_copy(update={"status": tasks.status_after(hold)})


async def _shown(services: Services, found: Standing, hold: Hold | None = None) -> WorkflowStatus:
    """With the hold that is given; else the one that waits, or was decided last."""
    run = found.run
    hold = hold or (found.pending or found.holds[-1:] or [None])[0]
    people = await reading.people_of(services.context, [hold] if hold else [])
    approved = [said for said in hold.reviews if said.verdict is Verdict.approve] if hold else []
    decision = hold.decision if hold else None
    no = decision if decision and decision.outcome is not Status.approved else None
    error = run.error or {}
    message = error.get("message")
    return WorkflowStatus(
        workflow_id=run.id,
        short_id=run.short_id,
        status=found.status,
        risk_level=hold.assessment.level if hold else run.risk,
        rules=views.rules(hold.assessment) if hold else [],
        workflow=run.workflow,
        description=tasks.description_of(run),
        hold_id=hold.id if hold else None,
        hold_short_id=hold.short_id if hold else None,
        approved_by=[ApprovalOut(by=people[said.by].name, at=said.at, justification=said.reason) for said in approved],
        rejected_by=people[no.by].name if no and no.by else None,
        reason=no.reason if no else message if isinstance(message, str) else None,
        result=run.result,
        submitted_at=run.created_at,
        ended_at=run.ended_at,
    )


def _waiting(hold: Hold, caller: Caller) -> PendingWorkflow:
    needed = hold.assessment.requirements
    assert hold.run_id is not None and hold.run_short_id is not None, "only holds of runs are listed"
    return PendingWorkflow(
        workflow_id=hold.run_id,
        short_id=hold.run_short_id,
        status="escalated" if hold.escalated_at else "pending_approval",
        risk_level=hold.assessment.level,
        hold_id=hold.id,
        hold_short_id=hold.short_id,
        digest=hold.digest,
        kind=hold.question.kind,
        title=hold.question.title,
        required_roles=sorted(needed.roles),
        approvals=len(hold.approvers),
        approvals_needed=max(needed.approvals, len(needed.required)),
        requested_at=hold.opened_at,
        expires_at=hold.expires_at,
        may_decide=authority.refusal(caller.principal, hold) is None,
    )
