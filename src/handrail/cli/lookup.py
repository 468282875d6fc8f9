"""From what a person types to one hold or run: `H-1042`, `R-77`, or a long id; a run's id also means its hold."""

from __future__ import annotations

import re
from typing import Any
from uuid import UUID

from handrail.cli import wording
from handrail.cli.connection import Server
from handrail.cli.exits import Exit, Failure

Json = dict[str, Any]

PAGE = 100
_SHORT = re.compile(r"[HR]-[1-9][0-9]{0,17}", re.ASCII)


def hold(server: Server, id: str) -> Json:
    """The one hold that `id` means. A run's id means its pending hold, or else the newest that was decided."""
    known = _known(id)
    if known.startswith("R-"):
        return _of_run(server, known)
    try:
        return server.get(f"/api/holds/{known}")
    except Failure as failure:
        # a long id may be a run's
        if failure.exit is not Exit.not_found or known.startswith("H-"):
            raise
        return _of_run(server, known, failure)


def run(server: Server, id: str) -> Json:
    """The one run that `id` means, with its steps and holds."""
    known = _known(id)
    if known.startswith("H-"):
        run_id = server.get(f"/api/holds/{known}")["run_id"]
        if run_id is None:
            raise Failure(Exit.usage, f"{known} is a hold that no run has opened: see `handrail show {known}`.")
        known = run_id
    return server.get(f"/api/runs/{known}")


def holds_of_run(server: Server, id: str) -> list[Json]:
    """All holds of the run that `id` means, as far as you may see them."""
    known = _known(id)
    return [] if known.startswith("H-") else _holds(server, known, "all")


def run_if_any(server: Server, id: str) -> Json | None:
    """The run that `id` means; nothing if there is no such run that you may see."""
    known = _known(id)
    return None if known.startswith("H-") else _found(server, f"/api/runs/{known}")


def hold_if_any(server: Server, hold_id: str) -> Json | None:
    """The hold of this id; nothing if you may not see it."""
    return _found(server, f"/api/holds/{hold_id}")


def _known(id: str) -> str:
    """The id as the server writes it; refused before anything is sent where it cannot be one."""
    if _SHORT.fullmatch(id.upper()):
        return id.upper()
    try:
        return str(UUID(id))
    except ValueError:
        raise Failure(
            Exit.usage, f"{wording.line(id)!r} is not an id: type one like H-1042 or R-77, from `handrail pending`."
        ) from None


def _of_run(server: Server, run_id: str, failure: Failure | None = None) -> Json:
    if found := _holds(server, run_id, "pending"):
        return _only(found)
    if decided := _holds(server, run_id, "all", limit=1):
        return decided[0]
    seen = _found(server, f"/api/runs/{run_id}")
    if seen is not None:
        detail = f"Run {seen['short_id']} is not waiting for a decision: it is {seen['status']}."
        raise Failure(Exit.conflict, detail, {"code": "conflict", "detail": detail})
    detail = f"There is no run {run_id}, or you may not see it."
    raise failure or Failure(Exit.not_found, detail, {"code": "not_found", "detail": detail})


def _holds(server: Server, run_id: str, status: str, limit: int = PAGE) -> list[Json]:
    return server.get("/api/holds", run=run_id, status=status, limit=limit)["holds"]


def _found(server: Server, path: str) -> Json | None:
    try:
        return server.get(path)
    except Failure as failure:
        if failure.exit is not Exit.not_found:
            raise
        return None


def _only(found: list[Json]) -> Json:
    if len(found) > 1:
        lines = [f"  {one['short_id']}  {wording.risk(one)}  {wording.line(one['title'])}" for one in found]
        detail = f"The run is waiting for {len(found)} decisions. Choose one:"
        raise Failure(Exit.usage, "\n".join([detail, *lines]), {"code": "ambiguous", "detail": detail, "holds": found})
    return found[0]
