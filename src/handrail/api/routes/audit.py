"""The audit log: its head, its entries to read, and all of it as JSON lines that can be verified elsewhere."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import Annotated, Any
from uuid import UUID

from fastapi import Depends, Query
from fastapi.responses import StreamingResponse

from handrail.api import views
from handrail.api.identity import Reader, guarded_router
from handrail.api.references import HoldInQuery, RunInQuery, principal
from handrail.api.schemas.audit import AuditEntries, AuditEntry, AuditHead, DifferingHold, HoldsCompared
from handrail.api.schemas.fields import Moment
from handrail.api.services import Use
from handrail.core import errors, ids
from handrail.core.callers import Caller
from handrail.store import audit, audit_pages, names, records
from handrail.store.audit_pages import EntryFilter

router = guarded_router("audit")

MEDIA_TYPE = "application/x-ndjson"
LINES: dict[int | str, dict[str, Any]] = {
    200: {"description": "JSON lines.", "content": {MEDIA_TYPE: {"schema": {"type": "string"}}}}
}
Before = Annotated[int | None, Query(ge=1, le=2**53 - 1, description="`next` of the previous page.")]
Limit = Annotated[int, Query(ge=1, le=200)]
Name = Annotated[str | None, Query(min_length=1, max_length=200, description="Id or name.")]
After = Annotated[int, Query(ge=0, le=2**53 - 1, description="Only entries after this one.")]


async def sought(
    caller: Reader,
    services: Use,
    hold: HoldInQuery = None,
    run: RunInQuery = None,
    actor: Name = None,
    agent: Annotated[Name, Query(description="Id or name of who opened the hold, or carries the run.")] = None,
    action: Annotated[str | None, Query(min_length=1, max_length=500)] = None,
    type: Annotated[str | None, Query(max_length=100, description="A type or its beginning, such as `hold.`")] = None,  # noqa: A002
    text: Annotated[str | None, Query(min_length=1, max_length=200, description="Anywhere in an entry.")] = None,
    since: Moment | None = None,
    until: Moment | None = None,
) -> EntryFilter:
    # before a name is looked up: whether somebody exists is not for everybody
    _only_auditors(caller)
    return EntryFilter(
        hold,
        run,
        await principal(services, actor) if actor else None,
        type,
        await principal(services, agent) if agent else None,
        action,
        text,
        since,
        until,
    )


Sought = Annotated[EntryFilter, Depends(sought)]


@router.get("/api/audit/head", summary="Get the newest seal of the audit log and its key")
async def head(caller: Reader, services: Use) -> AuditHead:
    _only_auditors(caller)
    async with services.database.connection() as conn:
        found = await audit.head(conn)
        seal = await audit.newest_seal(conn)
    keys = services.keys.publics()
    return AuditHead(
        seq=found.seq,
        hash=found.hash.hex(),
        waiting=found.waiting,
        key_id=found.key_id,
        seal=seal.document() if seal else None,
        public_keys=[key.raw.hex() for key in keys],
    )


@router.get("/api/audit/entries", summary="Read the audit log, newest first")
async def entries(
    caller: Reader, services: Use, narrowed: Sought, before: Before = None, limit: Limit = 50
) -> AuditEntries:
    """A text is looked for in 20,000 entries at a time: a page may be short, or empty, and still have a `next`."""
    _only_auditors(caller)
    async with services.database.connection() as conn:
        rows, following = await audit_pages.page(conn, narrowed, before, limit)
        away = {row["seq"]: names.in_data(row["data"], "on_behalf_of") for row in rows}
        known = await names.of(conn, {each for row in rows for each in (row["actor_id"], away[row["seq"]]) if each})
    shown = [
        AuditEntry(
            actor=views.who(known[row["actor_id"]]) if row["actor_id"] in known else None,
            on_behalf_of=views.who(known[absent]) if (absent := away[row["seq"]]) else None,
            hold_title=row["title"],
            data=row["data"] or {},
            hash=row["hash"].hex(),
            hold_short_id=ids.short("H", row["hold_number"]) if row["hold_number"] else None,
            run_short_id=ids.short("R", row["run_number"]) if row["run_number"] else None,
            **{name: row[name] for name in ("seq", "at", "type", "hold_id", "run_id", "case_id")},
        )
        for row in rows
    ]
    return AuditEntries(entries=shown, next=following)


@router.get("/api/audit/holds", summary="Compare the holds' rows with the log")
async def holds(
    caller: Reader,
    services: Use,
    after: Annotated[UUID | None, Query(description="`next` of the previous page.")] = None,
) -> HoldsCompared:
    """A page of all holds, by id. A row that somebody changed in the database differs from the log."""
    _only_auditors(caller)
    page = await records.compare_page(services.database, after)
    differing = [
        DifferingHold(hold_id=one.hold_id, differences=[str(found) for found in one.agreement.differences])
        for one in page
        if one.agreement.differences
    ]
    return HoldsCompared(
        compared=sum(one.agreement.known for one in page),
        unknown=sum(not one.agreement.known for one in page),
        differing=differing,
        next=page[-1].hold_id if len(page) == records.PAGE else None,
    )


@router.get(
    "/api/audit/export",
    status_code=200,
    response_class=StreamingResponse,
    responses=LINES,
    summary="Export the audit log",
)
async def export(caller: Reader, services: Use, after: After = 0) -> StreamingResponse:
    """A header, every entry in order with the seals in place, and an end. `handrail audit verify` reads it."""
    _only_auditors(caller)
    lines = audit.export(services.database, after)
    # the first line before the answer begins: an `after` that is not there is a problem, not a broken answer
    first = await anext(lines)

    async def all_lines() -> AsyncGenerator[bytes]:
        yield first
        async for each in lines:
            yield each

    return StreamingResponse(all_lines(), media_type=MEDIA_TYPE)


def _only_auditors(caller: Caller) -> None:
    if not caller.principal.reads_all:
        raise errors.Forbidden("The audit log is for auditors and administrators.")
