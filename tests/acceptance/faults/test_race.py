"""Fifty reviewers race over HTTP on each of many holds: exactly one decision each, and the others are told."""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import AsyncExitStack
from typing import Any

import httpx
import pytest
from server import NO_CERTIFICATES, ServerProcess

REVIEWERS = 50


@pytest.mark.parametrize("count", [20, pytest.param(100, marks=pytest.mark.soak)])
async def test_exactly_one_decision_each(server: ServerProcess, count: int) -> None:
    agent = server.token_of("racing-agent", kind="service")
    people = [server.token_of(f"racer-{n}", "team_lead") for n in range(REVIEWERS)]
    async with AsyncExitStack() as stack:
        # a connection each, as people have them; one pool for all takes as much time as the server does
        http, agent, *reviewers = [
            await stack.enter_async_context(_client(server, token)) for token in (server.admin_token, agent, *people)
        ]
        holds = [await _open(agent, n) for n in range(count)]
        for hold in holds:
            answers = await asyncio.gather(*(_review(one, hold, n) for n, one in enumerate(reviewers)))
            _one_decided(answers)
        seqs = await _decisions(http, holds)
    assert Counter(seqs) == Counter({hold["id"]: 1 for hold in holds})


def _client(server: ServerProcess, token: str) -> httpx.AsyncClient:
    headers = {"Authorization": f"Bearer {token}"}
    return httpx.AsyncClient(base_url=server.url, headers=headers, timeout=120, trust_env=False, verify=NO_CERTIFICATES)


async def _open(http: httpx.AsyncClient, n: int) -> dict[str, Any]:
    action: dict[str, Any] = {"name": "race", "args": {"n": n}}
    body = {"kind": "confirmation", "title": f"Race {n}", "case_id": "race", "action": action}
    answer = await http.post("/api/holds", json=body)
    assert answer.status_code == 201, answer.text
    return answer.json()


async def _review(http: httpx.AsyncClient, hold: dict[str, Any], n: int) -> httpx.Response:
    body = {"verdict": "approve" if n % 2 else "reject", "digest": hold["digest"]}
    return await http.post(f"/api/holds/{hold['id']}/reviews", json=body)


def _one_decided(answers: list[httpx.Response]) -> None:
    won = [answer for answer in answers if answer.status_code == 200]
    lost = [answer for answer in answers if answer.status_code == 409]
    assert (len(won), len(lost)) == (1, REVIEWERS - 1), Counter(answer.status_code for answer in answers)
    decision = won[0].json()["decision"]
    told = {(a.json()["code"], a.json()["data"]["decided_by"]["name"], a.json()["data"]["outcome"]) for a in lost}
    assert told == {("already_decided", decision["by"]["name"], decision["outcome"])}


async def _decisions(http: httpx.AsyncClient, holds: list[dict[str, Any]]) -> list[str]:
    """The holds that `hold.decided` events name, read from the feed's beginning until each hold has had one."""
    wanted = {hold["id"] for hold in holds}
    found: list[str] = []
    headers = {"Last-Event-ID": "0"}
    async with http.stream("GET", "/api/events?case=race", headers=headers) as stream:
        decided = False
        async for line in stream.aiter_lines():
            if line.startswith("event:"):
                decided = line.endswith("hold.decided")
            elif line.startswith("data:") and decided:
                found.append(httpx.Response(200, text=line[5:]).json()["hold_id"])
                if wanted <= set(found):
                    break
    return found
