"""Domain → wire: what a caller is shown of a code change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from handrail.api import run_views, views
from handrail.api.schemas.changes import ChangeDetail, ChangeOut, WaitsFor
from handrail.changes.requests import Change
from handrail.core.callers import Caller
from handrail.core.holds import Hold
from handrail.core.people import NameCard
from handrail.engine.reading import Detail


def change(shown: Change, people: Mapping[UUID, NameCard]) -> ChangeOut:
    return ChangeOut(**_fields(shown, people))


def detail(
    shown: Change, about: Detail, followed_by: Sequence[UUID], people: Mapping[UUID, NameCard], viewer: Caller
) -> ChangeDetail:
    return ChangeDetail(
        **_fields(shown, people),
        holds=[views.hold(hold, people, viewer) for hold in about.holds],
        followed_by=list(followed_by),
        seq=about.seq,
        hint=about.hint,
    )


def _fields(shown: Change, people: Mapping[UUID, NameCard]) -> dict[str, Any]:
    run, given, result = shown.run, shown.input, shown.result
    committed = shown.standing.committed or {}
    return {
        "id": run.id,
        "short_id": run.short_id,
        "workflow": run.workflow,
        "message": given["request"],
        "repo_url": given["repo_url"],
        "base_branch": given.get("base_branch"),
        "status": run.status,
        "stage": (shown.standing.stage or {}).get("stage"),
        "waits_for": [_waits_for(hold) for hold in shown.standing.waits_for],
        "branch": result.get("branch") or committed.get("branch"),
        "commit": result.get("commit") or committed.get("commit"),
        "url": result.get("url"),
        "summary": result.get("summary"),
        "answer": result.get("answer"),
        "files": result.get("files") or [],
        "error": run.error,
        "follows": shown.follows,
        "started_by": views.who(people[run.starter]),
        "usage": run_views.usage(run.usage),
        "created_at": run.created_at,
        "ended_at": run.ended_at,
        "active_at": run.active_at,
    }


def _waits_for(hold: Hold) -> WaitsFor:
    return WaitsFor(
        id=hold.id,
        short_id=hold.short_id,
        kind=hold.question.kind,
        title=hold.question.title,
        risk=hold.assessment.level,
        opened_at=hold.opened_at,
        expires_at=hold.expires_at,
    )
