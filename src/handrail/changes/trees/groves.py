"""Where work trees are kept on this machine: a folder for each run, with a repository and its files."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from handrail.changes.trees.errors import BadName, ChangeTooLarge, DiskFull, GitFailed, RepositoryUnsafe, TreeMissing
from handrail.core.sizes import MIB
from handrail.sandbox import processes
from handrail.sandbox.cloning import SAFE, Git
from handrail.sandbox.repositories import RepositoryAccess

RUN = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
# what git itself refuses in a branch's name, and what a command line would take for an option
BRANCH = re.compile(
    r"(?!-)(?!.*(?:\.\.|//|@\{|/\.|\.lock(?:/|$)))[^\x00-\x20~^:?*\[\\\x7f./]"
    r"(?:[^\x00-\x20~^:?*\[\\\x7f]{0,198}[^\x00-\x20~^:?*\[\\\x7f./])?"
)
# the highest word: whatever the repository's own attributes say, files are what their blobs are
ATTRIBUTES = "* -text -ident -filter !working-tree-encoding !eol\n"
LOCAL = {
    **SAFE,
    "protocol.http.allow": "never",
    "protocol.https.allow": "never",
    # of another folder of ours, or a bundle
    "protocol.file.allow": "always",
    "core.attributesFile": os.devnull,
    "core.excludesFile": os.devnull,
    "core.autocrlf": "false",
    "core.fileMode": "true",
    "core.untrackedCache": "false",
    "core.alternateRefsCommand": "true",
    "core.logAllRefUpdates": "false",
    "diff.ignoreSubmodules": "all",
    "commit.gpgSign": "false",
    "gc.auto": "0",
    "maintenance.auto": "false",
    # every object comes in a pack, which can be linked from one repository into another
    "fetch.unpackLimit": "1",
}


@dataclass(frozen=True, slots=True)
class Grove:
    """`folder` holds a folder for each run, `mirrors` what was fetched. `hidden` are options of git for reaching the
    repository, such as a token's header. At most `most_files` files in a tree, `largest_change` bytes in a commit, and
    `seconds` for what is done here without network."""

    folder: Path
    mirrors: Path
    allowed: RepositoryAccess
    most_files: int = 200_000
    largest_change: int = 50 * MIB
    seconds: float = 300
    hidden: Mapping[str, str] = field(default_factory=dict[str, str])

    def of(self, run: str) -> Path:
        if not RUN.fullmatch(run):
            raise BadName(f"{run[:80]!r} cannot be the name of a run's folder", run=run[:80])
        return self.folder / run


def check_branch(name: str) -> str:
    if not BRANCH.fullmatch(name) or name == "HEAD":
        raise BadName(f"{name[:200]!r} is not the name of a branch", branch=name[:200])
    return name


class Repository:
    """The repository of one run, bare, and out of sight of what runs over its files."""

    def __init__(self, folder: Path, grove: Grove, tree: Path | None = None, index: str = "index") -> None:
        """`index` names git's list of the files of `tree`: each tree has its own."""
        self.folder = folder
        self._seconds = grove.seconds
        environment = {
            "GIT_DIR": str(folder),
            **({"GIT_WORK_TREE": str(tree)} if tree else {}),
            "GIT_INDEX_FILE": str(folder / index),
            "GIT_LITERAL_PATHSPECS": "1",
            "GIT_OPTIONAL_LOCKS": "0",
            "GIT_NO_REPLACE_OBJECTS": "1",
            "GIT_NO_LAZY_FETCH": "1",
            "GIT_ATTR_NOSYSTEM": "1",
            "GIT_CONFIG_GLOBAL": str(folder / "handrail.config"),
        }
        self._git = Git(LOCAL, folder, grove.allowed.limits.size, environment=environment)

    async def make(self) -> None:
        self.folder.mkdir(mode=0o700)
        await self.text("init", "--quiet", "--bare", "--template=", "--object-format=sha1", ".")
        (self.folder / "info").mkdir(exist_ok=True)
        (self.folder / "info" / "attributes").write_text(ATTRIBUTES)

    def trust(self, folder: Path) -> None:
        """Lets git read that repository of this machine although somebody else owns it."""
        quoted = str(folder).replace("\\", "\\\\").replace('"', '\\"')
        (self.folder / "handrail.config").write_text(
            f'[safe]\n\tdirectory = "{quoted}"\n\tdirectory = "{quoted}/.git"\n'
        )

    async def run(self, *arguments: str, given: bytes | None = None) -> processes.Completion:
        try:
            async with asyncio.timeout(self._seconds):
                return await self._git.run(*arguments, given=given)
        except (FileNotFoundError, NotADirectoryError):
            raise TreeMissing("The run has no tree on this machine: build it again from its base and bundle") from None
        except TimeoutError:
            raise GitFailed(f"git {arguments[0]} took longer than {self._seconds:g} seconds") from None

    async def bytes(self, *arguments: str, given: bytes | None = None) -> bytes:
        ended = await self.run(*arguments, given=given)
        if ended.code:
            raise failure(arguments[0], ended)
        return ended.stdout

    async def text(self, *arguments: str, given: bytes | None = None) -> str:
        return (await self.bytes(*arguments, given=given)).decode(errors="replace").strip()

    async def has(self, commit: str) -> bool:
        return (await self.run("cat-file", "-e", f"{commit}^{{tree}}")).code == 0


def failure(what: str, ended: processes.Completion) -> GitFailed | DiskFull | RepositoryUnsafe | ChangeTooLarge:
    said = ended.stderr.decode(errors="replace").strip()
    last = next(iter(reversed(said.splitlines())), f"code {ended.code}")
    if "No space left on device" in said:
        return DiskFull("The disk is full: free some space, then try again")
    if "invalid path" in said or "Invalid path" in said:
        return RepositoryUnsafe(f"The repository has a path that git refuses: {last}")
    if "File too large" in said or ended.code in {-25, 153}:
        return ChangeTooLarge("A file of git's own would be larger than a repository may be")
    return GitFailed(f"git {what} failed: {last[:500]}")
