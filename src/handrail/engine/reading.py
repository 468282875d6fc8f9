"""Read runs: one with its steps and holds, a page of them, the workflows that are served."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from handrail.core import errors, events
from handrail.core.holds import Hold
from handrail.core.people import NameCard, Principal
from handrail.core.run_events import RunStepCompleted
from handrail.core.runs import Run, RunStatus
from handrail.engine.seeing import MOST_HOLDS, may_see_run
from handrail.holds.context import Context
from handrail.store import feed, names, pages, run_pages, runs, workflows
from handrail.store.workflows import WorkflowListing

# of a run that went on and on the newest are shown; the log has them all
MOST_STEPS = 200


@dataclass(frozen=True, slots=True)
class Step:
    """One completed step; nothing but its place where the log no longer keeps more."""

    seq: int
    at: datetime
    event: RunStepCompleted | None


@dataclass(frozen=True, slots=True)
class Detail:
    """`seq` is the number of the log up to which all of this is at least true: follow the events from there."""

    run: Run
    steps: list[Step]
    holds: list[Hold]
    seq: int
    hint: str | None = None


async def get(context: Context, who: Principal, run_id: UUID) -> Run:
    async with context.database.connection() as conn:
        run = await runs.get(conn, run_id)
        if run is None or not await may_see_run(conn, who, run):
            raise errors.NotFound(f"there is no run {run_id}, or you may not see it")
    return run


async def detail(context: Context, who: Principal, run_id: UUID, steps: int = MOST_STEPS) -> Detail:
    """With the newest so many steps."""
    async with context.database.connection() as conn:
        # first of all: what happens while the rest is read comes again in the stream, and nothing is missed
        seq = await feed.head(conn)
    run = await get(context, who, run_id)
    async with context.database.connection() as conn:
        done = [_step(row) for row in await runs.steps(conn, run_id, steps)]
        opened = pages.Filters(status=None, run_id=run_id)
        holds = (await pages.page(conn, who, opened, None, MOST_HOLDS)).holds
    return Detail(run, done, holds[::-1], seq, await hint(context, run))


def _step(row: Mapping[str, Any]) -> Step:
    event = events.read(RunStepCompleted.type, row["data"])
    return Step(row["seq"], row["at"], event if isinstance(event, RunStepCompleted) else None)


async def page(
    context: Context, who: Principal, filters: run_pages.Filters, cursor: str | None, limit: int
) -> run_pages.Page:
    async with context.database.connection() as conn:
        return await run_pages.page(conn, who, filters, cursor, limit)


async def people_of(context: Context, shown: list[Run]) -> dict[UUID, NameCard]:
    """Who started these runs, and as which agents they act."""
    async with context.database.connection() as conn:
        return await names.of(conn, {id_ for run in shown for id_ in (run.starter, run.agent)})


async def hint(context: Context, run: Run) -> str | None:
    """What to do where a run waits for a worker and there is none."""
    if run.status is not RunStatus.queued:
        return None
    async with context.database.connection() as conn:
        workflow = await workflows.get(conn, run.workflow)
    if workflow is not None and workflow.served:
        return None
    return (
        f"No worker serves {run.workflow!r} right now. The run starts as soon as one does: start `handrail worker` "
        "(or `handrail up`) in the folder of its handrail.toml."
    )


async def served(context: Context) -> Sequence[WorkflowListing]:
    async with context.database.connection() as conn:
        return await workflows.all_(conn)
