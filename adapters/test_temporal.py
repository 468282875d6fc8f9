"""The programs of docs/frameworks/temporal.md, against Temporal's own development server."""

from __future__ import annotations

import json
import socket
import subprocess
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import server as servers
from server import ServerProcess, until

from adapters.framework_world import ARGS, CACHE, Program, program
from adapters.protocols import Call, Json

TEMPORAL = CACHE / "temporal" / "bin" / "temporal"
NO_MODEL = Call("none", {})
WAITS, SIGNALLED = 0, 1
# threads of Temporal's SDK can crash a Python that ends, when all is done and said (its issue 300, open since 2023):
# a short program ends without ending its Python
ENDED = "\nimport os\nsys.stdout.flush()\nos._exit(0)\n"
# the SDK gives up on a server that is away sooner than after 30 s
HURRIED = "handrail_sdk.client.AsyncHandrail.__init__.__kwdefaults__['retry_for'] = 0.1"


class Temporal:
    """The development server, in memory, on a port that was free."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.address = f"127.0.0.1:{free.getsockname()[1]}"
        port = self.address.rpartition(":")[2]
        self._folder = folder
        self.process = subprocess.Popen(
            [TEMPORAL, "server", "start-dev", "--headless", "--port", port, "--log-level", "error"],
            env=servers.environment(folder),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def asked(self, *words: str) -> Any:
        """What its command line says, or None if it cannot."""
        done = subprocess.run(
            [TEMPORAL, *words, "--address", self.address, "-o", "json"],
            env=servers.environment(self._folder),
            capture_output=True,
            check=False,
        )
        return json.loads(done.stdout or "{}") if done.returncode == 0 else None

    def activities(self, workflow: str) -> list[Any]:
        """What a workflow waits for."""
        found: Json = self.asked("workflow", "describe", "-w", workflow) or {}
        return found.get("pendingActivities", [])


@pytest.fixture(scope="module")
def server() -> Generator[ServerProcess]:
    with servers.running() as server:
        yield server


@pytest.fixture(scope="module")
def temporal(tmp_path_factory: pytest.TempPathFactory) -> Generator[Temporal]:
    one = Temporal(tmp_path_factory.mktemp("temporal"))
    with one.process:
        try:
            until(lambda: one.asked("operator", "cluster", "health") is not None)
            yield one
        finally:
            one.process.kill()


@contextmanager
def refund(
    server: ServerProcess, temporal: Temporal, folder: Path, block: int = WAITS, edits: Mapping[str, str] | None = None
) -> Generator[Program]:
    """The page's program on this server, with a queue of its own, and workers that are missed soon."""
    with program(server, "temporal", folder, NO_MODEL, block=block) as one:
        hurried = {
            '"127.0.0.1:7233"': f'"{temporal.address}"',
            '"refunds"': "sys.argv[1]",
            "heartbeat_timeout=timedelta(minutes=1)": "heartbeat_timeout=timedelta(seconds=2)",
            **(edits or {}),
        }
        for before, after in hurried.items():
            one.code = one.code.replace(before, after)
        one.code += ENDED
        yield one


def failed(one: Program) -> str:
    """What it wrote to stderr, once it has ended badly."""
    assert one.process is not None
    _, err = one.process.communicate(timeout=120)
    assert one.process.returncode != 0
    return err


def test_a_low_call_runs_unasked(server: ServerProcess, temporal: Temporal, tmp_path: Path) -> None:
    with refund(server, temporal, tmp_path, edits={'"send_refund", {': '"find_order", {'}) as one:
        one.start()
        assert one.ended() == "refunded\n"
        [hold] = one.holds()
    assert (hold["risk"], hold["result"]["outcome"]) == ("low", "succeeded")


@pytest.mark.parametrize("block", [WAITS, SIGNALLED])
def test_an_approved_call_runs_once(server: ServerProcess, temporal: Temporal, tmp_path: Path, block: int) -> None:
    with refund(server, temporal, tmp_path, block) as one:
        one.start()
        hold = one.held()
        assert one.refunds == []
        if block == SIGNALLED:
            # nothing but the workflow waits
            until(lambda: not temporal.activities(one.thread))
        one.review(hold, "approve")
        assert one.ended() == "refunded\n"
        assert one.refunds == ["77 120.5"]
        [hold] = one.holds()
    assert hold["result"]["outcome"] == "succeeded"


def test_an_amended_call_runs_as_amended(server: ServerProcess, temporal: Temporal, tmp_path: Path) -> None:
    with refund(server, temporal, tmp_path) as one:
        one.start()
        one.amend(one.held(), {**ARGS, "amount": 20.5})
        one.ended()
        assert one.refunds == ["77 20.5"]


@pytest.mark.parametrize("block", [WAITS, SIGNALLED])
def test_a_rejection_fails_the_workflow_with_its_reason(
    server: ServerProcess, temporal: Temporal, tmp_path: Path, block: int
) -> None:
    with refund(server, temporal, tmp_path, block) as one:
        one.start()
        one.review(one.held(), "reject", reason="Paid back last week")
        assert "HandrailRefused: `send_refund` was not run. It was rejected by admin." in failed(one)
        assert one.refunds == []
        assert len(one.holds()) == 1


def test_a_call_that_nobody_decides_in_time_does_not_run(
    server: ServerProcess, temporal: Temporal, tmp_path: Path
) -> None:
    with refund(server, temporal, tmp_path, edits={'"amount": amount}]': '"amount": amount}, None, 0.4]'}) as one:
        one.start()
        assert "It was expired" in failed(one)
        assert one.refunds == []


@pytest.mark.parametrize("block", [WAITS, SIGNALLED])
def test_a_worker_that_died_waiting_finds_the_decision(
    server: ServerProcess, temporal: Temporal, tmp_path: Path, block: int
) -> None:
    # nobody signals what was decided while the program was away: the workflow looks by itself
    with refund(server, temporal, tmp_path, block, {"timedelta(hours=1)": "timedelta(seconds=2)"}) as one:
        one.start()
        hold = one.held()
        one.kill()
        one.review(hold, "approve")
        one.start()
        assert one.ended() == "refunded\n"
        assert one.refunds == ["77 120.5"]
        assert len(one.holds()) == 1


def test_without_the_server_nothing_runs_and_temporal_tries_again(
    server: ServerProcess, temporal: Temporal, tmp_path: Path
) -> None:
    with refund(server, temporal, tmp_path) as one:
        one.code = f"import handrail_sdk.client\n{HURRIED}\n{one.code}"
        one.start(HANDRAIL_URL="http://127.0.0.1:9")
        [waiting] = until(
            lambda: [found for found in temporal.activities(one.thread) if found.get("lastFailure") is not None]
        )
        assert "was not run" in waiting["lastFailure"]["message"]
        one.kill()
        assert one.refunds == []
        one.start()
        one.review(one.held(), "approve")
        one.ended()
        assert one.refunds == ["77 120.5"]
