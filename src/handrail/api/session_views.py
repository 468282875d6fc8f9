"""Domain → wire: what a caller is shown of a session."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any, cast
from uuid import UUID

from handrail.api import run_views, views
from handrail.api.schemas.execution import (
    MessageOut,
    PendingInput,
    SessionConfig,
    SessionDetail,
    SessionHold,
    SessionOut,
)
from handrail.core.holds import Hold
from handrail.core.people import NameCard
from handrail.core.runs import Run
from handrail.core.sessions import DEFAULT_STEPS, Message, Mode, SessionStatus
from handrail.skills.cursors import Cursor
from handrail.skills.sessions import Session, pending_input


def session(shown: Run, people: Mapping[UUID, NameCard]) -> SessionOut:
    return SessionOut(**_fields(shown, people))


def detail(shown: Session, idle: timedelta) -> SessionDetail:
    run, cursor = shown.run, Cursor.behind(shown.seq, shown.said)
    active_at = max([run.active_at, *(message.at for message in shown.history)])
    asked = pending_input(shown.holds)
    fields: dict[str, Any] = {**_fields(run, shown.people), "active_at": active_at}
    return SessionDetail(
        **fields,
        history=[_message(message) for message in shown.history],
        pending_input=_pending(asked) if asked and not run.status.ended else None,
        holds=[
            SessionHold(
                id=hold.id,
                short_id=hold.short_id,
                kind=hold.question.kind,
                title=hold.question.title,
                status=hold.status,
            )
            for hold in shown.holds
        ],
        answer=answer_of(run),
        artifacts=artifacts_of(run),
        expires_at=None if run.status.ended else active_at + idle,
        seq=cursor.seq,
        cursor=str(cursor),
    )


def answer_of(run: Run) -> str | None:
    answer = _result(run).get("answer")
    return None if answer is None else str(answer)


def artifacts_of(run: Run) -> list[Any]:
    found = _result(run).get("artifacts")
    return cast("list[Any]", found) if isinstance(found, list) else []


def _result(run: Run) -> Mapping[str, Any]:
    return run.result if isinstance(run.result, dict) else {}


def _fields(run: Run, people: Mapping[UUID, NameCard]) -> dict[str, Any]:
    given: Mapping[str, Any] = run.input if isinstance(run.input, dict) else {}
    return {
        "session_id": run.id,
        "short_id": run.short_id,
        "skill_id": given.get("skill_id") or "",
        "skill_version": given.get("version"),
        "input": given.get("input") or "",
        "mode": Mode.read(run.mode),
        "config": SessionConfig.model_construct(
            model_id=given.get("model_id"), max_steps=given.get("max_steps") or DEFAULT_STEPS
        ),
        "status": SessionStatus.of(run.status),
        "started_by": views.who(people[run.starter]),
        "error": run.error,
        "usage": run_views.usage(run.usage),
        "created_at": run.created_at,
        "started_at": run.started_at,
        "ended_at": run.ended_at,
        "active_at": run.active_at,
    }


def _message(shown: Message) -> MessageOut:
    return MessageOut(
        id=shown.id, role=shown.role, content=shown.content, at=shown.at, metadata=dict(shown.metadata or {})
    )


def _pending(hold: Hold) -> PendingInput:
    return PendingInput(
        request_id=hold.id,
        short_id=hold.short_id,
        digest=hold.digest,
        prompt=hold.question.title,
        description=hold.description,
        schema=hold.question.schema,
        asked_at=hold.opened_at,
    )
