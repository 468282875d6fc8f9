"""One MCP server behind `handrail mcp wrap`: which of its calls run, when, and for whom."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Generator
from pathlib import Path
from typing import Any

import psutil
import pytest
import server as servers
from mcp_world import Client, Office, said, trial
from server import until


class Ledger:
    """A server that does things, and what it has done."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "done"
        self.words = trial("ledger", str(self.file))

    @property
    def done(self) -> list[list[Any]]:
        return [json.loads(line) for line in self.file.read_text().splitlines()] if self.file.exists() else []


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    return Ledger(tmp_path)


@pytest.fixture
def client(office: Office, ledger: Ledger, tmp_path: Path) -> Generator[Client]:
    with office.wrapped(*ledger.words, cwd=tmp_path) as client:
        yield client


def test_everything_but_tools_is_the_servers_own(office: Office, ledger: Ledger) -> None:
    with office.started("wrap", "--name", "trial", "--", *ledger.words) as client:
        about = client.initialize()
        assert about["serverInfo"]["name"] == "ledger"
        assert (about["protocolVersion"], about["extra"]) == ("2025-06-18", [1])
        assert client.tools() == ["look", "book", "typed", "wipe", "fail", "handrail_wait"]


def test_a_low_call_runs_at_once_and_is_on_record(office: Office, ledger: Ledger, client: Client) -> None:
    before = {hold["id"] for hold in office.holds("mcp__trial__look", "all")}
    assert "done" in said(client.call("look", at="low"))
    assert ledger.done == [["look", {"at": "low"}]]
    [hold] = [one for one in office.holds("mcp__trial__look", "all") if one["id"] not in before]
    assert (hold["risk"], hold["decision"]["basis"]) == ("low", "policy")
    assert until(lambda: office.hold(hold)["result"])["outcome"] == "succeeded"


def test_a_call_runs_once_it_is_approved_with_a_beat_meanwhile(office: Office, ledger: Ledger, client: Client) -> None:
    number = client.start("book", "beat", at="approved")
    hold = office.held("mcp__trial__book")
    assert ledger.done == []
    assert hold["action"] == {"name": "mcp__trial__book", "args": {"at": "approved"}, "target": None}
    assert hold["evidence"]["claimed by the agent"] == {"client": "trial", "description": "Books."}
    office.review(hold, "approve")
    assert "approved" in said(client.answer(number)["result"])
    assert ledger.done == [["book", {"at": "approved"}]]
    assert until(lambda: office.hold(hold)["result"])["detail"] is None


def test_an_amended_call_runs_as_amended(office: Office, ledger: Ledger, client: Client) -> None:
    number = client.start("book", at="first")
    hold = office.held("mcp__trial__book")
    amended = office.review(hold, "amend", amended_action={**hold["action"], "args": {"at": "second"}})
    office.review(amended, "approve")
    assert "second" in said(client.answer(number)["result"])
    assert ledger.done == [["book", {"at": "second"}]]


def test_a_rejection_reaches_the_model_as_an_error_with_its_reason(
    office: Office, ledger: Ledger, client: Client
) -> None:
    number = client.start("book", at="no")
    office.review(office.held("mcp__trial__book"), "reject", reason="Ask Ann first")
    result = client.answer(number)["result"]
    assert result["isError"]
    assert "Ask Ann first" in said(result)
    assert ledger.done == []


def test_a_client_that_cancels_withdraws_the_question(office: Office, ledger: Ledger, client: Client) -> None:
    number = client.start("book", at="cancelled")
    hold = office.held("mcp__trial__book")
    client.send(method="notifications/cancelled", params={"requestId": number})
    assert until(lambda: office.hold(hold)["status"] != "pending" and office.hold(hold))["status"] == "cancelled"
    assert client.result("ping") == {}
    assert not client.has_answer(number)
    assert ledger.done == []


def test_of_two_calls_that_wait_for_one_hold_one_runs(office: Office, ledger: Ledger, client: Client) -> None:
    first = client.start("book", at="twice")
    hold = office.held("mcp__trial__book")
    second = client.start("book", at="twice")
    third = client.start("book", at="twice")
    # the second and third are asked about by the time that a later call is answered
    client.call("look", at="twice")
    client.send(method="notifications/cancelled", params={"requestId": third})
    client.result("ping")
    assert office.held("mcp__trial__book")["id"] == hold["id"]
    office.review(hold, "approve")
    results = [client.answer(number)["result"] for number in (first, second)]
    assert sorted(result["isError"] for result in results) == [False, True]
    assert [one for one in ledger.done if one[0] == "book"] == [["book", {"at": "twice"}]]


def test_an_approval_for_a_client_that_has_gone_runs_nothing_until_it_asks_again(
    office: Office, ledger: Ledger, tmp_path: Path
) -> None:
    with office.wrapped(*ledger.words, cwd=tmp_path) as client:
        client.start("book", at="orphan")
        hold = office.held("mcp__trial__book")
        client.close()
        assert client.process.wait(30) == 0
    office.review(hold, "approve")
    assert office.hold(hold)["redeemed"] is None
    with office.wrapped(*ledger.words, cwd=tmp_path) as client:
        client.call("look")
        assert ledger.done == [["look", {}]]
        # the same client in the same folder, after its crash: it finds its decision
        assert not client.call("book", at="orphan")["isError"]
    assert len(ledger.done) == 2
    assert office.hold(hold)["redeemed"] is not None


def test_what_nobody_decides_in_time_is_held_and_runs_when_asked_for_again(
    office: Office, ledger: Ledger, tmp_path: Path
) -> None:
    with office.wrapped(*ledger.words, cwd=tmp_path, options=("--wait", "0.3")) as client:
        held = client.call("book", at="later")
        hold = office.held("mcp__trial__book")
        assert not held["isError"]
        assert f"Held, not run: this call waits for people to decide hold {hold['short_id']}" in said(held)
        assert "Nobody has decided" in said(client.call("handrail_wait", hold_id=hold["short_id"]))
        # a normal result of a tool with a schema would have to meet it
        assert client.call("typed")["isError"]
        office.review(hold, "approve")
        assert "it runs now" in said(client.call("handrail_wait", hold_id=hold["short_id"]))
        assert ledger.done == []
        assert "done" in said(client.call("book", at="later"))
        assert ledger.done == [["book", {"at": "later"}]]
        assert "There is no hold" in said(client.call("handrail_wait", hold_id="H-99999"))
    [typed] = office.holds("mcp__trial__typed")
    office.review(typed, "reject")


def test_a_waiting_call_beats_where_the_client_wants_to_know(office: Office, ledger: Ledger, tmp_path: Path) -> None:
    # the beat is a third of the patience at most, so that a test need not wait for it
    with office.wrapped(*ledger.words, cwd=tmp_path, options=("--wait", "0.9")) as client:
        number = client.start("book", "token-1", at="beats")
        beats = client.noted("notifications/progress", 2)
        assert {beat["progressToken"] for beat in beats} == {"token-1"}
        assert "Waiting for people to decide hold H-" in beats[0]["message"]
        assert beats[0]["progress"] < beats[1]["progress"]
        assert "Held, not run" in said(client.answer(number)["result"])
    office.review(office.held("mcp__trial__book"), "reject")


def test_without_handrail_nothing_runs(office: Office, ledger: Ledger) -> None:
    away = {"HANDRAIL_URL": "http://127.0.0.1:9", "HANDRAIL_TOKEN": "hr_none"}
    with office.wrapped(*ledger.words, variables=away, options=("--wait", "1")) as client:
        assert "look" in client.tools()
        result = client.call("look")
        assert result["isError"]
        assert "did not run" in said(result)
    with office.wrapped(*ledger.words, variables={**away, "HANDRAIL_URL": office.server.url}) as client:
        assert client.call("look")["isError"]
    assert ledger.done == []


@pytest.mark.soak
def test_a_server_that_restarts_in_the_wait_loses_nothing(ledger: Ledger, tmp_path: Path) -> None:
    with servers.running() as server:
        office = Office(server)
        with office.wrapped(*ledger.words, cwd=tmp_path, options=("--wait", "60")) as client:
            number = client.start("book", at="restart")
            hold = office.held("mcp__trial__book")
            server.kill_process()
            server.start()
            office.review(hold, "approve")
            assert not client.answer(number)["result"]["isError"]
    assert ledger.done == [["book", {"at": "restart"}]]


def test_the_server_does_not_get_the_gates_token(office: Office, ledger: Ledger) -> None:
    token = json.loads(office.config.read_text())["token"]
    variables = {"HANDRAIL_URL": office.server.url, "HANDRAIL_TOKEN": token}
    with office.wrapped(*ledger.words, variables=variables) as client:
        assert said(client.call("look")).endswith("{} {}")


def test_what_a_server_says_of_its_tools_raises_and_never_lowers(
    office: Office, ledger: Ledger, client: Client
) -> None:
    client.start("wipe")
    assert office.held("mcp__trial__wipe")["risk"] == "high"
    client.start("fail")
    assert office.held("mcp__trial__fail")["risk"] == "medium"


def test_a_call_that_fails_is_recorded_as_failed(office: Office, ledger: Ledger, client: Client) -> None:
    number = client.start("fail", at="fails")
    [hold] = until(lambda: [one for one in office.holds("mcp__trial__fail") if one["action"]["args"]])
    office.review(hold, "approve")
    assert client.answer(number)["result"]["isError"]
    assert until(lambda: office.hold(hold)["result"])["outcome"] == "failed"


def test_when_its_server_ends_so_does_the_gateway(office: Office) -> None:
    with office.started("wrap", "--", sys.executable, "-c", "print(input()[:0])") as client:
        number = client.ask("initialize", protocolVersion="2025-11-25", capabilities={}, clientInfo={})
        assert "has ended" in client.answer(number)["error"]["message"] or client.process.wait(30) == 0
        assert client.process.wait(30) == 0


STUBBORN = "import subprocess, sys; subprocess.Popen([sys.executable, '-c', sys.argv[1]]); exec(sys.argv[1])"
SLEEPING = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)"


@pytest.mark.parametrize("end", ["closed", signal.SIGKILL])
def test_no_process_outlives_its_gateway(office: Office, end: str | signal.Signals) -> None:
    with office.started("wrap", "--", sys.executable, "-c", STUBBORN, SLEEPING) as client:
        client.ask("initialize", protocolVersion="2025-11-25", capabilities={}, clientInfo={})
        gateway = psutil.Process(client.process.pid)

        def sleeping() -> list[psutil.Process]:
            found = gateway.children(recursive=True)
            return found if sum(SLEEPING in one.cmdline() for one in found) == 2 else []

        processes = until(sleeping)
        if isinstance(end, signal.Signals):
            os.kill(client.process.pid, end)
        else:
            client.close()
        gone, alive = psutil.wait_procs([gateway, *processes], 30)
        assert alive == []
        assert len(gone) >= 3
