"""Holds over HTTP: open, read, wait, review, redeem, record, withdraw, cancel, comment."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated

import structlog
from fastapi import Header, Query, Request

from handrail.api import views
from handrail.api.hold_filters import Listed
from handrail.api.identity import Decider, Opener, Reader, guarded_router, identify, rates_of
from handrail.api.parties import signed_of
from handrail.api.references import HoldInPath, resolve
from handrail.api.routes.inbox import count
from handrail.api.schemas.comments import AddComment, CommentList, CommentOut
from handrail.api.schemas.holds import (
    ActionIn,
    BulkResult,
    BulkReview,
    Cancel,
    HoldEvents,
    HoldOut,
    HoldPage,
    ItemVerdict,
    OpenHold,
    RecordResult,
    Redeem,
    RedeemOut,
    ReviewHold,
    Withdraw,
)
from handrail.api.services import Services, Use
from handrail.core import errors
from handrail.core.callers import Caller, Scope
from handrail.core.holds import Action, Hold, ItemDecision, Status, Verdict
from handrail.core.ids import PrincipalId
from handrail.feed.entries import about_hold
from handrail.holds import commenting, deciding, opening, reading, suspecting, using
from handrail.holds.deciding import Say
from handrail.holds.opening import Opening

router = guarded_router("holds")

LONGEST_WAIT_SECONDS = 60.0


@router.post("/api/holds", status_code=201, summary="Open a hold")
async def open_hold(
    body: OpenHold,
    request: Request,
    caller: Opener,
    services: Use,
    idempotency_key: Annotated[str | None, Header(min_length=1, max_length=200)] = None,
) -> HoldOut:
    """Open a hold. With an `Idempotency-Key`, the same body returns the same hold.

    With `redeem`, an approval that is there at once is used in the same transaction: `redeemed` says so. A hold that
    people must decide is only opened.
    """
    await rates_of(request).opening(caller.principal)
    asked = Opening(
        kind=body.kind,
        title=body.title,
        action=action(body.action) if body.action else None,
        description=body.description,
        case_id=body.case_id,
        task=body.task,
        items=tuple(body.items or ()),
        schema=body.schema_,
        evidence=body.evidence,
        context=body.context,
        expires_in=timedelta(seconds=body.expires_in) if body.expires_in is not None else None,
        on_expiry=body.on_expiry,
        takes_response=body.takes_response,
        recalled=True,
    )
    use = opening.Use(body.redeem.key, body.redeem.digest) if body.redeem else None
    hold = await opening.open_hold(services.context, caller.principal, asked, idempotency_key, use)
    return await shown(services, caller, hold)


@router.get("/api/holds", summary="List holds")
async def list_holds(
    caller: Reader,
    services: Use,
    filters: Listed,
    cursor: Annotated[str | None, Query(max_length=500)] = None,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
) -> HoldPage:
    """Pending holds by urgency (risk, then deadline), with counts by risk; others newest first."""
    page = await reading.page(services.context, caller.principal, filters, cursor, limit)
    people = await reading.people_of(services.context, page.holds)
    counts = None
    if filters.status is Status.pending and cursor is None:
        found = await services.counts.of(services.context, caller.principal, filters)
        counts = {level: count(n) for level, n in found.items()}
    holds = [views.hold(hold, people, caller) for hold in page.holds]
    return HoldPage(holds=holds, next=page.next, counts=counts)


@router.post("/api/holds/reviews", summary="Decide several holds with one verdict")
async def review_many(body: BulkReview, caller: Decider, services: Use) -> BulkResult:
    """The same verdict on exactly the named holds, each with the digest that was seen."""
    seen = [(await resolve(services, "H", one.id), one.digest) for one in body.holds]
    outcomes = await deciding.review_many(
        services.context, caller.principal, Verdict(body.verdict), seen, body.reason, caller.credential
    )
    return BulkResult(
        results=[
            BulkResult.One(
                id=given.id,
                ok=one.error is None,
                status=one.hold.status if one.hold else None,
                code=one.error.code if one.error else None,
                message=errors.sentence(one.error.message.replace(str(one.hold_id), given.id)) if one.error else None,
            )
            for given, one in zip(body.holds, outcomes, strict=True)
        ]
    )


@router.get("/api/holds/{hold_id:hold}", summary="Read a hold")
async def get_hold(hold_id: HoldInPath, caller: Reader, services: Use) -> HoldOut:
    """The hold as it is now."""
    return await shown(services, caller, await reading.get(services.context, caller.principal, hold_id))


@router.get("/api/holds/{hold_id:hold}/wait", summary="Wait until a hold is decided")
async def wait(
    hold_id: HoldInPath,
    request: Request,
    caller: Reader,
    services: Use,
    timeout: Annotated[float, Query(ge=0, le=LONGEST_WAIT_SECONDS, description="Seconds.")] = 30,
    comments_after: Annotated[
        int | None, Query(ge=0, lt=2**63, description="Also return at a comment with a greater id.")
    ] = None,
) -> HoldOut:
    """The hold once it is decided; or as it is after `timeout`, or at a new comment if `comments_after` is given."""

    async def look() -> tuple[Hold, bool]:
        # a role, token or account may be gone by the time that there is something to tell
        now = await identify(request)
        now.require(Scope.read)
        hold = await reading.get(services.context, now.principal, hold_id)
        asked = comments_after is not None and await commenting.any_after(services.context, hold_id, comments_after)
        return hold, asked or not hold.pending

    hold, _ = await services.feed.wait_for(about_hold(hold_id), look, lambda seen: seen[1], timeout)
    return await shown(services, caller, hold)


@router.post("/api/holds/{hold_id:hold}/reviews", summary="Approve, reject, answer, amend or respond to a hold")
async def review(hold_id: HoldInPath, body: ReviewHold, request: Request, caller: Decider, services: Use) -> HoldOut:
    """Approve, reject, answer, amend or respond to the revision with this digest."""
    say = Say(
        body.verdict,
        body.digest,
        body.reason,
        body.answer,
        item_decisions(body.items or []),
        action(body.amended_action) if body.amended_action else None,
        caller.credential,
        signed_of(request, body.passkey) if body.passkey else None,
        PrincipalId(body.on_behalf_of) if body.on_behalf_of else None,
        body.pack,
    )
    return await shown(services, caller, await deciding.review(services.context, caller.principal, hold_id, say))


@router.post("/api/holds/{hold_id:hold}/redeem", summary="Use an approval, once")
async def redeem(hold_id: HoldInPath, body: Redeem, caller: Opener, services: Use) -> RedeemOut:
    """Turn the approval into its one execution. The same key gets the same answer; another is refused."""
    hold = await using.redeem(services.context, caller.principal, hold_id, body.digest, body.key)
    assert hold.redemption is not None and hold.question.action is not None
    return RedeemOut(
        hold_id=hold.id,
        digest=hold.digest,
        revision=hold.revision,
        action=views.action(hold.question.action),
        redeemed_at=hold.redemption.at,
    )


@router.post("/api/holds/{hold_id:hold}/result", summary="Record what happened")
async def record_result(hold_id: HoldInPath, body: RecordResult, caller: Opener, services: Use) -> HoldOut:
    """Record what happened when the approved action ran."""
    hold = await using.record_result(services.context, caller.principal, hold_id, body.outcome, body.detail)
    return await shown(services, caller, hold)


@router.post("/api/holds/{hold_id:hold}/withdraw", summary="Withdraw your approval")
async def withdraw(hold_id: HoldInPath, body: Withdraw, caller: Decider, services: Use) -> HoldOut:
    """Withdraw your own approval, until it is redeemed."""
    return await shown(
        services, caller, await deciding.withdraw(services.context, caller.principal, hold_id, body.reason)
    )


@router.post("/api/holds/{hold_id:hold}/cancel", summary="Cancel your request")
async def cancel(hold_id: HoldInPath, body: Cancel, caller: Opener, services: Use) -> HoldOut:
    """Withdraw the request, as its requester."""
    return await shown(services, caller, await using.cancel(services.context, caller.principal, hold_id, body.reason))


@router.get("/api/holds/{hold_id:hold}/events", summary="List a hold's events")
async def list_events(hold_id: HoldInPath, caller: Reader, services: Use) -> HoldEvents:
    """What happened to the hold, oldest first, for everyone who may see it. Comments are listed separately."""
    events = await reading.events_of(services.context, caller.principal, hold_id)
    return HoldEvents(events=[views.event(*each) for each in events])


@router.get("/api/holds/{hold_id:hold}/comments", summary="List a hold's comments")
async def list_comments(
    hold_id: HoldInPath,
    caller: Reader,
    services: Use,
    after: Annotated[int, Query(ge=0, lt=2**63, description="Only comments with a greater id.")] = 0,
) -> CommentList:
    """The comments on a hold, oldest first."""
    said = await commenting.comments_on(services.context, caller.principal, hold_id, after)
    return CommentList(comments=[views.comment(one) for one in said])


@router.post("/api/holds/{hold_id:hold}/comments", status_code=201, summary="Comment on a hold, or ask")
async def add_comment(hold_id: HoldInPath, body: AddComment, caller: Reader, services: Use) -> CommentOut:
    """Comment or ask, before or after the decision; the other side is notified. A repeated reply counts once."""
    said = await commenting.comment(services.context, caller.principal, hold_id, body.text, body.reply_to)
    return views.comment(said)


async def shown(services: Services, caller: Caller, hold: Hold) -> HoldOut:
    of_run = {} if hold.run_id is None else {"run_id": str(hold.run_id)}
    structlog.contextvars.bind_contextvars(hold_id=str(hold.id), **of_run)
    people = await reading.people_of(services.context, [hold], caller.principal)
    found = views.hold(hold, people, caller)
    if len(hold.reviews) > 1:
        async with services.database.connection() as conn:
            found.warnings = [views.warning(one, people) for one in await suspecting.warnings(conn, hold)]
    return found


def action(sent: ActionIn) -> Action:
    return Action(sent.name, sent.args, sent.target)


def item_decisions(sent: list[ItemVerdict]) -> tuple[ItemDecision, ...]:
    return tuple(ItemDecision(item.item_id, item.approved, item.reason) for item in sent)
