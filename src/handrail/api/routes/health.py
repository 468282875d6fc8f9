"""Whether the server works, and its figures for Prometheus."""

from __future__ import annotations

import asyncio
from importlib.metadata import version

from fastapi import Request, Response

from handrail.api.identity import Reader, guarded_router, open_router
from handrail.api.metrics import Metrics
from handrail.api.schemas.health import Health
from handrail.api.services import Use
from handrail.core import errors
from handrail.core.people import PrincipalKind
from handrail.store.database import Database

PATIENCE_SECONDS = 2.0
TEXT = "text/plain; version=0.0.4; charset=utf-8"

router = open_router("operating")
guarded = guarded_router("operating")


@router.get("/health", summary="Whether the server and its database work", responses={503: {"model": Health}})
async def health(services: Use, response: Response) -> Health:
    found = await checked(services.database)
    if found.status != "ok":
        response.status_code = 503
    return found


@guarded.get(
    "/metrics",
    summary="Metrics for Prometheus",
    response_class=Response,
    responses={200: {"content": {"text/plain": {"schema": {"type": "string"}}}}},
)
async def metrics(request: Request, services: Use, caller: Reader) -> Response:
    """For services, auditors and administrators: give Prometheus the token of a service."""
    if caller.principal.kind is not PrincipalKind.service and not caller.principal.reads_all:
        raise errors.Forbidden("Metrics are for services, auditors and administrators.")
    figures: Metrics = request.app.state.metrics
    return Response(await figures.text(services.database), media_type=TEXT)


async def checked(database: Database) -> Health:
    """As the database answers."""
    try:
        async with asyncio.timeout(PATIENCE_SECONDS), database.connection() as conn:
            await conn.execute("SELECT 1")
        state = "ok"
    except (errors.Unavailable, TimeoutError):
        state = "unavailable"
    disk = "low" if database.space.low else "ok"
    return Health(status=state, version=version("handrail"), database=state, disk=disk)
