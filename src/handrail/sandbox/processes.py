"""Runs a trusted program on data that is not: to its end, or to that of its whole group when it is cancelled."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from handrail.sandbox.stopping import stoppable


class Completion(NamedTuple):
    code: int
    stdout: bytes
    stderr: bytes


async def run(
    command: Sequence[str], folder: Path, environment: Mapping[str, str] | None = None, given: bytes | None = None
) -> Completion:
    """Without a shell, and with no input but what is given. What it leaves behind in its process group is ended with
    it; `Braked` where a brake ends it."""
    async with stoppable():
        return await _run(command, folder, environment, given)


async def _run(
    command: Sequence[str], folder: Path, environment: Mapping[str, str] | None, given: bytes | None
) -> Completion:
    stdin = asyncio.subprocess.DEVNULL if given is None else asyncio.subprocess.PIPE
    process = await begin(*command, cwd=folder, env=environment, stdin=stdin)
    try:
        out, said = await process.communicate(given)
    except asyncio.CancelledError:
        await _end(process)
        raise
    _kill(process.pid)
    assert process.returncode is not None
    return Completion(process.returncode, out, said)


async def begin(*command: str, **options: Any) -> asyncio.subprocess.Process:
    """A process in a session of its own, with pipes for what it says. Cancelled while it starts, it is ended with all
    that it has started: asyncio would kill the first process alone, and wait for the others."""
    pipes = {"stdout": asyncio.subprocess.PIPE, "stderr": asyncio.subprocess.PIPE}
    starting = asyncio.ensure_future(
        asyncio.create_subprocess_exec(*command, start_new_session=True, **pipes, **options)
    )
    try:
        return await asyncio.shield(starting)
    except asyncio.CancelledError:
        await _end(await starting)
        raise


async def _end(process: asyncio.subprocess.Process) -> None:
    _kill(process.pid)
    await process.communicate()


def _kill(group: int) -> None:
    with suppress(ProcessLookupError):
        os.killpg(group, signal.SIGKILL)
