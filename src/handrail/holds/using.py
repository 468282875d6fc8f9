"""What the requester does with a hold: redeem the approval once, record the result, cancel."""

from __future__ import annotations

from datetime import datetime
from typing import Literal
from uuid import UUID

from handrail.core import canonical, errors, transitions
from handrail.core.canonical import Json
from handrail.core.holds import Hold, Result
from handrail.core.people import Principal
from handrail.core.transitions import Step
from handrail.holds.context import Context, change
from handrail.holds.recorded import void_where_unrecorded
from handrail.policy import assess
from handrail.store.database import Connection


async def redeem(context: Context, who: Principal, hold_id: UUID, digest: str, key: str) -> Hold:
    """Turn an approval into its one execution, under the policy in force now."""
    policy = context.policy()

    def command(hold: Hold, now: datetime) -> Step:
        _only_opener(hold, who)
        current = assess(policy, kind=hold.question.kind, action=hold.question.action, task=hold.task)
        return transitions.redeem(hold, who.id, digest, key, current, now)

    async def unrecorded(conn: Connection, hold: Hold, now: datetime) -> Step | None:
        _only_opener(hold, who)
        return await void_where_unrecorded(conn, hold, now)

    hold = await change(context, hold_id, who, command, brakes_stop_it=True, instead=unrecorded)
    if hold.redemption is None:
        raise errors.ApprovalVoid(status=hold.status.value, risk=hold.assessment.level.value)
    return hold


async def record_result(
    context: Context, who: Principal, hold_id: UUID, outcome: Literal["succeeded", "failed", "unknown"], detail: Json
) -> Hold:
    canonical.check(detail, "detail")

    def command(hold: Hold, now: datetime) -> Step:
        _only_opener(hold, who)
        return transitions.record_result(hold, who.id, Result(outcome, now, detail))

    return await change(context, hold_id, who, command)


async def cancel(context: Context, who: Principal, hold_id: UUID, reason: str | None) -> Hold:
    """By the requester: who opened it, or who started its run."""

    def command(hold: Hold, now: datetime) -> Step:
        if who.id not in hold.requesters:
            raise errors.Forbidden("only who asked can cancel; to refuse, reject it")
        return transitions.cancel(hold, who.id, now, reason)

    return await change(context, hold_id, who, command)


def _only_opener(hold: Hold, who: Principal) -> None:
    if who.id != hold.opener:
        raise errors.Forbidden("only the principal that opened the hold uses its decision")
