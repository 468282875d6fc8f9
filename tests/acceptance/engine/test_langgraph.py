"""Graphs as docs/langgraph.md and examples/workflows show them, served by a real worker and decided over HTTP."""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
import server as servers
from server import ServerProcess

from handrail_sdk import Action, Handrail, Hold

ROOT = Path(__file__).parents[3]
FLOWS = Path(__file__).with_name("agent_flows.py")
EXAMPLES = ROOT / "examples" / "workflows"
BLOCKS = re.findall(
    r"^```python\n# (\w+)\.py\n(.*?)^```", (ROOT / "docs" / "langgraph.md").read_text(), re.DOTALL | re.MULTILINE
)
SECONDS = 90.0


class Desk:
    """Ada decides; somebody else starts the runs."""

    def __init__(self, server: ServerProcess, notes: Path) -> None:
        self.notes = notes
        self._server = server
        self.ada = Handrail(server.url, server.token_of("Ada", "team_lead", "tech_lead"))
        self._starter = server.token_of("Sam", "developer")

    def start(self, workflow: str, given: Any) -> str:
        with self._server.client(self._starter) as http:
            answer = http.post("/api/runs", json={"workflow": workflow, "input": given})
        assert answer.is_success, answer.text
        return answer.json()["id"]

    def asked(self, run: str, count: int = 1) -> list[Hold]:
        """The run's pending holds by title, as soon as there are so many."""
        deadline = time.monotonic() + SECONDS
        while True:
            detail = self.look(run)
            pending = [hold["id"] for hold in detail["holds"] if hold["status"] == "pending"]
            if detail["status"] == "paused" and len(pending) == count:
                return sorted((self.ada.get(hold_id) for hold_id in pending), key=lambda hold: hold.title)
            assert detail["status"] not in {"failed", "completed"} and time.monotonic() < deadline, detail
            time.sleep(0.05)

    def say(self, hold: Hold, verdict: Any, **more: Any) -> Hold:
        return self.ada.review(hold.id, verdict, digest=hold.digest, **more)

    def amend(self, hold: Hold, name: str, args: dict[str, Any]) -> None:
        amended = self.say(hold, "amend", amended_action=Action(name, args))
        self.say(amended, "approve")

    def result(self, run: str) -> Any:
        """What the run ended with."""
        deadline = time.monotonic() + SECONDS
        while (detail := self.look(run))["status"] != "completed":
            assert detail["status"] in {"queued", "running", "paused"} and time.monotonic() < deadline, detail
            time.sleep(0.05)
        return detail["result"]

    def look(self, run: str) -> Any:
        with self._server.client() as http:
            return http.get(f"/api/runs/{run}").raise_for_status().json()


@pytest.fixture(scope="module")
def desk() -> Generator[Desk]:
    """The modules of the page and of the examples, side by side in one folder."""
    with servers.folder_for_workflows() as folder:
        yield from _desk(folder)


def _desk(folder: Path) -> Generator[Desk]:
    lines: list[str] = ["[workflows]"]
    for name, code in BLOCKS:
        (folder / f"doc_{name}.py").write_text(code)
        lines.append(f'doc_{name} = "doc_{name}:{"agent" if "create_agent(" in code else "graph"}"')
    for path in (*EXAMPLES.glob("*.py"), FLOWS):
        shutil.copy(path, folder)
    lines += [f'{name} = "agent_flows:{name}"' for name in ("deadly", "per_call", "hurried")]
    (folder / "handrail.toml").write_text("\n".join(lines) + "\n" + (EXAMPLES / "handrail.toml").read_text())
    file = folder / "handrail.toml"
    with servers.running("up", HANDRAIL_WORKFLOWS_FILE=str(file), HANDRAIL_CONCURRENCY="2") as server:
        wanted = len(BLOCKS) + len(list(EXAMPLES.glob("*.py"))) + 3
        deadline = time.monotonic() + SECONDS
        with server.client() as http:
            while len(known := http.get("/api/workflows").json()["workflows"]) < wanted:
                assert time.monotonic() < deadline, server.output()
                time.sleep(0.05)
        assert not [one for one in known if one["error"]], known
        desk = Desk(server, folder / "notes")
        yield desk
        desk.ada.close()


def texts(state: Any, kind: str) -> list[str]:
    return [message["content"] for message in state["messages"] if message["type"] == kind]


def message(text: str) -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": text}]}


def test_your_own_graph_in_under_ten_lines(desk: Desk) -> None:
    """S4.4."""
    code = dict(BLOCKS)["greet"]
    assert len([line for line in code.splitlines() if line.strip()]) < 10
    run = desk.start("doc_greet", {})
    [hold] = desk.asked(run)
    assert (hold.kind, hold.title, hold.context) == (
        "input",
        "What is your name?",
        {"binding": "not bound to arguments"},
    )
    desk.say(hold, "answer", answer="Ada")
    assert desk.result(run) == {"name": "Ada"}


def test_ask_human_approves_as_amended_and_asks_for_a_choice(desk: Desk) -> None:
    run = desk.start("doc_release", {"version": "1.4.2"})
    [hold] = desk.asked(run)
    assert (hold.kind, hold.risk, hold.evidence) == ("approval", "medium", {"tests": "212 passed"})
    amended = desk.say(
        hold, "amend", amended_action=Action("deploy", {"service": "shop", "version": "1.4.1"}, "staging")
    )
    desk.say(amended, "approve")
    [choice] = desk.asked(run)
    desk.say(choice, "answer", answer="us")
    assert desk.result(run)["said"] == "Ada approved 1.4.1, us first"
    assert desk.ada.get(hold.id).redeemed is not None


def test_a_no_is_an_answer(desk: Desk) -> None:
    run = desk.start("doc_release", {"version": "1.4.2"})
    [hold] = desk.asked(run)
    desk.say(hold, "reject", reason="it is Friday")
    [choice] = desk.asked(run)
    desk.say(choice, "answer", answer="eu")
    assert desk.result(run)["said"] == "left alone: rejected, it is Friday, eu first"


def test_a_question_that_nobody_answers_in_time_is_a_no(desk: Desk) -> None:
    assert desk.result(desk.start("hurried", {})) == {"said": "expired"}
    assert not desk.notes.exists() or "ann" not in desk.notes.read_text()


def test_effects(desk: Desk) -> None:
    result = desk.result(desk.start("doc_refund", {"order": "o-7"}))
    assert result == {"order": "o-7", "receipt": "refunded o-7, with key set", "told": True}


def test_the_policy_lets_low_calls_run_and_the_others_wait(desk: Desk) -> None:
    run = desk.start("doc_assistant", message("Restart it if it is ill"))
    [hold] = desk.asked(run)
    assert (hold.title, hold.context) == ("Restart: environment development", {"tool_call_id": "call-0-1"})
    desk.say(hold, "reject", reason="it is well")
    state = desk.result(run)
    assert texts(state, "tool") == [
        "development is well",
        "`restart` was not run. It was rejected by Ada: it is well",
    ]


def test_langchains_own_middleware_runs_unchanged(desk: Desk) -> None:
    """B8."""
    run = desk.start("doc_mailer", message("Greet everybody"))
    ada, bob, eve = desk.asked(run, 3)
    assert ada.title == "Send email: to ada@example.org, subject Hello"
    assert (ada.kind, ada.risk) == ("approval", "medium")
    desk.say(ada, "approve")
    desk.amend(bob, "send_email", {"to": "bob@example.com", "subject": "Hello"})
    desk.say(eve, "reject", reason="she left")
    told = texts(desk.result(run), "tool")
    assert "email 7: hello" in told and "sent 'Hello' to ada@example.org" in told
    assert any(text.endswith("sent 'Hello' to bob@example.com") and "replaced this tool call" in text for text in told)
    assert "User rejected the tool call for `send_email` with reason: she left" in told
    assert not any("eve@example.org" in text for text in told)


def test_langchains_middleware_a_call_at_a_time_goes_on_as_each_is_decided(desk: Desk) -> None:
    run = desk.start("per_call", message("Pay everybody"))
    ann, bob, eve = desk.asked(run, 3)
    desk.say(ann, "approve")
    bob, eve = desk.asked(run, 2)
    desk.amend(bob, "pay", {"to": "bob", "amount": 4})
    assert eve.takes_response
    desk.say(eve, "respond", answer="eve was paid in cash")
    told = texts(desk.result(run), "tool")
    assert told[0] == "ann has 5" and told[1].endswith("bob has 4") and told[2] == "eve was paid in cash"


def test_a_tool_whose_worker_died_in_it_is_not_called_again_before_a_person_said_so(desk: Desk) -> None:
    before = desk.notes.read_text() if desk.notes.exists() else ""
    run = desk.start("deadly", message("Pay them"))
    bob, mallory = desk.asked(run, 2)
    desk.say(mallory, "approve")
    doubt, bob = desk.asked(run, 2)
    assert doubt.title.startswith("Did 'pay' happen?") and doubt.kind == "input"
    desk.say(doubt, "answer", answer="it happened")
    desk.say(bob, "approve")
    assert sorted(texts(desk.result(run), "tool")) == ["It was executed, but its result is unknown.", "bob has 5"]
    assert sorted(desk.notes.read_text().removeprefix(before).splitlines()) == ["bob 5", "mallory 5"]
    results = [hold.result for hold in (desk.ada.get(mallory.id), desk.ada.get(bob.id))]
    assert [result and result.outcome for result in results] == ["unknown", "succeeded"]


@pytest.mark.parametrize("decision", ["accept", "edit", "response", "ignore"])
def test_a_graph_for_agent_inbox_runs_unchanged(desk: Desk, decision: str) -> None:
    """B8."""
    run = desk.start("doc_triage", {"draft": "Dear Ada"})
    [hold] = desk.asked(run)
    assert hold.description == "# A reply to Ada\n\nPlease look at the tone."
    if decision == "edit":
        desk.amend(hold, "send_email", {"to": "ada@example.org", "text": "Hi Ada"})
    elif decision == "accept":
        desk.say(hold, "approve")
    else:
        desk.say(hold, "reject", reason="shorter" if decision == "response" else None)
    assert (
        desk.result(run)["outcome"]
        == {
            "accept": "sent: Dear Ada",
            "edit": "sent: Hi Ada",
            "response": "to be written again: shorter",
            "ignore": "ignored",
        }[decision]
    )


def test_the_example_release(desk: Desk) -> None:
    action = {"name": "deploy", "args": {"service": "shop", "version": "1.4.2"}}
    run = desk.start("release", {"action": action, "task": {"operation": "deploy", "environment": "staging"}})
    [hold] = desk.asked(run)
    assert hold.title == "Deploy: service shop, version 1.4.2"
    desk.say(hold, "approve")
    state = desk.result(run)
    assert (state["result"], state["approval"]["by"]) == ("shop 1.4.2 runs", "Ada")


def test_the_example_assistant(desk: Desk) -> None:
    run = desk.start("assistant", message("Tell Ada that the build is green"))
    [hold] = desk.asked(run)
    assert hold.title == "Send message: to Ada, text The build is green"
    desk.amend(hold, "send_message", {"to": "Ada", "text": "All green"})
    [told] = texts(desk.result(run), "tool")
    assert told.endswith("Ada was told: All green") and told.startswith("A person amended this call")


def test_every_block_and_example_is_run_here() -> None:
    run = set(re.findall(r'desk\.start\("(\w+)"', Path(__file__).read_text()))
    assert {f"doc_{name}" for name, _ in BLOCKS} | {path.stem for path in EXAMPLES.glob("*.py")} <= run
