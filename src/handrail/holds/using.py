"""What the requester does with a hold: redeem the approval once, record the result, cancel."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from handrail.core import canonical, errors, transitions
from handrail.core.canonical import Json
from handrail.core.holds import Hold, Result, ResultOutcome
from handrail.core.people import Principal
from handrail.core.risk import Assessment
from handrail.core.transitions import Step
from handrail.holds.changing import Command, Rules, alone, change, change_within
from handrail.holds.context import Context, claims_trusted
from handrail.holds.granted import still_covers
from handrail.holds.recorded import void_where_unrecorded
from handrail.policy import assess_again
from handrail.store import observations, people
from handrail.store.database import Connection


async def redeem(context: Context, who: Principal, hold_id: UUID, digest: str, key: str) -> Hold:
    """Turn an approval into its one execution, by what the database says in this very transaction: which policy is in
    force, who of the approvers still stands, whose claims are trusted, which agents are only observed, what a grant
    covers, and what the log recorded."""

    hold = await change(context, hold_id, who, _redeeming(context, who, digest, key), Rules(brakes_stop_it=True))
    if hold.redemption is None:
        raise errors.ApprovalVoid(status=hold.status.value, risk=hold.assessment.level.value)
    return hold


async def redeem_within(
    context: Context, conn: Connection, who: Principal, hold_id: UUID, digest: str, key: str
) -> Hold:
    """The same in the caller's transaction. A hold that comes back pending was void, and is open again."""
    command = _redeeming(context, who, digest, key)
    return await change_within(context, conn, hold_id, who, command, Rules(brakes_stop_it=True))


def _redeeming(context: Context, who: Principal, digest: str, key: str) -> Command:
    async def command(conn: Connection, hold: Hold, now: datetime) -> Step:
        _only_opener(hold, who)
        unrecorded = await void_where_unrecorded(conn, hold, now)
        if unrecorded is not None:
            return unrecorded
        current = await assessed_now(context, conn, hold)
        standing = {person.id: person.roles for person in await people.persons(conn, hold.supporters)}
        observed = await observations.on_for(conn, hold.opener) if hold.unasked else False
        granted = await still_covers(conn, hold, current, now)
        return transitions.redeem(
            hold, who.id, digest, key, current, now, roles_now=standing, observed=observed, granted=granted
        )

    return command


async def record_result(context: Context, who: Principal, hold_id: UUID, outcome: ResultOutcome, detail: Json) -> Hold:
    canonical.check(detail, "detail")

    def command(hold: Hold, now: datetime) -> Step:
        _only_opener(hold, who)
        return transitions.record_result(hold, who.id, Result(outcome, now, detail))

    return await change(context, hold_id, who, alone(command))


async def cancel(context: Context, who: Principal, hold_id: UUID, reason: str | None) -> Hold:
    """By the requester: who opened it, or who started its run."""

    def command(hold: Hold, now: datetime) -> Step:
        if who.id not in hold.requesters:
            raise errors.Forbidden("only the requester can cancel it; to refuse it, reject it")
        return transitions.cancel(hold, who.id, now, reason)

    return await change(context, hold_id, who, alone(command))


async def assessed_now(context: Context, conn: Connection, hold: Hold) -> Assessment:
    """What the policy in force says of the hold's action as it is."""
    policy = await context.policies.in_force(conn)
    trusted = hold.revision == 1 and await claims_trusted(conn, hold.opener, hold.starter)
    return assess_again(policy, hold, hold.question.action, trusted=trusted)


def _only_opener(hold: Hold, who: Principal) -> None:
    if who.id != hold.opener:
        raise errors.Forbidden("only the principal that opened the hold can use its decision")
