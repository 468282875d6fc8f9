"""Servers as child processes. Each leads a process group of its own, and nothing of a group outlives its gateway, not
even one that is killed: a shell waits for the end of a pipe that only the gateway holds."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Self

from .messages import Lines

PATIENCE_SECONDS = 1.5
"""For a server to end by itself once nobody speaks to it, and again once it is asked to."""
_WARDEN = """\
trap '' INT TERM HUP
groups=
while read -r word group; do
  rest=
  for one in $groups; do [ "$one" = "$group" ] || rest="$rest $one"; done
  groups=$rest
  [ "$word" = mind ] && groups="$groups $group"
done
[ -n "$groups" ] || exit 0
for one in $groups; do kill -TERM "-$one"; done 2>/dev/null
sleep 1
for one in $groups; do kill -KILL "-$one"; done 2>/dev/null
"""


class Warden:
    """Starts the servers, and ends their process groups. Used as a context: one for each gateway."""

    def __init__(self) -> None:
        self._shell: asyncio.subprocess.Process | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._shell is not None:
            assert self._shell.stdin is not None
            self._shell.stdin.close()
            await self._shell.wait()

    @asynccontextmanager
    async def running(
        self, command: Sequence[str], variables: Mapping[str, str], folder: str | None = None
    ) -> AsyncGenerator[tuple[asyncio.subprocess.Process, Lines]]:
        """The server while the block lasts. OSError if it cannot be started. Its stderr is ours."""
        if self._shell is None:
            self._shell = await asyncio.create_subprocess_exec(
                "/bin/sh", "-c", _WARDEN, stdin=asyncio.subprocess.PIPE, start_new_session=True
            )
        process = await asyncio.create_subprocess_exec(
            *command,
            env=dict(variables),
            cwd=folder,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            start_new_session=True,
        )
        self._say("mind", process.pid)
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            yield process, Lines(process.stdout, process.stdin)
        finally:
            await asyncio.shield(_ended(process))
            self._say("forget", process.pid)

    def _say(self, word: str, group: int) -> None:
        assert self._shell is not None
        assert self._shell.stdin is not None
        self._shell.stdin.write(f"{word} {group}\n".encode())


async def _ended(process: asyncio.subprocess.Process) -> None:
    """Ends the server and whatever it has started."""
    assert process.stdin is not None
    process.stdin.close()
    for number in (None, signal.SIGTERM, signal.SIGKILL):
        if number is not None:
            _signal(process.pid, number)
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE_SECONDS):
                await process.wait()
                break
    # those it started may outlive it
    _signal(process.pid, signal.SIGKILL)


def _signal(group: int, number: signal.Signals) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)
