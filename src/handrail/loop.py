"""The event loop: uvloop's where it is installed (the extra `speed`), else Python's own."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from handrail import extras

T = TypeVar("T")


def run(main: Coroutine[Any, Any, T]) -> T:
    """What it gives; nothing else runs on this thread until then."""
    if not extras.installed("speed"):
        return asyncio.run(main)
    import uvloop

    return uvloop.run(main)
