"""Many tasks doing the same thing: how often a second, and how long each took."""

from __future__ import annotations

import asyncio
import statistics
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

TASKS = 10


@dataclass(frozen=True)
class Timed:
    per_second: float
    p50_ms: float
    p99_ms: float

    def figures(self, name: str) -> dict[str, float]:
        return {
            f"{name}_per_second": self.per_second,
            f"{name}_p50_ms": self.p50_ms,
            f"{name}_p99_ms": self.p99_ms,
        }


async def timed(times: int, act: Callable[[int], Awaitable[object]], tasks: int = TASKS) -> Timed:
    """`act(n)` for n below `times`, by `tasks` tasks at once."""
    left = iter(range(times))
    took: list[float] = []

    async def work() -> None:
        for n in left:
            began = time.perf_counter()
            await act(n)
            took.append(time.perf_counter() - began)

    began = time.perf_counter()
    await asyncio.gather(*(work() for _ in range(tasks)))
    whole = time.perf_counter() - began
    cuts = statistics.quantiles(took, n=100)
    return Timed(times / whole, statistics.median(took) * 1000, cuts[98] * 1000)
