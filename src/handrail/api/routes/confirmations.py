"""Confirmations by case: the routes that pipelines were written against."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from fastapi import Path, Query
from fastapi.responses import JSONResponse

from handrail.api import problems
from handrail.api.identity import Decider, Reader, guarded_router
from handrail.api.references import BatchInPath, RequestInPath
from handrail.api.routes.holds import item_decisions
from handrail.api.schemas.confirmations import (
    BatchResolved,
    ConfirmationOut,
    ConfirmationResolved,
    Confirmations,
    ResolveBatch,
    ResolveConfirmation,
)
from handrail.api.services import Services, Use
from handrail.core import cases, errors
from handrail.core.callers import Caller
from handrail.core.canonical import JsonObject
from handrail.core.holds import Hold, Kind, Verdict
from handrail.holds import deciding, reading
from handrail.holds.deciding import Say
from handrail.store.pages import Filters

router = guarded_router("confirmations")

Case = Annotated[str, Path(min_length=1, max_length=cases.LONGEST)]
# a case's name may have slashes, as they are or as %2F
CASE = "/api/cases/{case_id:path}"
MOST = 1000


@router.get(CASE + "/confirmations/pending", summary="List the pending confirmations of a case")
async def pending(
    case_id: Case,
    caller: Reader,
    services: Use,
    cursor: Annotated[str | None, Query(max_length=500)] = None,
    limit: Annotated[int, Query(ge=1, le=MOST)] = MOST,
) -> Confirmations:
    """Pending confirmations of this case, oldest first; a batch includes its items."""
    filters = Filters(kind=Kind.confirmation, case_id=case_id, oldest=True)
    page, count = await reading.counted(services.context, caller.principal, filters, cursor, limit)
    return Confirmations(confirmations=[confirmation(hold) for hold in page.holds], count=count, next=page.next)


@router.post(CASE + "/confirmations/batch/{batch_id:hold}", response_model=BatchResolved, summary="Decide a batch")
async def resolve_batch(
    case_id: Case, batch_id: BatchInPath, body: ResolveBatch, caller: Decider, services: Use
) -> BatchResolved | JSONResponse:
    """A decision for every item, in one request."""
    say = Say(Verdict.answer, body.digest, items=item_decisions(body.decisions), credential=caller.credential)
    try:
        hold = await _resolve(services, caller, case_id, batch_id, say)
    except errors.AlreadyDecided as error:
        return problems.response(error, status=404)
    assert hold.decision is not None
    approved = sum(item.approved for item in hold.decision.items)
    return BatchResolved(approved=approved, rejected=len(hold.decision.items) - approved)


@router.post(
    CASE + "/confirmations/{request_id:hold}", response_model=ConfirmationResolved, summary="Answer a confirmation"
)
async def resolve(
    case_id: Case, request_id: RequestInPath, body: ResolveConfirmation, caller: Decider, services: Use
) -> ConfirmationResolved | JSONResponse:
    """Answer a confirmation. The first answer wins; a second one is refused and learns who was first."""
    verdict = Verdict.approve if body.approved else Verdict.reject
    say = Say(verdict, body.digest, body.reason, credential=caller.credential)
    try:
        await _resolve(services, caller, case_id, request_id, say)
    except errors.AlreadyDecided as error:
        return problems.response(error, status=404)
    return ConfirmationResolved(approved=body.approved)


async def _resolve(services: Services, caller: Caller, case_id: str, hold_id: UUID, say: Say) -> Hold:
    hold = await reading.get(services.context, caller.principal, hold_id)
    if hold.case_id != case_id or hold.question.kind is not Kind.confirmation:
        raise errors.NotFound(f"case {case_id!r} has no confirmation {hold_id}")
    return await deciding.review(services.context, caller.principal, hold_id, say)


def confirmation(hold: Hold) -> ConfirmationOut:
    shown = _shown(hold)
    affected = shown.get("affected_items", [])
    return ConfirmationOut(
        request_id=hold.id,
        short_id=hold.short_id,
        case_id=hold.case_id or "",
        agent_type=str(shown.get("agent_type", "")),
        action_description=hold.question.title,
        affected_items=affected if isinstance(affected, list) else [affected],
        context=hold.context,
        created_at=hold.opened_at,
        items=list(hold.question.items) or None,
        digest=hold.digest,
    )


def _shown(hold: Hold) -> JsonObject:
    """Agent type and affected items are evidence; of a confirmation that carries an action, they are that."""
    action, evidence = hold.question.action, hold.question.evidence
    if action is not None:
        return {"agent_type": action.name, "affected_items": action.args.get("affected_items", [])}
    return evidence if isinstance(evidence, dict) else {}
