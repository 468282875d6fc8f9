"""Sessions, which are runs of skills, over HTTP: start, list, read, cancel."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated

from fastapi import Query, Request

from handrail.api import session_views
from handrail.api.identity import Opener, Reader, guarded_router, rates_of
from handrail.api.references import SessionInPath
from handrail.api.routes.runs import IdempotencyKey
from handrail.api.schemas.execution import (
    CancelSession,
    SessionDetail,
    SessionOut,
    SessionPage,
    SessionStarted,
    StartSession,
)
from handrail.api.services import Use
from handrail.core import errors
from handrail.core.sessions import WORKFLOW, SessionStatus
from handrail.engine import cancelling, reading
from handrail.skills import sessions
from handrail.store.run_pages import Filters

router = guarded_router("execution")


@router.post("/api/execution/start", status_code=201, summary="Run a skill")
async def start_session(
    body: StartSession, request: Request, caller: Opener, services: Use, idempotency_key: IdempotencyKey = None
) -> SessionStarted:
    """With an `Idempotency-Key`, the same body returns the same session. 429 if the maximum number is active."""
    await rates_of(request).opening(caller.principal)
    asked = sessions.SessionRequest(body.skill_id, body.input, body.mode, body.config.model_id, body.config.max_steps)
    run = await sessions.start(services.engine, services.settings, caller.principal, asked, idempotency_key)
    return SessionStarted(session_id=run.id, short_id=run.short_id, status=SessionStatus.running)


@router.get("/api/execution/sessions", summary="List sessions, newest first")
async def list_sessions(
    caller: Reader,
    services: Use,
    status: SessionStatus | None = None,
    skill: Annotated[str | None, Query(min_length=1, max_length=200)] = None,
    cursor: Annotated[str | None, Query(max_length=500)] = None,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
) -> SessionPage:
    filters = Filters(status.of_run if status else None, WORKFLOW, skill=skill)
    page = await reading.page(services.context, caller.principal, filters, cursor, limit)
    people = await reading.people_of(services.context, page.runs)
    return SessionPage(sessions=[session_views.session(run, people) for run in page.runs], next=page.next)


@router.get("/api/execution/sessions/{session_id:run}", summary="Get a session with its whole history")
async def get_session(session_id: SessionInPath, caller: Reader, services: Use) -> SessionDetail:
    found = await sessions.look(services.context, caller.principal, session_id)
    return session_views.detail(found, timedelta(seconds=services.settings.session_idle_seconds))


@router.post("/api/execution/sessions/{session_id:run}/cancel", summary="End a session")
async def cancel_session(session_id: SessionInPath, body: CancelSession, caller: Opener, services: Use) -> SessionOut:
    """Its open questions are cancelled too, and its work stops within a second or two."""
    await sessions.get(services.context, caller.principal, session_id)
    run = await cancelling.cancel(services.context, caller.principal, session_id, body.reason)
    return session_views.session(run, await reading.people_of(services.context, [run]))


@router.post("/api/execution/sessions/{session_id:run}/retry", summary="Refused: a session runs once")
async def retry_session(session_id: SessionInPath, caller: Opener, services: Use) -> SessionOut:
    """Start a new one with the same skill and input."""
    await sessions.get(services.context, caller.principal, session_id)
    raise errors.SessionFinal
