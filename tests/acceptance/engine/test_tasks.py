"""Tasks by their risk, over HTTP, with a real worker: S4.3's states, S4.5's routes, S4.10's promises."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import threading
from collections.abc import Generator
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg
import pytest
import server as servers
from server import ServerProcess, environment, until
from standardwebhooks import Webhook
from team import Team, team_of

from handrail.policy import default_policy
from handrail.store.embedded import Server
from handrail_sdk import Handrail, errors
from handrail_sdk.risk import HITLManager

ROOT = Path(__file__).parents[3]
SECRET = "whsec_" + "c2VjcmV0LW9mLXRoZS10ZXN0cy1vbmx5LTMyLWJ5dGVz"
DEADLINE_SECONDS = 90.0
LOW = {"operation": "read", "environment": "development"}
UNKNOWN = {"operation": "knit", "environment": "production"}
MEDIUM = {"operation": "deploy", "environment": "staging"}
HIGH = {"operation": "deploy", "environment": "production"}
CRITICAL = {"operation": "delete", "environment": "production"}
Json = dict[str, Any]


RECEIVED: list[tuple[dict[str, str], bytes]] = []


class Hook(BaseHTTPRequestHandler):
    """A receiver of webhooks that keeps what came."""

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        RECEIVED.append((dict(self.headers), body))
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"shipped")

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name of the base class
        return


@dataclass
class Works:
    """A server with a team, whose executors write down what they do."""

    server: ServerProcess
    team: Team
    notes: Path

    def submit(self, task: Json, token: str = "", **more: Any) -> Json:
        body = {"description": "Do it", "executor": "note", "payload": {"id": uuid4().hex[:8]}, **task, **more}
        with self.server.client(token or self.team.developer) as http:
            answer = http.post("/orchestrate", json=body)
        assert answer.status_code == 202, answer.text
        return {**answer.json(), "key": body["payload"]["id"] if isinstance(body["payload"], dict) else None}

    def say(self, token: str, made: Json, word: str, **body: Any) -> tuple[int, Json]:
        with self.server.client(token) as http:
            answer = http.post(f"/workflows/{made['workflow_id']}/{word}", json=body)
        return answer.status_code, answer.json()

    def status(self, made: Json) -> Json:
        with self.server.client() as http:
            return http.get(f"/workflows/{made['workflow_id']}/status").raise_for_status().json()["workflow"]

    def until(self, made: Json, *words: str) -> Json:
        return until(lambda: seen if (seen := self.status(made))["status"] in words else None)

    def done(self, made: Json) -> int:
        """How often it was carried out."""
        return sum(line.endswith(made["key"]) for line in self.notes.read_text().splitlines())


@pytest.fixture(scope="module")
def works() -> Generator[Works]:
    with servers.folder_for_workflows() as folder:
        yield from _works(folder)


def _works(folder: Path) -> Generator[Works]:
    notes = folder / "notes"
    notes.touch()
    notes.chmod(0o666)
    hook = ThreadingHTTPServer(("127.0.0.1", 0), Hook)
    threading.Thread(target=hook.serve_forever, daemon=True).start()
    (folder / "task_executors.py").write_text(Path(__file__).with_name("task_executors.py").read_text())
    (folder / "handrail.toml").write_text(
        f"""
        [executors]
        note = "task_executors:note"
        fail = "task_executors:fail"
        ship = {{ webhook = "http://127.0.0.1:{hook.server_port}/tasks", secret_env = "SHIP_SECRET" }}
        """
    )
    variables = {
        "HANDRAIL_WORKFLOWS_FILE": str(folder / "handrail.toml"),
        "HANDRAIL_CONCURRENCY": "2",
        "HANDRAIL_CHILD_ENV": "TASK_NOTES",
        "TASK_NOTES": str(notes),
        "SHIP_SECRET": SECRET,
    }
    with servers.running("up", **variables) as server:
        server.serves("task")
        _register_executors(server)
        yield Works(server, team_of(server), notes)
    hook.shutdown()
    hook.server_close()


def _register_executors(server: ServerProcess, *names: str) -> None:
    """For anything, and without a person where the policy says low; all where none is named."""
    with server.client() as http:
        files = dict(default_policy().source)
        entries = "".join(f"  {name}: {{operations: '*', floor: low}}\n" for name in names or ("note", "fail", "ship"))
        files["actions.yaml"] = files["actions.yaml"].replace("executors: {}\n", f"executors:\n{entries}")
        http.post("/api/policy", json={"files": files}).raise_for_status()


def test_what_no_rule_matches_asks_where_it_would_be_carried_out_and_is_recorded_where_not(works: Works) -> None:
    made = works.submit(UNKNOWN)
    assert (made["risk_level"], works.until(made, "pending_approval")["risk_level"]) == ("medium", "medium")
    recorded = works.submit(UNKNOWN, executor=None)
    assert (recorded["risk_level"], works.until(recorded, "completed")["hold_id"]) == ("low", None)


def test_submitted_assessed_low_executes(works: Works) -> None:
    made = works.submit(LOW)
    assert made["risk_level"] == "low"
    ended = works.until(made, "completed")
    assert (ended["hold_id"], works.done(made)) == (None, 1)
    assert ended["result"]["result"] == {"noted": made["key"]}


WAYS: list[tuple[str, Json, list[str]]] = [
    ("medium", MEDIUM, ["team_lead"]),
    ("high", HIGH, ["team_lead", "tech_lead"]),
    ("critical", CRITICAL, ["tech_lead", "cto"]),
]


@pytest.mark.parametrize(("level", "task", "approvers"), WAYS, ids=[way[0] for way in WAYS])
def test_pending_approved_resumed(works: Works, level: str, task: Json, approvers: list[str]) -> None:
    made = works.submit(task)
    waiting = works.until(made, "pending_approval")
    assert (made["risk_level"], waiting["risk_level"], works.done(made)) == (level, level, 0)
    assert made["status"] in ("submitted", "pending_approval")
    for role in approvers:
        assert works.status(made)["status"] == "pending_approval"
        code, said = works.say(getattr(works.team, role), made, "approve", justification="looked at it")
        last = role == approvers[-1]
        assert (code, said["status"]) == (200, "approved" if last else "pending_approval"), said
    ended = works.until(made, "completed")
    assert len(ended["approved_by"]) == len(approvers)
    assert works.done(made) == 1
    with works.server.client() as http:
        hold = http.get(f"/api/holds/{ended['hold_id']}").json()
    assert (hold["run_id"], hold["result"]["outcome"]) == (made["workflow_id"], "succeeded")
    assert hold["redeemed"]["by"]["name"] == "workflow/task"


def test_an_executor_that_is_registered_no_more_does_not_carry_out_what_was_approved(works: Works) -> None:
    made = works.submit(MEDIUM)
    works.until(made, "pending_approval")
    try:
        _register_executors(works.server, "fail")
        works.say(works.team.team_lead, made, "approve", justification="looked at it")
        ended = works.until(made, "failed")
        assert "no executor 'note' is registered" in ended["reason"]
        assert works.done(made) == 0
    finally:
        _register_executors(works.server)


def test_hitl_manager_submits_lists_decides_and_asks_how_it_stands(works: Works) -> None:
    """S4.12, with a token beside what its users send today."""
    url, team = works.server.url, works.team
    task = {"operation": "deploy", "environment": "staging", "description": "Deploy billing", "task_id": "T-7"}
    with HITLManager(Handrail(url, team.developer)) as dev, HITLManager(Handrail(url, team.team_lead)) as lead:
        made = [dev.request_approval(task, "medium", ["team_lead", "cto"], 30) for _ in range(2)]
        ids = [one["workflow_id"] for one in made]
        assert [one["risk_level"] for one in made] == ["medium", "medium"]
        listed = until(lambda: found if len(found := _of(lead.list_pending(), ids)) == 2 else None)
        assert {(one["task_id"], one["requested_by"][:9], *one["approvers"]) for one in listed} == {
            ("T-7", "developer", "team_lead")
        }
        approved = lead.approve_workflow(ids[0], "the cto", "tested")
        assert (approved["success"], approved["status"], approved["approved_by"][:9]) == (True, "approved", "team_lead")
        rejected = lead.reject_workflow(ids[1], rejected_by="the cto", reason="Friday")
        assert (rejected["status"], rejected["rejected_by"][:9]) == ("rejected", "team_lead")
        until(lambda: dev.get_workflow_status(ids[0])["status"] == "completed")
        ended = until(lambda: seen if (seen := dev.get_workflow_status(ids[1]))["ended_at"] else None)
        assert (ended["status"], ended["reason"]) == ("rejected", "Friday")
        assert "hold.decided" in [one["event"] for one in ended["history"]]
        with pytest.raises(errors.AlreadyDecided):
            lead.approve_workflow(ids[0])


def _of(listed: list[Json], ids: list[str]) -> list[Json]:
    return [one for one in listed if one["workflow_id"] in ids]


def test_rejected_is_cancelled(works: Works) -> None:
    made = works.submit(HIGH)
    works.until(made, "pending_approval")
    code, said = works.say(works.team.team_lead, made, "reject", reason="not on a Friday")
    assert (code, said["status"]) == (200, "rejected")
    ended = until(lambda: seen if (seen := works.status(made))["ended_at"] else None)
    assert ended["status"] == "rejected"
    assert (ended["reason"], works.done(made)) == ("not on a Friday", 0)
    with works.server.client() as http:
        run = http.get(f"/api/runs/{made['workflow_id']}").json()
        retried = http.post(f"/api/runs/{made['workflow_id']}/retry", json={})
    assert (run["status"], run["error"]["hold_id"]) == ("cancelled", ended["hold_id"])
    assert (retried.status_code, retried.json()["code"]) == (409, "not_failed")


def test_cancelled_by_who_submitted_it(works: Works) -> None:
    made = works.submit(HIGH)
    works.until(made, "pending_approval")
    with works.server.client(works.team.developer) as http:
        http.post(f"/api/runs/{made['workflow_id']}/cancel", json={}).raise_for_status()
    assert works.status(made)["status"] == "cancelled"
    code, said = works.say(works.team.tech_lead, made, "approve")
    assert (code, said["code"]) == (409, "already_decided")


def test_an_executor_that_fails_fails_the_workflow(works: Works) -> None:
    made = works.submit(LOW, executor="fail")
    assert "cannot read" in works.until(made, "failed")["reason"]


def test_a_webhook_executor_is_called_signed(works: Works) -> None:
    made = works.submit(LOW, executor="ship", payload={"id": "w1"})
    ended = works.until(made, "completed")
    assert ended["result"]["result"] == {"status": 200, "body": "shipped"}
    ((headers, body),) = RECEIVED
    sent = Webhook(SECRET).verify(body, {name.lower(): value for name, value in headers.items()})
    assert sent["data"]["payload"] == {"id": "w1"}
    assert sent["data"]["run_id"] == made["workflow_id"]


def test_an_executor_that_nobody_named_is_refused_at_once(works: Works) -> None:
    with works.server.client() as http:
        refused = http.post("/orchestrate", json={**LOW, "description": "x", "executor": "http://evil.example"})
    assert (refused.status_code, refused.json()["code"]) == (422, "input_mismatch")


def test_nobody_without_the_role_and_not_who_asked(works: Works) -> None:
    made = works.submit(MEDIUM, token=works.team.team_lead)
    works.until(made, "pending_approval")
    for token, code in (
        (works.team.team_lead, "own_request"),
        (works.team.developer, "not_found"),
        (works.team.agent, "not_a_person"),
    ):
        assert works.say(token, made, "approve")[1]["code"] == code
    assert works.status(made)["status"] == "pending_approval"


def test_what_is_amended_is_what_is_carried_out(works: Works) -> None:
    made = works.submit(HIGH)
    hold_id = works.until(made, "pending_approval")["hold_id"]
    with works.server.client(works.team.tech_lead) as http:
        hold = http.get(f"/api/holds/{hold_id}").json()
        action = {**hold["action"], "target": "staging", "args": {**hold["action"]["args"], "environment": "staging"}}
        body = {"verdict": "amend", "digest": hold["digest"], "amended_action": action}
        amended = http.post(f"/api/holds/{hold_id}/reviews", json=body).raise_for_status().json()
    assert amended["risk"] == "high", "no revision asks for less than the one before it"
    code, said = works.say(works.team.team_lead, made, "approve")
    assert (code, said["code"]) == (422, "digest_required")
    for who in (works.team.team_lead, works.team.tech_lead):
        assert works.say(who, made, "approve", digest=amended["digest"])[0] == 200
    works.until(made, "completed")
    assert f"deploy staging {made['key']}" in works.notes.read_text()


def test_the_demo_is_played_through_by_one_person(works: Works) -> None:
    server, admin = works.server, works.server.admin_token
    made = server.run("demo", "--json", token=admin)
    assert made.exit == 0, made.err
    story = made.json()
    dana, toni = (one["token"] for one in story["approvers"])
    deploy, refund, export = (run["id"] for run in story["runs"])
    assert [run["status"] for run in story["runs"]] == ["paused"] * 3
    assert "Still pending" in server.run("approve", deploy, "--yes", token=dana).out
    assert server.run("approve", deploy, "--yes", token=toni).exit == 0
    assert _receipt(works, deploy) == "shop 2.0 runs on shop-prod"
    amended = server.run("amend", refund, "amount=240", "--yes", "--reason", "one lamp", token=dana)
    assert "Still pending" in amended.out, amended.err
    assert server.run("approve", refund, "--yes", token=dana).exit == 0
    assert _receipt(works, refund) == "240 EUR refunded for order-77"
    (hold,) = server.run("runs", "show", export, "--json", token=admin).json()["holds"]
    assert (hold["status"], hold["risk"], hold["escalated_at"]) == ("pending", "high", None)
    assert hold["escalate_at"] is not None
    assert server.run("runs", "cancel", export, token=admin).exit == 0
    # a second time, with the people that are there
    again = server.run("demo", token=admin)
    assert "Demo Dana (tech_lead)" in again.out and "handrail amend" in again.out, again.err


def test_the_page_about_runs_is_true(works: Works, tmp_path: Path) -> None:
    """Its shell blocks, in one shell, as the administrator; Lena is a team lead."""
    blocks = re.findall(r"```sh\n(.*?)```", (ROOT / "docs" / "runs.md").read_text(), re.DOTALL)
    path = f"{Path(sys.executable).parent}:/usr/local/bin:/usr/bin:/bin"
    names = {"HANDRAIL_URL": works.server.url, "HANDRAIL_TOKEN": works.server.admin_token, "LENA": works.team.team_lead}
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", "\n".join(blocks)],
        cwd=tmp_path,
        env=environment(works.server.folder, PATH=path, **names),
        capture_output=True,
        text=True,
        timeout=DEADLINE_SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("  Completed\n") == 2
    with works.server.client() as http:
        listed = http.get("/api/runs", params={"mine": True, "workflow": "task", "limit": 3}).json()["runs"]
    assert [run["budget"]["steps"] for run in listed] == [1000, 20, 1000], "the same key starts one run"


def test_timed_out_is_escalated_and_in_the_end_expired(works: Works) -> None:
    made = works.submit(HIGH)
    works.until(made, "pending_approval")
    _pass(works, minutes=31)
    works.until(made, "escalated")
    with works.server.client(works.team.cto) as http:
        listed = http.get("/workflows/pending").json()["workflows"]
    assert {"escalated"} == {one["status"] for one in listed if one["workflow_id"] == made["workflow_id"]}
    _pass(works, minutes=8 * 60)
    works.until(made, "expired")
    assert works.done(made) == 0
    with works.server.client() as http:
        # the run follows its hold
        until(lambda: http.get(f"/api/runs/{made['workflow_id']}").json()["status"] == "expired")


def test_the_command_line_decides_by_the_workflows_id(works: Works) -> None:
    made = works.submit(MEDIUM)
    works.until(made, "pending_approval")
    said = works.server.run("status", made["workflow_id"], token=works.server.admin_token)
    assert "task: paused" in said.out and "pending" in said.out
    approved = works.server.run("approve", made["workflow_id"], "--yes", token=works.team.team_lead)
    assert approved.exit == 0, approved.err
    assert works.until(made, "completed")
    watched = works.server.run("runs", "watch", made["workflow_id"], "--json", token=works.team.developer)
    types = [json.loads(line)["type"] for line in watched.out.splitlines()]
    assert (watched.exit, types[0], types[-1]) == (0, "run.started", "run.completed")
    again = works.server.run("approve", made["workflow_id"], "--yes", token=works.team.team_lead)
    assert again.exit == 5


def _receipt(works: Works, run_id: str) -> Any:
    """What the demo's run did, once it has ended."""
    watched = works.server.run("runs", "watch", run_id, "--json", token=works.server.admin_token)
    assert watched.exit == 0, watched.out
    return json.loads(watched.out.splitlines()[-1])["story"]["result"]["receipt"]


def _pass(works: Works, minutes: int) -> None:
    database = Server(works.server.data)
    try:
        with psycopg.connect(database.start(), autocommit=True) as conn:
            conn.execute("UPDATE clock SET shift = shift + make_interval(mins => %s)", (minutes,))
    finally:
        database.stop()
