"""The past once more, under a changed policy: what would have been asked, of whom, and what would have slipped through.

Assessing is work for processors, and there may be a hundred thousand holds: processes of their own do it, so that the
server answers meanwhile.
"""

from __future__ import annotations

import asyncio
import gc
import multiprocessing
import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from datetime import datetime

from pydantic import ValidationError

from handrail.core import errors
from handrail.core.callers import Caller
from handrail.core.holds import Hold
from handrail.core.replay import Tally
from handrail.core.risk import Assessment
from handrail.holds.context import Context
from handrail.holds.policies import check
from handrail.policy import Policy, assess_again, load
from handrail.store import clock, holds, past
from handrail.store.past import Opened

AT_ONCE = 1000
# fewer than this are not worth a process
FEW = 3 * AT_ONCE
MOST_PROCESSES = 2


@dataclass(frozen=True, slots=True)
class Replay:
    since: datetime
    until: datetime
    tally: Tally


async def replay(
    context: Context, caller: Caller, files: Mapping[str, str], since: datetime, until: datetime | None = None
) -> Replay:
    """Every hold with an action that was opened in that time, what was only observed included."""
    if not caller.principal.reads_all:
        raise errors.Forbidden("Replaying the past is for auditors and administrators.")
    candidate = await check(files)
    tally = Tally()
    async with context.database.transaction() as conn:
        end = until or await clock.now(conn)
        many = await past.more_than(conn, FEW, since, end)
        async with _Workers(candidate, many=many) as workers:
            async for page in past.opened(conn, since, end, AT_ONCE):
                await workers.give(page)
            for each in await workers.results():
                tally.merge(each)
    return Replay(since, end, tally)


class _Workers:
    """Works in a thread; where there is much to do, only until processes are ready to."""

    def __init__(self, policy: Policy, *, many: bool) -> None:
        self._policy = policy
        self._waiting: list[asyncio.Future[Tally]] = []
        self._done: list[Tally] = []
        self._pool = _pool(policy) if many else None

    async def __aenter__(self) -> _Workers:
        # each begins a process, which takes longer than some pages
        self._beginning = [self._given([]) for _ in range(MOST_PROCESSES)] if self._pool else []
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._pool is not None:
            await asyncio.to_thread(self._pool.shutdown, wait=True, cancel_futures=True)

    async def give(self, page: Sequence[Opened]) -> None:
        if not any(future.done() for future in self._beginning):
            self._done.append(await asyncio.to_thread(tallied, self._policy, page))
            return
        self._waiting.append(self._given(page))
        # no more of the past in memory than is worked on
        while len(self._waiting) > 2 * MOST_PROCESSES:
            self._done.append(await self._waiting.pop(0))

    def _given(self, page: Sequence[Opened]) -> asyncio.Future[Tally]:
        return asyncio.get_running_loop().run_in_executor(self._pool, _work, page)

    async def results(self) -> list[Tally]:
        return [*self._done, *(await asyncio.gather(*self._beginning, *self._waiting))]


def tallied(policy: Policy, page: Sequence[Opened]) -> Tally:
    tally = Tally()
    for one in page:
        try:
            hold = as_opened(one)
        except ValidationError:
            # from before a change of shape, or emptied by hand
            tally.unreadable += 1
            continue
        tally.add(hold, judged(policy, hold, trusted=one.trusted))
    return tally


def as_opened(one: Opened) -> Hold:
    """With the question and the terms that it was opened with, and what became of it."""
    hold = replace(holds.read({"state": one.state}), number=one.number)
    if one.first is None:
        return hold
    first = holds.read({"state": one.first})
    return replace(hold, question=first.question, assessment=first.assessment)


def judged(policy: Policy, hold: Hold, *, trusted: bool) -> Assessment:
    """What opening it under this policy would say of it."""
    return assess_again(policy, hold, hold.question.action, trusted=trusted and bool(hold.task or hold.origin))


_policies: list[Policy] = []


def _pool(policy: Policy) -> ProcessPoolExecutor:
    processes = min(MOST_PROCESSES, os.cpu_count() or 1)
    # not forked: this process has threads and connections
    how = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(processes, how, initializer=_begin, initargs=(dict(policy.source),))


def _begin(files: dict[str, str]) -> None:
    # beside what people wait for
    os.nice(5)
    _policies.append(load(files))
    # a page is gone once it is counted: looking for garbage in it again and again takes a tenth of the time
    gc.freeze()
    gc.set_threshold(100_000)


def _work(page: Sequence[Opened]) -> Tally:
    return tallied(_policies[0], page)
