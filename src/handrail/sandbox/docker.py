"""The sandbox by Docker, from an image that the operator names: it needs `python3` and nothing else."""

from __future__ import annotations

import asyncio
import csv
import io
import os
import re
import shutil
import subprocess
from asyncio.subprocess import Process
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from functools import cache
from uuid import uuid4

from handrail.core.errors import Misconfigured
from handrail.sandbox.bubblewrap import GUARD
from handrail.sandbox.limits import Limits
from handrail.sandbox.places import Bind, Mounts
from handrail.sandbox.running import Launch, piped

# with which the client finds its daemon: another socket, a rootless one, a context; what it runs gets none of them
VARIABLES = ("HOME", "XDG_RUNTIME_DIR", "SSH_AUTH_SOCK")
NOBODY = 65534
# a daemon that is busy takes its time to remove a container
CALL_SECONDS = 60


def find() -> str | None:
    return shutil.which("docker")


@dataclass(frozen=True, slots=True)
class Docker:
    program: str
    image: str

    @asynccontextmanager
    async def started(self, limits: Limits, place: Mounts | None = None) -> AsyncGenerator[Launch]:
        await asyncio.to_thread(_check_profile, self.program)
        name = f"handrail-{uuid4().hex[:12]}"
        command = [self.program, "run", "--name", name, *_options(limits, place), self.image]
        async with piped([*command, "python3", "-I", "-S", "-c", GUARD], variables=_variables()) as process:
            try:
                yield Launch(process, lambda: self._out_of_memory(name), lambda: _kill(process))
            finally:
                _kill(process)
                # ending the client alone leaves the container running
                await asyncio.to_thread(_call, self.program, "rm", "--force", name)

    def _out_of_memory(self, name: str) -> bool:
        return _call(self.program, "inspect", "--format", "{{.State.OOMKilled}}", name).stdout.strip() == b"true"


def _variables() -> dict[str, str]:
    return {name: text for name, text in os.environ.items() if name in VARIABLES or name.startswith("DOCKER_")}


def _kill(process: Process) -> None:
    with suppress(ProcessLookupError):
        process.kill()


def _call(program: str, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([program, *arguments], capture_output=True, timeout=CALL_SECONDS, check=False)  # noqa: S603


@cache
def _check_profile(program: str) -> None:
    """Docker's own filter of system calls must be on: ours, which the guard adds to it, is the shorter one."""
    info = _call(program, "info", "--format", "{{json .SecurityOptions}}")
    if info.returncode:
        raise Misconfigured(f"Docker's configuration cannot be read: {info.stderr.decode(errors='replace').strip()}")
    profile = re.search(r"name=seccomp(?:,profile=([^\s,\"\]]+))?", info.stdout.decode(errors="replace"))
    if profile is None or profile[1] == "unconfined":
        raise Misconfigured(
            "Docker must run with its seccomp profile, but `docker info` names none: remove `seccomp-profile: "
            "unconfined` from the daemon's settings, or unset HANDRAIL_SANDBOX_IMAGE and install bubblewrap"
        )


def _options(limits: Limits, place: Mounts | None) -> list[str]:
    mounted = f"rw,exec,nosuid,nodev,mode=1777,size={limits.disk}"
    # some versions of runc give it the mode of a working directory that they have just made: then its owner may write
    owned = f"{mounted},uid={NOBODY},gid={NOBODY}"
    workspace = [part for bind in place.binds for part in ("--mount", _mount(bind))] if place else None
    return [
        *("--interactive", "--network", "none", "--read-only", "--user", _user(place), "--cap-drop", "ALL"),
        *("--security-opt", "no-new-privileges", "--tmpfs", f"/tmp:{mounted}"),  # noqa: S108
        *(workspace or ("--tmpfs", f"/workspace:{owned}", "--workdir", "/workspace")),
        *("--env", "HOME=/workspace", "--env", "LANG=C.UTF-8"),
        *("--memory", str(limits.memory), "--memory-swap", str(limits.memory), "--cpus", str(limits.cpus)),
        # the guard is a process too
        *("--pids-limit", str(limits.processes + 1)),
    ]


def _user(place: Mounts | None) -> str:
    """Whoever owns the folders that the command may write to."""
    if place is None:
        return f"{NOBODY}:{NOBODY}"
    return f"{place.user}:{place.user}" if place.user is not None else f"{os.getuid()}:{os.getgid()}"


def _mount(bind: Bind) -> str:
    """One line of CSV, as Docker wants it: a folder's name may hold a comma."""
    line = io.StringIO()
    parts = ["type=bind", f"source={bind.source}", f"target={bind.inside}", *(() if bind.writable else ("readonly",))]
    csv.writer(line, lineterminator="").writerow(parts)
    return line.getvalue()
