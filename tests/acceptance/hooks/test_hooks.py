"""Tool calls of coding agents, decided through the hook as `handrail hook install` leaves it."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
import pytest
import server as servers
from hook_world import AFTER, EDIT, READ, Ended, Hooked, Json, call_of, ended, installed
from server import ServerProcess, environment, until

AGENTS = ("claude-code", "codex", "gemini")
READS: dict[str, Json] = {
    "claude-code": READ,
    "codex": {"tool_name": "Bash", "tool_input": {"command": "git status"}},
    "gemini": {"tool_name": "read_file", "tool_input": {"file_path": "x.py"}},
}


@pytest.fixture(scope="module")
def server() -> Generator[ServerProcess]:
    with servers.running() as server:
        (server.folder / ".claude").mkdir()
        before = {"model": "opus", "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "true"}]}]}}
        (server.folder / ".claude" / "settings.json").write_text(json.dumps(before))
        for agent in AGENTS:
            installed(server, agent)
        yield server


@pytest.fixture(params=AGENTS)
def hooked(server: ServerProcess, request: pytest.FixtureRequest) -> Hooked:
    return Hooked(server, request.param)


@pytest.fixture
def claude(server: ServerProcess) -> Hooked:
    return Hooked(server, "claude-code")


def test_reading_goes_through_at_once_and_is_on_record(hooked: Hooked) -> None:
    call = call_of(hooked.agent, **READS[hooked.agent])
    assert hooked.ask(call).decision == "allow"
    hold = hooked.hold_of(call)
    assert (hold["risk"], hold["decision"]["basis"], hold["redeemed"] is not None) == ("low", "policy", True)


def test_an_approved_call_runs_and_its_result_is_recorded(hooked: Hooked) -> None:
    call = call_of(hooked.agent, **EDIT)
    waiting = hooked.start(call)
    hooked.review(hooked.held(call), "approve")
    assert ended(waiting).decision == "allow"
    after = {**call, "hook_event_name": AFTER[hooked.agent], "tool_response": {"stdout": "a secret of the output"}}
    assert hooked.ask(after) == Ended(0, "{}\n", "")
    hold = hooked.hold_of(call)
    assert (hold["result"]["outcome"], hold["result"]["detail"]) == ("succeeded", None)


def test_an_amended_call_runs_as_amended(hooked: Hooked) -> None:
    call = call_of(hooked.agent, **EDIT)
    waiting = hooked.start(call)
    args = {**EDIT["tool_input"], "new_string": "c"}
    hooked.amend(hooked.held(call), args)
    inner = ended(waiting).said["hookSpecificOutput"]
    assert (inner.get("updatedInput") or inner["tool_input"]) == args


def test_a_rejection_reaches_the_model_with_its_reason(hooked: Hooked) -> None:
    call = call_of(hooked.agent, **EDIT)
    waiting = hooked.start(call)
    hooked.review(hooked.held(call), "reject", reason="Use the other file")
    refused = ended(waiting)
    assert refused.decision == "deny"
    assert "Use the other file" in refused.reason


def test_gemini_which_only_merges_is_not_given_an_amendment_that_leaves_something_out(server: ServerProcess) -> None:
    gemini = Hooked(server, "gemini")
    call = call_of("gemini", **EDIT)
    waiting = gemini.start(call)
    gemini.amend(gemini.held(call), {"file_path": "/srv/x"})
    assert ended(waiting).decision == "deny"


def test_a_call_that_nobody_decides_is_refused_before_the_agent_loses_patience(hooked: Hooked) -> None:
    call = call_of(hooked.agent, **EDIT)
    refused = _with_config(hooked, call, wait=0.2)
    assert refused.decision == "deny"
    assert f"Still pending: nobody has decided hold {hooked.held(call)['short_id']}" in refused.reason


def test_the_same_call_made_later_in_the_session_finds_its_decision(claude: Hooked) -> None:
    call = call_of("claude-code", **EDIT)
    _with_config(claude, call, wait=0.2)
    hold = claude.held(call)
    # under an id of its own, it is the same question; and its approval is used once
    claude.review(hold, "approve")
    again = {**call, "tool_use_id": "toolu_later"}
    assert claude.ask(again).decision == "allow"
    assert claude.hold_of(call)["redeemed"] is not None
    assert claude.ask(again | {"hook_event_name": "PostToolUse"}).exit == 0
    assert claude.hold_of(call)["result"]["outcome"] == "succeeded"


def test_a_low_call_leaves_the_approval_of_another_that_runs_at_the_same_time_alone(claude: Hooked) -> None:
    call = call_of("claude-code", **READ)
    assert claude.ask(call).decision == "allow"
    first = claude.hold_of(call)
    same = {name: first[name] for name in ("kind", "title", "action", "case_id", "evidence")}
    with claude.server.client(claude.config["token"]) as http:
        # opened by a twin that has not come to use it yet
        twin = http.post("/api/holds", json=same).raise_for_status().json()
        assert (twin["status"], twin["decision"]["basis"]) == ("approved", "policy")
        assert claude.ask({**call, "tool_use_id": "toolu_third"}).decision == "allow"
        assert http.get(f"/api/holds/{twin['id']}").json()["redeemed"] is None


def test_a_session_without_a_person_is_paused_and_one_with_a_person_is_not(claude: Hooked) -> None:
    call = call_of("claude-code", **EDIT)
    kept = claude.folder / "deferred" / f"{call['session_id']}.json"
    assert _with_config(claude, call, defer=True, wait=0.2, variables={}).decision == "deny"
    assert not kept.exists()
    alone = {"CLAUDE_CODE_SESSION_ATTENDED": "0"}
    assert _with_config(claude, call, defer=True, variables=alone).decision == "defer"
    assert json.loads(kept.read_text())["hold"] == claude.held(call)["short_id"]
    claude.review(claude.held(call), "approve")
    assert _with_config(claude, call, defer=True, variables=alone).decision == "allow"
    assert not kept.exists()


def test_a_call_that_failed_is_recorded_as_failed(claude: Hooked) -> None:
    call = call_of("claude-code", **READ)
    assert claude.ask(call).decision == "allow"
    claude.ask({**call, "hook_event_name": "PostToolUseFailure", "error": "no such file"})
    assert claude.hold_of(call)["result"]["outcome"] == "failed"


def test_no_answer_of_the_server_is_a_no(hooked: Hooked) -> None:
    refused = _with_config(hooked, call_of(hooked.agent, **READ), url="http://127.0.0.1:9", wait=1)
    assert refused.decision == "block"
    assert "cannot be reached" in refused.err


def test_a_token_that_is_no_longer_valid_is_a_no(claude: Hooked) -> None:
    refused = _with_config(claude, call_of("claude-code", **READ), token="hr_gone")
    assert refused.decision == "block"
    assert "the server refused" in refused.err


@pytest.mark.parametrize(
    "said",
    [b"", b"not json", b"[]", b'{"hook_event_name": "PreToolUse"}', b'{"tool_input": NaN}', b"\xff\xfe{}", b"{" * 9000],
)
def test_what_is_no_call_is_a_no(hooked: Hooked, said: bytes) -> None:
    assert hooked.ask(said).decision == "block"


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGSEGV])
def test_a_hook_that_is_killed_is_a_no(claude: Hooked, number: signal.Signals) -> None:
    call = call_of("claude-code", **EDIT)
    waiting = claude.start(call)
    claude.held(call)
    program = psutil.Process(waiting.pid).children(recursive=True)[-1]
    assert program.exe().rpartition("/")[2].startswith("python")
    program.send_signal(number)
    killed = ended(waiting)
    assert killed.decision == "block"
    assert "without an answer" in killed.err


def test_an_approval_for_an_agent_that_has_died_stays_unused_until_its_session_asks_again(claude: Hooked) -> None:
    call = call_of("claude-code", **EDIT)
    waiting = claude.start(call)
    hold = claude.held(call)
    hook = psutil.Process(waiting.pid).children(recursive=True)
    # what is left of an agent that was killed: nobody reads the answer
    assert waiting.stdout is not None
    waiting.stdout.close()
    psutil.wait_procs(hook, 30)
    assert waiting.wait(30) == 2
    assert waiting.stderr is not None
    waiting.stderr.close()
    claude.review(hold, "approve")
    assert claude.hold_of(call)["redeemed"] is None
    assert claude.ask({**call, "tool_use_id": "toolu_resumed"}).decision == "allow"


def test_a_program_that_ends_well_without_an_answer_is_a_no(claude: Hooked, tmp_path: Path) -> None:
    script = tmp_path / "run"
    text = (claude.folder / "run").read_text()
    for python in ("true", "echo yes", "printf '{'", "/nonexistent/python"):
        script.write_text(text.replace(sys.executable, python))
        done = subprocess.run(["/bin/sh", script], input=b"{}", capture_output=True, check=False)
        assert (done.returncode, done.stdout) == (2, b""), python


def test_what_lies_in_the_agents_folder_is_not_run_by_the_hook(claude: Hooked, tmp_path: Path) -> None:
    for name in ("json.py", "handrail_hook.py", "sitecustomize.py"):
        (tmp_path / name).write_text("print('{}')\nraise SystemExit(0)\n")
    call = call_of("claude-code", tool_name="Edit", tool_input={"file_path": "x"})
    waiting = claude.start(call, cwd=tmp_path)
    claude.review(claude.held(call), "reject")
    assert ended(waiting).decision == "deny"


def test_the_settings_keep_what_was_there_and_fail_closed(claude: Hooked) -> None:
    settings = claude.settings
    assert settings["model"] == "opus"
    assert [group["hooks"][0]["command"] for group in settings["hooks"]["Stop"]] == ["true"]
    [ours] = settings["hooks"]["PreToolUse"]
    assert (ours["matcher"], ours["hooks"][0]["onFailure"], ours["hooks"][0]["timeout"]) == ("*", "block", 3600)
    assert claude.config["wait"] < 3600


def test_the_token_is_an_agents_and_its_owners_alone(claude: Hooked) -> None:
    config = claude.folder / "config.json"
    assert config.stat().st_mode & 0o777 == 0o600
    with claude.server.client(claude.config["token"]) as http:
        me = http.get("/api/me").raise_for_status().json()
    assert me["kind"] == "agent"
    config.chmod(0o640)
    try:
        assert "can be read by others" in claude.ask(call_of("claude-code", **READ)).err
    finally:
        config.chmod(0o600)


def test_installing_says_that_a_probe_was_refused_and_status_says_what_fails_open(server: ServerProcess) -> None:
    """B14."""
    again = server.run("hook", "install", "claude-code", token=server.admin_token)
    assert "Proof: a probe was refused. Still pending" in again.out
    assert len(Hooked(server, "claude-code").settings["hooks"]["PreToolUse"]) == 1
    shown = server.run("hook", "status", "--json", token=server.admin_token).json()["hooks"]
    assert {(one["agent"], one["state"]) for one in shown} == {(agent, "works") for agent in AGENTS}
    assert all(one["open_ends"] for one in shown)
    with server.client() as http:
        pending = http.get("/api/holds", params={"text": "HandrailProbe"}).json()["holds"]
    assert pending == []


def test_for_the_plugin_the_settings_are_left_without_a_hook_and_mcp_is_enrolled() -> None:
    with servers.running() as server:
        for options in ((), ("--plugin",)):
            ran = server.run("hook", "install", "claude-code", *options, token=server.admin_token)
            assert ran.exit == 0, ran.err
        assert "hooks" not in json.loads((server.folder / ".claude" / "settings.json").read_text())
        assert (server.folder / ".config" / "handrail" / "mcp" / "config.json").exists()
        status = server.run("hook", "status", "--json", token=server.admin_token)
        assert [(one["state"], one["settings"]) for one in status.json()["hooks"]] == [("works", "the plugin")]
        refused = server.run("hook", "install", "claude-code", "--plugin", "--project", token=server.admin_token)
        assert refused.exit != 0
        assert "leave out --project" in refused.err
        # the plugin's own script runs what was left, and without it blocks
        gate = Path(__file__).parents[3] / "integrations" / "claude-code" / "hooks" / "gate"
        for home, exits in ((server.folder, 0), (server.folder / "nobody", 2)):
            call = json.dumps(call_of("claude-code", **READ)).encode()
            done = subprocess.run(["sh", gate], input=call, env={"HOME": str(home)}, capture_output=True, check=False)
            assert done.returncode == exits, done.stderr


def test_an_installation_whose_probe_is_not_refused_changes_no_settings(server: ServerProcess, tmp_path: Path) -> None:
    with server.client() as http:
        other = http.post("/api/people", json={"name": f"dev-{os.urandom(4).hex()}", "roles": ["developer"]}).json()
        token = http.post("/api/tokens", json={"principal": other["name"]}).json()["token"]
    refused = server.run("hook", "install", "codex", token=token, HOME=str(tmp_path))
    assert refused.exit == 4
    assert "administrator" in refused.err
    assert list(tmp_path.iterdir()) == []


def test_settings_that_are_not_json_stay_as_they_are(server: ServerProcess, tmp_path: Path) -> None:
    file = tmp_path / ".gemini" / "settings.json"
    file.parent.mkdir()
    file.write_text("{ // mine\n}")
    refused = server.run("hook", "install", "gemini", token=server.admin_token, HOME=str(tmp_path))
    assert refused.exit == 1
    assert "nothing was changed" in refused.err
    assert file.read_text() == "{ // mine\n}"


def test_uninstalling_leaves_the_settings_as_they_were_and_revokes_the_token(
    server: ServerProcess, tmp_path: Path
) -> None:
    file = tmp_path / ".codex" / "hooks.json"
    file.parent.mkdir()
    file.write_text('{"hooks": {"Stop": []}}')
    home = {"HOME": str(tmp_path)}
    assert server.run("hook", "install", "codex", token=server.admin_token, **home).exit == 0
    config = json.loads((tmp_path / ".config/handrail/hooks/codex-user/config.json").read_text())
    assert server.run("hook", "uninstall", "codex", token=server.admin_token, **home).exit == 0
    assert json.loads(file.read_text()) == {"hooks": {"Stop": []}}
    with server.client(config["token"]) as http:
        assert http.get("/api/me").status_code == 401
    assert server.run("hook", "uninstall", "codex", token=server.admin_token, **home).exit == 3


def test_the_command_line_has_the_same_program(claude: Hooked) -> None:
    def run(*words: str, said: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [servers.HANDRAIL, "hook", "run", *words],
            env=environment(claude.server.folder),
            input=said,
            capture_output=True,
            text=True,
            check=False,
        )

    assert "allow" in run("claude-code", said=json.dumps(call_of("claude-code", **READ))).stdout
    assert [run(*words).returncode for words in ((), ("--help",), ("nobody",), ("claude-code", "/none"))] == [2] * 4


def test_the_hook_imports_nothing_of_the_server_and_no_http_library() -> None:
    code = "import sys; import handrail_hook.main; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {name.partition(".")[0] for name in loaded} & {"handrail", "handrail_sdk", "httpx", "pydantic", "typer"}


def test_a_low_call_takes_the_hook_less_than_150_ms_of_work(claude: Hooked) -> None:
    # work of this and its child processes, not time: other tests run on the same cores
    spent: list[float] = []
    for _ in range(5):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        assert claude.ask(call_of("claude-code", **READ)).decision == "allow"
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    assert sorted(spent)[2] < 0.15, spent


def test_hooks_of_an_agent_that_is_too_fast_wait_their_turn_and_lose_nothing() -> None:
    with servers.running(HANDRAIL_OPENINGS_PER_AGENT="2/second") as server:
        claude = installed(server, "claude-code")
        calls = [call_of("claude-code", **READ) for _ in range(6)]
        assert [ended(hook).decision for hook in [claude.start(call) for call in calls]] == ["allow"] * 6
        assert all(claude.hold_of(call)["redeemed"] for call in calls)


@pytest.mark.soak
def test_a_thousand_calls_in_a_minute_are_answered_or_told_when_to_come_back() -> None:
    with servers.running() as server:
        token = installed(server, "claude-code").config["token"]

        def ask(call: Json) -> tuple[int, bool]:
            with server.client(token) as http:
                answer = http.post("/api/hooks/claude-code", json=call)
            if answer.status_code == 429:
                return 429, int(answer.headers["Retry-After"]) >= 1
            return answer.status_code, answer.json()["hookSpecificOutput"]["permissionDecision"] == "allow"

        # the same call all the time, eight at once: none is taken for another
        session = {"session_id": "a-thousand"}
        with ThreadPoolExecutor(8) as pool:
            answers = Counter(pool.map(ask, [call_of("claude-code", **READ) | session for _ in range(1000)]))
        # on a slow machine they take longer than a minute, and none is too many
        assert set(answers) <= {(200, True), (429, True)}
        assert answers[200, True] >= 500
        with server.client() as http:
            page = http.get("/api/holds", params={"case": "claude-code/a-thousand", "status": "all", "limit": 1}).json()
            assert page["holds"][0]["risk"] == "low"
            assert http.get("/api/me").is_success


@pytest.mark.soak
def test_a_server_that_restarts_in_the_wait_loses_nothing() -> None:
    with servers.running() as server:
        claude = installed(server, "claude-code")
        call = call_of("claude-code", **EDIT)
        waiting = claude.start(call)
        hold = claude.held(call)
        server.kill_process()
        server.start()
        until(lambda: _up(server))
        claude.review(hold, "approve")
        assert ended(waiting).decision == "allow"


def _up(server: ServerProcess) -> bool:
    with server.client() as http:
        return http.get("/api/me").is_success


def _with_config(
    hooked: Hooked, call: dict[str, object], variables: dict[str, str] | None = None, **changed: object
) -> Ended:
    """The hook with another configuration."""
    config = hooked.folder / "config.json"
    before = config.read_text()
    config.write_text(json.dumps({**json.loads(before), **changed}))
    try:
        return ended(hooked.start(call, variables=variables))
    finally:
        config.write_text(before)
