"""From what a person types to one hold or run: a whole id, or its beginning; a run's id also means its hold."""

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
    """The one hold that `id` means. A run's id means its pending hold, or else the newest that was decided."""
    whole = _whole(id)
    if whole is None:
        return _only(id, waiting_like(server, id))
    try:
        return server.get(f"/api/holds/{whole}")
    except Failure as failure:
        if failure.exit is not Exit.not_found:
            raise
        found = server.get("/api/holds", run=whole, status="pending", limit=PAGE)["holds"]
        if found:
            return _only(id, found)
        decided = server.get("/api/holds", run=whole, status="all", limit=1)["holds"]
        if not decided:
            raise _nothing_waits(server, whole) or failure from failure
        return decided[0]


def run(server: Server, id: str) -> Json:
    """The one run that `id` means, with its steps and holds."""
    whole = _whole(id)
    return server.get(f"/api/runs/{whole or _only_run(id, _runs_like(server, id))['id']}")


def holds_of_run(server: Server, id: str) -> list[Json]:
    """All holds of the run that `id` means, as far as one may see them."""
    whole = _whole(id)
    return server.get("/api/holds", run=whole, status="all", limit=PAGE)["holds"] if whole else []


def run_if_any(server: Server, id: str) -> Json | None:
    """The same; nothing where `id` means no run that one may see."""
    whole = _whole(id)
    if whole is not None:
        return _found(server, f"/api/runs/{whole}")
    return run(server, id) if _runs_like(server, id) else None


def _nothing_waits(server: Server, whole: UUID) -> Failure | None:
    run = _found(server, f"/api/runs/{whole}")
    if run is None:
        return None
    detail = f"Run {whole} waits for no decision: it is {run['status']}."
    return Failure(Exit.conflict, detail, {"code": "conflict", "detail": detail})


def _found(server: Server, path: str) -> Json | None:
    try:
        return server.get(path)
    except Failure as failure:
        if failure.exit is not Exit.not_found:
            raise
        return None


def _runs_like(server: Server, beginning: str) -> list[Json]:
    """The newest runs whose id begins so."""
    found: list[Json] = []
    cursor: str | None = None
    for _ in range(MOST_PAGES):
        page = server.get("/api/runs", limit=PAGE, cursor=cursor)
        found += [run for run in page["runs"] if run["id"].startswith(beginning.lower())]
        cursor = page["next"]
        if cursor is None:
            break
    return found


def _only_run(id: str, found: list[Json]) -> Json:
    if not found:
        detail = f"No run begins with {wording.line(id)}: see `handrail runs list`, or give the whole id."
        raise Failure(Exit.not_found, detail, {"code": "not_found", "detail": detail})
    if len(found) > 1:
        names = wording.short_ids(found)
        lines = [f"  {names[one['id']]}  {one['status']}  {wording.line(one['workflow'])}" for one in found]
        detail = f"{wording.line(id)} means {len(found)} runs; name one of them:"
        raise Failure(Exit.usage, "\n".join([detail, *lines]), {"code": "ambiguous", "detail": detail, "runs": found})
    return found[0]


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
