"""What a low call costs by each way in, next to the same call without Handrail: a coding agent's hook, the MCP gateway,
the SDK's `@gate`. All in one run, one call after the other, against one server.

- `bare`: the same without Handrail. For the hook that is a shell that starts a Python which does nothing: agents start
  a program for every call. For the gateway it is the call on the bare server, and for the SDK a plain function.
- `hook to request` is the time from starting the hook until its request reaches a socket on loopback.
- `request alone` is the server's part: opening and using a low call's hold over one connection. Every way contains it.

Then 100 calls wait for people at once behind one gateway: its memory, and how many processes it leaves behind."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from statistics import quantiles

import psutil

sys.path.append(str(Path(__file__).parents[2] / "tests"))

import server as servers
from hook_world import READ, Hooked, call_of, installed
from mcp_world import Client, Office, trial

from handrail_sdk import Handrail, gate

STARTS = 50
CALLS = 150
WAITING = 100
ALLOWED = b'{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "allow"}}'


def run() -> dict[str, float]:
    with (
        servers.beginning(HANDRAIL_OPENINGS_PER_AGENT="100000/minute") as server,
        tempfile.TemporaryDirectory() as folder,
    ):
        office, hooked = Office(server), installed(server, "claude-code")
        alone = _alone(office)
        return {
            **_named("request alone", alone),
            **_of_hook(hooked, alone),
            **_of_gateway(office, trial("ledger", f"{folder}/done"), alone),
            **_of_sdk(server, alone),
        }


def _of_hook(hooked: Hooked, alone: list[float]) -> dict[str, float]:
    python = ["/bin/sh", "-c", f"{sys.executable} -I -S -c pass"]
    bare = _timed(STARTS, lambda _: subprocess.run(python, check=True))
    low = _timed(STARTS, lambda _: _allowed(hooked))
    sent = _sent(hooked)
    return {
        **_named("bare python start", bare),
        **_named("hook to request", sent),
        "hook to request over bare python start p50": _p50(sent) / _p50(bare),
        **_named("hook low call", low),
        "hook over bare and request alone p50": _p50(low) / (_p50(bare) + _p50(alone)),
    }


def _allowed(hooked: Hooked) -> None:
    assert hooked.ask(call_of("claude-code", **READ)).decision == "allow"


def _sent(hooked: Hooked) -> list[float]:
    """Milliseconds from starting the hook until its request arrives."""
    config = hooked.folder / "config.json"
    before = config.read_text()
    with _listening() as (port, arrived):
        config.write_text(json.dumps({**json.loads(before), "url": f"http://127.0.0.1:{port}"}))
        try:
            took: list[float] = []
            for _ in range(STARTS):
                began = time.perf_counter()
                _allowed(hooked)
                took.append((arrived.pop() - began) * 1000)
            return took
        finally:
            config.write_text(before)


@contextmanager
def _listening() -> Generator[tuple[int, list[float]]]:
    """A port that says yes to everything, and when each request came."""
    arrived: list[float] = []
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            for _ in range(STARTS):
                connection, _ = listener.accept()
                with connection:
                    connection.recv(1 << 16)
                    arrived.append(time.perf_counter())
                    head = f"HTTP/1.1 200 OK\r\nContent-Length: {len(ALLOWED)}\r\nConnection: close\r\n\r\n"
                    connection.sendall(head.encode() + ALLOWED)
                    connection.shutdown(socket.SHUT_WR)
                    while connection.recv(1 << 16):
                        pass

        serving = threading.Thread(target=serve, daemon=True)
        serving.start()
        yield listener.getsockname()[1], arrived
        serving.join(10)


def _of_gateway(office: Office, words: list[str], alone: list[float]) -> dict[str, float]:
    began = time.perf_counter()
    bare_client = Client(subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE))
    bare_client.initialize()
    bare_start = (time.perf_counter() - began) * 1000
    bare = _timed(CALLS, lambda number: _looked(bare_client, number))
    bare_client.end()
    began = time.perf_counter()
    with office.wrapped(*words, options=("--wait", "600")) as client:
        start = (time.perf_counter() - began) * 1000
        gated = _timed(CALLS, lambda number: _looked(client, number))
        memory = _waiting(office, client)
        processes = psutil.Process(client.process.pid).children(recursive=True)
        client.close()
        _, left = psutil.wait_procs(processes, 30)
    return {
        **_named("bare mcp call", bare),
        **_named("gateway low call", gated),
        "gateway over bare and request alone p50": _p50(gated) / (_p50(bare) + _p50(alone)),
        "bare mcp server start ms": bare_start,
        "gateway start ms": start,
        **memory,
        "gateway processes left": len(left),
    }


def _looked(client: Client, number: int) -> None:
    assert not client.call("look", number=number)["isError"]


def _of_sdk(server: servers.ServerProcess, alone: list[float]) -> dict[str, float]:
    def find_order(order: str) -> str:
        return order

    with Handrail(server.url, server.token_of("bench", kind="agent")) as handrail:
        gated = gate(client=handrail)(find_order)
        bare = _timed(CALLS, lambda number: find_order(str(number)))
        low = _timed(CALLS, lambda number: gated(str(number)))
    return {
        **_named("bare function", bare),
        **_named("gate low call", low),
        "gate over bare and request alone p50": _p50(low) / (_p50(bare) + _p50(alone)),
    }


def _alone(office: Office) -> list[float]:
    with office.server.client(json.loads(office.config.read_text())["token"]) as http:

        def ask(number: int) -> None:
            said = {"hook_event_name": "PreToolUse", "session_id": "alone", "tool_use_id": f"use-{number}"}
            call = {**said, "tool_name": "mcp__trial__look", "tool_input": {"number": number}}
            assert http.post("/api/hooks/mcp", json=call).raise_for_status().json()["decision"] == "allow"

        return _timed(CALLS, ask)


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
        "gateway waiting calls": WAITING,
        "gateway mib": before / 2**20,
        "gateway mib with waiting calls": during / 2**20,
    }


def _pending(office: Office) -> int:
    with office.server.client() as http:
        params = {"text": "mcp__trial__book", "limit": WAITING}
        return len(http.get("/api/holds", params=params).raise_for_status().json()["holds"])


def _timed(times: int, call: Callable[[int], object]) -> list[float]:
    """Milliseconds of each call; the first two only warm up."""
    took: list[float] = []
    for number in range(-2, times):
        began = time.perf_counter()
        call(number)
        if number >= 0:
            took.append((time.perf_counter() - began) * 1000)
    return took


def _p50(took: list[float]) -> float:
    return quantiles(took, n=100)[49]


def _named(what: str, took: list[float]) -> dict[str, float]:
    return {f"{what} p50 ms": _p50(took), f"{what} p99 ms": quantiles(took, n=100)[98]}
