"""The inbox: lists of holds as rows, and how many there are."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query

from handrail.api.hold_filters import Listed
from handrail.api.identity import Reader, guarded_router
from handrail.api.rows import rows
from handrail.api.schemas.holds import Count
from handrail.api.schemas.inbox import HoldCounts, HoldRows
from handrail.api.services import Use
from handrail.holds import reading
from handrail.store.pages import COUNT_LIMIT

router = guarded_router("holds")


@router.get("/api/holds/rows", summary="List holds as rows")
async def list_rows(
    caller: Reader,
    services: Use,
    filters: Listed,
    cursor: Annotated[str | None, Query(max_length=500)] = None,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
) -> HoldRows:
    """The same list as `/api/holds` in the same order, with as much of each hold as a row shows."""
    page = await reading.page(services.context, caller.principal, filters, cursor, limit)
    return HoldRows(rows=await rows(services, caller, page.holds), next=page.next)


@router.get("/api/holds/counts", summary="Count pending holds by risk")
async def count_holds(caller: Reader, services: Use, filters: Listed) -> HoldCounts:
    """How many of the holds that you may see match, by risk; each counted to 10,000."""
    found = await services.counts.of(services.context, caller.principal, filters)
    return HoldCounts(counts={level: count(n) for level, n in found.items()})


def count(n: int) -> Count:
    capped = n > COUNT_LIMIT
    return Count(count=min(n, COUNT_LIMIT), capped=capped, text=f"{COUNT_LIMIT:,}+" if capped else f"{n:,}")
