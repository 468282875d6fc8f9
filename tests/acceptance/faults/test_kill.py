"""kill -9 of server and database at random moments under load: nothing acknowledged is lost, the feed stays whole."""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from contextlib import suppress
from typing import Any

import httpx
import psutil
import pytest
from fault_load import SENDERS, Load, check, follow, within
from server import NO_CERTIFICATES, ServerProcess, running


async def kill_at_random(server: ServerProcess, at_least: int, until: float) -> None:
    chance = random.Random(11)
    kills: Counter[str] = Counter()
    while time.monotonic() < until or sum(kills.values()) < at_least:
        # the moment is the experiment: anywhere in the life of some requests
        await asyncio.sleep(chance.uniform(0.3, 1.5))
        what = chance.choice(["everything", "database", "server"])
        kills[what] += 1
        processes = server.processes()
        if what == "database":
            for process in processes[1:]:
                with suppress(psutil.NoSuchProcess):
                    process.kill()
        elif what == "server":
            await asyncio.to_thread(server.kill_process)
            await asyncio.to_thread(server.start)
        else:
            await asyncio.to_thread(server.kill)
            await asyncio.to_thread(server.start)


async def ordeal(kills: int, seconds: float = 0) -> None:
    with running() as server:
        agent, person = server.token_of("loader", kind="service"), server.token_of("reviewer", "team_lead")
        async with httpx.AsyncClient(base_url=server.url, timeout=30, trust_env=False, verify=NO_CERTIFICATES) as http:
            load, seen = Load(http, agent, person), list[dict[str, Any]]()

            def enough() -> bool:
                # the last one, which may be in the feed before its own answer is here
                return bool(seen) and seen[-1]["kind"] == "input"

            following = asyncio.create_task(follow(http, server.admin_token, seen, enough))
            senders = [asyncio.create_task(load.send(n)) for n in range(SENDERS)]
            await kill_at_random(server, kills, time.monotonic() + seconds)
            load.over = True
            await within(120, asyncio.gather(*senders))
            last: dict[str, Any] = {"kind": "input", "title": "the end", "action": {"name": "end", "args": {}}}
            opened = await http.post("/api/holds", json=last, headers={"Authorization": f"Bearer {agent}"})
            opened.raise_for_status()
            await within(60, following)
            await check(http, server.admin_token, load.done, seen)
    assert load.done.redeemed, "the load never got through"


async def test_a_few_kills_lose_nothing() -> None:
    await ordeal(kills=5)


@pytest.mark.soak
async def test_a_minute_of_kills_loses_nothing() -> None:
    await ordeal(kills=20, seconds=60)
