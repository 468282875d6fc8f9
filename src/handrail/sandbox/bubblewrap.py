"""The sandbox by bubblewrap: namespaces without network, the system read-only, files in memory, an ordinary user."""

from __future__ import annotations

import os
import random
import shutil
import stat
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from handrail.sandbox import cgroups
from handrail.sandbox.limits import MIB, Limits
from handrail.sandbox.running import Started, piped

HERE = Path(__file__).parent
GUARD = (HERE / "inside.py").read_text()
# of /etc only what programs need to start: no accounts, no keys, no host names
ETC = ("alternatives", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "localtime", "mime.types", "fonts", "java")
INSIDE_USER = "65534"
SHARED_MEMORY = 16 * MIB
# of the numbers that systems set aside for users without an account
PASSING_USERS = range(61184, 65520)
SYSTEM = "/usr/local/bin:/usr/bin:/bin"


def find() -> str | None:
    return shutil.which("bwrap")


@dataclass(frozen=True, slots=True)
class Bubblewrap:
    program: str

    @asynccontextmanager
    async def started(self, limits: Limits) -> AsyncGenerator[Started]:
        root = os.geteuid() == 0
        # a number of its own: no other sandbox's processes count against this one's limit, nor can they be reached
        user = str(random.choice(PASSING_USERS)) if root else "-"  # noqa: S311 - not a secret
        closed = [place for place in _prefixes() if root and not _is_open(Path(place))]
        with cgroups.group(limits) as group:
            doors = ":".join(map(str, group.doors)) if group else "-"
            launch = [sys.executable, "-I", "-S", str(HERE / "launcher.py"), user, doors, ":".join(closed) or "-"]
            command = [*launch, self.program, *_options(limits, closed), sys.executable, "-I", "-S", "-c", GUARD]
            async with piped(command) as process:
                yield Started(process, group.out_of_memory if group else lambda: False, memory_by_rlimit=group is None)


def _options(limits: Limits, closed: list[str]) -> list[str]:
    return [
        # the guard comes first: bubblewrap's own first process would hold the way back open to the command
        "--as-pid-1",
        *("--unshare-all", "--unshare-user", "--disable-userns", "--die-with-parent", "--new-session"),
        *("--uid", INSIDE_USER, "--gid", INSIDE_USER, "--hostname", "sandbox", "--cap-drop", "ALL", "--clearenv"),
        *("--setenv", "PATH", f"{Path(sys.executable).parent}:{SYSTEM}", "--setenv", "HOME", "/workspace"),
        *("--setenv", "LANG", "C.UTF-8", "--setenv", "PYTHONDONTWRITEBYTECODE", "1"),
        *_system(),
        # before what may lie in it
        *("--size", str(limits.disk), "--tmpfs", "/tmp"),  # noqa: S108
        *(part for place in _prefixes() for part in ("--ro-bind", _source(place, closed), place)),
        *("--proc", "/proc", "--dev", "/dev", "--size", str(SHARED_MEMORY), "--tmpfs", "/dev/shm"),  # noqa: S108
        *("--size", str(limits.disk), "--tmpfs", "/workspace"),
        # bubblewrap's own folders are in memory as well, and have no size
        *("--remount-ro", "/dev", "--remount-ro", "/", "--chdir", "/workspace", "--"),
    ]


def _system() -> list[str]:
    options = ["--ro-bind", "/usr", "/usr"]
    for name in ("bin", "sbin", "lib", "lib32", "lib64"):
        place = Path("/") / name
        if place.is_symlink():
            options += ["--symlink", str(place.readlink()), str(place)]
        elif place.is_dir():
            options += ["--ro-bind", str(place), str(place)]
    for name in ETC:
        options += ["--ro-bind-try", f"/etc/{name}", f"/etc/{name}"]
    return options


def _prefixes() -> list[str]:
    """The folders outside /usr that Handrail's own Python and its packages live in."""
    return sorted(place for place in {sys.prefix, sys.base_prefix} if not Path(place).is_relative_to("/usr"))


def _source(place: str, closed: list[str]) -> str:
    """Where the launcher has opened a folder that an ordinary user cannot reach."""
    return f"/mnt/{closed.index(place)}" if place in closed else place


def _is_open(place: Path) -> bool:
    return all(folder.stat().st_mode & stat.S_IXOTH for folder in (place, *place.parents))
