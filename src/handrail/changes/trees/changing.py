"""What was changed in a work tree since its commit, read without following a link."""

from __future__ import annotations

import asyncio
import os
import stat
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from handrail.changes.trees.errors import ChangeRefused, ChangeTooLarge
from handrail.changes.trees.groves import Repository
from handrail.changes.trees.laying import stays_inside
from handrail.changes.trees.listing import LINK, PLAIN, PROGRAM
from handrail.core.sizes import MIB

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


@dataclass(frozen=True, slots=True)
class Change:
    """`content` is none where the file was deleted; that of a link is its target."""

    path: str
    mode: str
    content: bytes | None


async def changed(repository: Repository) -> list[str]:
    """Paths of files that are changed, deleted or new; without what `.gitignore` leaves out and repositories within."""
    # a file that only got another owner, as the sandbox's files do, is not changed
    await repository.run("update-index", "-q", "--refresh")
    touched = await repository.bytes("diff-files", "-z", "--name-only", "--ignore-submodules=all")
    fresh = await repository.bytes("ls-files", "-z", "--others", "--exclude-standard")
    found = {os.fsdecode(path) for path in (touched + fresh).split(b"\0") if path}
    return sorted(path for path in found if not path.endswith("/"))


async def changes(repository: Repository, tree: Path, only: Collection[str] | None, largest: int) -> list[Change]:
    """Those of `only`, where given. Refused where one is not a file that can be committed."""
    found = await changed(repository)
    if only is not None:
        # what is named is meant, even where `.gitignore` would leave it out
        fresh = set(only) - set(found) - await _tracked(repository) if set(only) - set(found) else set[str]()
        found = [*(path for path in found if path in only), *sorted(fresh)]
    return await asyncio.to_thread(_read_all, tree, found, largest)


async def _tracked(repository: Repository) -> set[str]:
    listed = await repository.bytes("ls-files", "-z", "--cached")
    return {os.fsdecode(path) for path in listed.split(b"\0")}


def _read_all(tree: Path, paths: list[str], largest: int) -> list[Change]:
    found: list[Change] = []
    left = largest
    for path in paths:
        change = _read(tree, path, left)
        left -= len(change.content or b"")
        found.append(change)
    return found


def _read(tree: Path, path: str, largest: int) -> Change:
    *folders, name = path.split("/")
    descriptor = os.open(tree, _FOLDER)
    try:
        for folder in folders:
            inner = os.open(folder, _FOLDER, dir_fd=descriptor)
            os.close(descriptor)
            descriptor = inner
        mode = os.stat(name, dir_fd=descriptor, follow_symlinks=False).st_mode
        if stat.S_ISLNK(mode):
            return _link(path, os.readlink(name, dir_fd=descriptor))
        if not stat.S_ISREG(mode):
            raise ChangeRefused(f"{path} is neither a file nor a link", path=path)
        return Change(path, PROGRAM if mode & stat.S_IXUSR else PLAIN, _content(descriptor, name, path, largest))
    except (FileNotFoundError, NotADirectoryError):
        # a folder that became a file or a link takes what was in it along
        return Change(path, PLAIN, None)
    except OSError as error:
        if error.errno == 40:
            return Change(path, PLAIN, None)
        raise ChangeRefused(f"{path} cannot be read: {error.strerror}", path=path) from None
    finally:
        os.close(descriptor)


def _content(folder: int, name: str, path: str, largest: int) -> bytes:
    with os.fdopen(os.open(name, _FILE, dir_fd=folder), "rb") as stream:
        content = stream.read(largest + 1)
    if len(content) > largest:
        raise ChangeTooLarge(
            f"The change is too large: {path} exceeds what is left of {largest / MIB:.1f} MiB", path=path
        )
    return content


def _link(path: str, target: str) -> Change:
    if not stays_inside(path, target):
        raise ChangeRefused(f"{path} is a link that leads out of the repository", path=path)
    return Change(path, LINK, os.fsencode(target))
