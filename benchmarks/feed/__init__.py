"""How soon an event reaches an SSE client after its commit, against bare NOTIFY; and events numbered per second."""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from statistics import quantiles

import httpx
import uvicorn
import uvloop

from handrail import settings
from handrail.api.app import create_app
from handrail.api.services import Services
from handrail.engine.context import Engine
from handrail.engine.kinds import Kinds
from handrail.feed.chunks import watching
from handrail.feed.live import following
from handrail.feed.sequencer import BATCH, poking, sequencing
from handrail.holds.context import Context
from handrail.holds.policies import in_force
from handrail.people.bootstrap import bootstrap_administrator
from handrail.store import feed
from handrail.store.audiences import Audiences
from handrail.store.audit_files import HeadFile, KeyFile
from handrail.store.database import Connection, Database, opened
from handrail.store.embedded import running
from handrail.store.migrate import migrate

COMMITS = 400
PAUSE_SECONDS = 0.005
BULK = 50_000
TOKEN = "hr_the-administrator-of-the-benchmarks"

ROW = 'INSERT INTO event_inbox (at, type, data) VALUES (handrail_now(), %s, \'{"risk": "low"}\')'
BULK_ROWS = """
    INSERT INTO {} (at, type, data)
    SELECT handrail_now(), 'bulk', '{{"risk": "low"}}' FROM generate_series(1, %s)
"""


def run() -> dict[str, float]:
    return uvloop.run(_run())


async def _run() -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        async with running(Path(folder)) as dsn:
            await migrate(dsn)
            async with opened(dsn) as database:
                bare = await bare_notify(database)
                streamed = await _streamed(database, Path(folder))
                inserted, numbered = await _throughput(database, Path(folder))
    return {
        "notify_p50_ms": bare[0],
        "notify_p99_ms": bare[1],
        "sse_p50_ms": streamed[0],
        "sse_p99_ms": streamed[1],
        "sse_over_notify_p50": streamed[0] / bare[0],
        "inserted_per_second": inserted,
        "numbered_per_second": numbered,
        "numbered_over_inserted": numbered / inserted,
    }


async def _latencies(
    say: Callable[[Connection, str], Awaitable[None]],
    database: Database,
    arrivals: AsyncGenerator[str],
    after: Callable[[], None] = lambda: None,
) -> tuple[float, float]:
    """p50 and p99 in milliseconds, from the start of a commit to the arrival of its event."""
    committed: dict[str, float] = {}
    arrived: dict[str, float] = {}

    async def receive() -> None:
        async for name in arrivals:
            arrived[name] = time.perf_counter()
            if len(arrived) == COMMITS:
                return

    receiving = asyncio.create_task(receive())
    for n in range(COMMITS):
        await asyncio.sleep(PAUSE_SECONDS)
        async with database.transaction() as conn:
            await say(conn, f"e{n}")
            committed[f"e{n}"] = time.perf_counter()
        after()
    await receiving
    cuts = quantiles((1000 * (arrived[name] - at) for name, at in committed.items()), n=100)
    return cuts[49], cuts[98]


async def bare_notify(database: Database) -> tuple[float, float]:
    """The least that a command could do: the same row, and NOTIFY in its own transaction."""

    async def say(conn: Connection, name: str) -> None:
        await conn.execute(ROW, (name,))
        await conn.execute("SELECT pg_notify('bare', %s)", (name,))

    async def arrivals(conn: Connection) -> AsyncGenerator[str]:
        async for note in conn.notifies():
            yield note.payload

    async with feed.connection(database.dsn) as conn:
        await conn.execute("LISTEN bare")
        return await _latencies(say, database, arrivals(conn))


async def _streamed(database: Database, folder: Path) -> tuple[float, float]:
    async with server_on(database, folder) as (url, poke):

        async def say(conn: Connection, name: str) -> None:
            await conn.execute(ROW, (name,))

        headers = {"Authorization": f"Bearer {TOKEN}"}
        async with (
            httpx.AsyncClient(base_url=url, headers=headers, timeout=60) as client,
            client.stream("GET", "/api/events") as response,
        ):
            return await _latencies(say, database, _names(response), poke)


async def _names(response: httpx.Response) -> AsyncGenerator[str]:
    async for line in response.aiter_lines():
        if line.startswith("event: e"):
            yield line.removeprefix("event: ")


@asynccontextmanager
async def server_on(
    database: Database, folder: Path, **options: object
) -> AsyncGenerator[tuple[str, Callable[[], None]]]:
    """The whole API in this process, on a port of its own."""
    keys = _keys(folder)
    async with (
        sequencing(database.dsn, keys, HeadFile(folder / "heads.jsonl")),
        poking(database.dsn) as poke,
        following(database) as live,
        watching(database) as chunks,
    ):
        await bootstrap_administrator(database, admin_token=TOKEN)
        await _all_numbered(database)
        policies = await in_force(database)
        context = Context(database, Audiences(), policies, poke)
        loaded = settings.load(**options)
        engine = Engine(context, Kinds(), loaded.run_budget)
        app = create_app(Services(loaded, database, engine, live, chunks, policies, keys))
        server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=0, lifespan="off", log_config=None))
        serving = asyncio.create_task(server.serve())
        while not server.started:  # noqa: ASYNC110 - uvicorn tells no other way
            await asyncio.sleep(0.01)
        try:
            yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}", poke
        finally:
            server.should_exit = True
            await serving


def _keys(folder: Path) -> KeyFile:
    keys = KeyFile(folder / "key.pem")
    keys.create()
    return keys


async def _all_numbered(database: Database) -> None:
    async with database.connection() as conn:
        while (await (await conn.execute("SELECT count(*) AS n FROM event_inbox")).fetchone()) != {"n": 0}:  # noqa: ASYNC110 - another process's work
            await asyncio.sleep(0.01)


async def _throughput(database: Database, folder: Path) -> tuple[float, float]:
    """Rows per second: inserted bare, a batch a transaction; and moved by the sequencer."""
    async with database.connection() as conn:
        await conn.execute("CREATE TABLE bare (LIKE event_inbox INCLUDING ALL)")
        began = time.perf_counter()
        for _ in range(BULK // BATCH):
            await conn.execute(BULK_ROWS.format("bare"), (BATCH,))
        inserted = BULK / (time.perf_counter() - began)
        await conn.execute(BULK_ROWS.format("event_inbox"), (BULK,))
        began = time.perf_counter()
        async with sequencing(database.dsn, _keys(folder), HeadFile(folder / "heads.jsonl")):
            await _all_numbered(database)
        return inserted, BULK / (time.perf_counter() - began)
