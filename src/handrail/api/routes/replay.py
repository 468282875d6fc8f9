"""The past under a changed policy."""

from __future__ import annotations

from collections.abc import Mapping
from uuid import UUID

from handrail.api import views
from handrail.api.identity import Reader, guarded_router
from handrail.api.schemas.replay import ReplayedGroup, ReplayedHold, ReplayOut, ReplayPolicy
from handrail.api.services import Services, Use
from handrail.core import errors, ids
from handrail.core.people import NameCard
from handrail.core.replay import CHANGES, Shown
from handrail.holds import replaying
from handrail.holds.replaying import Replay
from handrail.store import names

router = guarded_router("policy")

MOST_GROUPS = 200


@router.post("/api/policy/replay", summary="Replay the past under a candidate")
async def replay(body: ReplayPolicy, caller: Reader, services: Use) -> ReplayOut:
    """What would have been asked, of how many people, and what would have slipped through that somebody stopped. For
    administrators and auditors. Changes nothing."""
    try:
        # two at once: each has processes of its own, and a connection as long as it takes
        async with services.figuring:
            found = await replaying.replay(services.context, caller, body.files, body.since, body.until)
    except errors.Misconfigured as error:
        raise errors.BadPolicy(error.message, **error.data) from None
    return await replayed(services, found)


async def replayed(services: Services, found: Replay) -> ReplayOut:
    tally = found.tally
    groups = sorted(tally.groups, key=lambda group: (CHANGES.index(group.change), -tally.groups[group], group.action))
    shown = groups[:MOST_GROUPS]
    people = {one.decided_by for one in (*tally.slips, *(tally.newest[group] for group in shown)) if one.decided_by}
    async with services.database.connection() as conn:
        known = await names.of(conn, people)
    return ReplayOut(
        since=found.since,
        until=found.until,
        holds=tally.holds,
        unreadable=tally.unreadable,
        looser=tally.looser,
        changes={change: tally.changes[change] for change in CHANGES},
        asked=tally.asked,
        would_ask=tally.would_ask,
        observed=tally.observed,
        reviews=tally.reviews,
        would_review=tally.would_review,
        minutes_saved=round((tally.seconds - tally.would_seconds) / 60, 1),
        not_enough=tally.not_enough,
        slips=[_hold(one, known) for one in tally.slips],
        groups=[
            ReplayedGroup(count=tally.groups[group], newest=_hold(tally.newest[group], known), **group._asdict())
            for group in shown
        ],
    )


def _hold(one: Shown, known: Mapping[UUID, NameCard]) -> ReplayedHold:
    return ReplayedHold(
        id=one.id,
        short_id=ids.short("H", one.number),
        title=one.title,
        opened_at=one.opened_at,
        outcome=one.outcome,
        decided_by=views.who(known[one.decided_by]) if one.decided_by else None,
        reason=one.reason,
        would_approvals=one.would_approvals,
        would_roles=list(one.would_roles),
        because=one.because,
    )
