"""What tests of the engine share: people, runs that go on as they are told to, what a run asks and says."""

from __future__ import annotations

from typing import Any

from langgraph.runtime import RunControl

from handrail.core import ids
from handrail.core.canonical import Json
from handrail.core.holds import Hold, Verdict
from handrail.core.ids import PrincipalId, RunId
from handrail.core.people import Principal, PrincipalKind
from handrail.core.runs import Budget, Run, RunStatus
from handrail.engine.driver import Seat, drive
from handrail.holds import deciding
from handrail.holds.context import Context
from handrail.holds.deciding import Say
from handrail.store import claims, clock, holds, runs
from handrail.store.database import Database

GRAPHS = (
    *("walk", "asking", "parallel", "nested", "falling", "circling", "unkept", "stumbling", "sending", "parting"),
    *("wavering", "talking", "acting", "spending", "halting", "musing", "gated", "gated_inside", "gated_effect"),
    *("gating", "signing"),
)


async def principal(
    database: Database, name: str, *roles: str, kind: PrincipalKind = PrincipalKind.person
) -> Principal:
    """One of that name, made where there is none."""
    who = Principal(PrincipalId(ids.fresh()), name, kind, frozenset(roles))
    async with database.transaction() as conn:
        found = await conn.execute(
            """
            INSERT INTO principals (id, name, kind, roles, created_at) VALUES (%s, %s, %s, %s, handrail_now())
            ON CONFLICT (lower(name)) DO UPDATE SET name = EXCLUDED.name RETURNING id
            """,
            (who.id, name, kind.value, list(roles)),
        )
        row = await found.fetchone()
    assert row is not None
    return Principal(PrincipalId(row["id"]), name, kind, frozenset(roles))


async def start(
    database: Database,
    workflow: str,
    input_: Json = None,
    *,
    budget: Budget = Budget(steps=100, seconds=60),
    version: str | None = None,
) -> Run:
    """A run that is ready, started by `sam`."""
    agent = await principal(database, f"workflow/{workflow}", kind=PrincipalKind.agent)
    starter = await principal(database, "sam", "developer")
    async with database.transaction() as conn:
        now = await clock.now(conn)
        run = Run(
            RunId(ids.fresh()), workflow, RunStatus.queued, input_, starter.id, agent.id, budget, now, now, version
        )
        await runs.insert(conn, run)
    return run


async def look(database: Database, run: Run) -> Run:
    """The run as it is now."""
    async with database.connection() as conn:
        found = await runs.get(conn, run.id)
    assert found is not None
    return found


async def said(database: Database, run: Run) -> list[tuple[str, Any]]:
    """Type and data of the run's events that nobody has moved into the log, in order."""
    async with database.connection() as conn:
        rows = await conn.execute("SELECT type, data FROM event_inbox WHERE run_id = %s ORDER BY id", (run.id,))
        return [(row["type"], row["data"]) for row in await rows.fetchall()]


async def go(seat: Seat, run: Run) -> Run:
    """Claims the run and drives it; what it is then."""
    async with seat.context.database.transaction() as conn:
        (claimed,) = await claims.claim(conn, "w", GRAPHS)
    assert claimed.id == run.id
    await drive(seat, claimed, RunControl())
    return await look(seat.context.database, run)


async def holds_of(context: Context, run: Run, status: str = "pending") -> dict[str, Hold]:
    """The run's holds by title."""
    async with context.database.connection() as conn:
        rows = await conn.execute("SELECT id FROM holds WHERE run_id = %s AND status = %s", (run.id, status))
        found = [await holds.get(conn, row["id"]) for row in await rows.fetchall()]
    return {hold.question.title: hold for hold in found if hold is not None}


async def answer(context: Context, run: Run, title: str, answer: Json) -> None:
    who = await principal(context.database, "mara", "team_lead")
    hold = (await holds_of(context, run))[title]
    await deciding.review(context, who, hold.id, Say(Verdict.answer, hold.digest, answer=answer))


async def confirm(context: Context, run: Run, title: str, verdict: Verdict = Verdict.approve) -> None:
    who = await principal(context.database, "mara", "team_lead")
    hold = (await holds_of(context, run))[title]
    await deciding.review(context, who, hold.id, Say(verdict, hold.digest))
