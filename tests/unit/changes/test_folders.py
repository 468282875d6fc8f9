"""Work on folders ends before it is said to have."""

from __future__ import annotations

import asyncio
from pathlib import Path
from threading import Event

import pytest

from handrail.changes.folders import remove, stoppable


async def test_work_that_is_cancelled_is_told_to_stop_and_is_over() -> None:
    begun, over = asyncio.Event(), Event()
    loop = asyncio.get_running_loop()

    def work(stop: Event) -> None:
        loop.call_soon_threadsafe(begun.set)
        assert stop.wait(30)
        over.set()

    task = asyncio.create_task(stoppable(work))
    await begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert over.is_set()


async def test_what_it_makes_and_what_goes_wrong_come_through() -> None:
    assert await stoppable(lambda stop: stop.is_set()) is False
    with pytest.raises(ZeroDivisionError):
        await stoppable(lambda stop: 1 // 0)


def test_a_folder_is_removed_whatever_modes_it_was_given(tmp_path: Path) -> None:
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    (inner / "file").write_text("x")
    (tmp_path / "a" / "link").symlink_to(tmp_path)
    (inner / "file").chmod(0)
    inner.chmod(0o555)
    (tmp_path / "a").chmod(0o555)
    tmp_path.chmod(0o755)
    remove(tmp_path / "a")
    assert list(tmp_path.iterdir()) == []
    # what is gone is no reason to touch what is around it
    remove(tmp_path / "a")
    assert tmp_path.stat().st_mode & 0o777 == 0o755
