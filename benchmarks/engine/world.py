"""A deployment to measure: `handrail up`, or an API and workers, on one embedded PostgreSQL."""

from __future__ import annotations

import asyncio
import statistics
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import httpx
import psutil

sys.path.append(str(Path(__file__).parents[2] / "tests"))

from engine_world import start
from server import HANDRAIL, environment, running

__all__ = ["HANDRAIL", "WORKFLOWS", "environment", "memory", "percentiles", "resumed", "running", "served", "start"]

WORKFLOWS = Path(__file__).parent / "flows" / "handrail.toml"


def percentiles(name: str, took: Sequence[float]) -> dict[str, float]:
    return {f"{name}_p50_ms": statistics.median(took), f"{name}_p99_ms": statistics.quantiles(took, n=100)[98]}


async def served(http: httpx.AsyncClient) -> None:
    """When the workflow can be started, and a process is there for it."""
    names: set[str] = set()
    while "bench" not in names:
        await asyncio.sleep(0.1)
        names = {one["name"] for one in (await http.get("/api/workflows")).json()["workflows"]}


async def asked(http: httpx.AsyncClient) -> tuple[str, dict[str, Any]]:
    """A run that waits, and its hold."""
    run = (await http.post("/api/runs", json={"workflow": "bench", "input": {}})).raise_for_status().json()["id"]
    seen: dict[str, Any] = {}
    while seen.get("status") != "paused":  # another process's doing
        await asyncio.sleep(0.005)
        seen = (await http.get(f"/api/runs/{run}")).json()
        assert seen["status"] != "failed", seen["error"]
    (hold,) = (await http.get("/api/holds", params={"run": run})).json()["holds"]
    return run, hold


async def resumed(asker: httpx.AsyncClient, person: httpx.AsyncClient) -> tuple[float, float]:
    """Milliseconds from the decision to the code after the question, and to the answer to the decision."""
    run, hold = await asked(asker)
    say = {"verdict": "answer", "digest": hold["digest"], "answer": "yes"}
    began = time.monotonic_ns() // 1000
    (await person.post(f"/api/holds/{hold['id']}/reviews", json=say)).raise_for_status()
    decided = time.monotonic_ns() // 1000
    seen: dict[str, Any] = {}
    while seen.get("status") != "completed":  # another process's doing
        await asyncio.sleep(0.005)
        seen = (await asker.get(f"/api/runs/{run}")).json()
        assert seen["status"] != "failed", seen["error"]
    return (seen["result"]["at"] - began) / 1000, (decided - began) / 1000


def memory(pid: int) -> float:
    """MiB of a process and all below it, shared pages counted once."""
    tree = [psutil.Process(pid), *psutil.Process(pid).children(recursive=True)]
    ours = [each for each in tree if "postgres" not in each.name()]
    return sum(each.memory_full_info().pss for each in ours) / 2**20
