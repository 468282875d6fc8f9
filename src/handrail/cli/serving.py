"""Puts the parts together: database, feed, background loops, web server; started in order and stopped in order."""

from __future__ import annotations

import asyncio
import gc
import resource
import signal
import socket
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from contextlib import asynccontextmanager, contextmanager, nullcontext, suppress
from datetime import timedelta
from ipaddress import ip_address
from pathlib import Path

import uvicorn
from fastapi import FastAPI

from handrail import extras
from handrail.api import body
from handrail.api.app import create_app
from handrail.api.connections import Config
from handrail.api.doors import Doors
from handrail.api.routes.people import sign_in_url
from handrail.api.schemas.people import LoginLink
from handrail.api.services import Services
from handrail.api.worker import worker_app
from handrail.channels.delivering import keep_delivering, set_up
from handrail.cli.kinds import built_in
from handrail.cli.upkeep import database_of, migrated
from handrail.core.errors import Misconfigured, NotFound
from handrail.core.sizes import MIB
from handrail.engine import cancelling, expiring, stopping
from handrail.engine import kinds as described
from handrail.engine.context import Engine
from handrail.engine.repositories import mirrors_of
from handrail.engine.supervisor import Supervisor
from handrail.feed.chunks import watching
from handrail.feed.connections import kept_up
from handrail.feed.live import following
from handrail.feed.retention import keep_pruning
from handrail.feed.sequencer import Poke, Sequencer, poking, sequencing
from handrail.feed.tracing import tracing
from handrail.holds.attesting import keep_attesting
from handrail.holds.braking import keep_denying
from handrail.holds.context import Context
from handrail.holds.packing import Packer
from handrail.holds.policies import in_force
from handrail.holds.providers import installed
from handrail.holds.quotas import Quotas
from handrail.holds.rounds import Rounds, keep_following, keep_numbering
from handrail.holds.sweeping import keep_sweeping
from handrail.people.bootstrap import bootstrap_administrator, recover
from handrail.settings import Settings
from handrail.store import audit, embedded, feed, private
from handrail.store import backup as backups
from handrail.store.audiences import Audiences
from handrail.store.audit_files import HeadFile
from handrail.store.database import Database, opened
from handrail.store.sealed import sealer_of
from handrail.store.signing import Keys, signing
from handrail.store.space import Space
from handrail.telemetry import Collector, Sink

# requests under way get this long to end when the server stops
DRAIN_SECONDS = 2
# of the files that the process may open, those for other things than connections
OTHER_FILES = 200
FEWEST_CONNECTIONS = 20
# what we ask for: PostgreSQL and the sandbox inherit it, and some programs walk through all that they might have
MOST_FILES = 65_536
# garbage that only a collection finds is rare here, and each stops all streams: 0.1 to 0.3 s with 10,000 of them
COLLECT_AFTER = (50_000, 20, 50)
# how long a client may leave sent data unread before its connection and buffer are dropped
UNTAKEN_SECONDS = 60


@asynccontextmanager
async def services(settings: Settings, shared: Path | None = None) -> AsyncGenerator[Services]:
    """All that the routes and the loops work with, on a schema that is up to date.

    `shared` is the folder of figures of a process that answers together with others; the one that works in the
    background seals the log for all of them.
    """
    with signing(settings.audit_key) as keys:
        if shared is None:
            keys.create()
        async with _services(settings, keys, shared) as found:
            yield found


@asynccontextmanager
async def _services(settings: Settings, keys: Keys, shared: Path | None) -> AsyncGenerator[Services]:
    private.close(settings.data, settings.data / "audit", mirrors_of(settings), settings.audit_key, settings.answer_key)
    async with (
        migrated(settings) as direct,
        opened(
            settings.pooler or direct,
            direct=direct,
            space=Space(settings.embedded_data, settings.disk_reserve_megabytes * MIB),
        ) as database,
        _sealing(database, keys, HeadFile(settings.audit_heads)) if shared is None else nullcontext() as sequencer,
        poking(direct, sequencer=sequencer) as poke,
        poking(direct, feed.RUNS) as wake,
        following(database) as live,
        watching(database) as chunks,
        _traced(settings, direct) as traces,
    ):
        kinds = built_in(settings)
        await described.announce(database, kinds)
        policies = await in_force(database)
        context = Context(
            database,
            Audiences(),
            policies,
            poke,
            set_up(settings),
            wake,
            Quotas(settings.quota),
            sealer_of(settings.answer_key),
        )
        engine = Engine(context, kinds, settings.run_budget)
        packer = Packer(installed())
        yield Services(settings, database, engine, live, chunks, policies, keys, traces, packer=packer, shared=shared)


@asynccontextmanager
async def _traced(settings: Settings, dsn: str) -> AsyncGenerator[Sink | None]:
    if settings.traces_url is None:
        yield None
        return
    collector = Collector(settings.traces_url)
    async with tracing(dsn, collector):
        sending = asyncio.create_task(collector.keep_sending(), name="traces")
        try:
            yield collector
        finally:
            sending.cancel()
            with suppress(asyncio.CancelledError):
                await sending


@asynccontextmanager
async def _sealing(database: Database, keys: Keys, heads: HeadFile) -> AsyncGenerator[Sequencer]:
    """A candidate for the lead; `Misconfigured` where the key is not the one that the log is sealed with."""
    async with database.connection() as conn:
        keys.signer(await audit.claim(conn, keys.signer().public.id))
    async with sequencing(database.direct, keys, heads) as candidate:
        yield candidate


async def first_link(services: Services, url: str) -> str | None:
    """A sign-in link, as long as the first administrator has no other way in; also activates their token."""
    settings = services.settings
    token = settings.admin_token.get_secret_value() if settings.admin_token else None
    code = await bootstrap_administrator(
        services.database, admin_token=token, link_length=timedelta(seconds=settings.sign_in_link_seconds)
    )
    return sign_in_url(url, code) if code else None


async def administrator_link(settings: Settings, name: str | None, url: str) -> LoginLink:
    """A new sign-in link for an administrator, made by whoever can reach the database; it makes none."""
    if settings.database_url is None and not embedded.exists(settings.data):
        raise NotFound(
            f"There is no Handrail in {settings.data}. Start it with `handrail up`, or name its folder with --data."
        )
    async with database_of(settings) as dsn, opened(dsn) as database:
        if await asyncio.to_thread(backups.is_empty, dsn):
            raise NotFound("The database is empty. Start Handrail on it first: `handrail up`.")
        link = await recover(database, name, timedelta(seconds=settings.sign_in_link_seconds))
    return LoginLink(url=sign_in_url(url, link.code), expires_at=link.expires_at)


async def work(services: Services) -> None:
    """The background loops, forever. An error that they cannot wait out ends them all."""
    async with asyncio.TaskGroup() as loops:
        rounds = Rounds(services.context)
        loops.create_task(rounds.keep_looking(), name="rounds")
        loops.create_task(keep_sweeping(rounds, services.context), name="sweeping")
        loops.create_task(keep_denying(rounds, services.context), name="braked holds")
        loops.create_task(cancelling.keep_sweeping(services.context), name="holds of ended runs")
        loops.create_task(stopping.keep_stopping(rounds, services.context), name="braked runs")
        loops.create_task(expiring.keep_expiring(services.engine), name="idle runs")
        loops.create_task(keep_following(rounds, services.policies), name="policy")
        loops.create_task(keep_numbering(rounds, services.context), name="events")
        loops.create_task(keep_pruning(services.database, services.keys, services.settings), name="retention")
        loops.create_task(keep_attesting(rounds, services.database, services.keys), name="attesting")
        loops.create_task(keep_delivering(rounds, services.context, services.settings), name="delivering")


async def run_runs(services: Services, health: socket.socket | None = None) -> None:
    """Takes runs and has them run in processes of their own, until cancelled; tells how it is, where it is asked."""
    supervisor = Supervisor(services.context, services.engine.kinds, services.settings)
    wake = services.context.wake
    if isinstance(wake, Poke):
        wake.here = supervisor.wake_here
    services.context.places.worker = supervisor
    async with kept_up("runs", services.database.direct, supervisor.listen), asyncio.TaskGroup() as parts:
        parts.create_task(supervisor.work(), name="supervisor")
        if extras.installed("code"):
            parts.create_task(_tidy(services), name="trees of code changes")
        if health is not None:
            config = _config(worker_app(services.database, lambda: supervisor.serves), services.settings)
            parts.create_task(_answer(_Server(config, lambda: None), health), name="health")


async def _tidy(services: Services) -> None:
    # parsers and runners take a second to import, which no request should wait for
    keep_tidying = await asyncio.to_thread(_tidying)
    await keep_tidying(services.database, services.settings)


def _tidying() -> Callable[[Database, Settings], Awaitable[None]]:
    from handrail.changes.tidying import keep_tidying

    return keep_tidying


async def serve(
    services: Services, listener: socket.socket, ready: Callable[[], None], *, with_runs: bool = False
) -> None:
    """The API and the background loops, until cancelled; with runs, those too, once the API is there."""
    is_ready = asyncio.Event()

    def tell() -> None:
        ready()
        is_ready.set()

    async with asyncio.TaskGroup() as parts:
        parts.create_task(work(services), name="work")
        server = _Server(_config(create_app(services), services.settings), tell)
        parts.create_task(_answer(server, listener, services.feed.end_waits), name="api")
        await is_ready.wait()
        if with_runs and services.settings.concurrency != 0:
            parts.create_task(run_runs(services), name="runs")


async def answer(services: Services, listener: socket.socket, ready: Callable[[], None]) -> None:
    """The API alone, until cancelled: another process does the background work."""
    async with asyncio.TaskGroup() as parts:
        parts.create_task(services.policies.follow(), name="policy")
        server = _Server(_config(create_app(services), services.settings), ready)
        parts.create_task(_answer(server, listener, services.feed.end_waits), name="api")


async def _answer(server: _Server, listener: socket.socket, end_waits: Callable[[], None] = lambda: None) -> None:
    """Until cancelled; then requests that wait are let go."""
    serving = asyncio.create_task(server.serve(sockets=[listener]))
    try:
        await asyncio.shield(serving)
    except asyncio.CancelledError:
        end_waits()
        # this also ends event streams
        server.handle_exit(signal.SIGTERM, None)
        await serving
        raise


def _config(app: FastAPI, settings: Settings) -> Config:
    most = min(settings.max_connections, max(_files() - OTHER_FILES, FEWEST_CONNECTIONS))
    return Config(
        app,
        # at most half for one address, so that others always get in
        Doors(most, min(settings.connections_per_address, most // 2), settings.trusted_proxies),
        ws_max_size=body.LARGEST,
        lifespan="off",
        log_config=None,
        log_level="warning",
        access_log=False,
        server_header=False,
        forwarded_allow_ips=list(settings.trusted_proxies),
        timeout_graceful_shutdown=DRAIN_SECONDS,
    )


def _files() -> int:
    """How many files the process may open, once that is as many as it may have."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_FILES)
    if most > soft >= 0:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    return max(soft, most)


class _Server(uvicorn.Server):
    """Leaves signals to us, because we have more to stop than the web server, and reports when it listens."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        # what was imported is never garbage, and looking through it again and again keeps every client waiting
        gc.collect()
        gc.freeze()
        gc.set_threshold(*COLLECT_AFTER)
        self._ready()


def listener(host: str, port: int) -> socket.socket:
    """A socket bound to the address and not yet listening; a clear message where it is taken."""
    try:
        family, kind, proto, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        bound = socket.socket(family, kind, proto)
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        # Linux has it, and connections inherit it. Closing a connection by ourselves would wait for the client first.
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            bound.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNTAKEN_SECONDS * 1000)
        bound.bind(address)
    except OSError as error:
        raise Misconfigured(
            f"Port {port} on {host} cannot be used ({error.strerror}): another Handrail may be running there. "
            "Choose another with --port."
        ) from error
    return bound


def listener_at(address: str) -> socket.socket:
    """The same for `HOST:PORT`."""
    host, _, port = address.rpartition(":")
    if not host or not port.isdecimal():
        raise Misconfigured(f"{address!r} is not an address to listen on. Write one like 127.0.0.1:8401")
    return listener(host.removeprefix("[").removesuffix("]"), int(port))


def url_of(bound: socket.socket, settings: Settings) -> str:
    """Where people find the server: an address that means "all" is replaced by a name that is allowed."""
    host, port = bound.getsockname()[:2]
    host = settings.allowed_hosts[0] if ip_address(host).is_unspecified else host
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
