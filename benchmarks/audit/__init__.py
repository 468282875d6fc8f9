"""Decisions per second with the log sealed, against a sequencer that only numbers; entries verified per second.

Sequencer and decisions share one process, as in `handrail up`, so sealing slows deciding by what it costs.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import uvloop
from psycopg import sql

from benchmarks.holds.timing import timed
from benchmarks.holds.world import opening
from handrail.core import ids
from handrail.core.audit import Seal
from handrail.core.holds import Hold, Verdict
from handrail.core.ids import PrincipalId
from handrail.core.people import Account, Principal, PrincipalKind
from handrail.core.verification import verify
from handrail.feed.connections import kept_up
from handrail.feed.sequencer import BATCH, Sequencer, poking
from handrail.holds import deciding
from handrail.holds.context import Context
from handrail.holds.deciding import Say
from handrail.holds.opening import open_hold
from handrail.holds.policies import Policies
from handrail.policy import default_policy
from handrail.store import audit, people
from handrail.store.audiences import Audiences
from handrail.store.audit_files import HeadFile, KeyFile
from handrail.store.clock import now
from handrail.store.database import Connection, Database, opened
from handrail.store.embedded import running
from handrail.store.migrate import migrate

TIMES = 1000
ROUNDS = 3
VERIFIED = 50_000

NUMBERED = """
    WITH moved AS (
      DELETE FROM event_inbox WHERE id IN (SELECT id FROM event_inbox ORDER BY id LIMIT %s) RETURNING *
    ), head AS (
      UPDATE feed_head SET seq = seq + (SELECT count(*) FROM moved) WHERE EXISTS (SELECT FROM moved) RETURNING seq
    ), placed AS (
      INSERT INTO events (seq, data_hash, hash, {columns})
      SELECT head.seq - count(*) OVER () + row_number() OVER (ORDER BY id), '', '', {columns} FROM moved, head
    )
    SELECT (SELECT count(*) FROM moved) AS moved, pg_notify('handrail_feed', seq::text) FROM head
"""
COLUMNS = "at, type, actor_id, hold_id, run_id, case_id, kind, audience_id, opener_id, starter_id, data"
BULK = """
    INSERT INTO event_inbox (at, type, data)
    SELECT handrail_now(), 'bulk', '{"risk": "low"}' FROM generate_series(1, %s)
"""


class Unsealed(Sequencer):
    """Numbers and does nothing else: what audit is measured against."""

    async def move(self, conn: Connection, at_most: int = BATCH) -> tuple[Seal | None, bool]:
        statement = sql.SQL(NUMBERED).format(columns=sql.SQL(COLUMNS))
        row = await (await conn.execute(statement, (at_most,))).fetchone()
        return None, bool(row and row["moved"] >= at_most)


def run() -> dict[str, float]:
    return uvloop.run(_run())


async def _run() -> dict[str, float]:
    on: list[float] = []
    off: list[float] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        keys = KeyFile(folder / "key.pem")
        keys.create()
        heads = HeadFile(folder / "heads.jsonl")
        async with running(folder) as dsn:
            await migrate(dsn)
            async with opened(dsn) as database:
                # sealed first, on a log without unsealed entries; then in turns, so that noise meets both
                verified = await _verified(database, Sequencer(keys, heads), keys)
                for _ in range(ROUNDS):
                    off.append(await _decided(database, Unsealed(keys, heads)))
                    on.append(await _decided(database, Sequencer(keys, heads)))
    return {
        "decide_per_second_audit_off": max(off),
        "decide_per_second_audit_on": max(on),
        "audit_on_over_off": max(on) / max(off),
        **verified,
    }


@asynccontextmanager
async def _leading(database: Database, sequencer: Sequencer) -> AsyncGenerator[None]:
    async with kept_up("sequencer", database.dsn, sequencer.work):
        yield


async def _decided(database: Database, sequencer: Sequencer) -> float:
    agent, person = await _principal(database, "agent"), await _principal(database, "person")
    async with _leading(database, sequencer), poking(database.dsn) as poke:
        context = Context(database, Audiences(), Policies(database, default_policy()), poke)
        holds: list[Hold] = [await open_hold(context, agent, opening(n)) for n in range(TIMES)]

        async def decide(n: int) -> None:
            await deciding.review(context, person, holds[n].id, Say(Verdict.approve, holds[n].digest))

        return (await timed(TIMES, decide)).per_second


async def _principal(database: Database, kind: str) -> Principal:
    id_ = PrincipalId(ids.fresh())
    who = Principal(id_, f"{kind} {id_}", PrincipalKind(kind), frozenset({"developer"} if kind == "person" else ()))
    async with database.transaction() as conn:
        await people.insert(conn, Account(who, await now(conn)))
    return who


async def _verified(database: Database, sequencer: Sequencer, keys: KeyFile) -> dict[str, float]:
    """Entries sealed, exported and verified per second."""
    async with database.connection() as conn:
        await conn.execute(BULK, (VERIFIED,))
        began = time.perf_counter()
        while (await sequencer.move(conn))[1]:
            pass
    sealed = time.perf_counter()
    lines = b"".join([page async for page in audit.export(database)]).splitlines()
    exported = time.perf_counter()
    report = verify(lines, keys.publics())
    done = time.perf_counter()
    assert report.whole and report.entries == VERIFIED
    return {
        "sealed_per_second": VERIFIED / (sealed - began),
        "exported_per_second": VERIFIED / (exported - sealed),
        "verified_per_second": VERIFIED / (done - exported),
    }
