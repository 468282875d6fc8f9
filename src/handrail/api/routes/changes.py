"""Code changes over HTTP: request one, follow up, read, answer, cancel; the diff so far, and the repositories."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from fastapi import Query, Request, Response

from handrail.api import change_views, views
from handrail.api.identity import Decider, Opener, Reader, guarded_router, rates_of
from handrail.api.references import ChangeInPath, named
from handrail.api.routes.runs import IdempotencyKey, budget_of
from handrail.api.schemas.changes import (
    AnswerChange,
    CancelChange,
    ChangeDetail,
    ChangeDiff,
    ChangeOut,
    ChangePage,
    KnownRepository,
    RepositoryList,
    StartChange,
)
from handrail.api.schemas.holds import HoldOut
from handrail.api.services import Services, Use
from handrail.changes import checkouts, patches, requests
from handrail.core import errors
from handrail.core.callers import Caller
from handrail.core.runs import Run, RunStatus
from handrail.engine import reading
from handrail.holds import reading as holds_reading
from handrail.store.run_pages import Filters

router = guarded_router("changes")

OPTIONS = {"base_branch", "draft", "labels", "reviewers"}
PATCH: dict[int | str, dict[str, Any]] = {
    200: {"content": {"text/x-patch": {"schema": {"type": "string"}}}, "description": "For `git apply`."}
}


@router.post("/api/changes", status_code=201, summary="Request a code change")
async def start_change(
    body: StartChange, request: Request, caller: Opener, services: Use, idempotency_key: IdempotencyKey = None
) -> ChangeOut:
    """With an `Idempotency-Key`, the same body returns the same change. 429 if the maximum number is active."""
    await rates_of(request).opening(caller.principal)
    run = await started(services, caller, body, idempotency_key)
    return await _shown(services, caller, run)


async def started(services: Services, caller: Caller, body: StartChange, key: str | None) -> Run:
    more = body.model_dump(mode="json", include=OPTIONS, exclude_none=True)
    budget = budget_of(body.budget)
    if body.follows is None:
        asked = requests.Request(body.message, body.repo_url, None, more, budget)
        return await requests.start(services.engine, services.settings, caller.principal, asked, key)
    async with named(services, "R", body.follows) as follows:
        asked = requests.Request(body.message, body.repo_url, follows, more, budget)
        return await requests.start(services.engine, services.settings, caller.principal, asked, key)


@router.get("/api/changes", summary="List code changes")
async def list_changes(
    caller: Reader,
    services: Use,
    status: RunStatus | None = None,
    repo_url: Annotated[str | None, Query(min_length=1, max_length=2_000)] = None,
    mine: Annotated[bool, Query(description="Only changes that you requested.")] = False,
    cursor: Annotated[str | None, Query(max_length=500)] = None,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
) -> ChangePage:
    """Newest first."""
    filters = Filters(status, starter=caller.principal.id if mine else None, repository=repo_url)
    found, next_ = await requests.page(services.context, caller.principal, filters, cursor, limit)
    people = await reading.people_of(services.context, [change.run for change in found])
    return ChangePage(changes=[change_views.change(each, people) for each in found], next=next_)


@router.get("/api/changes/repositories", summary="List repositories")
async def list_repositories(caller: Opener, services: Use) -> RepositoryList:
    """Where a change can start: repositories of earlier changes, and those on the server that may be named by path."""
    settings = services.settings
    used = await requests.known_repositories(services.context, caller.principal)
    known = [KnownRepository.model_validate(each, from_attributes=True) for each in used]
    names = {each.repo_url for each in used}
    local = [str(place) for place in await asyncio.to_thread(checkouts.checkouts, settings.repository_roots)]
    known += [KnownRepository(repo_url=place, changes=0, newest=None) for place in local if place not in names]
    return RepositoryList(
        repositories=known,
        roots=[str(root) for root in settings.repository_roots],
        private=list(settings.change_repositories),
        ssh=settings.git_ssh_key is not None and settings.git_known_hosts is not None,
    )


@router.get("/api/changes/{change_id:run}", summary="Read a code change")
async def get_change(change_id: ChangeInPath, caller: Reader, services: Use) -> ChangeDetail:
    """The change with what it asked. Its events are those of its run."""
    about = await reading.detail(services.context, caller.principal, change_id, steps=0)
    found = await requests.get(services.context, caller.principal, change_id)
    people = await reading.people_of(services.context, [found.run])
    people |= await holds_reading.people_of(services.context, about.holds)
    followers = await requests.followers(services.context, found)
    return change_views.detail(found, about, followers, people, caller)


@router.get("/api/changes/{change_id:run}/diff", summary="Read the diff of a code change")
async def get_diff(change_id: ChangeInPath, caller: Reader, services: Use) -> ChangeDiff:
    """By file, as of the last edit; it keeps up while the change is being made. No files before the first edit."""
    await requests.get(services.context, caller.principal, change_id)
    found = await patches.diff_of(services.context, change_id)
    if found is None:
        return ChangeDiff(base_branch=None, base_commit=None, commit=None, files=[])
    return ChangeDiff.model_validate(found)


@router.get(
    "/api/changes/{change_id:run}/patch",
    response_class=Response,
    responses=PATCH,
    summary="Download a code change as a patch",
)
async def get_patch(change_id: ChangeInPath, caller: Reader, services: Use) -> Response:
    found = await requests.get(services.context, caller.principal, change_id)
    content = await patches.patch_of(services.context, change_id)
    if not content:
        raise errors.NotFound(f"the change {found.run.short_id} has no patch: nothing is edited, or it is kept no more")
    headers = {"Content-Disposition": f'attachment; filename="{found.run.short_id}.patch"'}
    return Response(content, media_type="text/x-patch", headers=headers)


@router.post("/api/changes/{change_id:run}/cancel", summary="Cancel a code change")
async def cancel_change(change_id: ChangeInPath, body: CancelChange, caller: Opener, services: Use) -> ChangeOut:
    """Its open questions are cancelled too, and its work stops within a second or two."""
    run = await requests.cancel(services.context, caller.principal, change_id, body.reason)
    return await _shown(services, caller, run)


@router.post("/api/changes/{change_id:run}/answer", summary="Answer what a code change asks")
async def answer_change(change_id: ChangeInPath, body: AnswerChange, caller: Decider, services: Use) -> HoldOut:
    """Plans and results are decided with `POST /api/holds/{hold_id}/reviews`."""
    if (body.message is None) == (body.answer is None):
        raise errors.MissingField("give either `message` or `answer`", field="message")
    if body.request_id is None:
        hold = await requests.answered(services.context, caller, change_id, body.message, body.answer, None)
    else:
        async with named(services, "H", body.request_id) as asked:
            hold = await requests.answered(services.context, caller, change_id, body.message, body.answer, asked)
    people = await holds_reading.people_of(services.context, [hold])
    return views.hold(hold, people, caller)


async def _shown(services: Services, caller: Caller, run: Run) -> ChangeOut:
    found = await requests.get(services.context, caller.principal, run.id)
    return change_views.change(found, await reading.people_of(services.context, [run]))
