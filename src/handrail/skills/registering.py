"""Proposes skills: read from their source, scanned, and each put before people as a hold of kind `review`."""

from __future__ import annotations

import asyncio
import difflib
import hashlib
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Literal, cast

from handrail.core import errors, ids, skills
from handrail.core.canonical import Json, JsonObject
from handrail.core.holds import Action, Kind, Status
from handrail.core.ids import HoldId
from handrail.core.people import Principal
from handrail.core.skills import Files, Finding, Manifest, Source, Version
from handrail.holds.context import Context
from handrail.holds.opening import Opening, open_hold
from handrail.sandbox.cloning import CloneLimits, clone
from handrail.settings import Settings
from handrail.skills import contents, manifests, opinions, scanning, sources
from handrail.store import holds
from handrail.store import skills as rows

Outcome = Literal["new", "update", "unchanged", "refused"]
# of a skill's files so much is shown in its hold; all of it can be read beside it
MOST_SHOWN = 192 * 1024
MOST_OF_A_FILE = 48 * 1024
# comparing takes time that grows with the square of the lines
MOST_LINES = 5000


@dataclass(frozen=True, slots=True)
class Registered:
    """What became of one folder. `version` is the candidate, or what is there already where nothing changed."""

    path: str
    outcome: Outcome
    version: Version | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class _Candidate:
    path: str
    files: Files
    manifest: Manifest
    source: Source
    before: Version | None


async def register_git(context: Context, settings: Settings, who: Principal, url: str) -> list[Registered]:
    """Each skill of a repository, or of the folder that a deep link names, as a candidate."""
    return await _register(context, settings, who, *await _cloned(settings, url))


async def _cloned(settings: Settings, url: str, path: str | None = None) -> tuple[list[sources.Found], Source]:
    limits = CloneLimits(
        seconds=settings.git_seconds,
        size=settings.git_megabytes * 1024 * 1024,
        private_hosts=frozenset(settings.git_private_hosts),
    )
    with tempfile.TemporaryDirectory(prefix="handrail-clone-") as name:
        cloned = await clone(url, Path(name), limits)
        found = await asyncio.to_thread(sources.find, Path(name), path or cloned.path)
    return found, Source("git", cloned.url, ref=cloned.ref, commit=cloned.commit)


async def register_folder(context: Context, settings: Settings, who: Principal, folder: str) -> list[Registered]:
    """Each skill of a folder of the server, under an allowed root."""
    place = sources.under_roots(folder, settings.skill_roots)
    found = await asyncio.to_thread(sources.find, place)
    return await _register(context, settings, who, found, Source("folder", str(place)))


async def sync(context: Context, settings: Settings, who: Principal, name: str) -> Registered:
    """The skill as its source has it now: an update to decide on, or unchanged."""
    async with context.database.connection() as conn:
        known = await rows.get(conn, name)
    if known is None:
        raise errors.NotFound(f"there is no skill {name!r} in force")
    source = known.source
    if source.kind == "folder":
        found = await register_folder(context, settings, who, str(Path(source.location) / source.path))
    else:
        url = f"{source.location}/tree/{source.ref}" if source.ref else source.location
        found = await _register(context, settings, who, *await _cloned(settings, url, source.path))
    for each in found:
        if each.version is None or each.version.skill == name:
            return each
    raise errors.NotFound(f"the source of {name!r} does not have it any more")


async def _register(
    context: Context, settings: Settings, who: Principal, found: Sequence[sources.Found], source: Source
) -> list[Registered]:
    results: dict[str, Registered] = {}
    candidates: list[_Candidate] = []
    names: set[str] = set()
    for each in found:
        try:
            candidate = await _candidate(context, each, source, names)
        except errors.Rejected as error:
            results[each.path] = Registered(each.path, "refused", reason=error.message)
            continue
        names.add(candidate.manifest.name)
        same = await _same(context, candidate)
        if same is not None:
            results[each.path] = Registered(each.path, "unchanged", same)
        else:
            candidates.append(candidate)
    for candidate, findings in zip(candidates, await _scanned(settings, candidates), strict=True):
        version = await _propose(context, who, candidate, findings)
        results[candidate.path] = Registered(candidate.path, "update" if candidate.before else "new", version)
    return [results[each.path] for each in found]


async def _candidate(context: Context, found: sources.Found, source: Source, taken: set[str]) -> _Candidate:
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


async def _scanned(settings: Settings, candidates: Sequence[_Candidate]) -> list[tuple[Finding, ...]]:
    if not candidates:
        return []
    found = await scanning.scan([candidate.files for candidate in candidates])
    if not settings.skill_opinion:
        return found
    return [(*own, *await opinions.ask(settings, c.files)) for own, c in zip(found, candidates, strict=True)]


async def _propose(context: Context, who: Principal, candidate: _Candidate, findings: tuple[Finding, ...]) -> Version:
    """The version's row first, then its hold under the same id: a row whose hold was never opened is not seen."""
    async with context.database.transaction() as conn:
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
            registered_at=await holds.now(conn),
            registered_by=who.id,
            status=Status.pending,
        )
        await rows.insert(conn, version, candidate.files)
        before = await rows.files(conn, candidate.before.content_hash) if candidate.before else {}
    opening = await asyncio.to_thread(_opening, version, candidate, before)
    hold = await open_hold(context, who, opening)
    return replace(version, status=hold.status)


def _opening(version: Version, candidate: _Candidate, before: Files) -> Opening:
    source: JsonObject = {key: value for key, value in asdict(version.source).items() if value is not None}
    args: JsonObject = {"skill": version.skill, "version": version.number, "content": version.content_hash}
    serious: list[Json] = [f.severity for f in version.findings if f.severity != "low"]
    what = (
        f"Update the skill {version.skill} to version {version.number}" if before else f"Add the skill {version.skill}"
    )
    return Opening(
        kind=Kind.review,
        title=what,
        description=version.manifest.description,
        action=Action(skills.REGISTER, {**args, "source": source}, version.skill),
        task={"operation": "register_skill", "resource_type": "skill", "security_findings": serious},
        evidence={
            "safe": version.safe,
            "findings": [cast("JsonObject", asdict(finding)) for finding in version.findings],
            "files": _shown(candidate.files),
            "diff": _diff(before, candidate.files) if before else None,
        },
        hold_id=HoldId(version.id),
    )


def _shown(files: Files) -> list[Json]:
    """Every file by name, size and hash, and its text as far as there is room."""
    shown: list[Json] = []
    left = MOST_SHOWN
    for path, content in sorted(files.items(), key=lambda item: (item[0] != manifests.MARKDOWN, item[0])):
        entry: JsonObject = {"path": path, "size": len(content), "sha256": hashlib.sha256(content).hexdigest()}
        if contents.is_text(content) and left > 0:
            text = content.decode()[: min(MOST_OF_A_FILE, left)]
            left -= len(text)
            entry |= {"text": text, "cut": len(text) < len(content.decode())}
        shown.append(entry)
    return shown


def _diff(before: Mapping[str, bytes], after: Mapping[str, bytes]) -> str:
    """What an update changes, as a unified diff; of what is no text, only that it differs."""
    parts: list[str] = []
    for path in sorted(before.keys() | after.keys()):
        old, new = before.get(path, b""), after.get(path, b"")
        if old == new:
            continue
        if contents.is_text(old) and contents.is_text(new):
            olds, news = old.decode().splitlines(keepends=True), new.decode().splitlines(keepends=True)
            if max(len(olds), len(news)) > MOST_LINES:
                parts.append(f"Files a/{path} and b/{path} differ, and are too long to compare\n")
                continue
            marks = (f"a/{path}" if path in before else "/dev/null", f"b/{path}" if path in after else "/dev/null")
            parts += [line if line.endswith("\n") else f"{line}\n" for line in difflib.unified_diff(olds, news, *marks)]
        else:
            parts.append(f"Binary files a/{path} and b/{path} differ\n")
    return "".join(parts)[:MOST_SHOWN]
