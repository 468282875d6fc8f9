"""The sandbox by bubblewrap: namespaces without network, the system read-only, files in memory, an ordinary user."""

from __future__ import annotations

import json
import os
import shutil
import signal
import stat
import sys
from asyncio.subprocess import Process
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from handrail.core.sizes import MIB
from handrail.sandbox import cgroups, reaching
from handrail.sandbox.limits import Limits
from handrail.sandbox.places import Mounts, passing_user
from handrail.sandbox.running import Launch, piped

HERE = Path(__file__).parent
GUARD = (HERE / "inside.py").read_text()
# of /etc only what programs need to start: no accounts, no keys, no host names; Maven's settings may hold passwords
ETC = (
    *("alternatives", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "localtime", "mime.types", "fonts", "java"),
    *("maven/m2.conf", "maven/logging"),
)
INSIDE_USER = "65534"
# of those who sign for hosts; seen only where hosts can be reached
CERTIFICATES = ("/etc/ssl/certs", "/etc/ssl/cert.pem", "/etc/pki/tls/certs", "/etc/pki/ca-trust")
# what test suites look up: who they are, and where `localhost` is
WRITTEN = {
    "passwd": f"sandbox:x:{INSIDE_USER}:{INSIDE_USER}::/tmp/home:/bin/sh\n",
    "group": f"sandbox:x:{INSIDE_USER}:\n",
    "hosts": "127.0.0.1 localhost sandbox\n::1 localhost\n",
    "nsswitch.conf": "passwd: files\ngroup: files\nhosts: files dns\n",
}
SHARED_MEMORY = 16 * MIB
SYSTEM = "/usr/local/bin:/usr/bin:/bin"


def find() -> str | None:
    return shutil.which("bwrap")


@dataclass(frozen=True, slots=True)
class Bubblewrap:
    program: str

    @asynccontextmanager
    async def started(self, limits: Limits, place: Mounts | None = None) -> AsyncGenerator[Launch]:
        user = _user(place) if os.geteuid() == 0 else None
        python, prefixes = _python(place)
        bound = [str(bind.source) for bind in place.binds] if place else []
        # an ordinary user need not reach Handrail's own folders
        closed = [each for each in (*prefixes, *bound) if user is not None and not _is_open(Path(each))]
        with cgroups.group(limits) as group, _memory() as told, _written(place) as written:
            doors = ":".join(map(str, group.doors)) if group else "-"
            who = str(user) if user is not None else "-"
            launch = [sys.executable, "-I", "-S", str(HERE / "launcher.py"), who, doors, str(len(closed)), *closed]
            options = ["--info-fd", str(told), *_options(python, limits), *_folders(prefixes, closed, limits, place)]
            files = [part for name, file in written.items() for part in ("--ro-bind-data", str(file), f"/etc/{name}")]
            command = [*launch, self.program, *options, *files, *LAST, python, "-I", "-S", "-c", GUARD]
            async with piped(command, (told, *written.values())) as process:
                out_of_memory = group.out_of_memory if group else lambda: False
                try:
                    yield Launch(process, out_of_memory, lambda: _end(process, told), grouped=group is not None)
                finally:
                    _end(process, told)


def _user(place: Mounts | None) -> int:
    user = place.user if place else None
    return passing_user() if user is None else user


def _python(place: Mounts | None) -> tuple[str, list[str]]:
    """The guard's interpreter, and the folders outside /usr that it lives in: Handrail's own with its packages, but
    where the command is of a repository, that without any."""
    if place is None:
        return sys.executable, _outside_usr(sys.prefix, sys.base_prefix)
    return str(Path(sys.base_prefix) / "bin" / f"python3.{sys.version_info.minor}"), _outside_usr(sys.base_prefix)


def _outside_usr(*places: str) -> list[str]:
    return sorted(place for place in set(places) if not Path(place).is_relative_to("/usr"))


def _options(python: str, limits: Limits) -> list[str]:
    return [
        # the guard comes first: bubblewrap's own first process would hold the way back open to the command
        "--as-pid-1",
        *("--unshare-all", "--unshare-user", "--disable-userns", "--die-with-parent", "--new-session"),
        *("--uid", INSIDE_USER, "--gid", INSIDE_USER, "--hostname", "sandbox", "--cap-drop", "ALL", "--clearenv"),
        *("--setenv", "PATH", f"{Path(python).parent}:{SYSTEM}", "--setenv", "HOME", "/workspace"),
        *("--setenv", "LANG", "C.UTF-8", "--setenv", "PYTHONDONTWRITEBYTECODE", "1"),
        *_system(),
        # before what may lie in it
        *("--size", str(limits.disk), "--tmpfs", "/tmp"),  # noqa: S108
    ]


def _folders(prefixes: list[str], closed: list[str], limits: Limits, place: Mounts | None) -> list[str]:
    given = [(bind.writable, str(bind.source), bind.inside) for bind in place.binds] if place else []
    options = ["--proc", "/proc", "--dev", "/dev", "--size", str(SHARED_MEMORY), "--tmpfs", "/dev/shm"]  # noqa: S108
    for writable, source, inside in [*((False, each, each) for each in prefixes), *given]:
        # where the launcher has opened a folder that an ordinary user cannot reach
        there = f"/mnt/{closed.index(source)}" if source in closed else source
        options += ["--bind" if writable else "--ro-bind", there, inside]
    if place is None:
        return [*options, "--size", str(limits.disk), "--tmpfs", "/workspace", "--chdir", "/workspace"]
    if any(bind.inside == reaching.INSIDE for bind in place.binds):
        options += [part for each in CERTIFICATES for part in ("--ro-bind-try", each, each)]
    return options


# bubblewrap's own folders are in memory as well, and have no size
LAST = ("--remount-ro", "/dev", "--remount-ro", "/", "--")


def _system() -> list[str]:
    options = ["--ro-bind", "/usr", "/usr"]
    for name in ("bin", "sbin", "lib", "lib32", "lib64"):
        place = Path("/") / name
        if place.is_symlink():
            options += ["--symlink", str(place.readlink()), str(place)]
        elif place.is_dir():
            options += ["--ro-bind", str(place), str(place)]
    # Debian keeps there what every version of Java reads when it starts
    for name in (*ETC, *sorted(each.name for each in Path("/etc").glob("java-*-openjdk"))):
        options += ["--ro-bind-try", f"/etc/{name}", f"/etc/{name}"]
    return options


def _is_open(place: Path) -> bool:
    return all(folder.stat().st_mode & stat.S_IXOTH for folder in (place, *place.parents))


@contextmanager
def _memory() -> Generator[int]:
    """A file in memory, into which bubblewrap writes the guard's number."""
    file = os.memfd_create("handrail")
    try:
        yield file
    finally:
        os.close(file)


@contextmanager
def _written(place: Mounts | None) -> Generator[dict[str, int]]:
    """Files of /etc for a command of a repository, each as something to read it from."""
    files: dict[str, int] = {}
    try:
        for name, text in WRITTEN.items() if place else ():
            files[name], writing = os.pipe2(os.O_CLOEXEC)
            os.write(writing, text.encode())
            os.close(writing)
        yield files
    finally:
        for file in files.values():
            os.close(file)


def _end(process: Process, told: int) -> None:
    """Kills the guard, the first process inside: when bubblewrap has seen it go, nothing is left that could still
    write. Killing bubblewrap itself would not wait for that."""
    if process.returncode is None and not _kill_guard(process, told):
        with suppress(ProcessLookupError):
            process.kill()


def _kill_guard(process: Process, told: int) -> bool:
    try:
        guard = int(json.loads(os.pread(told, 4096, 0))["child-pid"])
        with _held(guard) as handle:
            # while its parent lives, the number is no one else's
            if _parent(guard) == process.pid:
                signal.pidfd_send_signal(handle, signal.SIGKILL)
                return True
    except (OSError, ValueError, KeyError):
        # it has not been started yet, or is gone
        return False
    return False


@contextmanager
def _held(number: int) -> Generator[int]:
    handle = os.pidfd_open(number)
    try:
        yield handle
    finally:
        os.close(handle)


def _parent(number: int) -> int:
    return int(Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[1])
