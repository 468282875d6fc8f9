"""Ends a command that fills the disk: a folder that is bound into a sandbox has no limit by itself."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager

from handrail.core.errors import InvalidField
from handrail.sandbox.places import LEAST, Mounts, measure

EVERY_SECONDS = 0.5


class Space:
    """`is_exceeded` once the writable folders of a place have grown by more than `allowed` bytes."""

    def __init__(self, place: Mounts, allowed: int) -> None:
        self._folders = [bind.source for bind in place.binds if bind.writable]
        self._before = place.size
        self._allowed = allowed
        self.is_exceeded = False

    @asynccontextmanager
    async def watched(self, end: Callable[[], None]) -> AsyncGenerator[None]:
        task = asyncio.create_task(self._watch(end))
        try:
            yield
        finally:
            task.cancel()
            await asyncio.wait({task})

    async def _watch(self, end: Callable[[], None]) -> None:
        """Asks the file system how much is free, which costs nothing; looks at the files only where that has shrunk."""
        free = self._free()
        while self._folders:
            await asyncio.sleep(EVERY_SECONDS)
            if free - (now := self._free()) <= self._allowed:
                continue
            if await asyncio.to_thread(self._size) - self._before > self._allowed:
                self.is_exceeded = True
                end()
                break
            # somebody else has written that
            free = now

    def _free(self) -> int:
        found = [os.statvfs(folder) for folder in self._folders]
        return min((each.f_bavail * each.f_frsize + each.f_ffree * LEAST for each in found), default=0)

    def _size(self) -> int:
        try:
            return sum(map(measure, self._folders))
        except OSError:
            # gone while we looked: the next time will tell
            return 0
        except InvalidField:
            return sys.maxsize
