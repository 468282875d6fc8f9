"""Load that goes through every outage: open, decide and redeem holds, follow the feed, and check what was promised."""

from __future__ import annotations

import asyncio
import json
import random
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import httpx

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
            assert problem["code"] in {"unavailable", "outcome_unknown"}, problem
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


async def check(http: httpx.AsyncClient, token: str, done: Acknowledged, seen: list[dict[str, Any]]) -> None:
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
