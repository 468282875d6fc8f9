"""Each framework's documented program: what runs, what waits, what the model reads, and what a crash leaves behind."""

from __future__ import annotations

import re
from collections.abc import Generator
from pathlib import Path

import pytest
import server as servers
from server import ServerProcess

from adapters.framework_world import HURRIED, low, program, refund
from scripts.agents import FRAMEWORKS


@pytest.fixture(scope="module")
def server() -> Generator[ServerProcess]:
    with servers.running() as server:
        yield server


@pytest.fixture(params=FRAMEWORKS)
def framework(request: pytest.FixtureRequest) -> str:
    return request.param


def test_a_low_call_runs_unasked(server: ServerProcess, framework: str, tmp_path: Path) -> None:
    with program(server, framework, tmp_path, low(framework)) as one:
        one.start()
        assert "done" in one.ended()
        assert re.search("paid 120.50|create_sdk_mcp_server", one.model.results[0])
        [hold] = one.holds()
    assert (hold["risk"], hold["status"], hold["result"]["outcome"]) == ("low", "approved", "succeeded")


def test_an_approved_call_runs_once(server: ServerProcess, framework: str, tmp_path: Path) -> None:
    with program(server, framework, tmp_path, refund(framework)) as one:
        one.start()
        hold = one.held()
        assert one.refunds == []
        one.review(hold, "approve")
        assert "done" in one.ended()
        assert one.refunds == ["77 120.5"]
        assert "refunded" in one.model.results[0]
        [hold] = one.holds()
    assert hold["result"]["outcome"] == "succeeded"


def test_an_amended_call_runs_as_amended_and_the_model_is_told(
    server: ServerProcess, framework: str, tmp_path: Path
) -> None:
    with program(server, framework, tmp_path, refund(framework)) as one:
        one.start()
        one.amend(one.held(), {"order": "77", "amount": 20.5})
        one.ended()
        assert one.refunds == ["77 20.5"]
        assert "amended this call" in one.model.read[-1]
        assert "20.5" in one.model.read[-1].partition("amended this call")[2]


def test_a_rejection_reaches_the_model_with_its_reason(server: ServerProcess, framework: str, tmp_path: Path) -> None:
    with program(server, framework, tmp_path, refund(framework)) as one:
        one.start()
        one.review(one.held(), "reject", reason="Paid back last week")
        one.ended()
        assert "Paid back last week" in one.model.results[0]
        assert one.refunds == []


def test_a_call_that_nobody_decides_in_time_does_not_run(server: ServerProcess, framework: str, tmp_path: Path) -> None:
    with program(server, framework, tmp_path, refund(framework), expires_in="0.4") as one:
        one.start()
        one.ended()
        assert "expired" in one.model.results[0]
        assert one.refunds == []


def test_without_the_server_nothing_runs(server: ServerProcess, framework: str, tmp_path: Path) -> None:
    with program(server, framework, tmp_path, refund(framework), client=HURRIED) as one:
        one.start(HANDRAIL_URL="http://127.0.0.1:9")
        one.ended()
        assert "was not run" in one.model.results[0]
        assert one.refunds == []


def test_a_program_that_died_waiting_finds_its_decision(server: ServerProcess, framework: str, tmp_path: Path) -> None:
    with program(server, framework, tmp_path, refund(framework)) as one:
        one.start()
        hold = one.held()
        one.kill()
        one.review(hold, "approve")
        one.start()
        one.ended()
        assert one.refunds == ["77 120.5"]
        assert len(one.holds()) == 1


def test_a_call_that_ran_before_a_crash_does_not_run_again(
    server: ServerProcess, framework: str, tmp_path: Path
) -> None:
    with program(server, framework, tmp_path, refund(framework)) as one:
        one.start()
        one.review(one.held(), "approve")
        one.ended()
        one.start()
        one.ended()
        assert one.refunds == ["77 120.5"]
        assert "not run again" in one.model.results[0]


def test_the_same_call_again_is_asked_again(server: ServerProcess, framework: str, tmp_path: Path) -> None:
    with program(server, framework, tmp_path, refund(framework), refund(framework)) as one:
        one.start()
        first = one.held()
        one.review(first, "approve")
        second = servers.until(lambda: [hold for hold in one.holds("pending") if hold["id"] != first["id"]])[0]
        assert one.refunds == ["77 120.5"]
        one.review(second, "reject", reason="Once is enough")
        one.ended()
        assert one.refunds == ["77 120.5"]
        assert "Once is enough" in one.model.results[1]


@pytest.mark.parametrize("amount", [120.5, 20.5])
def test_a_saved_run_resumes_without_asking_the_model_again(
    server: ServerProcess, framework: str, tmp_path: Path, amount: float
) -> None:
    with program(server, framework, tmp_path, refund(framework), block=1) as one:
        one.start()
        hold = one.held()
        one.kill()
        one.amend(hold, {"order": "77", "amount": amount}) if amount != 120.5 else one.review(hold, "approve")
        one.start()
        assert "done" in one.ended()
        assert one.refunds == [f"77 {amount}"]
        assert one.calls == [refund(framework)]
        assert len(one.holds()) == 1
