"""What tests of runs share: workflows as a worker would publish them, runs settled by hand, holds of a run."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import inbox

from handrail import settings
from handrail.cli.kinds import built_in
from handrail.core.holds import Action, Hold, Kind
from handrail.core.people import Principal
from handrail.core.runs import Budget, Run
from handrail.engine.context import Engine
from handrail.engine.starting import Start, start
from handrail.holds.context import Context
from handrail.holds.opening import Opening, open_hold
from handrail.store import chunks, events, feed, runs, workflows
from handrail.store.chunks import Chunk
from handrail.store.database import Database
from handrail.store.workflows import WorkflowListing

MOST = Budget(1000, 3600.0)
DEPLOY: dict[str, Any] = {
    "type": "object",
    "properties": {"service": {"type": "string"}, "copies": {"type": "integer"}},
    "required": ["service"],
}
INPUT: dict[str, Any] = {"service": "billing"}


def engine(context: Context, most: Budget = MOST, **options: Any) -> Engine:
    """With the workflows that are built in, as these settings have them."""
    return Engine(context, built_in(settings.load(**options)), most)


async def publish(database: Database, name: str = "deploy", **more: Any) -> None:
    async with database.transaction() as conn:
        values: dict[str, Any] = {"version": "v1", "input_schema": DEPLOY, **more}
        await workflows.publish(conn, [WorkflowListing(name, **values)])


async def started(context: Context, who: Principal, workflow: str = "deploy", **more: Any) -> Run:
    return await start(engine(context), who, Start(workflow, more.pop("input", INPUT), **more))


async def settle(database: Database, run_id: UUID, status: str, **columns: Any) -> None:
    """As a worker leaves a run: `result` and `error` are JSON, others as they are."""
    values = {name: json.dumps(value) if name in {"result", "error"} else value for name, value in columns.items()}
    ended = "handrail_now()" if status in {"completed", "failed", "expired"} else "NULL"
    settings = "".join(f", {name} = %({name})s" for name in values)
    async with database.transaction() as conn:
        await conn.execute(
            f"UPDATE runs SET status = %(status)s, ready_at = NULL, ended_at = {ended}{settings} WHERE id = %(id)s",  # pyright: ignore[reportArgumentType] - names of columns are the test's own
            {"status": status, "id": run_id, **values},
        )


async def say(context: Context, run: Run, type_: str, **data: Any) -> None:
    async with context.database.transaction() as conn:
        await inbox.put(conn, type_, data, events.of_run(run))
    context.poke()


async def ask(context: Context, run: Run, title: str = "Deploy billing to staging?", **more: Any) -> Hold:
    """A hold as the run's worker opens it, as the run's agent."""
    async with context.database.connection() as conn:
        found = await conn.execute("SELECT * FROM principals WHERE id = %s", (run.agent,))
        row = await found.fetchone()
    assert row is not None
    agent = Principal(run.agent, row["name"], row["kind"])
    asked = Opening(
        kind=more.pop("kind", Kind.approval),
        title=title,
        action=more.pop("action", Action("deploy", {"service": "billing"}, "staging")),
        task=more.pop("task", {"operation": "deploy", "environment": "staging"}),
        run_id=run.id,
        starter=run.starter,
        **more,
    )
    return await open_hold(context, agent, asked)


@dataclass(frozen=True)
class Voice:
    """A model that speaks in a run, as the run's worker writes it down."""

    context: Context
    run: Run

    async def write(self, start: int, text: str, message: str = "m1", attempt: int = 1, kind: str = "text") -> None:
        async with self.context.database.transaction() as conn:
            await chunks.append(conn, self.run.id, attempt, [Chunk(message, start, kind, text)])
        await self._notify()

    async def complete(self, content: str, message: str = "m1", attempt: int = 1, **more: Any) -> None:
        async with self.context.database.transaction() as conn:
            await chunks.remove(conn, self.run.id, [message])
            said: dict[str, Any] = {"message_id": message, "attempt": attempt, "role": "ai", "node": None}
            await inbox.put(conn, "message.completed", {**said, "content": content, **more}, events.of_run(self.run))
        self.context.poke()
        await self._notify()

    async def discard(self, message: str = "m1", attempt: int = 1) -> None:
        async with self.context.database.transaction() as conn:
            await chunks.give_up(conn, self.run.id, attempt + 1)
        await say(self.context, self.run, "message.discarded", message_id=message, attempt=attempt)

    async def _notify(self) -> None:
        async with self.context.database.connection() as conn:
            await feed.notify(conn, feed.CHUNKS)


async def row(database: Database, run_id: UUID) -> Run:
    async with database.connection() as conn:
        found = await runs.get(conn, run_id)
    assert found is not None
    return found
