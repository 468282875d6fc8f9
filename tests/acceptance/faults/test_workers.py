"""kill -9 of any process at any moment: every run ends, and what it does is done once or asked about."""

from __future__ import annotations

import asyncio
import random
import time
from typing import Any

import pytest
from ordeal_world import DEADLINE_SECONDS, Office, check, deployment, ends, said


async def ordeal(workers: int, kills: int, seed: int) -> None:
    chance = random.Random(seed)
    seen: list[dict[str, Any]] = []
    with deployment(workers) as deployed:
        office = Office(deployed)
        await office.hire()
        tasks = [asyncio.create_task(each) for each in (office.decide(), office.watch(seen))]
        starting = asyncio.create_task(office.start_runs())
        for _ in range(kills):
            # the moment is the experiment: anywhere in the life of some runs
            await asyncio.sleep(1 + chance.uniform(-0.3, 0.3))
            what = chance.choice(["api", "worker", "child", "child", "child", "database"])
            await asyncio.to_thread(deployed.kill, what, chance)
        office.over = True
        await starting
        deadline = time.monotonic() + DEADLINE_SECONDS
        while set(ends(seen)) < set(office.runs):
            assert time.monotonic() < deadline, said(deployed, office, seen)
            await asyncio.sleep(0.1)
        left = await office.ask(office.person, "GET", "/api/holds")
        for task in tasks:
            task.cancel()
        check(office, seen, left["holds"])


async def test_every_run_ends_and_acts_once_though_any_process_is_killed_each_second() -> None:
    await ordeal(workers=3, kills=10, seed=5)


@pytest.mark.soak
# a machine that does much else starts processes slowly, and here many are
@pytest.mark.timeout(900)
async def test_the_same_for_a_minute() -> None:
    await ordeal(workers=3, kills=60, seed=int(time.time()))
