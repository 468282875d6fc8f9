"""A low call through `handrail mcp wrap` against the same call on the bare server, one after the other, and against the
request to Handrail alone; then 100 calls that wait for people at once: the gateway's memory, and how many processes it
leaves behind. `start` is from the command to the answer to `initialize`. Measured on a machine that was busy with
other work: of the times, only the ratio counts."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import quantiles

import psutil

sys.path.append(str(Path(__file__).parents[2] / "tests"))

import server as servers
from mcp_world import Client, Office, trial

CALLS = 300
WAITING = 100


def run() -> dict[str, float]:
    with (
        servers.beginning(HANDRAIL_OPENINGS_PER_AGENT="100000/minute") as server,
        tempfile.TemporaryDirectory() as folder,
    ):
        office, words = Office(server), trial("ledger", f"{folder}/done")
        bare_start, bare = _bare(words)
        began = time.perf_counter()
        with office.wrapped(*words, options=("--wait", "600")) as client:
            start = (time.perf_counter() - began) * 1000
            gated = _timed(client)
            figures = _waiting(office, client)
            processes = psutil.Process(client.process.pid).children(recursive=True)
            client.close()
            _, left = psutil.wait_procs(processes, 30)
        alone = _alone(office)
        return {
            "bare_start_ms": bare_start,
            "gateway_start_ms": start,
            "bare_call_p50_ms": bare[0],
            "bare_call_p99_ms": bare[1],
            "gated_call_p50_ms": gated[0],
            "gated_call_p99_ms": gated[1],
            "overhead_p50_ms": gated[0] - bare[0],
            "request_alone_p50_ms": alone,
            "gated_over_request_alone_p50": gated[0] / alone,
            **figures,
            "processes_left": len(left),
        }


def _bare(words: list[str]) -> tuple[float, tuple[float, float]]:
    began = time.perf_counter()
    process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    client = Client(process)
    client.initialize()
    start = (time.perf_counter() - began) * 1000
    try:
        return start, _timed(client)
    finally:
        client.end()


def _timed(client: Client) -> tuple[float, float]:
    """Milliseconds of a call: the median, and of a hundred the slowest."""
    client.call("look")
    took: list[float] = []
    for number in range(CALLS):
        began = time.perf_counter()
        assert not client.call("look", number=number)["isError"]
        took.append((time.perf_counter() - began) * 1000)
    cuts = quantiles(took, n=100)
    return cuts[49], cuts[98]


def _alone(office: Office) -> float:
    """The median of opening and using a low call's hold, without a gateway."""
    took: list[float] = []
    with office.server.client(json.loads(office.config.read_text())["token"]) as http:
        for number in range(CALLS):
            said = {"hook_event_name": "PreToolUse", "session_id": "alone", "tool_use_id": f"use-{number}"}
            call = {**said, "tool_name": "mcp__trial__look", "tool_input": {"number": number}}
            began = time.perf_counter()
            assert http.post("/api/hooks/mcp", json=call).raise_for_status().json()["decision"] == "allow"
            took.append((time.perf_counter() - began) * 1000)
    return quantiles(took, n=100)[49]


def _waiting(office: Office, client: Client) -> dict[str, float]:
    gateway = psutil.Process(client.process.pid)
    before = gateway.memory_info().rss
    numbers = [client.start("book", number=number) for number in range(WAITING)]
    servers.until(lambda: _pending(office) >= WAITING)
    during = gateway.memory_info().rss
    for number in numbers:
        client.send(method="notifications/cancelled", params={"requestId": number})
    servers.until(lambda: _pending(office) == 0)
    return {
        "waiting_calls": WAITING,
        "gateway_mib": before / 2**20,
        "gateway_mib_with_waiting_calls": during / 2**20,
    }


def _pending(office: Office) -> int:
    with office.server.client() as http:
        params = {"text": "mcp__trial__book", "limit": WAITING}
        return len(http.get("/api/holds", params=params).raise_for_status().json()["holds"])
