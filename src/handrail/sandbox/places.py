"""Where a command works: folders of this machine, bound into the sandbox at fixed places, and what it finds there.

    place = Place((Bind(tree, "/workspace", writable=True), Bind(prepared, "/deps")), path=("/deps/bin",))

A writable folder belongs to the sandbox from its first run: where Handrail is root, it is handed to a user without an
account, who stays its owner, so several commands can work over it at once. What is bound read-only must be readable by
everybody where Handrail is root: `share` makes it so once it is prepared.
"""

from __future__ import annotations

import os
import random
import re
import secrets
import shutil
import stat
import threading
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path, PurePosixPath

from handrail.core.errors import InvalidField
from handrail.sandbox.reaching import Reach

# of the numbers that systems set aside for users without an account
PASSING_USERS = range(61184, 65520)
# everything else inside is the system's, or the sandbox's own
ROOTS = ("workspace", "deps", "out", "opt")
HOME = "/tmp/home"  # noqa: S108 - of the sandbox, and in its memory
VARIABLE = re.compile("[A-Za-z_][A-Za-z0-9_]*")
# what a file takes at least, of its own and in its folder: a million empty ones fill a disk as well
LEAST = 4096
# real trees have a tenth of it; each level costs a descriptor
DEEPEST = 200
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
# a tree is worked on by one process
_claiming = threading.Lock()
# what is done with a name in an open folder
Use = Callable[[int, str, os.stat_result], None]


@dataclass(frozen=True, slots=True)
class Bind:
    """A folder of this machine, and where the command finds it: under /workspace, /deps, /out or /opt."""

    source: Path
    inside: str
    writable: bool = False


@dataclass(frozen=True, slots=True)
class Place:
    """`folder` is where the command starts; those of `path` come before the sandbox's own programs.

    There is no network, unless `reach` names hosts: that is for preparing dependencies alone. A bind may lie within
    another one, such as prepared modules in /workspace/node_modules.
    """

    binds: tuple[Bind, ...]
    folder: str = "/workspace"
    environment: Mapping[str, str] = field(default_factory=dict[str, str])
    path: tuple[str, ...] = ()
    reach: Reach | None = None


@dataclass(frozen=True, slots=True)
class Mounts:
    """Binds in the order in which they are mounted; `user` owns the writable ones where Handrail is root.

    `size` is what the writable ones held before the command.
    """

    binds: tuple[Bind, ...]
    user: int | None
    size: int


def prepare(place: Place) -> Mounts:
    """The place, checked and handed over. Refused where a bind would lead somewhere else than it says."""
    _check(place)
    binds = tuple(sorted((_found(bind) for bind in place.binds), key=lambda bind: bind.inside))
    user = _claimed(binds) if os.geteuid() == 0 else None
    for bind in binds:
        _make_door(bind, binds, user)
    sizes = [_hand_over(bind.source, user) for bind in binds if bind.writable]
    return Mounts(binds, user, sum(sizes))


def _check(place: Place) -> None:
    insides = [bind.inside for bind in place.binds]
    for inside in (*insides, place.folder):
        path = PurePosixPath(inside)
        if str(path) != inside or len(path.parts) < 2 or ".." in path.parts or path.parts[1] not in ROOTS:
            raise InvalidField(f"{inside!r} is not a place in the sandbox: use /workspace, /deps, /out or /opt")
    if any(one == other for one, other in pairwise(sorted(insides))):
        raise InvalidField("two folders cannot be bound to the same place")
    for name, value in place.environment.items():
        if not VARIABLE.fullmatch(name) or "\0" in value:
            raise InvalidField(f"{name!r} is not the name of an environment variable, or its value holds a NUL")
    if any(":" in folder or "\0" in folder for folder in place.path):
        raise InvalidField("a folder of `path` cannot hold a colon")


def _found(bind: Bind) -> Bind:
    try:
        source = bind.source.resolve(strict=True)
    except OSError as error:
        raise InvalidField(f"{bind.source} cannot be bound: {error.strerror}") from None
    if not source.is_dir():
        raise InvalidField(f"{bind.source} cannot be bound: it is not a folder")
    return Bind(source, bind.inside, bind.writable)


def _claimed(binds: tuple[Bind, ...]) -> int:
    """The owner of what was handed over before; else a number of its own: no other sandbox's processes count against
    this one's limit, nor can they be reached. The folders are theirs at once, so commands that begin together over a
    new tree are one user."""
    writable = [bind.source for bind in binds if bind.writable]
    with _claiming:
        owners = [source.stat().st_uid for source in writable]
        user = next((owner for owner in owners if owner in PASSING_USERS), passing_user())
        for source, owner in zip(writable, owners, strict=True):
            if owner != user:
                os.chown(source, user, user, follow_symlinks=False)
    return user


def passing_user() -> int:
    return random.choice(PASSING_USERS)  # noqa: S311 - not a secret


def _make_door(bind: Bind, binds: tuple[Bind, ...], user: int | None) -> None:
    """A folder to mount on, where a bind lies within another one. Links are not followed: the tree is not trusted."""
    outer = [each for each in binds if each is not bind and PurePosixPath(bind.inside).is_relative_to(each.inside)]
    if not outer:
        return
    innermost = max(outer, key=lambda each: len(each.inside))
    descriptor = os.open(innermost.source, _FOLDER)
    try:
        for part in PurePosixPath(bind.inside).relative_to(innermost.inside).parts:
            inner = (
                _entered(descriptor, part, user) if innermost.writable else os.open(part, _FOLDER, dir_fd=descriptor)
            )
            os.close(descriptor)
            descriptor = inner
    except OSError as error:
        raise InvalidField(f"nothing can be bound to {bind.inside}: {error.strerror}") from None
    finally:
        os.close(descriptor)


def _entered(folder: int, name: str, user: int | None) -> int:
    try:
        return os.open(name, _FOLDER, dir_fd=folder)
    except FileNotFoundError:
        os.mkdir(name, mode=0o755, dir_fd=folder)
        if user is not None:
            os.chown(name, user, user, dir_fd=folder, follow_symlinks=False)
        return os.open(name, _FOLDER, dir_fd=folder)


def measure(folder: Path) -> int:
    """How much is in the folder. A command may be changing it meanwhile."""
    sizes: list[int] = []
    _each(folder, lambda parent, name, found: sizes.append(_taken(found)))
    return sum(sizes)


def _taken(found: os.stat_result) -> int:
    return max(found.st_blocks * 512, LEAST)


def _hand_over(folder: Path, owner: int | None) -> int:
    """How much is in the folder; all of it belongs to `owner` afterwards, and nothing of it lies elsewhere as well."""
    sizes: list[int] = []

    def take(parent: int, name: str, found: os.stat_result) -> None:
        sizes.append(_taken(found))
        is_theirs = owner is not None and (found.st_uid, found.st_gid) == (owner, owner)
        if stat.S_ISREG(found.st_mode) and found.st_nlink > 1 and not is_theirs:
            _part(parent, name, found)
        if owner is not None and not is_theirs:
            os.chown(name, owner, owner, dir_fd=parent, follow_symlinks=False)

    _each(folder, take)
    return sum(sizes)


def _part(parent: int, name: str, found: os.stat_result) -> None:
    """Makes a copy of a file that has another name, maybe outside: the command would write to that one too."""
    fresh = f".{secrets.token_hex(8)}"
    how = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
    with (
        _opened(parent, name, _FILE) as source,
        os.fdopen(source, "rb", closefd=False) as old,
        os.fdopen(os.open(fresh, how, 0o600, dir_fd=parent), "wb") as new,
    ):
        shutil.copyfileobj(old, new)
        os.fchmod(new.fileno(), stat.S_IMODE(found.st_mode) & 0o777)
    os.replace(fresh, name, src_dir_fd=parent, dst_dir_fd=parent)


def share(folder: Path) -> None:
    """Lets every user read what is in the folder, as read-only binds need."""

    def open_up(parent: int, name: str, found: os.stat_result) -> None:
        if stat.S_ISLNK(found.st_mode):
            return
        executable = stat.S_ISDIR(found.st_mode) or found.st_mode & stat.S_IXUSR
        wanted = stat.S_IMODE(found.st_mode) | (0o555 if executable else 0o444)
        if wanted != stat.S_IMODE(found.st_mode):
            with _opened(parent, name, _FILE) as descriptor:
                os.fchmod(descriptor, wanted)

    _each(folder, open_up)


@contextmanager
def _opened(parent: int, name: str, how: int) -> Generator[int]:
    descriptor = os.open(name, how, dir_fd=parent)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _each(folder: Path, use: Use) -> None:
    """The folder and all that is in it, by descriptors and names: no link is followed, even one made meanwhile."""
    parent = os.open(folder.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        _use(parent, folder.name, use, DEEPEST)
    finally:
        os.close(parent)


def _use(parent: int, name: str, use: Use, levels: int) -> None:
    try:
        found = os.stat(name, dir_fd=parent, follow_symlinks=False)
        use(parent, name, found)
        if stat.S_ISDIR(found.st_mode):
            with _opened(parent, name, _FOLDER) as folder:
                if levels == 0:
                    raise InvalidField(f"folders are nested more than {DEEPEST} levels deep")
                for inner in os.listdir(folder):  # noqa: PTH208 - an open folder has no path
                    _use(folder, inner, use, levels - 1)
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        # gone meanwhile, or closed by the command itself
        return
