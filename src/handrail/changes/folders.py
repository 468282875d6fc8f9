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
        inner = Path(path)
        with suppress(OSError):
            if inner != folder:
                inner.parent.chmod(0o700)
            if inner.is_dir() and not inner.is_symlink():
                inner.chmod(0o700)
                shutil.rmtree(inner, ignore_errors=True)
            else:
                inner.unlink(missing_ok=True)

    shutil.rmtree(folder, onerror=again)
