"""The background's rounds: one look at all that may be due, some times a second, wakes the loops that it concerns."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable

from handrail.core import errors
from handrail.holds.context import Context
from handrail.holds.policies import Policies
from handrail.store import due
from handrail.store.due import Due

# the contract allows one second of delay
LOOK_SECONDS = 0.4


class Rounds:
    """Of one process. Loops that looked by themselves took five times as many statements while nothing happened."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._sleepers: defaultdict[Due, list[asyncio.Event]] = defaultdict(list)

    async def keep_looking(self) -> None:
        """Runs forever; waits for a database that is away."""
        while True:
            try:
                async with self._context.database.connection() as conn:
                    found = await due.look(conn, self._context.policy().version)
            except errors.Unavailable as error:
                await asyncio.sleep(error.retry_after)
                continue
            for sleeper in (each for kind in found for each in self._sleepers[kind]):
                sleeper.set()
            await asyncio.sleep(LOOK_SECONDS)

    async def keep(self, kind: Due, work: Callable[[], Awaitable[bool]]) -> None:
        """Does the work whenever some of this kind may be due, and again at once where `work` says that there is more.
        Runs forever; waits for a database that is away."""
        wanted = asyncio.Event()
        self._sleepers[kind].append(wanted)
        while True:
            await wanted.wait()
            wanted.clear()
            try:
                if await work():
                    wanted.set()
            except errors.Unavailable as error:
                await asyncio.sleep(error.retry_after)


async def keep_following(rounds: Rounds, policies: Policies) -> None:
    """Takes up what another process applied."""

    async def work() -> bool:
        await policies.refresh()
        return False

    await rounds.keep(Due.policy, work)


async def keep_numbering(rounds: Rounds, context: Context) -> None:
    """Tells who numbers events of those that nobody told of: their process died between commit and poke."""

    async def work() -> bool:
        context.poke()
        return False

    await rounds.keep(Due.events, work)
