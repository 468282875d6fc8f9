"""Agents as they are: bursts of calls, long pauses between them, now and then a call that a person has to decide."""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import httpx

# a call follows soon on seven of ten; then the agent does something else, or its person does
SOON_SECONDS = 5.0
SOON = 0.7
LATER_SECONDS = 3_320.0
CALL_EVERY_SECONDS = SOON * SOON_SECONDS + (1 - SOON) * LATER_SECONDS
HELD = 0.04
# how long a person takes: half of them less, some much longer
DECIDE_SECONDS = 8.0
DECIDE_SPREAD = 0.8
LONGEST_WAIT = 300
UNAVAILABLE = 503

LOW_TOOL, HELD_TOOL = "Read", "mcp__shop__send_newsletter"


@dataclass(slots=True)
class Figures:
    low_ms: list[float] = field(default_factory=list[float])
    held_after_ms: list[float] = field(default_factory=list[float])
    """From before a decision is sent until the agent's call is answered."""
    decided: dict[str, float] = field(default_factory=dict[str, float])
    failed: int = 0


class Office:
    """Agents by their tokens, and the person who decides."""

    def __init__(self, url: str, person: str, seed: int = 1) -> None:
        limits = httpx.Limits(max_connections=2_000, max_keepalive_connections=200)
        self._http = httpx.AsyncClient(base_url=url, timeout=LONGEST_WAIT + 60, limits=limits, trust_env=False)
        self._person = {"Authorization": f"Bearer {person}"}
        self._random = random.Random(seed)
        self._number = 0
        self.figures = Figures()

    async def close(self) -> None:
        await self._http.aclose()

    async def low(self, token: str) -> float:
        """Milliseconds of a call that runs unasked."""
        began = time.perf_counter()
        await self._call(token, LOW_TOOL)
        return (time.perf_counter() - began) * 1000

    async def held(self, token: str) -> None:
        """A call that a person decides; `deciding` has to run."""
        use = await self._call(token, HELD_TOOL)
        decided = self.figures.decided.pop(use, None)
        if decided is not None:
            self.figures.held_after_ms.append((time.perf_counter() - decided) * 1000)

    async def _call(self, token: str, tool: str) -> str:
        self._number += 1
        use = f"use-{self._number}"
        given = {"file_path": f"/srv/app/{use}.py"} if tool == LOW_TOOL else {"use": use}
        call = {"hook_event_name": "PreToolUse", "session_id": token[:8], "tool_use_id": use, "cwd": "/srv/app"}
        # a call that should run unasked waits for nobody
        wait = 0 if tool == LOW_TOOL else LONGEST_WAIT
        answer = await self._http.post(
            f"/api/hooks/claude-code?wait={wait}",
            json={**call, "tool_name": tool, "tool_input": given},
            headers={"Authorization": f"Bearer {token}"},
        )
        if answer.raise_for_status().json()["hookSpecificOutput"]["permissionDecision"] != "allow":
            raise AssertionError(answer.text)
        return use

    async def deciding(self, median: float = DECIDE_SECONDS) -> None:
        """The person, until cancelled: each hold that is opened is read, and approved after a while."""
        async with (
            asyncio.TaskGroup() as reviews,
            self._http.stream("GET", "/api/events", headers=self._person) as stream,
        ):
            name = ""
            async for line in stream.aiter_lines():
                if line.startswith("event: "):
                    name = line.removeprefix("event: ")
                elif line.startswith("data: ") and name == "hold.opened":
                    hold = json.loads(line.removeprefix("data: "))["hold_id"]
                    reviews.create_task(self._review(hold, self._random.lognormvariate(0, DECIDE_SPREAD) * median))

    async def _review(self, hold_id: str, after: float) -> None:
        hold = await self._as_person("GET", f"/api/holds/{hold_id}")
        if hold["status"] != "pending":
            return
        await asyncio.sleep(after)
        self.figures.decided[hold["action"]["args"]["use"]] = time.perf_counter()
        await self._as_person("POST", f"/api/holds/{hold_id}/reviews", verdict="approve", digest=hold["digest"])

    async def _as_person(self, method: str, path: str, **body: str) -> dict[str, Any]:
        while True:
            answer = await self._http.request(method, path, json=body or None, headers=self._person)
            if answer.status_code != UNAVAILABLE:
                return answer.raise_for_status().json()
            self.figures.failed += 1
            await asyncio.sleep(1)

    async def drive(self, tokens: Sequence[str], seconds: float) -> None:
        """All agents at once, for so long; calls that wait for a person then are given up."""
        agents = [asyncio.create_task(self._agent(token)) for token in tokens]
        await asyncio.sleep(seconds)
        for agent in agents:
            agent.cancel()
        await asyncio.gather(*agents, return_exceptions=True)

    async def _agent(self, token: str) -> None:
        choose = self._random
        pause = LATER_SECONDS
        while True:
            await asyncio.sleep(choose.expovariate(1 / pause))
            pause = SOON_SECONDS if choose.random() < SOON else LATER_SECONDS
            try:
                if choose.random() < HELD:
                    await self.held(token)
                else:
                    self.figures.low_ms.append(await self.low(token))
            except (httpx.HTTPError, AssertionError):
                self.figures.failed += 1
