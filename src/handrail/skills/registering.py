"""Proposes skills: read from their source, scanned, and each put before people as a hold of kind `review`."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Literal

from handrail.core import errors, ids, skills
from handrail.core.canonical import JsonObject
from handrail.core.events import Event
from handrail.core.holds import Status
from handrail.core.people import Principal
from handrail.core.run_events import RunProgressed
from handrail.core.skills import Files, Finding, Manifest, Source, Version
from handrail.engine.repositories import allowed_by
from handrail.holds.context import Context
from handrail.holds.opening import open_within
from handrail.sandbox.cloning import clone
from handrail.settings import Settings
from handrail.skills import evidence, manifests, opinions, scanning, sources
from handrail.skills.sources import SkillFolder, Unusable
from handrail.store import clock
from handrail.store import skills as rows
from handrail.store.database import Connection

Outcome = Literal["new", "update", "unchanged", "refused"]


@dataclass(frozen=True, slots=True)
class FolderOutcome:
    """What became of one folder. `version` is the candidate, or what is there already where nothing changed."""

    path: str
    outcome: Outcome
    version: Version | None = None
    reason: str | None = None

    def as_data(self) -> JsonObject:
        """What an event and a run's result say of it."""
        said: JsonObject = {"path": self.path, "outcome": self.outcome}
        if self.version is None:
            return {**said, "reason": self.reason}
        version = self.version
        more: JsonObject = {"hold_id": str(version.id), "version": version.number, "safe": version.safe}
        return {**said, "skill": version.skill, **more}

    def in_words(self) -> str:
        if self.version is None:
            return f"{self.path}: refused. {self.reason}"
        scan = "safe" if self.version.safe else "risky"
        return f"{self.version.skill} version {self.version.number}: {self.outcome}, {scan}"


@dataclass(frozen=True, slots=True)
class Desk:
    """Where skills are proposed: in whose name, in which transactions, and who is told how far it has come.

    What this person proposed since `since` is this registration's own work, of an earlier attempt.
    """

    context: Context
    settings: Settings
    who: Principal
    transaction: Callable[[], AbstractAsyncContextManager[Connection]]
    say: Callable[[Event], None]
    since: datetime


@dataclass(frozen=True, slots=True)
class _Candidate:
    path: str
    files: Files
    manifest: Manifest
    source: Source
    before: Version | None

    @property
    def outcome(self) -> Outcome:
        return "update" if self.before else "new"


async def register_git(desk: Desk, url: str, path: str | None = None) -> list[FolderOutcome]:
    """Each skill of a repository, or of the folder that a deep link or `path` names, as a candidate."""
    with tempfile.TemporaryDirectory(prefix="handrail-clone-") as name:
        cloned = await clone(url, Path(name), allowed_by(desk.settings).limits)
        found = await asyncio.to_thread(sources.find, Path(name), path or cloned.path)
    return await _register(desk, found, Source("git", cloned.url, ref=cloned.ref, commit=cloned.commit))


async def register_folder(desk: Desk, folder: str) -> list[FolderOutcome]:
    """Each skill of a folder of the server, under an allowed root."""
    place = sources.under_roots(folder, desk.settings.skill_roots)
    found = await asyncio.to_thread(sources.find, place)
    return await _register(desk, found, Source("folder", str(place)))


async def sync(desk: Desk, name: str) -> list[FolderOutcome]:
    """The skill as its source has it now: an update to decide on, or unchanged."""
    async with desk.context.database.connection() as conn:
        known = await rows.get(conn, name)
    if known is None:
        raise errors.NotFound(f"there is no approved skill {name!r}")
    source = known.source
    if source.kind == "folder":
        return await register_folder(desk, str(Path(source.location) / source.path))
    url = f"{source.location}/tree/{source.ref}" if source.ref else source.location
    return await register_git(desk, url, source.path)


async def _register(desk: Desk, found: Sequence[SkillFolder | Unusable], source: Source) -> list[FolderOutcome]:
    folders = "1 folder" if len(found) == 1 else f"{len(found)} folders"
    _say(desk, f"{folders} with a SKILL.md or skill.yaml", 0, len(found))
    results: dict[str, FolderOutcome] = {}

    def done(one: FolderOutcome) -> None:
        results[one.path] = one
        _say(desk, one.in_words(), len(results), len(found), one.as_data())

    candidates: list[_Candidate] = []
    names: set[str] = set()
    for each in found:
        looked = await _looked_at(desk, each, source, names)
        if isinstance(looked, FolderOutcome):
            done(looked)
        else:
            candidates.append(looked)
    async for candidate, findings in _scanned(desk.settings, candidates):
        done(await _proposed(desk, candidate, findings))
    return [results[each.path] for each in found]


def _say(desk: Desk, message: str, done: int, total: int, candidate: JsonObject | None = None) -> None:
    desk.say(RunProgressed(message=message, done=done, total=total, detail=candidate))


async def _looked_at(
    desk: Desk, found: SkillFolder | Unusable, source: Source, names: set[str]
) -> _Candidate | FolderOutcome:
    """A candidate to scan, or what is to be said of the folder at once. Adds to the names that are taken."""
    if isinstance(found, Unusable):
        return FolderOutcome(found.path, "refused", reason=found.reason)
    try:
        candidate = await _candidate(desk.context, found, source, names)
    except errors.Rejected as error:
        return FolderOutcome(found.path, "refused", reason=error.message)
    names.add(candidate.manifest.name)
    same = await _same(desk.context, candidate)
    if same is None:
        return candidate
    mine = same.registered_by == desk.who.id and same.registered_at >= desk.since and same.status is Status.pending
    return FolderOutcome(found.path, candidate.outcome if mine else "unchanged", same)


async def _candidate(context: Context, found: SkillFolder, source: Source, taken: set[str]) -> _Candidate:
    manifest = await asyncio.to_thread(manifests.read, found.files)
    if manifest.name in taken:
        raise errors.InvalidField(f"another folder of this source has the name {manifest.name!r} too", field="name")
    async with context.database.connection() as conn:
        before = await rows.get(conn, manifest.name)
    return _Candidate(found.path, found.files, manifest, replace(source, path=found.path), before)


async def _same(context: Context, candidate: _Candidate) -> Version | None:
    """What is in force or waits already with the very same content."""
    content = skills.content_hash(candidate.files)
    if candidate.before and candidate.before.content_hash == content:
        return candidate.before
    async with context.database.connection() as conn:
        known = await rows.versions(conn, candidate.manifest.name)
    return next((v for v in known if v.content_hash == content and v.status is Status.pending), None)


async def _scanned(
    settings: Settings, candidates: Sequence[_Candidate]
) -> AsyncIterator[tuple[_Candidate, tuple[Finding, ...]]]:
    """Each as soon as its scan is done."""
    left = iter(candidates)
    for batch in scanning.batches([candidate.files for candidate in candidates]):
        for files, found in zip(batch, await scanning.scan(batch), strict=True):
            asked = await opinions.ask(settings, files) if settings.skill_opinion else ()
            yield next(left), (*found, *asked)


async def _proposed(desk: Desk, candidate: _Candidate, findings: tuple[Finding, ...]) -> FolderOutcome:
    """A candidate that cannot be put before people keeps no other from it."""
    try:
        version = await _propose(desk, candidate, findings)
    except errors.Braked:
        raise
    except errors.Rejected as error:
        return FolderOutcome(candidate.path, "refused", reason=error.message)
    return FolderOutcome(candidate.path, candidate.outcome, version)


async def _propose(desk: Desk, candidate: _Candidate, findings: tuple[Finding, ...]) -> Version:
    """The version and, under the same id, the hold that puts it before people: both or neither."""
    async with desk.transaction() as conn:
        number = await rows.lock(conn, candidate.manifest.name) + 1
        version = Version(
            id=ids.fresh(),
            skill=candidate.manifest.name,
            number=number,
            content_hash=skills.content_hash(candidate.files),
            manifest=candidate.manifest,
            source=candidate.source,
            findings=findings,
            safe=skills.is_safe(findings),
            registered_at=await clock.now(conn),
            registered_by=desk.who.id,
            status=Status.pending,
        )
        await rows.insert(conn, version, candidate.files)
        before = await rows.files(conn, candidate.before.content_hash) if candidate.before else {}
        opening = await asyncio.to_thread(evidence.opening, version, candidate.files, before)
        hold = await open_within(desk.context, conn, desk.who, opening)
    desk.context.poke()
    return replace(version, status=hold.status)
