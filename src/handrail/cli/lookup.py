"""From what a person types to one hold: a whole id, a run's id, or the beginning of either."""

from __future__ import annotations

import re
from typing import Any
from uuid import UUID

from handrail.cli import wording
from handrail.cli.connection import Server
from handrail.cli.exits import Exit, Failure

Json = dict[str, Any]

PAGE = 100
# beyond this many waiting holds a beginning cannot be proved to be of one alone
MOST_PAGES = 10
_BEGINNING = re.compile(r"[0-9a-f][0-9a-f-]{3,35}")


def hold(server: Server, id: str) -> Json:
    """The one hold that `id` means. A run's id means its pending hold, where it has one."""
    whole = _whole(id)
    if whole is None:
        return _only(id, waiting_like(server, id))
    try:
        return server.get(f"/api/holds/{whole}")
    except Failure as failure:
        if failure.exit is not Exit.not_found:
            raise
        found = server.get("/api/holds", run=whole, status="pending", limit=PAGE)["holds"]
        if not found:
            raise
        return _only(id, found)


def run(server: Server, id: str) -> Json | None:
    """All holds of the run that `id` means, as a page; None where it means no run."""
    page = server.get("/api/holds", run=whole, status="all", limit=PAGE) if (whole := _whole(id)) else None
    return page if page and page["holds"] else None


def waiting_like(server: Server, beginning: str) -> list[Json]:
    """Pending holds whose id, or whose run's id, begins so."""
    beginning = beginning.lower()
    if not _BEGINNING.fullmatch(beginning):
        raise Failure(
            Exit.usage, f"{wording.line(beginning)!r} is not an id: give the id, or its first 4 or more letters."
        )
    found: list[Json] = []
    cursor: str | None = None
    for _ in range(MOST_PAGES):
        page = server.get("/api/holds", status="pending", limit=PAGE, cursor=cursor)
        found += [hold for hold in page["holds"] if _begins(hold, beginning)]
        cursor = page["next"]
        if cursor is None:
            return found
    raise Failure(
        Exit.usage, f"More than {PAGE * MOST_PAGES} holds wait, too many to search for {beginning}: give the whole id."
    )


def _only(id: str, found: list[Json]) -> Json:
    if not found:
        raise Failure(
            Exit.not_found,
            f"No pending hold begins with {id}: see `handrail pending`, or give the whole id of an older one.",
            {"code": "not_found", "detail": f"No pending hold begins with {id}."},
        )
    if len(found) > 1:
        names = wording.short_ids(found)
        lines = [f"  {names[one['id']]}  {wording.risk(one)}  {wording.line(one['title'])}" for one in found]
        raise Failure(
            Exit.usage,
            "\n".join([f"{id} means {len(found)} pending holds; name one of them:", *lines]),
            {"code": "ambiguous", "detail": f"{id} means {len(found)} pending holds.", "holds": found},
        )
    return found[0]


def _begins(hold: Json, beginning: str) -> bool:
    return hold["id"].startswith(beginning) or (hold["run_id"] or "").startswith(beginning)


def _whole(id: str) -> UUID | None:
    try:
        return UUID(id)
    except ValueError:
        return None
