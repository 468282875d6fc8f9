"""Holds against the floor: as many bare SQL transactions that write the same rows, by as many tasks.

`open` and `decide` are measured as use cases (in one process) and over HTTP to a separate server process, by a client
that costs next to nothing; both are compared with the bare transactions of the same run. Then come ordinary tool calls,
and how much of opening them is assessing their risk; the same with a thousand and with a million pending holds; the
server's memory with none and with a million; and how long `handrail up` takes to its first answer.
"""

from __future__ import annotations

import asyncio

from benchmarks.holds import assessing, scale, starting, throughput


def run() -> dict[str, float]:
    figures = asyncio.run(throughput.measure())
    figures |= asyncio.run(assessing.measure())
    figures |= asyncio.run(scale.measure())
    figures |= starting.measure()
    return figures
