"""Where a repository's commits come from: its mirror, or a folder of this machine, which is read and never written."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal

from handrail.changes.trees.errors import (
    BaseBranchMissing,
    BaseCommitMissing,
    DiskFull,
    RepositoryEmpty,
    RepositoryTooLarge,
    RepositoryUnreachable,
    RepositoryUnsafe,
)
from handrail.changes.trees.groves import Grove, Repository, check_branch
from handrail.core.errors import CloneRefused
from handrail.sandbox import processes, repositories
from handrail.sandbox.cloning import Git
from handrail.sandbox.repositories import Remote

COMMIT = re.compile("[0-9a-f]{40}")
BASE = "refs/handrail/base"
TOO_LARGE = re.compile(r"File too large|signal 25|larger than \d+ MiB|index-pack failed")
UNSAFE = re.compile(r"object [0-9a-f]{40}: .+|.*fsck error.*")
FETCH = ("fetch", "--quiet", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head")


@dataclass(frozen=True, slots=True)
class Base:
    branch: str
    commit: str


@dataclass(frozen=True, slots=True)
class Drift:
    """What became of the base branch since a run started from it; `commit` is its newest, where it is there."""

    kind: Literal["same", "moved", "deleted"]
    branch: str
    commit: str | None

    def as_data(self) -> dict[str, Any]:
        return {"kind": self.kind, "branch": self.branch, "commit": self.commit}


async def bring(grove: Grove, repository: Repository, address: str, branch: str | None) -> Base:
    """The newest commit of that branch, or of the default one, brought into the run's repository."""
    if branch is not None:
        check_branch(branch)
    async with _source(grove, repository, address) as source:
        base = await source.newest(branch)
        await source.hand_over(base.commit)
        return base


async def bring_commit(grove: Grove, repository: Repository, address: str, branch: str, commit: str) -> None:
    """That very commit, of that branch, brought into the run's repository."""
    check_branch(branch)
    if not COMMIT.fullmatch(commit):
        raise BaseCommitMissing(f"{commit[:80]!r} is not a commit's name")
    async with _source(grove, repository, address) as source:
        await source.fetch(commit, branch)
        await source.hand_over(commit)


async def drift(grove: Grove, repository: Repository, address: str, base: Base) -> Drift:
    """Whether the base branch is where it was. Its newest commit is brought along, to rebase onto."""
    try:
        now = await bring(grove, repository, address, base.branch)
    except (BaseBranchMissing, RepositoryEmpty):
        return Drift("deleted", base.branch, None)
    return Drift("same" if now.commit == base.commit else "moved", base.branch, now.commit)


class _Source:
    """`git` fetches into a repository: the mirror, or the run's own where the source is a folder of this machine."""

    def __init__(self, git: Git | Repository, url: str, name: str, into: Repository) -> None:
        self._git = git
        self._url = url
        self._name = name
        self._into = into

    async def newest(self, branch: str | None) -> Base:
        branch = branch or await self._default()
        local = BASE if isinstance(self._git, Repository) else _kept(branch)
        ended = await self._git.run(*FETCH, "--depth=1", self._url, f"+refs/heads/{branch}:{local}")
        if ended.code:
            if b"couldn't find remote ref" in ended.stderr:
                await self._default()
                raise BaseBranchMissing(f"{self._name} has no branch {branch!r}", branch=branch)
            raise _failure(self._name, ended)
        found = await self._git.run("rev-parse", "--verify", f"{local}^{{commit}}")
        return Base(branch, found.stdout.decode().strip())

    async def fetch(self, commit: str, branch: str) -> None:
        """Servers may refuse a commit that no branch points to; then the branch's whole history is fetched."""
        local = BASE if isinstance(self._git, Repository) else _kept(commit)
        for ways in (("--depth=1", self._url, f"+{commit}:{local}"), (self._url, f"+refs/heads/{branch}:{local}")):
            if (await self._git.run("cat-file", "-e", f"{commit}^{{tree}}")).code == 0:
                return
            ended = await self._git.run(*FETCH, *ways)
            if ended.code and not re.search(b"not our ref|unadvertised object|couldn't find remote ref", ended.stderr):
                raise _failure(self._name, ended)
        if (await self._git.run("cat-file", "-e", f"{commit}^{{tree}}")).code:
            raise BaseCommitMissing(f"{self._name} no longer has the commit {commit[:12]} that the run started from")

    async def hand_over(self, commit: str) -> None:
        if not isinstance(self._git, Repository):
            await asyncio.to_thread(_share, self._git.folder, self._into.folder)
        # kept by a name, whatever else is fetched later
        await self._into.text("update-ref", f"refs/handrail/known/{commit}", commit)

    async def _default(self) -> str:
        ended = await self._git.run("ls-remote", "--symref", "--", self._url, "HEAD")
        if ended.code:
            raise _failure(self._name, ended)
        found = re.search(rb"^ref: refs/heads/(\S+)\tHEAD$", ended.stdout, re.MULTILINE)
        if found and re.search(rb"^[0-9a-f]{40}\tHEAD$", ended.stdout, re.MULTILINE):
            return check_branch(os.fsdecode(found[1]))
        branches = await self._git.run("ls-remote", "--heads", "--", self._url)
        if branches.stdout.strip():
            raise BaseBranchMissing(f"{self._name} has no default branch: name the one to start from")
        raise RepositoryEmpty(f"{self._name} has no commits yet: push a first one, then try again")


@asynccontextmanager
async def _source(grove: Grove, into: Repository, address: str) -> AsyncGenerator[_Source]:
    try:
        place = repositories.parse(address, grove.allowed)
        if isinstance(place, Remote):
            async with repositories.mirror(place, grove.allowed, grove.mirrors, grove.hidden) as git:
                yield _Source(git, place.url, place.name, into)
        else:
            await asyncio.to_thread(_check_checkout, place, grove.allowed.roots)
            into.trust(place)
            async with asyncio.timeout(grove.allowed.limits.seconds):
                yield _Source(into, place.as_uri(), place.name, into)
    except CloneRefused as error:
        raise RepositoryUnreachable(error.message) from None
    except TimeoutError:
        limit = grove.allowed.limits.seconds
        raise RepositoryUnreachable(f"The repository was not read within {limit:g} seconds") from None


def _kept(name: str) -> str:
    """A ref of the mirror: one branch's name may be the folder of another's."""
    return f"refs/mirror/{sha256(name.encode()).hexdigest()[:32]}"


def _failure(name: str, ended: processes.Completion) -> Exception:
    said = ended.stderr.decode(errors="replace").strip()
    if "No space left on device" in said:
        return DiskFull("The disk is full: free some space, then try again")
    unsafe = UNSAFE.search(said)
    if unsafe:
        return RepositoryUnsafe(f"{name} holds what git calls unsafe: {unsafe[0][:300]}")
    if TOO_LARGE.search(said) or ended.code in {-25, 153}:
        return RepositoryTooLarge(f"{name} is larger than a repository may be (HANDRAIL_GIT_MEGABYTES)")
    if re.search("could not read Username|Authentication failed|not found|not appear to be a git", said):
        return RepositoryUnreachable(f"{name} does not exist, is not a git repository, or is not open to Handrail")
    last = next((line for line in reversed(said.splitlines()) if line.startswith(("fatal:", "error:"))), said[-300:])
    return RepositoryUnreachable(f"{name} cannot be read; git says: {last[:500]}")


def _check_checkout(folder: Path, roots: tuple[Path, ...]) -> None:
    """A repository that lies where it says, with objects of its own: none that some file of it points to elsewhere."""
    own = folder / ".git" if (folder / ".git").exists() else folder
    if not own.is_dir() or not (own / "objects").is_dir():
        raise RepositoryUnreachable(
            f"{folder.name} is not a git repository of its own: name the folder that has `.git`"
        )
    allowed = [root.resolve() for root in roots]
    places = [own, own / "objects", own / "refs", own / "objects" / "pack", own / "objects" / "info"]
    outside = [place for place in places if place.exists() and not any(map(place.resolve().is_relative_to, allowed))]
    if outside or (own / "objects" / "info" / "alternates").exists() or (own / "commondir").exists():
        raise RepositoryUnsafe(f"{folder.name} borrows from another repository, which Handrail does not follow")


def _share(mirror: Path, into: Path) -> None:
    """The mirror's objects, as links: they never change, and outlive the mirror where it is made again."""
    packs = into / "objects" / "pack"
    packs.mkdir(parents=True, exist_ok=True)
    # the index last: git looks for a pack once it sees that
    for file in sorted((mirror / "objects" / "pack").glob("pack-*"), key=lambda file: file.suffix == ".idx"):
        _link_or_copy(file, packs / file.name)
    for file in (mirror / "objects").glob("[0-9a-f][0-9a-f]/*"):
        (into / "objects" / file.parent.name).mkdir(exist_ok=True)
        _link_or_copy(file, into / "objects" / file.parent.name / file.name)
    boundaries = {line for each in (mirror, into) for line in _lines(each / "shallow")}
    if boundaries:
        fresh = into / "shallow.new"
        fresh.write_text("".join(f"{line}\n" for line in sorted(boundaries)))
        fresh.replace(into / "shallow")


def _link_or_copy(file: Path, target: Path) -> None:
    try:
        os.link(file, target)
    except FileExistsError:
        return
    except OSError:
        # another file system, or one without links
        shutil.copy(file, target)


def _lines(file: Path) -> list[str]:
    return file.read_text().split() if file.exists() else []
