"""kill -9 of server and database at random moments under load: nothing acknowledged is lost, the feed stays whole."""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import httpx
import psutil
import pytest
from server import NO_CERTIFICATES, ServerProcess, running

SENDERS = 4


@dataclass
class Acknowledged:
    """What the server said it had done."""

    opened: set[str] = field(default_factory=set[str])
    decided: dict[str, str] = field(default_factory=dict[str, str])
    redeemed: dict[str, str] = field(default_factory=dict[str, str])


@dataclass
class Load:
    """Open, decide and redeem holds for as long as it is wanted, through every outage."""

    http: httpx.AsyncClient
    agent: str
    person: str
    done: Acknowledged = field(default_factory=Acknowledged)
    over: bool = False

    async def send(self, sender: int) -> None:
        chance = random.Random(sender)
        number = 0
        while not self.over:
            number += 1
            key = f"{sender}-{number}"
            body: dict[str, Any] = {
                "kind": "confirmation",
                "title": key,
                "action": {"name": "load", "args": {"n": number}},
            }
            hold = await self._until_answered(self.agent, "/api/holds", body, {"Idempotency-Key": key})
            self.done.opened.add(hold["id"])
            verdict = chance.choice(["approve", "reject"])
            review = {"verdict": verdict, "digest": hold["digest"]}
            decided = await self._until_answered(self.person, f"/api/holds/{hold['id']}/reviews", review, {})
            self.done.decided[hold["id"]] = decided["status"]
            if decided["status"] == "approved":
                redeem = {"digest": hold["digest"], "key": key}
                once = await self._until_answered(self.agent, f"/api/holds/{hold['id']}/redeem", redeem, {})
                self.done.redeemed[hold["id"]] = once["redeemed_at"]

    async def _until_answered(self, token: str, path: str, body: dict[str, Any], headers: dict[str, str]) -> Any:
        """Each of these may be sent again: by its key, or because the second answer tells of the first."""
        while True:
            try:
                answer = await self.http.post(path, json=body, headers={"Authorization": f"Bearer {token}", **headers})
            except httpx.TransportError:
                await asyncio.sleep(0.02)
                continue
            if answer.status_code in (200, 201):
                return answer.json()
            problem = answer.json()
            if problem["code"] == "already_decided":
                # the first sending was done and its answer lost
                return {"status": problem["data"]["outcome"]}
            assert problem["code"] == "unavailable", problem
            await asyncio.sleep(0.02)


async def follow(http: httpx.AsyncClient, token: str, seen: list[dict[str, Any]], enough: Callable[[], bool]) -> None:
    """Read the feed from its beginning, going on from the last number whenever the stream breaks."""
    while not enough():
        cursor = str(seen[-1]["seq"]) if seen else "0"
        headers = {"Authorization": f"Bearer {token}", "Last-Event-ID": cursor}
        try:
            async with http.stream("GET", "/api/events", headers=headers) as stream:
                async for line in stream.aiter_lines():
                    if line.startswith("data:"):
                        seen.append(json.loads(line[5:]))
                        if enough():
                            return
        except httpx.TransportError:
            await asyncio.sleep(0.02)


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
            wanted: list[str] = []

            def enough() -> bool:
                return bool(wanted) and seen[-1]["hold_id"] == wanted[0]

            following = asyncio.create_task(follow(http, server.admin_token, seen, enough))
            senders = [asyncio.create_task(load.send(n)) for n in range(SENDERS)]
            await kill_at_random(server, kills, time.monotonic() + seconds)
            load.over = True
            await within(120, asyncio.gather(*senders))
            last: dict[str, Any] = {"kind": "input", "title": "the end", "action": {"name": "end", "args": {}}}
            opened = await http.post("/api/holds", json=last, headers={"Authorization": f"Bearer {agent}"})
            wanted.append(opened.json()["id"])
            await within(60, following)
            await _check(http, server.admin_token, load.done, seen)
    assert load.done.redeemed, "the load never got through"


async def _check(http: httpx.AsyncClient, token: str, done: Acknowledged, seen: list[dict[str, Any]]) -> None:
    assert [event["seq"] for event in seen] == list(range(1, len(seen) + 1)), "a gap or a duplicate in the feed"
    told = Counter((event["type"], event["hold_id"]) for event in seen)
    for hold_id in done.opened:
        assert told["hold.opened", hold_id] == 1
        answer = await http.get(f"/api/holds/{hold_id}", headers={"Authorization": f"Bearer {token}"})
        hold = answer.json()
        if hold_id in done.decided:
            assert hold["status"] == done.decided[hold_id]
            assert told["hold.decided", hold_id] == 1
        if hold_id in done.redeemed:
            assert hold["redeemed"]["at"] == done.redeemed[hold_id]
            assert told["hold.redeemed", hold_id] == 1


async def within(seconds: float, work: Awaitable[Any]) -> None:
    await asyncio.wait_for(work, seconds)


async def test_a_few_kills_lose_nothing() -> None:
    await ordeal(kills=5)


@pytest.mark.soak
async def test_a_minute_of_kills_loses_nothing() -> None:
    await ordeal(kills=20, seconds=60)
