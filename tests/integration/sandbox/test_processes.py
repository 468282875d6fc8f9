"""Programs that are cancelled take with them what they have started."""

from __future__ import annotations

import asyncio
from pathlib import Path

import psutil
import pytest

from handrail.sandbox import processes


async def test_cancelled_while_it_starts_it_is_gone_with_what_it_has_started(tmp_path: Path) -> None:
    """A program may be quicker than the loop that starts it."""
    ready = tmp_path / "ready"
    begun = asyncio.create_task(processes.run(["sh", "-c", f"sleep 3600 & touch {ready}; wait"], tmp_path))
    for _ in range(2):
        await asyncio.sleep(0)
    while not ready.exists():
        # the loop is not to notice that it has started
        pass
    begun.cancel()
    async with asyncio.timeout(60):
        with pytest.raises(asyncio.CancelledError):
            await begun
    own = psutil.Process().children(recursive=True)
    assert [each for each in own if "3600" in each.cmdline()] == []
