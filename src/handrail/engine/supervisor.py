"""A worker: claims runs, keeps their leases, and gives each run a separate process.

None of the users' code runs here: an endless node, a blocked loop or a crash takes a process with it and nothing else.
"""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from typing import Any

import structlog

from handrail.core import errors
from handrail.core.runs import Run
from handrail.core.sealing import WrongKey
from handrail.engine.children import Child, Nursery, Work, served
from handrail.engine.ending import Failure, end
from handrail.engine.kinds import Kinds, Owner
from handrail.engine.orders import Orders
from handrail.engine.surroundings import environment, others_variables, user
from handrail.holds.context import Context
from handrail.holds.places import Offer, Taken
from handrail.settings import Settings
from handrail.store import checkpoints, claims, feed, private, run_login, sealed, workflows
from handrail.store.claims import Claim, Lost
from handrail.store.database import Connection
from handrail.store.sealed import Box

# where no word of a ready run came through
POLL_SECONDS = 0.5
RENEW_SECONDS = 1.0
# runs that were cancelled, or that a brake stops, are noticed in this time, however many words come
LOOK_SECONDS = 0.2
# a run that is not this worker's any more may just have ended: its process gets this long to say so
KILL_SECONDS = 0.3
# steps get this long to end when the worker stops
DRAIN_SECONDS = 5.0
CLEAR_SECONDS = 60.0
# a process that dies before it is ready is not started again at once
RESTART_SECONDS = 1.0
# a run whose process dies even before its graph is looked at
MOST_ATTEMPTS = 6

log = structlog.stdlib.get_logger(__name__)


class Supervisor:
    def __init__(self, context: Context, kinds: Kinds, settings: Settings) -> None:
        self.name = f"{socket.gethostname()}/{os.getpid()}"
        self._context = context
        self._kinds = kinds
        self._settings = settings
        self._most = settings.concurrency or max(2, os.cpu_count() or 2)
        self._nursery = Nursery(environment(settings, kinds))
        self._user = user(settings)
        self._children: list[Child] = []
        # by whose they are, once a process of that owner is ready
        self._served: dict[Owner, list[str]] = {}
        # how processes of theirs sign in, once that is settled
        self._login: str | None = None
        self._claim_now = asyncio.Event()
        self._look_now = asyncio.Event()
        self._idle_now = asyncio.Event()
        self._starting: set[asyncio.Task[None]] = set()
        # places that claims under way may fill
        self._kept = 0
        self._stopping = False

    @property
    def serves(self) -> bool:
        """Whether processes are there that have their workflows at hand."""
        return {child.owner for child in self._children if child.ready} == set(Owner)

    def wake(self) -> None:
        """A run may be ready, was taken from its worker, or is stopped by a brake."""
        self._look_now.set()
        self._claim_now.set()

    def wake_here(self) -> bool:
        """The same; false, because the workers of other processes must be told as well."""
        self.wake()
        return False

    async def listen(self, conn: Connection) -> None:
        """On a connection of its own, for ever: words that a run is ready, or was taken from its worker."""
        await feed.listen(conn, feed.RUNS)
        while True:
            if await feed.heard(conn, POLL_SECONDS):
                self.wake()

    async def work(self) -> None:
        """Until cancelled; then the runs are given back."""
        private.hide()
        self._spawn(Owner.ours)
        try:
            async with asyncio.TaskGroup() as loops:
                loops.create_task(_patiently(self._claim))
                loops.create_task(_patiently(self._renew))
                loops.create_task(_patiently(self._clear))
                loops.create_task(_patiently(self._beat))
        finally:
            await self._stop()

    # Claiming

    async def _claim(self) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(POLL_SECONDS):
                await self._claim_now.wait()
        self._claim_now.clear()
        free = self._free
        if not free or not self._served:
            return
        self._kept += free
        try:
            async with self._context.database.connection() as conn:
                taken = await claims.claim(conn, self.name, self._workflows, free)
                boxes = await sealed.of_runs(conn, [run.id for run in taken]) if taken else []
        finally:
            self._kept -= free
        for run in taken:
            self._give_opened(run, [box for box in boxes if box.run_id == run.id])
        if len(taken) == free:
            self._claim_now.set()

    @property
    def _free(self) -> int:
        return max(0, self._most - self._kept - sum(child.work is not None for child in self._children))

    @property
    def _workflows(self) -> list[str]:
        return [name for names in self._served.values() for name in names]

    def keep(self) -> Offer | None:
        """Room for the run that a decision of this process wakes."""
        if self._stopping or not self._free or not self._served:
            return None
        self._kept += 1
        return Offer(self.name, self._workflows)

    def settle(self, taken: Taken | None) -> None:
        self._kept -= 1
        if taken is not None:
            self._give_opened(*taken)
        else:
            # another may have waited for the room
            self._claim_now.set()
        self._idle_now.set()

    def _give_opened(self, run: Run, boxes: Sequence[Box]) -> None:
        """With its secret answers in clear: the process that runs it does not have the key."""
        sealer = self._context.sealer
        try:
            assert sealer is not None or not boxes, "who supervises has the keys"
            answers = {box.hold_id: sealer.open(box.hold_id, box.box, box.schema) for box in boxes if sealer}
        except WrongKey:
            why = "a secret answer cannot be decrypted: this worker's HANDRAIL_ANSWER_KEY_FILE is not the server's"
            self._begin(self._fail(run, Failure("answer_sealed", why)))
            return
        self._give(replace(run, answers=answers))

    def _give(self, run: Run) -> None:
        if run.attempts > MOST_ATTEMPTS:
            why = f"{run.attempts} workers in a row died while running this"
            self._begin(self._fail(run, Failure("worker_lost", why)))
            return
        owner = next(owner for owner, names in self._served.items() if run.workflow in names)
        idle = [child for child in self._children if child.work is None and child.owner is owner]
        # one that waits with everything at hand comes before one that is still starting
        child = next((each for each in idle if each.ready), None) or next(iter(idle), None) or self._spawn(owner)
        # a process that is still starting looks for itself, when it is ready
        child.run(run if child.ready else replace(run, woken_by=None))
        if self._stopping:
            child.drain()

    def _spawn(self, owner: Owner) -> Child:
        child = Child(owner, self._nursery, self._heard, self._ended)
        self._children.append(child)
        self._begin(self._start(child))
        return child

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._starting.add(task)
        task.add_done_callback(self._starting.discard)

    def _orders(self, owner: Owner) -> Orders:
        channels, publishes = self._context.set_up, owner not in self._served
        database = self._context.database
        if owner is Owner.ours:
            known = self._settings.with_secrets(self._kinds.secrets())
            return Orders(
                owner, self._kinds, database.dsn, database.direct, known, channels, publishes, others_variables()
            )
        # the folder that we are in may be closed to it
        known = self._settings.model_copy(update={"workflows_file": self._settings.workflows})
        login = self._login or database.dsn
        return Orders(owner, self._kinds, login, None, known.with_secrets(()), channels, publishes, {})

    async def _start(self, child: Child) -> None:
        try:
            await child.start(self._orders(child.owner), self._user if child.owner is Owner.theirs else None)
        except OSError as error:
            log.error("child_not_started", reason=str(error))
            self._ended(child)

    def _heard(self, child: Child, said: str) -> None:
        match said.partition(" "):
            case ("ready", _, names):
                child.ready = True
                if child.owner not in self._served and child.owner is Owner.ours:
                    # LangGraph's tables are there now
                    self._begin(self._admit_theirs())
                self._served[child.owner] = served(names)
            case ("idle", _, _):
                child.work = None
                self._idle_now.set()
            case ("poke", _, _):
                self._context.poke()
                return
            case ("wake", _, _):
                self._context.wake()
            case _:
                log.warning("child_said", text=said)
        self._claim_now.set()

    async def _admit_theirs(self) -> None:
        """Settles how their processes sign in, and has the first of them."""
        if self._settings.child_database_url is not None:
            self._login = self._settings.child_database_url.get_secret_value()
        while self._login is None:
            try:
                self._login = await run_login.prepare(self._context.database)
            except errors.Unavailable as error:
                await asyncio.sleep(error.retry_after)
                continue
            if self._login is None:
                log.warning("runs_have_the_servers_login", next="set HANDRAIL_CHILD_DATABASE_URL: docs/langgraph.md")
                break
        if not self._stopping:
            self._spawn(Owner.theirs)

    def _ended(self, child: Child) -> None:
        self._children.remove(child)
        self._idle_now.set()
        if self._stopping:
            return
        self._begin(self._replace(child))

    async def _replace(self, child: Child) -> None:
        """Its run may be taken at once, by any worker. One process of each owner is always there: the next run starts
        soon."""
        if child.work is not None:
            log.warning("child_died", run_id=str(child.work.run.id))
            await self._let_go(Claim.of(child.work.run))
        if not child.ready:
            await asyncio.sleep(RESTART_SECONDS)
        if not self._stopping and all(other.owner is not child.owner for other in self._children):
            self._spawn(child.owner)
        self._claim_now.set()

    async def _let_go(self, claim: Claim) -> None:
        # the lease ends by itself where the database is away
        with suppress(errors.Unavailable):
            async with self._context.database.transaction() as conn:
                await claims.let_go(conn, claim)
            self._context.wake()

    # Keeping

    async def _renew(self) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(RENEW_SECONDS):
                await self._look_now.wait()
        self._look_now.clear()
        busy = [(child, child.work) for child in self._children if child.work is not None]
        if busy:
            mine = {Claim.of(work.run): work.worked for _, work in busy}
            async with self._context.database.transaction() as conn:
                kept = await claims.renew(conn, list(mine.items()))
            for child, work in busy:
                claim = Claim.of(work.run)
                if claim not in kept:
                    asyncio.get_running_loop().call_later(KILL_SECONDS, self._kill, child, work)
                    continue
                if kept[claim] and child.work is work:
                    child.brake()
                if work.worked > work.run.budget.seconds:
                    self._kill(child, work)
                    await self._fail(work.run, _out_of_time(work.run))
        await asyncio.sleep(LOOK_SECONDS)

    def _kill(self, child: Child, work: Work) -> None:
        """Stop a process that is still at work on what does not count any more."""
        if child.work is work:
            child.work = None
            child.kill()

    async def _clear(self) -> None:
        """Checkpoints of runs that ended long ago."""
        keep = timedelta(days=self._settings.checkpoints_keep_days)
        async with self._context.database.transaction() as conn:
            cleared = await checkpoints.clear(conn, keep)
        if cleared < checkpoints.BATCH:
            await asyncio.sleep(CLEAR_SECONDS)

    async def _beat(self) -> None:
        """Says what this worker serves, so that others know where a run would wait in vain."""
        if served := self._workflows:
            async with self._context.database.transaction() as conn:
                await workflows.beat(conn, served)
        await asyncio.sleep(workflows.BEAT_SECONDS)

    async def _fail(self, run: Run, failure: Failure) -> None:
        # where the database is away the lease ends, and whoever claims the run then fails it
        with suppress(Lost, errors.Unavailable):
            await end(self._context, run, run.usage.seconds, failure=failure)

    # Stopping

    async def _stop(self) -> None:
        """Runs are given back between two steps; those that take too long are stopped where they are."""
        self._stopping = True
        for child in self._children:
            if child.work is not None:
                child.drain()
        with suppress(TimeoutError):
            async with asyncio.timeout(DRAIN_SECONDS):
                while self._kept or any(child.work is not None for child in self._children):
                    self._idle_now.clear()
                    await self._idle_now.wait()
        left = [child.work.run for child in self._children if child.work is not None]
        self._nursery.end()
        for run in left:
            with suppress(errors.Unavailable):
                async with self._context.database.transaction() as conn:
                    await claims.give_back(conn, Claim.of(run))
        self._context.wake()


def _out_of_time(run: Run) -> Failure:
    seconds = run.budget.seconds
    return Failure(
        "budget_exceeded", f"the run used all its {seconds:g} s of working time: start it with a larger budget"
    )


async def _patiently(once: Callable[[], Awaitable[None]]) -> None:
    """For ever; a database that is away is waited for."""
    while True:
        try:
            await once()
        except errors.Unavailable as error:
            await asyncio.sleep(error.retry_after)
