"""From a decision over HTTP to the code of a run that waits in another process: Handrail and others, in turns.

Every engine runs the same program: one question, then a line that reads the clock (Linux has one monotonic clock for
all processes). Time runs from before the request that brings the answer until that line. Each is installed in a
separate environment and answers on a private port of the loopback; they run at once and are measured in turns, so that
other work on the machine slows all of them.

What they do differs. Handrail checks a person's right to decide, commits the decision, claims the run, loads its
checkpoint and redeems the decision. Restate resolves an awakeable of an invocation that was suspended
(`inactivity_timeout` 10 ms): it has no approvers. DBOS sends a message to a workflow that waits in memory. LangGraph's
development server resumes a thread that it keeps in memory, and looks for work every second. Bare LangGraph resumes in
the process that waits, without a request: the floor.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import AsyncExitStack
from typing import Any

from benchmarks.engine.world import percentiles
from benchmarks.peers import dbos, graphs, handrail, restate
from benchmarks.peers.installing import NotHad
from benchmarks.peers.side import Side

TIMES = 120
WARM = 15
PATIENCE_SECONDS = 60.0


def run() -> dict[str, Any]:
    return asyncio.run(_measured())


async def _measured() -> dict[str, Any]:
    async with AsyncExitStack() as stack:
        ours = await stack.enter_async_context(handrail.side())
        sides: dict[str, Side] = {"handrail": ours}
        missing: dict[str, str] = {}
        for name, start in {
            "restate": restate.side,
            "dbos": lambda: dbos.side(ours.dsn),
            "langgraph_server": graphs.server,
            "bare_langgraph": lambda: graphs.bare(ours.dsn),
        }.items():
            try:
                sides[name] = await stack.enter_async_context(start())
            except NotHad as error:
                missing[name] = f"not measured: {error}"
        took: dict[str, list[float]] = {name: [] for name in sides}
        for number in range(TIMES + WARM):
            for name, side in sides.items():
                # a side that polls takes a second each: its figures need no more than this
                if name == "langgraph_server" and number % 5:
                    continue
                one = await asyncio.wait_for(side.resumed(), PATIENCE_SECONDS)
                if number >= WARM:
                    took[name].append(one)
    return _figures(took) | missing


def _figures(took: Mapping[str, list[float]]) -> dict[str, Any]:
    figures: dict[str, Any] = {}
    for name, times in took.items():
        figures |= {f"{name}_version": VERSIONS[name]} if name in VERSIONS else {}
        figures |= percentiles(name, times)
    for name in took:
        if name != "handrail":
            for cut in ("p50", "p99"):
                figures[f"handrail_over_{name}_{cut}"] = figures[f"handrail_{cut}_ms"] / figures[f"{name}_{cut}_ms"]
    return figures


VERSIONS = {"restate": restate.VERSION, "dbos": dbos.VERSION, "langgraph_server": graphs.SERVER_VERSION}
