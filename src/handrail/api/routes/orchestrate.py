"""Risk-gated workflows over HTTP: submit a task, see what waits, approve, reject, ask how it stands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated
from uuid import UUID

from fastapi import Query, Request

from handrail.api import views
from handrail.api.identity import Decider, Opener, Reader, guarded_router, rates_of
from handrail.api.references import RunInPath
from handrail.api.routes.runs import IdempotencyKey
from handrail.api.schemas.orchestrate import (
    ApprovalOut,
    Approved,
    ApproveWorkflow,
    Orchestrate,
    PendingWorkflow,
    PendingWorkflows,
    Rejected,
    RejectWorkflow,
    Submitted,
    WorkflowDetail,
    WorkflowEvent,
    WorkflowState,
    WorkflowStatus,
)
from handrail.api.services import Services, Use
from handrail.core import authority
from handrail.core.callers import Caller
from handrail.core.canonical import JsonObject
from handrail.core.holds import Hold, Status, Verdict
from handrail.core.people import NameCard
from handrail.engine import starting
from handrail.engine.starting import Start
from handrail.feed.entries import about_run
from handrail.holds import reading
from handrail.holds.context import claims_trusted
from handrail.holds.deciding import Say
from handrail.policy import RECORD
from handrail.store.pages import Filters
from handrail.tasks import orchestrating, tasks
from handrail.tasks.orchestrating import Standing

router = guarded_router("workflows")

# the answer tells of the hold where a worker is that quick; without one it is there all the same
PATIENCE_SECONDS = 0.25
MOST = 200


@router.post("/orchestrate", status_code=202, summary="Submit a task")
async def orchestrate(
    body: Orchestrate, request: Request, caller: Opener, services: Use, idempotency_key: IdempotencyKey = None
) -> Submitted:
    """Submit a task. A low one is carried out; any other waits for the approvers that the policy requires."""
    await rates_of(request).opening(caller.principal)
    facts: JsonObject = body.model_dump(
        mode="json", exclude={"description", "executor", "payload"}, exclude_none=True, exclude_unset=True
    )
    if not body.approvers:
        facts.pop("approvers", None)
    given = tasks.input_of(facts, body.description, body.executor, body.payload)
    asked = Start(tasks.WORKFLOW, given, operation="orchestrate")
    run = await starting.start(services.engine, caller.principal, asked, idempotency_key)
    found = await services.feed.wait_for(
        about_run(run.id),
        lambda: orchestrating.standing(services.context, caller.principal, run.id),
        lambda seen: seen.settled,
        PATIENCE_SECONDS,
    )
    shown = Submitted.model_validate(await _shown(services, found), from_attributes=True)
    if shown.rules:
        return shown
    async with services.database.connection() as conn:
        trusted = await claims_trusted(conn, caller.principal.id, None)
    action = tasks.action_of(facts, body.executor or RECORD, body.payload)
    assessment = tasks.assessed(services.context.policy(), action, trusted=trusted)
    return shown.model_copy(update={"rules": views.rules(assessment)})


@router.get("/workflows/pending", summary="List workflows that wait for a decision")
async def pending(
    caller: Reader,
    services: Use,
    cursor: Annotated[str | None, Query(max_length=500)] = None,
    limit: Annotated[int, Query(ge=1, le=MOST)] = MOST,
) -> PendingWorkflows:
    """Workflows that wait for a decision and that the caller may see, most urgent first."""
    filters = Filters(of_runs=True)
    page = await reading.page(services.context, caller.principal, filters, cursor, limit)
    people = await reading.people_of(services.context, page.holds)
    counts = await reading.counted_by_level(services.context, caller.principal, filters)
    found = [_waiting(hold, people, caller) for hold in page.holds]
    return PendingWorkflows(workflows=found, count=sum(counts.values()), next=page.next)


@router.post("/workflows/{run_id:run}/approve", summary="Approve what a workflow asks")
async def approve(run_id: RunInPath, caller: Decider, services: Use, body: ApproveWorkflow | None = None) -> Approved:
    """Approve the hold that the workflow is waiting for, as yourself; the body may be missing."""
    asked = body or ApproveWorkflow()
    say = Say(Verdict.approve, asked.digest, asked.justification, credential=caller.credential)
    hold = await orchestrating.decide(services.context, caller.principal, run_id, say)
    return Approved(
        workflow_id=run_id,
        status=tasks.status_after(hold),
        approved_by=caller.principal.name,
        hold_id=hold.id,
        approvals=len(hold.approvers),
        approvals_needed=_needed(hold),
    )


@router.post("/workflows/{run_id:run}/reject", summary="Reject what a workflow asks")
async def reject(run_id: RunInPath, caller: Decider, services: Use, body: RejectWorkflow | None = None) -> Rejected:
    """Reject it: the task is not carried out. The body may be missing."""
    asked = body or RejectWorkflow()
    say = Say(Verdict.reject, asked.digest, asked.reason, credential=caller.credential)
    hold = await orchestrating.decide(services.context, caller.principal, run_id, say)
    return Rejected(
        workflow_id=run_id, status=tasks.status_after(hold), rejected_by=caller.principal.name, hold_id=hold.id
    )


@router.get("/workflows/{run_id:run}/status", summary="Read the status of a workflow")
async def status(run_id: RunInPath, caller: Reader, services: Use) -> WorkflowStatus:
    """How it stands, and its history. For the submitter, and for people who may decide its holds."""
    found = await orchestrating.standing(services.context, caller.principal, run_id)
    shown = await _shown(services, found)
    happened = await orchestrating.history(services.context, found)
    history = [WorkflowEvent.model_validate(one, from_attributes=True) for one in happened]
    return WorkflowStatus(workflow=WorkflowDetail(**dict(shown), history=history))


async def _shown(services: Services, found: Standing) -> WorkflowState:
    """With the hold that is pending, or was decided last."""
    run = found.run
    hold = (found.pending or found.holds[-1:] or [None])[0]
    people = await reading.people_of(services.context, [hold] if hold else [])
    approved = [said for said in hold.reviews if said.verdict is Verdict.approve] if hold else []
    decision = hold.decision if hold else None
    no = decision if decision and decision.outcome is not Status.approved else None
    error = run.error or {}
    message = error.get("message")
    return WorkflowState(
        workflow_id=run.id,
        short_id=run.short_id,
        status=found.status,
        risk_level=hold.assessment.level if hold else run.risk,
        rules=views.rules(hold.assessment) if hold else [],
        workflow=run.workflow,
        task_id=tasks.task_id_of(run),
        description=tasks.description_of(run),
        metadata=tasks.metadata_of(run),
        hold_id=hold.id if hold else None,
        hold_short_id=hold.short_id if hold else None,
        approved_by=[ApprovalOut(by=people[said.by].name, at=said.at, justification=said.reason) for said in approved],
        rejected_by=people[no.by].name if no and no.by else None,
        reason=no.reason if no else message if isinstance(message, str) else None,
        result=run.result,
        submitted_at=run.created_at,
        ended_at=run.ended_at,
    )


def _waiting(hold: Hold, people: Mapping[UUID, NameCard], caller: Caller) -> PendingWorkflow:
    assert hold.run_id is not None and hold.run_short_id is not None, "only holds of runs are listed"
    action = hold.question.action
    return PendingWorkflow(
        workflow_id=hold.run_id,
        short_id=hold.run_short_id,
        task_id=(action and tasks.own_id(action.args)) or str(hold.run_id),
        hold_id=hold.id,
        hold_short_id=hold.short_id,
        status="escalated" if hold.escalated_at else "pending_approval",
        risk_level=hold.assessment.level,
        description=hold.description or hold.question.title,
        requested_by=people[hold.starter or hold.opener].name,
        requested_at=hold.opened_at,
        approvers=sorted(hold.assessment.requirements.roles),
        approvals=len(hold.approvers),
        approvals_needed=_needed(hold),
        digest=hold.digest,
        kind=hold.question.kind,
        title=hold.question.title,
        expires_at=hold.expires_at,
        may_decide=authority.decides(caller.principal, hold),
    )


def _needed(hold: Hold) -> int:
    needed = hold.assessment.requirements
    return max(needed.approvals, len(needed.required))
