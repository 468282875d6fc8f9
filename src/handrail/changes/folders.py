"""Work on folders that hold what repositories left."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Event
from typing import TypeVar

Made = TypeVar("Made")


async def stoppable(work: Callable[[Event], Made]) -> Made:
    """What the work makes, in a thread. Where this is cancelled, the work is told to stop, and has when it returns:
    nothing is written to its folders any more."""
    stop = Event()
    task = asyncio.create_task(asyncio.to_thread(work, stop))
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        stop.set()
        await asyncio.wait({task})
        raise


def remove(folder: Path) -> None:
    """The folder and all that is in it, whatever modes were given to it. What is gone already is no error."""

    def again(function: object, path: str, error: object) -> None:
        with suppress(OSError):
            Path(path).parent.chmod(0o700)
            if Path(path).is_dir() and not Path(path).is_symlink():
                Path(path).chmod(0o700)
                shutil.rmtree(path, ignore_errors=True)
            else:
                Path(path).unlink(missing_ok=True)

    shutil.rmtree(folder, onerror=again)
