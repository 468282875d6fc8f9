"""The sandbox by bubblewrap: namespaces without network, the system read-only, files in memory, an ordinary user."""

from __future__ import annotations

import os
import random
import shutil
import stat
import sys
import sysconfig
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
SAME = f"python{sys.version_info.major}.{sys.version_info.minor}"


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
        python = _python(others_must_reach_it=root)
        with cgroups.group(limits) as group:
            doors = ":".join(map(str, group.doors)) if group else "-"
            launch = [sys.executable, "-I", "-S", str(HERE / "launcher.py"), user, doors]
            command = [*launch, self.program, *_options(limits, python), python, "-I", "-S", "-c", GUARD]
            async with piped(command) as process:
                yield Started(process, group.out_of_memory if group else lambda: False, memory_by_rlimit=group is None)


def _options(limits: Limits, python: str) -> list[str]:
    return [
        *("--unshare-all", "--unshare-user", "--disable-userns", "--die-with-parent", "--new-session"),
        *("--uid", INSIDE_USER, "--gid", INSIDE_USER, "--hostname", "sandbox", "--cap-drop", "ALL", "--clearenv"),
        *("--setenv", "PATH", f"{Path(python).parent}:{SYSTEM}", "--setenv", "HOME", "/workspace"),
        *("--setenv", "LANG", "C.UTF-8", "--setenv", "PYTHONDONTWRITEBYTECODE", "1"),
        *_system(),
        *(part for place in _prefixes(python) for part in ("--ro-bind", place, place)),
        *_packages(python),
        *("--proc", "/proc", "--dev", "/dev", "--size", str(SHARED_MEMORY), "--tmpfs", "/dev/shm"),  # noqa: S108
        *("--size", str(limits.disk), "--tmpfs", "/tmp", "--size", str(limits.disk), "--tmpfs", "/workspace"),  # noqa: S108
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


def _python(*, others_must_reach_it: bool) -> str:
    """Handrail's own Python, with its packages; where an ordinary user cannot reach that, the system's."""
    own = [Path(prefix) for prefix in _prefixes(sys.executable)]
    if not others_must_reach_it or all(_is_open(place) for place in own):
        return sys.executable
    return next((found for name in (SAME, "python3") if (found := shutil.which(name, path=SYSTEM))), sys.executable)


def _packages(python: str) -> list[str]:
    """Handrail's packages for the system's Python too, where that is of the same version and may see them."""
    folder = Path(sysconfig.get_path("purelib"))
    if python == sys.executable or Path(python).name != SAME or not _is_open(folder):
        return []
    return ["--ro-bind", str(folder), str(folder), "--setenv", "PYTHONPATH", str(folder)]


def _prefixes(python: str) -> list[str]:
    """The folders outside /usr that this Python lives in."""
    if python != sys.executable:
        return []
    places = {sys.prefix, sys.base_prefix}
    return sorted(place for place in places if not Path(place).is_relative_to("/usr"))


def _is_open(place: Path) -> bool:
    return all(folder.stat().st_mode & stat.S_IXOTH for folder in (place, *place.parents))
