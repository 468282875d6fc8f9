"""The files of a skill's run: what its tools read and write, what people give it, and the artifacts that it leaves."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from uuid import UUID

from handrail.core import errors
from handrail.core.people import Principal
from handrail.core.runs import Run
from handrail.core.workspaces import File, check_all, check_path
from handrail.engine import cancelling, reading
from handrail.holds.context import Context
from handrail.store import claims
from handrail.store import workspaces as rows
from handrail.store.claims import Claim
from handrail.store.database import Connection


async def files(context: Context, who: Principal, run_id: UUID) -> list[File]:
    """What the run's workspace holds, for who may see the run."""
    run = await reading.get(context, who, run_id)
    async with context.database.connection() as conn:
        return await rows.files(conn, run.id)


async def read(context: Context, who: Principal, run_id: UUID, path: str) -> bytes:
    run = await reading.get(context, who, run_id)
    return await content(context, run, path)


async def upload(context: Context, who: Principal, run_id: UUID, path: str, body: bytes) -> File:
    """A file for a run that has not ended, by who started it; one of the same path is replaced."""
    path = check_path(path)
    async with context.database.transaction() as conn:
        run = await cancelling.controlled(conn, who, run_id)
        if run.status.ended:
            raise errors.RunEnded(f"the run is {run.status}: it accepts no more files", status=run.status.value)
        await _change(conn, run.id, {path: body}, ())
        return next(file for file in await rows.files(conn, run.id) if file.path == path)


async def content(context: Context, run: Run, path: str) -> bytes:
    async with context.database.connection() as conn:
        found = await rows.content(conn, run.id, path)
    if found is None:
        gone = ": files are deleted some time after a run has ended" if run.status.ended else ""
        raise errors.NotFound(f"there is no file {path!r} in the workspace{gone}")
    return found


async def change(context: Context, run: Run, put: Mapping[str, bytes], remove: Collection[str] = ()) -> None:
    """By the worker that has the run; `Lost` where it has it no more."""
    put = {check_path(path): body for path, body in put.items()}
    async with claims.fenced(context.database, Claim.of(run)) as conn:
        await _change(conn, run.id, put, remove)


async def _change(conn: Connection, run_id: UUID, put: Mapping[str, bytes], remove: Collection[str]) -> None:
    await rows.lock(conn, run_id)
    sizes = {file.path: file.size for file in await rows.files(conn, run_id) if file.path not in remove}
    check_all(sizes | {path: len(body) for path, body in put.items()})
    await rows.change(conn, run_id, put, remove)
