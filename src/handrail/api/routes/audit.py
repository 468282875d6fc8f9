"""The audit log: its head, and all of it as JSON lines that can be verified elsewhere."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import Annotated, Any

from fastapi import Query
from fastapi.responses import StreamingResponse

from handrail.api.identity import Reader, guarded_router
from handrail.api.schemas.audit import AuditHead
from handrail.api.services import Use
from handrail.core import errors
from handrail.core.callers import Caller
from handrail.store import audit

router = guarded_router("audit")

MEDIA_TYPE = "application/x-ndjson"
LINES: dict[int | str, dict[str, Any]] = {
    200: {"description": "JSON lines.", "content": {MEDIA_TYPE: {"schema": {"type": "string"}}}}
}
After = Annotated[int, Query(ge=0, le=2**53 - 1, description="Only what follows this entry.")]


@router.get("/api/audit/head", summary="How far the audit log is sealed, and by which key")
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


@router.get(
    "/api/audit/export",
    status_code=200,
    response_class=StreamingResponse,
    responses=LINES,
    summary="Export the audit log",
)
async def export(caller: Reader, services: Use, after: After = 0) -> StreamingResponse:
    """A header, every entry in order with the seals where they stand, and an end; `handrail audit verify` reads it."""
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
