"""Tidying goes on, whatever it meets: a worker has more important things to do."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any, cast

import pytest

from handrail import settings
from handrail.changes import tidying
from handrail.core import errors


@pytest.mark.parametrize("met", [RuntimeError("a surprise"), PermissionError(13, "denied"), errors.Unavailable("away")])
async def test_a_failure_is_no_end(met: Exception, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    tried = asyncio.Semaphore(0)

    async def fails(*_: Any) -> list[str]:
        tried.release()
        raise met

    monkeypatch.setattr(tidying, "tidy", fails)
    if isinstance(met, errors.Unavailable):
        met.retry_after = 0.0
    known = settings.load(data=tmp_path)
    task = asyncio.create_task(tidying.keep_tidying(cast("Any", None), known, every=0.0))
    async with asyncio.timeout(60):
        await tried.acquire()
        await tried.acquire()
    assert not task.done()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
