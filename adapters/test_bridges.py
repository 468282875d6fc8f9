"""AG-UI: holds as interrupts, and interrupts as holds."""

from __future__ import annotations

import json
from collections.abc import Generator
from pathlib import Path

import pytest
import server as servers
from server import ServerProcess

from adapters.framework_world import ARGS, HURRIED, Program, program
from adapters.protocols import Call

NO_MODEL = Call("none", {})


@pytest.fixture(scope="module")
def server() -> Generator[ServerProcess]:
    with servers.running() as server:
        yield server


def ran(one: Program) -> list[dict[str, object]]:
    """The events that a run of the agent wrote."""
    one.start()
    return [json.loads(line) for line in one.ended().splitlines()]


def test_a_run_ends_with_an_interrupt_until_people_have_decided_and_then_acts_once(
    server: ServerProcess, tmp_path: Path
) -> None:
    with program(server, "ag-ui", tmp_path, NO_MODEL) as one:
        for _ in range(2):
            last = ran(one)[-1]
            [hold] = one.holds()
            assert last["outcome"]["interrupts"][0]["id"] == hold["id"]  # pyright: ignore[reportIndexIssue]
            assert one.refunds == []
        one.review(one.holds()[0], "approve")
        assert [event["type"] for event in ran(one)] == ["RUN_STARTED", "TOOL_CALL_RESULT", "RUN_FINISHED"]
        assert one.refunds == ["77 120.5"]
        assert "not run again" in str(ran(one)[1]["content"])
        assert one.refunds == ["77 120.5"]


@pytest.mark.parametrize(("verdict", "approved"), [("approve", True), ("reject", False)])
def test_an_interrupt_of_another_agent_is_put_to_people(
    server: ServerProcess, tmp_path: Path, verdict: str, approved: bool
) -> None:
    with program(server, "ag-ui", tmp_path, NO_MODEL, block=1) as one:
        one.start()
        hold = one.held()
        one.kill()
        one.review(hold, verdict, reason="seen")
        assert ran(one)[0]["payload"] == {"approved": approved, "reason": "seen"}
        assert len(one.holds()) == 1


def test_a_low_call_runs_unasked(server: ServerProcess, tmp_path: Path) -> None:
    with program(server, "ag-ui", tmp_path, NO_MODEL) as one:
        one.code = one.code.replace('"send_refund", {', '"find_order", {')
        assert ran(one)[1]["content"] == "refunded"
        [hold] = one.holds()
    assert (hold["risk"], hold["result"]["outcome"]) == ("low", "succeeded")


def test_an_amended_call_runs_as_amended_and_the_model_is_told(server: ServerProcess, tmp_path: Path) -> None:
    with program(server, "ag-ui", tmp_path, NO_MODEL) as one:
        ran(one)
        one.amend(one.holds()[0], {**ARGS, "amount": 20.5})
        assert "amended this call" in str(ran(one)[1]["content"])
        assert one.refunds == ["77 20.5"]


@pytest.mark.parametrize("end", ["rejected", "expired"])
def test_a_call_that_gets_no_approval_does_not_run(server: ServerProcess, tmp_path: Path, end: str) -> None:
    seconds = "0.4" if end == "expired" else "60"
    with program(server, "ag-ui", tmp_path, NO_MODEL, expires_in=seconds) as one:
        ran(one)
        if end == "rejected":
            one.review(one.holds()[0], "reject", reason="Paid back last week")
        servers.until(lambda: one.holds()[0]["status"] == end)
        said = str(ran(one)[1]["content"])
        assert f"was not run. It was {end}" in said
        assert ("Paid back last week" in said) == (end == "rejected")
        assert one.refunds == []


def test_without_the_server_nothing_runs(server: ServerProcess, tmp_path: Path) -> None:
    with program(server, "ag-ui", tmp_path, NO_MODEL, client=HURRIED) as one:
        one.start(HANDRAIL_URL="http://127.0.0.1:9")
        assert one.process is not None
        out, err = one.process.communicate(timeout=120)
        assert [json.loads(line)["type"] for line in out.splitlines()] == ["RUN_STARTED"]
        assert "Unavailable" in err
        assert one.refunds == []
