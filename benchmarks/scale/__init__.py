"""Ten thousand agents against three processes: does the model of docs/scaling.md predict what they need?

First one call at a time: what a call that runs unasked costs the API, the process in the background and the database,
in processor time and in bytes; the same for one that a person decides, and for a second in which nothing happens. From
that the model says what the agents will need. Then they come, each with its own token: bursts of calls 5 s apart, long
pauses, a call every 1,000 s on average; four of a hundred wait for a person, who takes 8 s (median) or longer. After
30 s the figures of two minutes are compared with the prediction. The agents, all in one process, share the cores.
On a busy machine, a real-time priority keeps other work out: `chrt -r 1`, as for these figures.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from statistics import median, quantiles

import psutil

sys.path.append(str(Path(__file__).parents[2] / "tests"))

from server import ServerProcess, running

from benchmarks.scale.agents import CALL_EVERY_SECONDS, HELD, Figures, Office
from benchmarks.scale.model import Cost, Model
from handrail.store.database import Database, opened
from handrail.store.embedded import Server

AGENTS = 10_000
PROCESSES = 3
WARM_SECONDS = 30.0
SECONDS = 120.0
IDLE_SECONDS = 10.0
LOW_CALLS, HELD_CALLS = 300, 60
SETTINGS = {"HANDRAIL_TRUSTED_PROXIES": "127.0.0.1", "HANDRAIL_LOG_LEVEL": "warning"}
# a factor of two, either way
FACTOR = 2.0


def run() -> dict[str, float | str]:
    return asyncio.run(_run())


async def _run() -> dict[str, float | str]:
    with running("serve", "--processes", str(PROCESSES), **SETTINGS) as server:
        user = Server(server.data)
        person = server.token_of("reviewer", "team_lead")
        try:
            async with opened(user.start(), largest_pool=1) as database:
                tokens = await _agents(database)
                return await _measured(Meter(server, database), tokens, person)
        finally:
            user.stop()
            server.stop()


async def _agents(database: Database) -> list[str]:
    """Tokens of as many agents, with all that a token may do."""
    tokens = [f"hr_{number:05}{'x' * 38}" for number in range(AGENTS)]
    async with database.transaction() as conn:
        await conn.execute(
            """
            WITH known AS (SELECT scopes FROM tokens LIMIT 1), made AS (
              INSERT INTO principals (id, name, kind, created_at)
              SELECT gen_random_uuid(), 'agent ' || n, 'agent', handrail_now() FROM generate_series(1, %s) AS n
              RETURNING id, name)
            INSERT INTO tokens (id, principal_id, hash, scopes, created_at)
            SELECT gen_random_uuid(), id, (%s::bytea[])[substr(name, 7)::int], '{open,read}', handrail_now()
            FROM made, known
            """,
            (AGENTS, [hashlib.sha256(token.encode()).digest() for token in tokens]),
        )
    return tokens


class Meter:
    """The processor time of a server's parts, its memory, and the size of its database."""

    def __init__(self, server: ServerProcess, database: Database) -> None:
        self.server = server
        self._database = database
        # those that answer keep figures in files
        self._answering = {
            each.pid
            for each in psutil.Process(server.pid).children()
            if any("/counter_" in file.path for file in each.open_files())
        }
        assert len(self._answering) == PROCESSES

    async def read(self) -> Cost:
        used = {"api": 0.0, "background": 0.0, "database": 0.0}
        for process in psutil.Process(self.server.pid).children(recursive=True):
            with suppress(psutil.NoSuchProcess):
                times = process.cpu_times()
                spent = times.user + times.system
                if process.name() == "postgres":
                    # of sessions that have ended
                    spent += times.children_user + times.children_system
                    used["database"] += spent
                else:
                    used["api" if process.pid in self._answering else "background"] += spent
        return Cost(**used, stored=float(await self._stored()))

    async def spent(self, work: Callable[[], Awaitable[object]]) -> tuple[Cost, float]:
        """What it cost, and the seconds that it took."""
        before, began = await self.read(), time.perf_counter()
        await work()
        took = time.perf_counter() - began
        return await self.read() + before * -1, took

    @property
    def mib(self) -> float:
        """Of all processes, pages that they share counted once."""
        everything = [psutil.Process(self.server.pid), *psutil.Process(self.server.pid).children(recursive=True)]
        return sum(process.memory_full_info().pss for process in everything) / 2**20

    async def _stored(self) -> int:
        async with self._database.connection() as conn:
            found = await conn.execute("SELECT pg_database_size(current_database()) AS size")
            row = await found.fetchone()
            assert row is not None
            return row["size"]


async def _measured(meter: Meter, tokens: list[str], person: str) -> dict[str, float | str]:
    office = Office(meter.server.url, person)
    deciding = asyncio.create_task(office.deciding(median=0.0))
    model = await _model(meter, office, tokens)
    deciding.cancel()
    await asyncio.wait([deciding])
    # the machine has other work than the server: the agents themselves, here
    ours = await _light(office, tokens)
    rate = AGENTS / CALL_EVERY_SECONDS
    predicted = model.cores(rate * (1 - HELD), rate * HELD)
    cores = os.cpu_count() or 1
    answer_ms = model.answer_ms(predicted.processor + rate * ours, cores)

    before = meter.mib
    deciding = asyncio.create_task(office.deciding())
    driving = asyncio.create_task(office.drive(tokens, WARM_SECONDS + SECONDS))
    await asyncio.sleep(WARM_SECONDS)
    office.figures = found = Figures()
    spent, took = await meter.spent(lambda: asyncio.sleep(SECONDS))
    during = meter.mib
    calls = len(found.low_ms) + len(found.held_after_ms)
    await driving
    deciding.cancel()
    await asyncio.wait([deciding])
    await office.close()
    compared = {
        "calls_per_second": (calls / took, rate),
        "cores": (spent.processor / took, predicted.processor),
        "cores_of_the_api": (spent.api / took, predicted.api),
        "cores_of_the_background": (spent.background / took, predicted.background),
        "cores_of_the_database": (spent.database / took, predicted.database),
        "low_call_p50_ms": (median(found.low_ms), answer_ms),
        "kib_stored_per_second": (spent.stored / took / 1024, predicted.stored / 1024),
    }
    within = all(1 / FACTOR <= measured / said <= FACTOR for measured, said in compared.values())
    return {
        "agents": AGENTS,
        "processes": PROCESSES,
        **_costs("idle second", model.idle),
        **_costs("low call", model.low),
        **_costs("held call", model.held),
        "low_call_alone_p50_ms": model.low_ms,
        **{
            f"{name}: {what}": value
            for name, (measured, said) in compared.items()
            for what, value in (
                ("predicted", said),
                ("measured", measured),
                ("measured over predicted", measured / said),
            )
        },
        "low_call_p99_ms": quantiles(found.low_ms, n=100)[98],
        "decision_to_agent_p50_ms": median(found.held_after_ms),
        "decision_to_agent_p99_ms": quantiles(found.held_after_ms, n=100)[98],
        "calls_failed": found.failed,
        "mib_before": before,
        "mib_with_the_agents": during,
        "within_a_factor_of_two": "yes" if within else "no",
    }


async def _model(meter: Meter, office: Office, tokens: list[str]) -> Model:
    async def low() -> None:
        for number in range(LOW_CALLS):
            took.append(await office.low(tokens[number]))

    async def held() -> None:
        for number in range(HELD_CALLS):
            await office.held(tokens[number])

    took: list[float] = []
    # the first of each only warm up
    await low()
    await held()
    took.clear()
    idle, seconds = await meter.spent(lambda: asyncio.sleep(IDLE_SECONDS))
    second = Cost(idle.api, idle.background, idle.database) * (1 / seconds)
    lows, low_seconds = await meter.spent(low)
    helds, held_seconds = await meter.spent(held)
    return Model(
        second,
        (lows + second * -low_seconds) * (1 / LOW_CALLS),
        (helds + second * -held_seconds) * (1 / HELD_CALLS),
        median(took),
    )


async def _light(office: Office, tokens: list[str]) -> float:
    """Processor seconds that this process takes for a call."""
    before = time.process_time()
    for number in range(LOW_CALLS // 3):
        await office.low(tokens[number])
    return (time.process_time() - before) / (LOW_CALLS // 3)


def _costs(of: str, cost: Cost) -> dict[str, float]:
    return {
        f"{of}: api ms": cost.api * 1000,
        f"{of}: background ms": cost.background * 1000,
        f"{of}: database ms": cost.database * 1000,
        **({f"{of}: kib stored": cost.stored / 1024} if cost.stored else {}),
    }
