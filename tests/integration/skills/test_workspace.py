"""The files of a run: given by who started it, read by who may see it, within limits."""

from __future__ import annotations

from datetime import timedelta

import pytest
from engine_world import principal, start
from holds_world import Add

from handrail.core import errors
from handrail.core.workspaces import LARGEST_FILE, MOST_FILES
from handrail.feed import retention
from handrail.holds.context import Context
from handrail.skills import workspace
from handrail.store import retention as rows
from handrail.store.claims import Lost


async def test_files_are_given_listed_read_and_replaced(context: Context, add: Add) -> None:
    run = await start(context.database, "skill", {})
    sam, stranger = await principal(context.database, "sam", "developer"), await add("eve", "developer")
    await workspace.upload(context, sam, run.id, "in/./log.txt", b"old")
    file = await workspace.upload(context, sam, run.id, "in/log.txt", b"new one")
    assert (file.path, file.size) == ("in/log.txt", 7)
    assert await workspace.files(context, sam, run.id) == [file]
    assert await workspace.read(context, sam, run.id, "in/log.txt") == b"new one"
    with pytest.raises(errors.NotFound, match="there is no file 'in'"):
        await workspace.read(context, sam, run.id, "in")
    for attempt in (
        workspace.files(context, stranger, run.id),
        workspace.read(context, stranger, run.id, "in/log.txt"),
        workspace.upload(context, stranger, run.id, "a", b""),
    ):
        with pytest.raises(errors.NotFound):
            await attempt
    auditor = await add("ida", "auditor")
    assert await workspace.read(context, auditor, run.id, "in/log.txt") == b"new one"
    with pytest.raises(errors.Forbidden):
        await workspace.upload(context, auditor, run.id, "a", b"")


async def test_paths_lead_nowhere_else_and_sizes_have_an_end(context: Context) -> None:
    run = await start(context.database, "skill", {})
    sam = await principal(context.database, "sam", "developer")
    for path in ("/etc/passwd", "../a", "a/../../b", "", ".", "a\nb", "a\0b", "x" * 256):
        with pytest.raises(errors.InvalidField, match="not a path in the workspace"):
            await workspace.upload(context, sam, run.id, path, b"")
    await workspace.upload(context, sam, run.id, "a/b", b"")
    for path in ("a", "a/b/c"):
        with pytest.raises(errors.InvalidField, match="cannot be both a file and a folder"):
            await workspace.upload(context, sam, run.id, path, b"")
    with pytest.raises(errors.BodyTooLarge, match="at most 16 MiB"):
        await workspace.upload(context, sam, run.id, "big", b"\0" * (LARGEST_FILE + 1))


async def test_only_the_worker_that_has_the_run_changes_its_files(context: Context) -> None:
    run = await start(context.database, "skill", {})
    with pytest.raises(Lost):
        await workspace.change(context, run, {"a": b""})
    async with context.database.transaction() as conn:
        await conn.execute("UPDATE runs SET status = 'running' WHERE id = %s", (run.id,))
    await workspace.change(context, run, {"a": b"1", "b": b"2"})
    await workspace.change(context, run, {"a/c": b"3"}, ["a"])
    with pytest.raises(errors.BodyTooLarge, match="at most 500 files"):
        await workspace.change(context, run, {f"many/{n}": b"" for n in range(MOST_FILES)})
    sam = await principal(context.database, "sam", "developer")
    assert [file.path for file in await workspace.files(context, sam, run.id)] == ["a/c", "b"]
    async with context.database.transaction() as conn:
        await conn.execute("UPDATE runs SET status = 'completed' WHERE id = %s", (run.id,))
    with pytest.raises(errors.RunEnded, match="it accepts no more files"):
        await workspace.upload(context, sam, run.id, "d", b"")


async def test_files_of_a_run_are_deleted_some_time_after_its_end(
    context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In batches; those of runs that are at work, or ended a moment ago, stay."""
    monkeypatch.setattr(rows, "WORKSPACES", 1)
    sam = await principal(context.database, "sam", "developer")
    long_ended, also, just_ended, at_work = [await start(context.database, "skill", {}) for _ in range(4)]
    for run in (long_ended, also, just_ended, at_work):
        for path in ("a", "b"):
            await workspace.upload(context, sam, run.id, path, b"x")
    async with context.database.transaction() as conn:
        for run, days in ((long_ended, 31), (also, 40), (just_ended, 29)):
            await conn.execute(
                "UPDATE runs SET status = 'completed', ended_at = handrail_now() - make_interval(days => %s), "
                "ready_at = NULL WHERE id = %s",
                (days, run.id),
            )
    rounds = 0
    while await retention.clear_workspaces(context.database, timedelta(days=30)):
        rounds += 1
    assert rounds == 2
    left = [len(await workspace.files(context, sam, run.id)) for run in (long_ended, also, just_ended, at_work)]
    assert left == [0, 0, 2, 2]
    with pytest.raises(errors.NotFound, match="deleted some time after"):
        await workspace.read(context, sam, also.id, "a")
