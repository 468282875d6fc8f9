"""A process that runs graphs, one run at a time, and keeps what is dear to make: connections and imported graphs."""

from __future__ import annotations

import asyncio
import json
import os
import pickle
import socket
import sys
from collections.abc import Sequence
from dataclasses import replace
from io import RawIOBase
from typing import NoReturn

import structlog
from langgraph.runtime import RunControl
from psycopg.conninfo import make_conninfo

from handrail import logs, loop
from handrail.core import errors
from handrail.core.events import CATALOGUE
from handrail.core.runs import Run
from handrail.core.sizes import MIB
from handrail.engine import checkpoints, registry
from handrail.engine.driver import Seat, drive
from handrail.engine.kinds import Owner
from handrail.engine.orders import BRAKE, DRAIN, Orders
from handrail.engine.registry import BrokenWorkflow, Workflow
from handrail.holds.context import Context
from handrail.holds.policies import in_force, known
from handrail.holds.quotas import Quotas
from handrail.sandbox import stopping
from handrail.store import claims, private, workflows
from handrail.store.audiences import Audiences
from handrail.store.claims import Claim
from handrail.store.database import Connection, Database, opened
from handrail.store.space import Space

# one for the use cases on holds, one for what is written beside
CONNECTIONS = 2
RETRY_SECONDS = 0.5

log = structlog.stdlib.get_logger(__name__)


def main(supervisor: socket.socket, output: int, folder: int | None = None) -> NoReturn:
    """In the forked process: does not come back. `folder` is that of the database's socket."""
    told = _orders_of(supervisor)
    if folder is not None:
        # by its descriptor: the path leads through folders that this user cannot enter
        told = replace(told, dsn=make_conninfo(told.dsn, host=f"/proc/self/fd/{folder}"))
    if told.owner is Owner.ours:
        private.hide()
        os.environ.update(told.environment)
    _divert(output, told)
    status = 1
    try:
        # ours start many programs, and uvloop copies this process's page tables for each: 8 ms and more, in place of 1
        run = asyncio.run if told.owner is Owner.ours else loop.run
        run(_Child(supervisor, told).live())
        status = 0
    except (EOFError, ConnectionError):
        status = 0
    except BaseException:
        log.critical("child_failed", exc_info=True)
    finally:
        sys.stdout.flush()
        os._exit(status)


def _orders_of(supervisor: socket.socket) -> Orders:
    """The first thing that the supervisor says."""
    with supervisor.dup() as ours, ours.makefile("rb", buffering=0) as said:
        length = int.from_bytes(_exactly(said, 4))
        return pickle.loads(_exactly(said, length))  # noqa: S301 - from our own parent


def _exactly(said: RawIOBase, length: int) -> bytes:
    found = b""
    while len(found) < length:
        part = said.read(length - len(found))
        if not part:
            os._exit(0)
        found += part
    return found


def _divert(output: int, orders: Orders) -> None:
    """What the graphs print goes to the supervisor, which keeps it in bounds; the log stays where it is."""
    sys.stderr = os.fdopen(os.dup(2), "w", buffering=1)
    logs.configure(orders.settings)
    for number in (1, 2):
        os.dup2(output, number)
    os.close(output)
    sys.stdout, sys.stderr = (os.fdopen(n, "w", buffering=1, errors="replace", closefd=False) for n in (1, 2))


class _Child:
    def __init__(self, supervisor: socket.socket, orders: Orders) -> None:
        self._supervisor = supervisor
        self._orders = orders
        # of the run that is at work
        self._control = RunControl()
        self._is_draining = False
        self._runs: asyncio.Queue[Run] = asyncio.Queue()
        self._writer: asyncio.StreamWriter | None = None

    async def live(self) -> None:
        reader, self._writer = await asyncio.open_connection(sock=self._supervisor)
        self._listening = asyncio.create_task(self._listen(reader))
        if self._orders.owner is Owner.theirs:
            # no event is theirs to declare
            CATALOGUE.close()
        loaded = await registry.load_all(self._orders.settings, self._orders.kinds, self._orders.owner)
        CATALOGUE.close()
        # a worker that starts before its database waits for it
        while True:
            try:
                await self._serve(loaded)
            except errors.Unavailable:
                await asyncio.sleep(RETRY_SECONDS)

    async def _listen(self, reader: asyncio.StreamReader) -> None:
        """What the supervisor says. Its end is ours, whatever runs."""
        try:
            while True:
                length = int.from_bytes(await reader.readexactly(4))
                said = await reader.readexactly(length)
                if said == DRAIN:
                    self._is_draining = True
                    self._control.request_drain()
                elif said == BRAKE.encode():
                    self._control.request_drain(BRAKE)
                    stopping.stop()
                else:
                    self._runs.put_nowait(pickle.loads(said))  # noqa: S301 - from our own parent
        except (EOFError, ConnectionError):
            os._exit(0)

    def _say(self, what: str) -> None:
        assert self._writer is not None
        self._writer.write(what.encode() + b"\n")

    async def _serve(self, loaded: Sequence[Workflow | BrokenWorkflow]) -> NoReturn:
        orders = self._orders
        served = {each.name: each for each in loaded if isinstance(each, Workflow)}
        settings = orders.settings
        space = Space(settings.embedded_data, settings.disk_reserve_megabytes * MIB)
        async with opened(orders.dsn, largest_pool=CONNECTIONS, space=space) as database:
            policies = await (in_force if orders.owner is Owner.ours else known)(database)
            poke, wake = (lambda: self._say("poke")), (lambda: self._say("wake"))
            context = Context(
                database, Audiences(), policies, poke, orders.channels, wake, quotas=Quotas(settings.quota)
            )
            if orders.publishes:
                if orders.tables is not None:
                    await checkpoints.set_up(orders.tables)
                await _publish(database, loaded)
            connection = await checkpoints.connect(orders.dsn)
            self._say("ready " + json.dumps(sorted(served)))
            while True:
                run = await self._runs.get()
                if connection.closed:
                    connection = await _connected(orders.dsn)
                await self._run(Seat(context, connection, served, policies.refresh, settings), run)

    async def _run(self, seat: Seat, run: Run) -> None:
        structlog.contextvars.bind_contextvars(run_id=str(run.id), workflow=run.workflow)
        if not self._is_draining:
            self._control = RunControl()
        stopping.allow()
        try:
            ours = await drive(seat, run, self._control)
        except errors.Unavailable:
            # it may lead to what is a standby now
            await seat.connection.close()
            ours = await _give_back(seat.context.database, run)
        structlog.contextvars.clear_contextvars()
        if not ours:
            # a node of a run that was taken away may still be at work, on a thread that nobody can stop
            raise ConnectionError
        self._say("idle")


async def _publish(database: Database, loaded: Sequence[Workflow | BrokenWorkflow]) -> None:
    for each in loaded:
        if isinstance(each, BrokenWorkflow):
            log.error("workflow_broken", workflow=each.name, reason=each.error)
    async with database.transaction() as conn:
        await workflows.publish(conn, [each.published() for each in loaded])


async def _connected(dsn: str) -> Connection:
    while True:
        try:
            return await checkpoints.connect(dsn)
        except errors.Unavailable:
            await asyncio.sleep(RETRY_SECONDS)


async def _give_back(database: Database, run: Run) -> bool:
    """As soon as the database is there again. False where the run was taken meanwhile."""
    while True:
        try:
            async with database.transaction() as conn:
                return await claims.give_back(conn, Claim.of(run))
        except errors.Unavailable:
            await asyncio.sleep(RETRY_SECONDS)
