"""The TypeScript SDK with the real AI SDK and the real LangGraph.js: scripted models, a real server."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
from collections.abc import Generator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
import server as servers
from server import ServerProcess, environment, until

ROOT = Path(__file__).parents[1]
PLACE = Path(os.environ.get("HANDRAIL_ADAPTERS", ROOT / ".adapters")) / "typescript"
SOURCES = ROOT / "adapters" / "typescript"
TSC = ROOT / "web" / "node_modules" / ".bin" / "tsc"
BLOCKS = re.findall(
    r"^```typescript\n(.*?)^```", (ROOT / "docs" / "typescript.md").read_text("utf-8"), re.DOTALL | re.MULTILINE
)
[AI] = [block for block in BLOCKS if '"handrail-sdk/ai"' in block]
[LANGGRAPH] = [block for block in BLOCKS if '"handrail-sdk/langgraph"' in block]
SECONDS = 120
Json = dict[str, Any]


@pytest.fixture(scope="module")
def server() -> Generator[ServerProcess]:
    with servers.running() as running:
        yield running


@pytest.fixture(scope="module")
def token(server: ServerProcess) -> str:
    return server.token_of("agent", kind="agent")


@pytest.fixture(scope="module")
def programs() -> Path:
    """Everything compiled, with the types of the real packages and of ours."""
    folder = PLACE / "programs"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    ours = PLACE / "node_modules" / "handrail-sdk"
    ours.unlink(missing_ok=True)
    ours.symlink_to(ROOT / "sdk" / "typescript")
    for source in SOURCES.glob("*.ts"):
        shutil.copy(source, folder)
    (folder / "page_ai.ts").write_text(AI)
    (folder / "page_langgraph.ts").write_text(LANGGRAPH)
    options = ["--strict", "--module", "nodenext", "--target", "es2022", "--lib", "es2022,dom", "--skipLibCheck"]
    types = ["--typeRoots", str(ROOT / "web" / "node_modules" / "@types"), "--types", "node"]
    files = sorted(file.name for file in folder.glob("*.ts"))
    checked = subprocess.run([TSC, *options, *types, *files], cwd=folder, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout
    return folder


class Program:
    """One of them as a process, which may be killed and started again."""

    def __init__(self, server: ServerProcess, token: str, programs: Path, folder: Path) -> None:
        self.thread = f"thread-{uuid4().hex}"
        self.traces = folder / "traces"
        self._server, self._token, self._programs = server, token, programs
        self._process: subprocess.Popen[str] | None = None
        self._started: list[subprocess.Popen[str]] = []

    def start(self, name: str, *calls: tuple[str, Json], more: tuple[str, ...] = (), **variables: str) -> None:
        own = PLACE / "node_modules" / ".bin" / "node"
        ours = {"HANDRAIL_URL": self._server.url, "HANDRAIL_TOKEN": self._token, "CALLS": json.dumps(calls)}
        self._process = subprocess.Popen(
            [own if own.exists() else "node", f"{name}.js", self.thread, self.traces, *more],
            cwd=self._programs,
            env=environment(self.traces.parent, **{**ours, **variables}),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self._started.append(self._process)

    def kill(self) -> None:
        assert self._process is not None
        self._process.kill()
        self._process.wait()

    def close(self) -> None:
        for process in self._started:
            process.kill()
            process.communicate()

    def ended(self) -> Any:
        """What it printed, once it has ended well."""
        return json.loads(self.printed())

    def printed(self) -> str:
        assert self._process is not None
        out, err = self._process.communicate(timeout=SECONDS)
        assert self._process.returncode == 0, err
        return out

    def ran(self) -> list[str]:
        return self.traces.read_text().splitlines() if self.traces.exists() else []

    def held(self, count: int = 1, case: str | None = None) -> list[Json]:
        """The holds that wait, once there are so many."""

        def look() -> list[Json] | None:
            assert self._process is not None
            assert self._process.poll() is None, self._process.communicate()
            with self._server.client() as http:
                found = http.get("/api/holds", params={"case": case or self.thread}).raise_for_status().json()["holds"]
            return sorted(found, key=lambda hold: hold["opened_at"]) if len(found) == count else None

        return until(look)

    def review(self, hold: Json, verdict: str, **more: Any) -> Json:
        """As the administrator, who has every role and has not asked."""
        with self._server.client() as http:
            said = {"verdict": verdict, "digest": hold["digest"], **more}
            return http.post(f"/api/holds/{hold['id']}/reviews", json=said).raise_for_status().json()

    def amend(self, hold: Json, **args: Any) -> None:
        self.review(self.review(hold, "amend", amended_action={**hold["action"], "args": args}), "approve")


@pytest.fixture
def program(server: ServerProcess, token: str, programs: Path, tmp_path: Path) -> Generator[Program]:
    made = Program(server, token, programs, tmp_path)
    yield made
    made.close()


SEND = ("send_email", {"to": "ann@example.org", "copies": 1})


def test_the_page_of_the_ai_sdk(program: Program) -> None:
    program.start("page_ai", ("send_email", {"to": "ann@example.org", "subject": "Hello"}))
    [hold] = program.held(case="conversation-12")
    assert hold["title"] == "Send email: to ann@example.org, subject Hello"
    program.review(hold, "approve")
    assert program.ended() == [{"type": "text", "value": "sent to ann@example.org"}]


def test_low_calls_run_at_once_and_as_often_as_the_model_makes_them(program: Program) -> None:
    program.start("agent", ("read", {"path": "a"}), ("read", {"path": "a"}))
    assert program.ended() == [{"type": "text", "value": "the text of a"}] * 2
    assert program.ran() == ["read a"] * 2


def test_an_approved_call_runs(program: Program) -> None:
    program.start("agent", SEND)
    program.review(program.held()[0], "approve")
    assert program.ended() == [{"type": "json", "value": {"sent": "ann@example.org"}}]
    assert program.ran() == ["sent to ann@example.org, 1"]


def test_an_amended_call_runs_as_amended_and_the_model_reads_what_ran(program: Program) -> None:
    program.start("agent", SEND)
    program.amend(program.held()[0], to="bob@example.org", copies=2)
    [read] = program.ended()
    assert read["value"]["result"] == {"sent": "bob@example.org"}
    assert '{"copies":2,"to":"bob@example.org"}' in read["value"]["notice"]
    assert program.ran() == ["sent to bob@example.org, 2"]


def test_an_amendment_that_the_tool_does_not_take_does_not_run(program: Program) -> None:
    program.start("agent", SEND)
    program.amend(program.held()[0], to="bob@example.org", copies="many")
    [read] = program.ended()
    assert read["type"] == "error-text"
    assert "no longer matches send_email(): copies: " in read["value"]
    assert program.ran() == []


def test_a_rejection_reaches_the_model_with_its_reason(program: Program) -> None:
    program.start("agent", SEND)
    program.review(program.held()[0], "reject", reason="not on a Friday")
    [read] = program.ended()
    assert read["type"] == "error-text"
    assert read["value"].startswith("NotRun: `send_email` was not run. It was rejected by ")
    assert read["value"].endswith("Reason: not on a Friday")
    assert program.ran() == []


def test_a_program_that_died_in_the_wait_finds_the_decision_and_what_ran_does_not_run_again(program: Program) -> None:
    program.start("agent", SEND)
    [hold] = program.held()
    program.kill()
    program.review(hold, "approve")
    program.start("agent", SEND)
    assert program.ended() == [{"type": "json", "value": {"sent": "ann@example.org"}}]
    program.start("agent", SEND)
    [read] = program.ended()
    assert read == {
        "type": "error-text",
        "value": "NotRun: `send_email` was not run again: this call ran before in this conversation and succeeded.",
    }
    assert program.ran() == ["sent to ann@example.org, 1"]


def test_a_repeatable_call_that_ran_before_is_asked_again(program: Program) -> None:
    for _ in range(2):
        program.start("agent", SEND, more=("send_email",))
        program.review(program.held()[0], "approve")
        program.ended()
    assert program.ran() == ["sent to ann@example.org, 1"] * 2


def test_the_same_call_twice_is_asked_twice(program: Program) -> None:
    program.start("agent", SEND, SEND)
    for verdict in ("approve", "reject"):
        program.review(program.held()[0], verdict)
    assert [read["type"] for read in program.ended()] == ["json", "error-text"]
    assert program.ran() == ["sent to ann@example.org, 1"]


def test_after_three_rejections_of_the_same_call_people_are_not_asked_again(program: Program) -> None:
    program.start("agent", *[SEND] * 4)
    for _ in range(3):
        program.review(program.held()[0], "reject")
    assert program.ended()[3]["value"] == (
        "NotRun: `send_email` was not run, because Handrail did not allow it: "
        "people rejected this same call 3 times, and are not asked again"
    )
    assert program.ran() == []


def test_a_tool_that_shows_how_far_it_is_does_so_once_it_is_approved(program: Program) -> None:
    program.start("agent", ("copy_files", {"count": 5}))
    [hold] = program.held()
    assert program.ran() == []
    program.amend(hold, count=2)
    [read] = program.ended()
    assert read["value"].endswith("Its result:\n2 of 2")
    assert program.ran() == ["copied 1", "copied 2"]


def test_a_call_that_expires_does_not_run(program: Program) -> None:
    program.start("agent", SEND, EXPIRES_IN="0.4")
    [read] = program.ended()
    assert read["value"].startswith("NotRun: `send_email` was not run. It was expired. ")
    assert program.ran() == []


def test_without_the_server_nothing_runs(program: Program) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        program.start("agent", SEND, HANDRAIL_URL=f"http://127.0.0.1:{taken.getsockname()[1]}")
        [read] = program.ended()
    assert read["value"].startswith(
        "NotRun: `send_email` was not run, because Handrail did not allow it: no answer to "
    )
    assert program.ran() == []


def test_what_the_server_refuses_does_not_run(program: Program) -> None:
    program.start("agent", SEND, HANDRAIL_TOKEN="hr_nobody")
    [read] = program.ended()
    assert read["value"].startswith("NotRun: `send_email` was not run, because Handrail did not allow it: ")
    assert program.ran() == []


def test_the_page_of_langgraph(program: Program) -> None:
    program.start("page_langgraph")
    [hold] = program.held(case="conversation-12")
    assert (hold["kind"], hold["title"]) == ("input", "Which region?")
    program.review(hold, "answer", answer="eu")
    assert program.printed() == "You said eu.\n"


def test_a_call_that_langchain_s_own_middleware_holds_runs_as_amended(program: Program) -> None:
    program.start("middleware")
    [hold] = program.held()
    assert hold["title"] == "Move files: path /tmp/a"
    program.amend(hold, path="/tmp/b")
    assert program.ended() == ["moved /tmp/b"]
    assert program.ran() == ["moved /tmp/b"]


def test_a_call_that_langchain_s_own_middleware_holds_is_rejected_with_the_reason(program: Program) -> None:
    program.start("middleware")
    program.review(program.held()[0], "reject", reason="still needed")
    [read] = program.ended()
    assert "still needed" in read
    assert program.ran() == []


def test_a_graph_that_died_in_each_of_its_questions_gets_an_answer_to_each(program: Program) -> None:
    for answer in ("eu", "us"):
        program.start("graph")
        [hold] = program.held()
        program.kill()
        program.review(hold, "answer", answer=answer)
        # the second question is the first one's twin, and has a hold of its own
        program.start("graph")
        program.held(1 if answer == "eu" else 2)
        program.kill()
    program.start("graph")
    first, second = sorted(program.held(2), key=lambda hold: hold["action"]["args"]["path"])
    assert [hold["action"]["args"] for hold in (first, second)] == [{"path": "/tmp/a"}, {"path": "/tmp/b"}]
    assert (first["kind"], first["risk"]) == ("approval", "medium")
    program.kill()
    program.amend(first, path="/tmp/c")
    program.review(second, "reject", reason="still needed")
    program.start("graph")
    edited = {"type": "edit", "editedAction": {"name": "move_files", "args": {"path": "/tmp/c"}}}
    assert program.ended() == ["eu", "us", {"decisions": [edited, {"type": "reject", "message": "still needed"}]}]
