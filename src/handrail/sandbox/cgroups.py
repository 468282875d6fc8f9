"""Control groups, version 2 or 1: what all processes of a sandbox may use together. Root has them, others at times."""

from __future__ import annotations

import os
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

from handrail.sandbox.limits import Limits

MOUNTED = Path("/sys/fs/cgroup")
CONTROLLERS = ("memory", "pids", "cpu")
PERIOD = 100_000
# the kernel empties a group a moment after its processes were killed
EMPTYING_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class Group:
    """A process joins by writing its number into each of `doors`. `memory_events` counts what was killed."""

    doors: tuple[Path, ...]
    memory_events: Path

    def out_of_memory(self) -> bool:
        for line in self.memory_events.read_text().splitlines():
            if line.startswith("oom_kill "):
                return int(line.split()[1]) > 0
        return False


@contextmanager
def group(limits: Limits) -> Generator[Group | None]:
    """A new group with these limits; None where this machine or user cannot have one."""
    name = f"handrail-{uuid4().hex[:12]}"
    folders: list[Path] = []
    try:
        try:
            found = _unified(name, limits, folders) if _is_unified() else _separate(name, limits, folders)
        except OSError:
            found = None
        yield found
    finally:
        for folder in folders:
            _remove(folder)


def _is_unified() -> bool:
    return (MOUNTED / "cgroup.controllers").exists()


def _unified(name: str, limits: Limits, folders: list[Path]) -> Group:
    parent = MOUNTED / _own_paths()[""]
    if parent != MOUNTED and not _delegates(parent):
        # a group that has processes cannot hand controllers on; the one above may
        parent = parent.parent
    if not _delegates(parent):
        with suppress(OSError):
            (parent / "cgroup.subtree_control").write_text(" ".join(f"+{c}" for c in CONTROLLERS))
    if not _delegates(parent):
        raise PermissionError(parent)
    folder = parent / name
    folder.mkdir()
    folders.append(folder)
    (folder / "memory.max").write_text(str(limits.memory))
    with suppress(OSError):
        (folder / "memory.swap.max").write_text("0")
    (folder / "pids.max").write_text(str(_processes(limits)))
    (folder / "cpu.max").write_text(f"{int(limits.cpus * PERIOD)} {PERIOD}")
    return Group((folder / "cgroup.procs",), folder / "memory.events")


def _delegates(parent: Path) -> bool:
    return set(CONTROLLERS) <= set((parent / "cgroup.subtree_control").read_text().split())


def _separate(name: str, limits: Limits, folders: list[Path]) -> Group:
    own = _own_paths()
    for controller in CONTROLLERS:
        folder = MOUNTED / controller / own[controller] / name
        folder.mkdir()
        folders.append(folder)
    memory, pids, cpu = folders
    (memory / "memory.limit_in_bytes").write_text(str(limits.memory))
    with suppress(OSError):
        (memory / "memory.memsw.limit_in_bytes").write_text(str(limits.memory))
    (pids / "pids.max").write_text(str(_processes(limits)))
    (cpu / "cpu.cfs_period_us").write_text(str(PERIOD))
    (cpu / "cpu.cfs_quota_us").write_text(str(int(limits.cpus * PERIOD)))
    return Group(tuple(folder / "cgroup.procs" for folder in folders), memory / "memory.oom_control")


def _processes(limits: Limits) -> int:
    # bubblewrap's two processes and the guard are in the group as well
    return limits.processes + 3


def _own_paths() -> dict[str, str]:
    """The group that this process is in, by controller; version 2 has one for all, under an empty name."""
    paths: dict[str, str] = {}
    for line in Path("/proc/self/cgroup").read_text().splitlines():
        _, names, path = line.split(":", 2)
        for name in names.split(","):
            paths[name] = path.lstrip("/")
    return paths


def _remove(folder: Path) -> None:
    with suppress(OSError):
        (folder / "cgroup.kill").write_text("1")
    deadline = time.monotonic() + EMPTYING_SECONDS
    while time.monotonic() < deadline:
        try:
            folder.rmdir()
        except FileNotFoundError:
            return
        except OSError:
            with suppress(OSError):
                for number in (folder / "cgroup.procs").read_text().split():
                    os.kill(int(number), 9)
            time.sleep(0.01)
        else:
            return
