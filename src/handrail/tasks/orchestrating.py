"""Risk-gated workflows: how a run stands for those who decide on it, and deciding by the run's id."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from handrail.core import errors, events
from handrail.core.hold_events import HoldAmended, HoldDecided, HoldResulted, HoldReviewed, HoldWithdrawn
from handrail.core.holds import Hold
from handrail.core.people import NameCard, Principal
from handrail.core.run_events import RunCancelled, RunExpired
from handrail.core.runs import Run
from handrail.engine.seeing import MOST_HOLDS, may_see_run
from handrail.holds import deciding
from handrail.holds.context import Context, name_the_decider
from handrail.holds.deciding import Say
from handrail.store import names, runs, timelines
from handrail.tasks import tasks

GIVING_A_REASON = (HoldAmended, HoldDecided, HoldReviewed, HoldWithdrawn, RunCancelled, RunExpired)


@dataclass(frozen=True, slots=True)
class Standing:
    """A run and what it asked, oldest first."""

    run: Run
    holds: list[Hold]

    @property
    def pending(self) -> list[Hold]:
        return [hold for hold in self.holds if hold.pending]

    @property
    def status(self) -> str:
        return tasks.status(self.run, self.holds)

    @property
    def settled(self) -> bool:
        """Whether it waits for people or has ended, with the hold that it waits for."""
        return self.run.status.ended or bool(self.pending)


async def standing(context: Context, who: Principal, run_id: UUID) -> Standing:
    """For whoever may see the run."""
    async with context.database.connection() as conn:
        run = await runs.get(conn, run_id)
        if run is None or not await may_see_run(conn, who, run):
            raise errors.NotFound(f"there is no workflow {run_id}, or you may not see it")
        return Standing(run, await runs.holds_of(conn, run_id, MOST_HOLDS))


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """One entry of a workflow's history; `by` is a name."""

    at: datetime
    event: str
    by: str | None
    hold_id: UUID | None
    outcome: str | None
    reason: str | None


async def history(context: Context, found: Standing) -> list[HistoryEntry]:
    """What happened to the run and its holds, oldest first."""
    async with context.database.connection() as conn:
        rows = await timelines.of_run(conn, found.run.id)
        people = await names.of(conn, {row["actor_id"] for row in rows if row["actor_id"]})
    return [_entry(row, people) for row in rows]


def _entry(row: Mapping[str, Any], people: Mapping[UUID, NameCard]) -> HistoryEntry:
    by = people.get(row["actor_id"])
    event = events.read(row["type"], row["data"])
    outcome = event.outcome if isinstance(event, HoldDecided | HoldResulted) else None
    reason = event.reason if isinstance(event, GIVING_A_REASON) else None
    return HistoryEntry(row["at"], row["type"], by.name if by else None, row["hold_id"], outcome, reason)


async def decide(context: Context, who: Principal, run_id: UUID, say: Say) -> Hold:
    """One person's say on the one hold that the run waits for: the hold as it stands then."""
    found = await standing(context, who, run_id)
    pending = found.pending
    if not pending:
        raise await _nothing_to_decide(context, found)
    if len(pending) > 1:
        listed = [{"id": str(hold.id), "title": hold.question.title} for hold in pending]
        raise errors.Conflict(
            f"the workflow is waiting for {len(pending)} decisions: review each hold by its own id", holds=listed
        )
    return await deciding.review(context, who, pending[0].id, say)


async def _nothing_to_decide(context: Context, found: Standing) -> errors.Conflict:
    last = found.holds[-1] if found.holds else None
    if last is None or last.decision is None:
        return errors.Conflict(f"the workflow is not waiting for a decision: it is {found.status}", status=found.status)
    made = last.decision
    error = errors.AlreadyDecided(
        f"the workflow's hold is already {made.outcome}",
        outcome=made.outcome.value,
        decided_at=made.at.isoformat(),
        decided_by=str(made.by) if made.by else None,
        on_behalf_of=str(made.on_behalf_of) if made.on_behalf_of else None,
        basis=made.basis,
    )
    async with context.database.connection() as conn:
        await name_the_decider(conn, error)
    return error
