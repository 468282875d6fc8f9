"""Wakes those who wait for entries on a topic, and nobody else: many waiters cost nothing until theirs comes."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Generator, Iterable
from contextlib import contextmanager, suppress

from handrail.feed.entries import Topic


class Waiter:
    """A waiter on some topics."""

    def __init__(self) -> None:
        self._event = asyncio.Event()
        self._rung: set[Topic] = set()
        self._nothing_until = 0

    def ring(self, topic: Topic, nothing_until: int) -> None:
        if not self._rung:
            self._nothing_until = nothing_until
        self._rung.add(topic)
        self._event.set()

    def wake(self) -> None:
        self._event.set()

    def rang(self, topic: Topic) -> bool:
        return topic in self._rung

    async def wait(self, within: float) -> int | None:
        """Waits for an entry on one of the topics; nothing where none came in that many seconds.

        Gives the number up to which there is none since the last `clear`.
        """
        with suppress(TimeoutError):
            async with asyncio.timeout(within):
                await self._event.wait()
        # both may happen in one turn of the loop: the entry counts
        return self._nothing_until if self._rung else None

    def clear(self) -> None:
        self._rung.clear()
        self._event.clear()


class Bell:
    def __init__(self) -> None:
        self._waiters: defaultdict[Topic, set[Waiter]] = defaultdict(set)

    @property
    def topics(self) -> int:
        """How many topics someone waits on."""
        return len(self._waiters)

    @contextmanager
    def waiter(self, *topics: Topic) -> Generator[Waiter]:
        waiter = Waiter()
        for topic in topics:
            self._waiters[topic].add(waiter)
        try:
            yield waiter
        finally:
            for topic in topics:
                self._waiters[topic].discard(waiter)
                if not self._waiters[topic]:
                    del self._waiters[topic]

    def wake(self) -> None:
        """Makes every waiter look again, although nothing happened."""
        for waiter in {waiter for waiters in self._waiters.values() for waiter in waiters}:
            waiter.wake()

    def ring(self, topics: Iterable[Topic], nothing_until: int) -> None:
        """There are entries on these topics, all of them after `nothing_until`."""
        for topic in topics:
            for waiter in self._waiters.get(topic, ()):
                waiter.ring(topic, nothing_until)
