"""The confirmations of one case as they are asked and answered: the event names that pipelines were written against."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any
from uuid import UUID

from fastapi import Request

from handrail.api.identity import Reader, guarded_router
from handrail.api.routes.confirmations import CASE, Case, confirmation
from handrail.api.routes.events import STREAM, After, LastEventId, follow
from handrail.api.services import Use
from handrail.core.holds import Hold, Kind, Status
from handrail.core.parts import Decision, Question
from handrail.feed import sse
from handrail.feed.entries import Entry, Filter
from handrail.store import holds
from handrail.store.database import Database

router = guarded_router("confirmations")


@router.get(
    CASE + "/events",
    status_code=200,
    response_class=sse.Stream,
    responses=STREAM,
    summary="Follow a case's confirmations",
)
async def case_events(
    request: Request,
    case_id: Case,
    caller: Reader,
    services: Use,
    last_event_id: LastEventId = None,
    after: After = None,
) -> sse.Stream:
    """`confirmation-required`, `confirmation-resolved`, `confirmation-batch-required`, `confirmation-batch-resolved`.

    The request id is the task id in every event.
    """

    async def encode(entry: Entry) -> bytes | None:
        return await _encode(services.database, entry)

    where = Filter(case_id=case_id, kind=Kind.confirmation)
    return await follow(request, caller, services, where, sse.cursor(last_event_id, after), encode)


async def _encode(database: Database, entry: Entry) -> bytes | None:
    part = entry.part
    # a hold that was amended, or whose approval was withdrawn or became void, is asked again
    if entry.hold_id is None or not isinstance(part, Question | Decision):
        return None
    hold = await _as_it_was(database, entry.hold_id, part.digest)
    name = "confirmation-batch" if hold.question.items else "confirmation"
    if isinstance(part, Question):
        hidden = None if hold.question.items else {"items"}
        data = {"task_id": str(hold.id), **confirmation(hold).model_dump(mode="json", exclude=hidden)}
        return sse.message(entry.seq, f"{name}-required", json.dumps(data, ensure_ascii=False))
    data = {"task_id": str(hold.id), "request_id": str(hold.id), "case_id": hold.case_id, **_answer(hold, part)}
    data["responded_at"] = entry.at.isoformat().replace("+00:00", "Z")
    return sse.message(entry.seq, f"{name}-resolved", json.dumps(data, ensure_ascii=False))


def _answer(hold: Hold, made: Decision) -> dict[str, Any]:
    """As the event says, not as the hold is by now. A batch that nobody answered is a no to each item."""
    if not hold.question.items:
        return {"approved": made.outcome is Status.approved, "reason": made.reason}
    unanswered = [
        {"item_id": item["item_id"], "approved": False, "reason": made.reason} for item in hold.question.items
    ]
    return {"decisions": [asdict(item) for item in made.items] or unanswered, "reason": made.reason}


async def _as_it_was(database: Database, hold_id: UUID, digest: str) -> Hold:
    """The revision that the event speaks of, so that a replay shows what was shown."""
    async with database.connection() as conn:
        hold = await holds.get(conn, hold_id)
        assert hold is not None, "a hold and its events are written together"
        if hold.digest == digest:
            return hold
        earlier = await holds.revisions(conn, hold.id)
    return next(revision for revision in earlier if revision.digest == digest)
