"""Runs something until a signal says to stop."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Coroutine
from typing import Any

from handrail import loop


def run(main: Coroutine[Any, Any, None], lifeline: int | None = None) -> None:
    """Runs until done or told to stop by a signal, which stops everything in order; repeating it changes nothing.

    The end of `lifeline`, a pipe whose other end the process that started this one has, tells the same: it is gone.
    """
    loop.run(_until_told(main, lifeline))


async def _until_told(main: Coroutine[Any, Any, None], lifeline: int | None) -> None:
    task = asyncio.create_task(main)
    told = asyncio.Event()

    def stop() -> None:
        # a second one would interrupt the shutdown and leave the database running
        if not told.is_set():
            told.set()
            task.cancel()
            if lifeline is not None:
                # it stays readable
                asyncio.get_running_loop().remove_reader(lifeline)

    # SIGHUP: the terminal was closed
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        asyncio.get_running_loop().add_signal_handler(number, stop)
    if lifeline is not None:
        asyncio.get_running_loop().add_reader(lifeline, stop)
    try:
        await task
    except asyncio.CancelledError:
        if not told.is_set():
            raise
