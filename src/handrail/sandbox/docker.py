"""The sandbox by Docker, from an image that the operator names: it needs `python3` and nothing else."""

from __future__ import annotations

import asyncio
import shutil
import subprocess
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from uuid import uuid4

from handrail.sandbox.bubblewrap import GUARD
from handrail.sandbox.limits import Limits
from handrail.sandbox.running import Started, piped


def find() -> str | None:
    return shutil.which("docker")


@dataclass(frozen=True, slots=True)
class Docker:
    program: str
    image: str

    @asynccontextmanager
    async def started(self, limits: Limits) -> AsyncGenerator[Started]:
        name = f"handrail-{uuid4().hex[:12]}"
        command = [self.program, "run", "--name", name, *_options(limits), self.image]
        async with piped([*command, "python3", "-I", "-S", "-c", GUARD]) as process:
            try:
                yield Started(process, lambda: self._out_of_memory(name))
            finally:
                # ending the client alone leaves the container running
                await asyncio.to_thread(self._call, "rm", "--force", name)

    def _out_of_memory(self, name: str) -> bool:
        return self._call("inspect", "--format", "{{.State.OOMKilled}}", name).strip() == b"true"

    def _call(self, *arguments: str) -> bytes:
        done = subprocess.run([self.program, *arguments], capture_output=True, timeout=10, check=False)  # noqa: S603
        return done.stdout


def _options(limits: Limits) -> list[str]:
    mounted = f"rw,exec,nosuid,nodev,mode=1777,size={limits.disk}"
    return [
        *("--interactive", "--network", "none", "--read-only", "--user", "65534:65534", "--cap-drop", "ALL"),
        *("--security-opt", "no-new-privileges", "--tmpfs", f"/workspace:{mounted}", "--tmpfs", f"/tmp:{mounted}"),  # noqa: S108
        *("--workdir", "/workspace", "--env", "HOME=/workspace", "--env", "LANG=C.UTF-8"),
        *("--memory", str(limits.memory), "--memory-swap", str(limits.memory), "--cpus", str(limits.cpus)),
        # the guard is a process too
        *("--pids-limit", str(limits.processes + 1)),
    ]
