"""Runs against bare LangGraph on the same PostgreSQL, in one run.

`resume` is the time from sending a person's decision over HTTP to the code after the question, which runs in another
process; bare is `ainvoke(Command(resume=…))` in the waiting process, to the same line of code. `decide` is the HTTP
request alone. `polled` is a bare resume by a program that checks every 100 ms. Then come the same resume with many runs
paused, the worker's memory, and how many runs a second are started and paused by one and by two workers of two
processes each. On a busy machine, a real-time priority keeps other work out: `chrt -r 1`, as for these figures.
"""

from __future__ import annotations

import asyncio

from benchmarks.engine import latency, throughput


def run() -> dict[str, float]:
    return asyncio.run(latency.measure()) | asyncio.run(throughput.measure())
