"""`handrail up` to its first answer: with a new data folder, and with one that is there."""

from __future__ import annotations

import shutil
import tempfile
import time
from pathlib import Path

import httpx

from .world import ServerProcess


def measure() -> dict[str, float]:
    folder = Path(tempfile.mkdtemp(prefix="handrail-start-"))
    server = ServerProcess(folder)
    try:
        cold = _first_answer(server)
        server.stop()
        warm = _first_answer(server)
        server.stop()
    finally:
        server.close()
        shutil.rmtree(folder, ignore_errors=True)
    return {"up_to_first_answer_cold_seconds": cold, "up_to_first_answer_warm_seconds": warm}


def _first_answer(server: ServerProcess) -> float:
    began = time.perf_counter()
    server.start()
    httpx.get(f"{server.url}/health", trust_env=False).raise_for_status()
    return time.perf_counter() - began
