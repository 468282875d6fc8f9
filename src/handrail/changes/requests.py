"""Requests for code changes: start one, also as the next of a conversation; read them; answer what one asks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, cast
from uuid import UUID

from handrail.changes.kinds import CHANGE, CHANGES, MOST_EARLIER
from handrail.changes.replies import answer_of
from handrail.core import errors
from handrail.core.callers import Caller
from handrail.core.canonical import Json, JsonObject
from handrail.core.holds import Hold, Kind, Verdict
from handrail.core.people import Principal
from handrail.core.runs import Run, RunStatus
from handrail.engine import cancelling, reading, starting
from handrail.engine.context import Engine
from handrail.engine.repositories import allowed_by
from handrail.engine.seeing import MOST_HOLDS, may_see_run
from handrail.engine.starting import BudgetRequest, Start
from handrail.holds import deciding
from handrail.holds.context import Context
from handrail.holds.deciding import Say
from handrail.sandbox import repositories
from handrail.settings import Settings
from handrail.store import changes as rows
from handrail.store import runs
from handrail.store.changes import Repository, Standing
from handrail.store.run_pages import Filters

LONGEST_OUTCOME = 4_000


@dataclass(frozen=True, slots=True)
class Request:
    """What a caller wants changed. `more` are options of the workflow: base branch, draft, labels, reviewers. Without
    an address, a follow-up is about the repository of the change that it follows."""

    message: str
    repo_url: str | None
    follows: UUID | None = None
    more: JsonObject | None = None
    budget: BudgetRequest | None = None


@dataclass(frozen=True, slots=True)
class Change:
    """A change, and how it stands."""

    run: Run
    standing: Standing

    @property
    def input(self) -> dict[str, Any]:
        return cast("dict[str, Any]", self.run.input)

    @property
    def result(self) -> dict[str, Any]:
        return self.run.result if isinstance(self.run.result, dict) else {}

    @property
    def follows(self) -> UUID | None:
        earlier = self.input.get("earlier")
        return UUID(earlier[-1]["change"]) if earlier else None

    @property
    def question(self) -> Hold | None:
        """What it waits to have answered in words: the oldest."""
        return next((hold for hold in self.standing.waits_for if hold.question.kind is Kind.input), None)


async def start(engine: Engine, settings: Settings, who: Principal, asked: Request, key: str | None = None) -> Run:
    """The run of a new change. One that follows another is told what that was asked for and what came of it, and of
    those before it."""
    workflow, given = CHANGE, {"request": asked.message, **(asked.more or {})}
    repo_url = asked.repo_url
    if asked.follows is not None:
        before = await get(engine.context, who, asked.follows)
        if not before.run.status.ended:
            raise errors.Conflict(
                f"the change {before.run.short_id} is {before.run.status}; it can be followed once it has ended"
            )
        workflow = before.run.workflow
        repo_url = repo_url or before.input["repo_url"]
        given["earlier"] = [*before.input.get("earlier", []), _earlier(before)][-MOST_EARLIER:]
    if repo_url is None:
        raise errors.MissingField("`repo_url` is missing: which repository is it about?", field="repo_url")
    if workflow == CHANGE:
        await repositories.check(repo_url, allowed_by(settings))
    begun = Start(
        workflow, {**given, "repo_url": repo_url}, budget=asked.budget or BudgetRequest(), operation="start_change"
    )
    return await starting.start(engine, who, begun, key)


def _earlier(before: Change) -> JsonObject:
    return {"change": str(before.run.id), "request": before.input["request"], "outcome": outcome_of(before)}


def outcome_of(change: Change) -> str:
    """What became of a change that has ended, for the model that makes the next one."""
    result, error = change.result, change.run.error or {}
    if change.run.status is not RunStatus.completed:
        words = [f"It ended {change.run.status}.", str(error.get("message") or "")]
    elif result.get("answer"):
        words = ["It was answered:", str(result["answer"])]
    else:
        words = [str(result.get("summary") or ""), f"Files: {', '.join(result.get('files') or [])}."]
        words.append(f"It is on the branch {result.get('branch')}, which may not be merged yet.")
    return "\n".join(filter(None, words))[:LONGEST_OUTCOME]


async def get(context: Context, who: Principal, change_id: UUID) -> Change:
    async with context.database.connection() as conn:
        run = await runs.get(conn, change_id)
        if run is None or run.workflow not in CHANGES or not await may_see_run(conn, who, run):
            raise errors.NotFound(f"there is no change {change_id}, or you may not see it")
        [standing] = (await rows.standings(conn, [run.id])).values()
    return Change(run, standing)


async def page(
    context: Context, who: Principal, filters: Filters, cursor: str | None, limit: int
) -> tuple[Sequence[Change], str | None]:
    """Newest first, and the cursor of the next page."""
    found = await reading.page(context, who, replace(filters, changes=True), cursor, limit)
    async with context.database.connection() as conn:
        standings = await rows.standings(conn, [run.id for run in found.runs])
    return [Change(run, standings[run.id]) for run in found.runs], found.next


async def followers(context: Context, change: Change) -> list[UUID]:
    async with context.database.connection() as conn:
        return await rows.followers(conn, change.run.id)


async def known_repositories(context: Context, who: Principal) -> list[Repository]:
    async with context.database.connection() as conn:
        return await rows.repositories(conn, who)


async def cancel(context: Context, who: Principal, change_id: UUID, reason: str | None) -> Run:
    await get(context, who, change_id)
    return await cancelling.cancel(context, who, change_id, reason)


async def answered(
    context: Context, caller: Caller, change_id: UUID, words: str | None, content: Json, request_id: UUID | None
) -> Hold:
    """The question, answered in words, or with `content` as its schema asks: the one that is named, else the oldest
    that waits."""
    hold = await _asked(context, caller, change_id, request_id)
    answer = content if words is None else answer_of(hold.question.schema, words)
    say = Say(Verdict.answer, answer=answer, credential=caller.credential)
    return await deciding.review(context, caller.principal, hold.id, say)


async def _asked(context: Context, caller: Caller, change_id: UUID, request_id: UUID | None) -> Hold:
    change = await get(context, caller.principal, change_id)
    if request_id is None and change.question is None:
        if change.run.status.ended:
            status = change.run.status
            raise errors.RunEnded(f"the change is {status} and accepts no more answers", status=status.value)
        raise errors.Conflict(f"the change is not asking anything; it is {change.run.status}")
    if request_id is None:
        assert change.question is not None
        return change.question
    async with context.database.connection() as conn:
        asked = await runs.holds_of(conn, change_id, MOST_HOLDS)
    named = next((hold for hold in asked if hold.id == request_id and hold.question.kind is Kind.input), None)
    if named is None:
        raise errors.NotFound(f"the change has not asked {request_id}")
    return named
