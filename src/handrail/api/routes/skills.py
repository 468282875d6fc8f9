"""Skills over HTTP: list, look, search, register, decide, sync, delete."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import asdict
from typing import Annotated, Any
from uuid import UUID

from fastapi import Path, Query, Request, Response
from fastapi.responses import PlainTextResponse

from handrail.api import views
from handrail.api.identity import Decider, Opener, Reader, guarded_router, rates_of
from handrail.api.references import RunInPath
from handrail.api.routes.runs import IdempotencyKey
from handrail.api.schemas.skills import (
    ApprovedSafe,
    ApproveSafe,
    ErrorOut,
    FileOut,
    MatchOut,
    RefusedOut,
    RegisteredList,
    RegisteredOut,
    RegisterSkills,
    RegistrationOut,
    SkillDetail,
    SkillList,
    SkillMatches,
    SkillOut,
)
from handrail.api.services import Services, Use
from handrail.core import errors
from handrail.core.callers import Caller, Scope
from handrail.core.holds import Status
from handrail.core.skills import Version
from handrail.feed.entries import about_run
from handrail.skills import registrations, registry, rendering
from handrail.skills.discovery import Discovery
from handrail.skills.registering import FolderOutcome
from handrail.skills.registrations import Place, Registration
from handrail.store import holds, names
from handrail.store import skills as rows

router = guarded_router("skills")

REGISTRATIONS = "/api/skills/registrations"
NOTHING_FOUND = "No matching skill found"
Name = Annotated[str, Path(min_length=1, max_length=64)]
Number = Annotated[int, Path(ge=1, le=2**31 - 1)]
Wait = Annotated[float, Query(ge=0, le=120, description="Seconds to wait for the end of the run before answering.")]


@router.get("/api/skills", summary="List the skills in force")
async def list_skills(caller: Reader, services: Use) -> SkillList:
    async with services.database.connection() as conn:
        found = await rows.in_force(conn)
    return SkillList(skills=await _shown(services, found))


@router.post("/api/skills", status_code=202, summary="Register the skills of a repository or folder")
async def register(
    body: RegisterSkills,
    request: Request,
    response: Response,
    caller: Opener,
    services: Use,
    idempotency_key: IdempotencyKey = None,
) -> RegistrationOut:
    """Starts a run. Each skill is scanned and waits for approval, unless the same content is already in force or
    waiting. A folder that cannot be registered is refused without affecting the others."""
    await rates_of(request).opening(caller.principal)
    return await _begun(services, caller, response, Place(body.url, body.folder), idempotency_key)


@router.get(REGISTRATIONS + "/{run_id:run}", summary="Show the progress of a registration")
async def registration(run_id: RunInPath, caller: Reader, services: Use, wait: Wait = 0) -> RegistrationOut:
    """For everyone who may see its run."""
    found = await services.feed.wait_for(
        about_run(run_id),
        lambda: registrations.look(services.context, caller.principal, run_id),
        lambda seen: seen.run.status.ended,
        wait,
    )
    return await _registration(services, found)


@router.get("/api/skills/search", summary="Search for skills by what they should do")
async def search(
    caller: Reader,
    services: Use,
    request: Request,
    q: Annotated[str, Query(min_length=1, max_length=2000)],
    limit: Annotated[int, Query(ge=1, le=50)] = 5,
) -> SkillMatches:
    discovery: Discovery = request.app.state.discovery
    found = await discovery.search(q, limit)
    matches = [MatchOut(name=match.skill, description=match.description, score=match.score) for match in found]
    return SkillMatches(matches=matches, message=None if matches else NOTHING_FOUND)


@router.get("/api/skills/queue", summary="List candidates that wait for a decision")
async def queue(caller: Decider, services: Use) -> RegisteredList:
    """Those whose hold you may see. Decide each through its hold: `POST /api/holds/{hold_id}/reviews`."""
    async with services.database.connection() as conn:
        waiting = await rows.queue(conn)
        known = {version.skill for version in await rows.in_force(conn)}
    waiting = await registry.seen_by(services.context, caller, waiting)
    found = [FolderOutcome(v.source.path, "update" if v.skill in known else "new", v) for v in waiting]
    return RegisteredList(candidates=await _registered(services, found))


@router.post("/api/skills/queue/approve-safe", summary="Approve every candidate that the scan found safe")
async def approve_safe(body: ApproveSafe, caller: Decider, services: Use) -> ApprovedSafe:
    """Each under its own hold's rules; those that you registered yourself are left for somebody else."""
    outcomes = await registry.approve_safe(services.context, caller, body.reason)
    approved = [o.hold for o in outcomes if o.hold is not None and o.hold.status is Status.approved]
    errors_of = {outcome.hold_id: outcome.error for outcome in outcomes if outcome.error is not None}
    done = {hold.id for hold in approved}
    async with services.database.connection() as conn:
        queue = await rows.queue(conn)
    left = [v for v in await registry.seen_by(services.context, caller, queue) if v.safe and v.id not in done]
    refused = [(version.skill, errors_of[version.id]) for version in left if version.id in errors_of]
    return ApprovedSafe(
        approved=[str(hold.question.action.target) for hold in approved if hold.question.action],
        left=[version.skill for version in left],
        refused=[
            RefusedOut(skill=skill, code=error.code, message=errors.sentence(error.message)) for skill, error in refused
        ],
    )


@router.get("/api/skills/{name}", summary="Get the skill in force")
async def look(name: Name, caller: Reader, services: Use) -> SkillDetail:
    return await _detail(services, await registry.skill(services.context, name))


@router.get("/api/skills/{name}/versions", summary="List all versions of a skill, newest first")
async def versions(name: Name, caller: Reader, services: Use) -> SkillList:
    """Including those of a deleted skill, and unapproved ones whose hold you may see."""
    found = await registry.seen_by(services.context, caller, await registry.versions(services.context, name))
    if not found:
        raise errors.NotFound(f"there is no skill {name!r}")
    return SkillList(skills=await _shown(services, found))


@router.get("/api/skills/{name}/versions/{number}", summary="Get one version")
async def version(name: Name, number: Number, caller: Reader, services: Use) -> SkillDetail:
    return await _detail(services, await _visible(services, caller, name, number))


@router.get(
    "/api/skills/{name}/versions/{number}/file",
    response_class=PlainTextResponse,
    summary="Get a file of a version, unchanged",
)
async def file(
    name: Name,
    number: Number,
    caller: Reader,
    services: Use,
    path: Annotated[str, Query(min_length=1, max_length=1000)],
) -> PlainTextResponse:
    found = await _visible(services, caller, name, number)
    files = await registry.files(services.context, found)
    if path not in files:
        raise errors.NotFound(f"version {number} of {name!r} has no file {path!r}")
    # never as what it claims to be: a browser must not run it
    headers = {"X-Content-Type-Options": "nosniff", "Content-Disposition": "attachment"}
    return PlainTextResponse(files[path], headers=headers)


@router.post("/api/skills/{name}/sync", status_code=202, summary="Check the source for changes")
async def sync(
    name: Name,
    request: Request,
    response: Response,
    caller: Opener,
    services: Use,
    idempotency_key: IdempotencyKey = None,
) -> RegistrationOut:
    """Starts a run that reads the source again. A changed skill waits for approval."""
    await rates_of(request).opening(caller.principal)
    return await _begun(services, caller, response, Place(skill=name), idempotency_key)


@router.delete("/api/skills/{name}", status_code=204, summary="Take a skill out of use")
async def delete(name: Name, caller: Decider, services: Use) -> None:
    """Its versions stay readable."""
    await registry.delete(services.context, caller, name)


async def _begun(
    services: Services, caller: Caller, response: Response, place: Place, key: str | None
) -> RegistrationOut:
    run = await registrations.start(services.engine, services.settings, caller.principal, place, key)
    shown = await _registration(services, await registrations.look(services.context, caller.principal, run.id))
    response.headers["Location"] = shown.link
    return shown


async def _registration(services: Services, found: Registration) -> RegistrationOut:
    run = found.run
    return RegistrationOut(
        run_id=run.id,
        short_id=run.short_id,
        status=run.status,
        total=found.total,
        candidates=await _registered(services, found.done),
        error=ErrorOut.model_validate(run.error) if run.error else None,
        link=f"{REGISTRATIONS}/{run.id}",
        events=f"/api/events?run={run.id}",
    )


async def _visible(services: Services, caller: Caller, name: str, number: int) -> Version:
    found = await registry.version(services.context, name, number)
    if found.status is not Status.approved:
        caller.require(Scope.decide)
    if not await registry.seen_by(services.context, caller, [found]):
        raise errors.NotFound(f"the skill {name!r} has no version {number}")
    return found


async def _shown(services: Services, found: Sequence[Version]) -> list[SkillOut]:
    async with services.database.connection() as conn:
        known = await names.of(conn, {UUID(str(version.registered_by)) for version in found})
        shorts = await holds.short_ids(conn, [version.id for version in found])
    return [
        SkillOut(
            **_fields(version),
            hold_short_id=shorts.get(version.id),
            registered_by=views.who(known[version.registered_by]),
        )
        for version in found
    ]


async def _detail(services: Services, version: Version) -> SkillDetail:
    (shown,) = await _shown(services, [version])
    files = await registry.files(services.context, version)
    manifest = version.manifest
    told: dict[str, Any] = {
        "inputs": [asdict(one) for one in manifest.inputs],
        "allowed_tools": manifest.allowed_tools,
        "instructions": manifest.instructions,
        "html": await asyncio.to_thread(rendering.html, manifest.instructions),
        "files": [FileOut(path=path, size=len(content)) for path, content in files.items()],
        "findings": [asdict(finding) for finding in version.findings],
        "more": manifest.more,
    }
    return SkillDetail.model_validate(shown.model_dump() | told)


async def _registered(services: Services, found: Sequence[FolderOutcome]) -> list[RegisteredOut]:
    shown = {one.hold_id: one for one in await _shown(services, [each.version for each in found if each.version])}
    return [
        RegisteredOut.model_validate(
            {
                "path": each.path,
                "outcome": each.outcome,
                "reason": each.reason,
                "skill": shown[each.version.id] if each.version else None,
                "findings": [asdict(finding) for finding in each.version.findings] if each.version else [],
            }
        )
        for each in found
    ]


def _fields(version: Version) -> dict[str, Any]:
    return {
        "name": version.skill,
        "description": version.manifest.description,
        "complexity": version.manifest.complexity,
        "version": version.number,
        "status": version.status,
        "hold_id": version.id,
        "safe": version.safe,
        "content_hash": version.content_hash,
        "source": asdict(version.source),
        "registered_at": version.registered_at,
    }
