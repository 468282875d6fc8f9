"""How soon a hold that was announced on four channels and decided on one is closed on all of them.

Slack, email, web push and a webhook, each another side on loopback that speaks the service's protocol. Ten holds are
open at a time and are decided by one person within a second; the time runs from the answer to the decision until the
last of the four no longer asks. `announced` is the time from opening a hold until all four ask. Server, loops and the
other sides are one process.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path
from statistics import quantiles
from typing import Any

import structlog

sys.path.append(str(Path(__file__).parents[2] / "tests"))

from channel_fakes import MailFake, WebhookFake
from channel_world import Office, office
from database import FOLDER_VARIABLE
from holds_world import shift_clock
from slack_fake import SlackFake

from handrail.channels import delivering
from handrail.holds.rounds import Rounds
from handrail.store.embedded import running
from handrail.store.migrate import migrate

CHANNELS = ("webhook", "email", "slack", "push")
GROUPS = 10
AT_ONCE = 10
PAUSE_SECONDS = 0.1
LOOK_SECONDS = 0.05
PATIENCE_SECONDS = 30


def run() -> dict[str, float]:
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    return asyncio.run(_run())


async def _run() -> dict[str, float]:
    async with AsyncExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="handrail-bench-"))
        os.environ[FOLDER_VARIABLE] = folder
        dsn = await stack.enter_async_context(running(Path(folder)))
        await migrate(dsn)
        at = await stack.enter_async_context(office(dsn, *CHANNELS))
        services = at.desk.app.state.services
        rounds = Rounds(services.database)
        loops = asyncio.gather(
            rounds.keep_looking(), delivering.keep_delivering(rounds, services.context, services.settings)
        )
        try:
            announced, closed = list[float](), list[float]()
            for _ in range(GROUPS):
                held = await asyncio.gather(*(_announced(at, announced) for _ in range(AT_ONCE)))
                async with asyncio.TaskGroup() as tasks:
                    for hold in held:
                        tasks.create_task(_closed(at, hold, closed))
                        await asyncio.sleep(PAUSE_SECONDS)
                _forget(at)
                # more than sixty within a minute would be gathered into one notice
                await shift_clock(at.desk.database, 61)
        finally:
            loops.cancel()
            await asyncio.gather(loops, return_exceptions=True)
    return {
        "holds": float(len(closed)),
        "announced_p50_ms": _percentile(announced, 50),
        "announced_p99_ms": _percentile(announced, 99),
        "closed_p50_ms": _percentile(closed, 50),
        "closed_p99_ms": _percentile(closed, 99),
        "closed_worst_ms": max(closed) * 1000,
    }


async def _announced(at: Office, times: list[float]) -> dict[str, Any]:
    hold = await at.open()
    times.append(await _until(lambda: _all(at, hold, asks=True)))
    return hold


async def _closed(at: Office, hold: dict[str, Any], times: list[float]) -> None:
    await at.review(at.ben, hold, "approve")
    times.append(await _until(lambda: _all(at, hold, asks=False)))


def _all(at: Office, hold: dict[str, Any], *, asks: bool) -> bool:
    """Mail is read last: that takes longest, and the loops run beside it."""
    cheapest_first = sorted(at.others.values(), key=lambda other: isinstance(other, MailFake))
    return all([one.asks for one in other.seen(hold["id"])] == [asks] for other in cheapest_first)


def _forget(at: Office) -> None:
    """What is over, so that looking stays cheap."""
    for other in at.others.values():
        if isinstance(other, MailFake):
            other.sink.mail.clear()
        elif isinstance(other, SlackFake):
            other.messages.clear()
        elif isinstance(other, WebhookFake):
            other.told.clear()


async def _until(look: Callable[[], bool]) -> float:
    began = time.perf_counter()
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not look():  # noqa: ASYNC110 - the other sides tell nobody
            await asyncio.sleep(LOOK_SECONDS)
    return time.perf_counter() - began


def _percentile(times: list[float], which: int) -> float:
    return quantiles(times, n=100)[which - 1] * 1000
