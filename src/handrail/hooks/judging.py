"""Decide a tool call: open its hold, use the approval once, and record how the call ended."""

from __future__ import annotations

from dataclasses import replace
from uuid import UUID

from handrail.core import errors
from handrail.core.holds import Hold, Kind, Status
from handrail.core.people import Principal
from handrail.holds import reading, using
from handrail.holds.context import Context
from handrail.holds.opening import OPERATION, Opening, Use, attach, open_hold
from handrail.hooks import showing
from handrail.hooks.answers import Allowed, Denied, Outcome, Waiting
from handrail.hooks.calls import ToolCall
from handrail.store import hooks

MOST_REFUSALS = 3
"""So often people are asked the same in one session; after that a no stays a no."""
_OPEN = (Status.pending, Status.approved)


async def ask(context: Context, who: Principal, call: ToolCall, attempt: str) -> Hold | Allowed | Denied:
    """Whether the call may run, where nobody has to be asked; else its hold: a new one; the one that was opened for it
    before; or that of the same call earlier in the session, if nobody has decided it or its approval was not used.

    Another call under the id of an earlier one is IdempotencyConflict: an approval never changes what it is for.
    """
    asked = Opening(
        kind=Kind.approval,
        title=showing.title(call),
        action=call.action,
        case_id=call.case_id,
        evidence=showing.evidence(call),
        takes_response=True,
    )
    async with context.database.connection() as conn:
        known = await hooks.opened_with(conn, who.id, OPERATION, call.key)
        earlier = await hooks.of_session(conn, who.id, call.case_id, call.action.name, *_OPEN, Status.rejected)
    if known is not None:
        opened = _as_opened(asked, await reading.get(context, who, known))
        return await _opened(context, who, call, opened, attempt)
    same = [hold for hold in earlier if hold.question.action == call.action]
    for hold in same:
        # the agent was told to wait, and asks again for exactly what people were shown
        if _asks_people(hold) and hold.question.evidence == asked.evidence:
            # this call waits for that hold, also once it is rejected or amended
            await attach(context, who, _as_opened(asked, hold), call.key, hold)
            return hold
    refused = [hold for hold in same if hold.status is Status.rejected]
    if len(refused) >= MOST_REFUSALS:
        return Denied(_STOP.format(len(refused), _reason(refused[0])))
    told = replace(asked, task=showing.claims(call) or None, refused_before=len(refused))
    return await _opened(context, who, call, told, attempt)


async def _opened(
    context: Context, who: Principal, call: ToolCall, opening: Opening, attempt: str
) -> Hold | Allowed | Denied:
    use = Use(_redemption(call, attempt))
    try:
        hold = await open_hold(context, who, opening, call.key, use)
    except errors.AlreadyRedeemed as error:
        return Denied(_USED.format((await reading.get(context, who, UUID(error.data["hold_id"]))).short_id))
    used = hold.redemption is not None and hold.redemption.key == use.key and hold.revision == 1
    return Allowed(hold.short_id) if used else hold


def _as_opened(asked: Opening, hold: Hold) -> Opening:
    """With what was claimed and offered when it opened, so that the same call is the same request."""
    return replace(asked, task=hold.task, takes_response=hold.takes_response)


async def use(context: Context, who: Principal, call: ToolCall, hold: Hold, attempt: str) -> Outcome:
    """What the decision means for the call. An approval is redeemed, once for each `attempt`."""
    match hold.status:
        case Status.pending:
            return Waiting(hold.short_id)
        case Status.approved:
            return await _redeemed(context, who, call, hold, attempt)
        case Status.rejected:
            return Denied(f"Rejected by people (hold {hold.short_id}): {_reason(hold)} Do not try another way.")
        case Status.answered:
            said = hold.decision.answer if hold.decision else None
            return Denied(f"The call did not run. A person responded instead (hold {hold.short_id}): {said}")
        case _:
            return Denied(f"Hold {hold.short_id} was {hold.status.value} without an approval. The call did not run.")


async def _redeemed(context: Context, who: Principal, call: ToolCall, hold: Hold, attempt: str) -> Outcome:
    action = hold.question.action
    if action is None or (action.name, action.target) != (call.action.name, call.action.target):
        return Denied(f"Hold {hold.short_id} was amended to another tool, which a hook cannot call: call that instead.")
    try:
        await using.redeem(context, who, hold.id, hold.digest, _redemption(call, attempt))
    except errors.AlreadyRedeemed:
        return Denied(_USED.format(hold.short_id))
    except (errors.ApprovalVoid, errors.NotApproved, errors.StaleDigest):
        # withdrawn, amended or no longer enough at this very moment: it waits again
        return Waiting(hold.short_id)
    return Allowed(hold.short_id, action.args if hold.revision > 1 else None)


async def record(context: Context, who: Principal, call: ToolCall) -> None:
    """How the call ended: that it did, never what it returned. A call that nobody asked about is not recorded."""
    assert call.ended is not None
    hold = await _of(context, who, call)
    if hold is None:
        return
    try:
        await using.record_result(context, who, hold.id, call.ended, None)
    except (errors.NotRedeemed, errors.ResultRecorded):
        return


async def _of(context: Context, who: Principal, call: ToolCall) -> Hold | None:
    async with context.database.connection() as conn:
        known = await hooks.opened_with(conn, who.id, OPERATION, call.key)
        if known is None:
            used = await hooks.of_session(conn, who.id, call.case_id, call.action.name, Status.approved, used=True)
            return next((hold for hold in used if hold.question.action == call.action), None)
    return await reading.get(context, who, known)


def _redemption(call: ToolCall, attempt: str) -> str:
    return f"{call.key}:{attempt}"


def _asks_people(hold: Hold) -> bool:
    """What nobody had to decide belongs to the call that opened it, which is about to use it."""
    return hold.pending or (
        hold.status is Status.approved and hold.decision is not None and hold.decision.basis == "people"
    )


def _reason(hold: Hold) -> str:
    said = hold.decision.reason if hold.decision else None
    return errors.sentence(said) if said else "no reason was given."


_STOP = "People rejected this same call {} times in this session: {} They are not asked again. Do not try another way."
_USED = (
    "The approval of hold {} was used before, so the call may have run. Check whether it did. "
    "If it is needed again, make a new call."
)
