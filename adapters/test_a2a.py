"""A2A: holds as tasks that need input, and tasks that need input as holds."""

from __future__ import annotations

import json
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
import server as servers
from server import ServerProcess

from adapters.framework_world import ARGS, HURRIED, Program, program
from adapters.protocols import Call

NO_MODEL = Call("none", {})
INPUT, COMPLETED = "TASK_STATE_INPUT_REQUIRED", "TASK_STATE_COMPLETED"


@pytest.fixture(scope="module")
def server() -> Generator[ServerProcess]:
    with servers.running() as server:
        yield server


def ran(one: Program) -> Any:
    """What the program printed, which is JSON."""
    one.start()
    return json.loads(one.ended())


def said(one: Program) -> tuple[str, str]:
    """The state of the task, and its text."""
    status = ran(one)
    return status["state"], status["message"]["parts"][0]["text"]


def test_a_task_needs_input_until_people_have_decided_and_then_acts_once(server: ServerProcess, tmp_path: Path) -> None:
    """B8."""
    with program(server, "a2a", tmp_path, NO_MODEL) as one:
        for _ in range(2):
            status = ran(one)
            [hold] = one.holds()
            assert (status["state"], status["message"]["metadata"]["hold"]) == (INPUT, hold["short_id"])
            assert hold["id"] in status["message"]["metadata"]["link"]
            assert one.refunds == []
        one.review(one.holds()[0], "approve")
        assert said(one) == (COMPLETED, "refunded")
        assert one.refunds == ["77 120.5"]
        assert "not run again" in said(one)[1]
        assert one.refunds == ["77 120.5"]


def test_a_low_call_runs_unasked(server: ServerProcess, tmp_path: Path) -> None:
    with program(server, "a2a", tmp_path, NO_MODEL) as one:
        one.code = one.code.replace('"send_refund", {', '"find_order", {')
        assert said(one) == (COMPLETED, "refunded")
        [hold] = one.holds()
    assert (hold["risk"], hold["result"]["outcome"]) == ("low", "succeeded")


def test_an_amended_call_runs_as_amended_and_says_so(server: ServerProcess, tmp_path: Path) -> None:
    with program(server, "a2a", tmp_path, NO_MODEL) as one:
        ran(one)
        one.amend(one.holds()[0], {**ARGS, "amount": 20.5})
        assert "amended this call" in said(one)[1]
        assert one.refunds == ["77 20.5"]


@pytest.mark.parametrize("end", ["rejected", "expired"])
def test_a_call_that_gets_no_approval_does_not_run(server: ServerProcess, tmp_path: Path, end: str) -> None:
    seconds = "0.4" if end == "expired" else "60"
    with program(server, "a2a", tmp_path, NO_MODEL, expires_in=seconds) as one:
        ran(one)
        if end == "rejected":
            one.review(one.holds()[0], "reject", reason="Paid back last week")
        servers.until(lambda: one.holds()[0]["status"] == end)
        _, text = said(one)
        assert f"was not run. It was {end}" in text
        assert ("Paid back last week" in text) == (end == "rejected")
        assert one.refunds == []


def test_without_the_server_nothing_runs(server: ServerProcess, tmp_path: Path) -> None:
    with program(server, "a2a", tmp_path, NO_MODEL, client=HURRIED) as one:
        one.start(HANDRAIL_URL="http://127.0.0.1:9")
        assert one.process is not None
        out, err = one.process.communicate(timeout=120)
        assert COMPLETED not in out
        assert "Unavailable" in err
        assert one.refunds == []


def test_what_another_agents_task_needs_is_put_to_people(server: ServerProcess, tmp_path: Path) -> None:
    with program(server, "a2a", tmp_path, NO_MODEL, block=1) as one:
        one.start()
        hold = one.held()
        assert (hold["kind"], hold["title"]) == ("input", "Which account gets the refund?")
        one.kill()
        one.review(hold, "answer", answer="the one that paid")
        message = ran(one)
        assert (message["messageId"], message["taskId"], message["role"]) == (hold["id"], "task-1", "ROLE_USER")
        assert message["parts"] == [{"text": "the one that paid"}]
        assert len(one.holds()) == 1


def test_a_question_that_was_withdrawn_gets_no_answer(server: ServerProcess, tmp_path: Path) -> None:
    with program(server, "a2a", tmp_path, NO_MODEL, block=1) as one:
        one.start()
        hold = one.held()
        with server.client(one.token) as http:
            http.post(f"/api/holds/{hold['id']}/cancel", json={}).raise_for_status()
        assert one.ended().strip() == "null"
