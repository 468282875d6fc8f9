"""Registrations, runs that propose skills: start one, look how far one has come."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast
from uuid import UUID

from handrail.core import errors
from handrail.core.canonical import JsonObject
from handrail.core.parts import Progress
from handrail.core.people import Principal
from handrail.core.runs import Run, RunStatus
from handrail.core.skills import Version
from handrail.engine import reading, starting
from handrail.engine.context import Engine
from handrail.engine.repositories import allowed_by
from handrail.engine.starting import Start
from handrail.holds.context import Context
from handrail.sandbox import cloning
from handrail.settings import Settings
from handrail.skills import registry, sources
from handrail.skills.kinds import REGISTRATION
from handrail.skills.registering import FolderOutcome
from handrail.store import sessions
from handrail.store import skills as rows


@dataclass(frozen=True, slots=True)
class Place:
    """Where to look for skills, one of them; `skill` means the source of one that is in force."""

    url: str | None = None
    folder: str | None = None
    skill: str | None = None


@dataclass(frozen=True, slots=True)
class Registration:
    """`total` is how many folders with a manifest there are, once that is known; `done` those that were looked at."""

    run: Run
    total: int | None
    done: list[FolderOutcome]


async def start(engine: Engine, settings: Settings, who: Principal, place: Place, key: str | None = None) -> Run:
    """The run that looks through the place. What can be seen to be wrong with it at once is refused at once."""
    given: JsonObject = {}
    match place:
        case Place(str(url), None, None):
            await cloning.check(url, allowed_by(settings).limits)
            given = {"url": url}
        case Place(None, str(folder), None):
            await asyncio.to_thread(sources.under_roots, folder, settings.skill_roots)
            given = {"folder": folder}
        case Place(None, None, str(name)):
            given = {"skill": (await registry.skill(engine.context, name)).skill}
        case _:
            raise errors.InvalidField("send either `url` or `folder`", field="url")
    return await starting.start(engine, who, Start(REGISTRATION, given), key)


async def look(context: Context, who: Principal, run_id: UUID) -> Registration:
    run = await reading.get(context, who, run_id)
    if run.workflow != REGISTRATION:
        raise errors.NotFound(f"the run {run_id} does not register skills")
    async with context.database.connection() as conn:
        said = [part for each in await sessions.told(conn, run_id) if isinstance(part := each.part, Progress)]
        # after a crash a folder is looked at again, and what was said last counts
        details: list[Mapping[str, Any]] = [progress.detail for progress in said if progress.detail]
        examined = {detail["path"]: detail for detail in details}
        done = _result(run) if run.status is RunStatus.completed else list(examined.values())
        known = await rows.of_ids(conn, [UUID(one["hold_id"]) for one in done if "hold_id" in one])
    total = len(done) if run.status is RunStatus.completed else said[-1].total if said else None
    return Registration(run, total, [_registered(one, known) for one in done])


def _registered(said: Mapping[str, Any], known: Mapping[UUID, Version]) -> FolderOutcome:
    version = known.get(UUID(said["hold_id"])) if "hold_id" in said else None
    return FolderOutcome(said["path"], said["outcome"], version, said.get("reason"))


def _result(run: Run) -> list[Mapping[str, Any]]:
    return cast("dict[str, list[Mapping[str, Any]]]", run.result)["candidates"]
