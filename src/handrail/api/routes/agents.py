"""Agents and services: a list, and one of them with what its runs used and what stops it."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Annotated

from fastapi import Path

from handrail.api.identity import Reader, guarded_router
from handrail.api.references import principal
from handrail.api.routes.brake import shown
from handrail.api.schemas.agents import AgentDetail, AgentList, AgentOut, AgentTokens, AgentUsage
from handrail.api.services import Use
from handrail.core import errors
from handrail.store import agents, brakes, clock, observations
from handrail.store.database import Connection

router = guarded_router("agents")

PERIOD = timedelta(days=30)


@router.get("/api/agents", summary="List agents and services")
async def list_(caller: Reader, services: Use) -> AgentList:
    """Those whose holds you may see; all, for auditors and administrators."""
    async with services.database.connection() as conn:
        found = await agents.listed(conn, caller.principal, await _since(conn))
    return AgentList(agents=[AgentOut(**row) for row in found])


@router.get("/api/agents/{agent_id}", summary="Read an agent or service")
async def one(
    agent_id: Annotated[str, Path(max_length=200, description="Id or name.")], caller: Reader, services: Use
) -> AgentDetail:
    """Its figures are those of `/api/insights?agent=`."""
    nobody = errors.NotFound(f"there is no agent {agent_id!r}, or you may see none of its holds")
    try:
        known = await principal(services, agent_id)
    except errors.NotFound:
        raise nobody from None
    async with services.database.connection() as conn:
        since = await _since(conn)
        found = await agents.listed(conn, caller.principal, since, known)
        if not found:
            raise nobody
        used = await agents.usage(conn, caller.principal, known, since)
        brake = await brakes.on_for(conn, known)
        watched = [one for one in await observations.on(conn) if one.agent_id == known]
        secrets = await agents.credentials(conn, known) if caller.administers else None
    (stopped,) = await shown(services, [brake]) if brake else [None]
    return AgentDetail(
        **found[0],
        usage=AgentUsage(**used),
        brake=stopped,
        observed_since=watched[0].begun_at if watched and caller.principal.reads_all else None,
        credentials=AgentTokens(**secrets) if secrets else None,
    )


async def _since(conn: Connection) -> datetime:
    return await clock.now(conn) - PERIOD
