"""Client commands against a real server, as different people."""

from __future__ import annotations

import json
import stat
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast
from uuid import uuid4

import pytest
from server import HANDRAIL, ServerProcess, environment
from team import CONFIRMATION, CRITICAL, HIGH, Team


@pytest.fixture
def server(shared_server: ServerProcess) -> ServerProcess:
    return shared_server


def test_the_right_person_sees_and_approves(server: ServerProcess, team: Team):
    hold = team.ask(**CONFIRMATION)

    listed = server.run("pending", token=team.team_lead)
    done = server.run("approve", hold["id"], token=team.team_lead, said="y\n")

    assert "Send the newsletter" in listed.out
    assert "will run send_newsletter" in done.err
    assert done.out == "Approved: Send the newsletter\n"
    assert (done.exit, team.hold(hold["id"])["status"]) == (0, "approved")


def test_the_wrong_person_is_refused(server: ServerProcess, team: Team):
    for asked in (CONFIRMATION, HIGH):
        hold = team.ask(**asked)

        developer = server.run("approve", hold["id"], "--yes", token=team.developer)
        agent = server.run("approve", hold["id"], "--yes", token=team.agent)

        # a developer may not even see it
        assert (developer.exit, agent.exit) == (3, 4)
        assert "Only people decide" in agent.err
        assert team.hold(hold["id"])["reviews"] == []


def test_two_people_are_needed_and_the_loser_of_a_race_is_told(server: ServerProcess, team: Team):
    hold = team.ask(**HIGH)

    first = server.run("approve", hold["id"], "--yes", token=team.team_lead)
    second = server.run("approve", hold["id"], "--yes", "--reason", "seen", "--json", token=team.tech_lead)
    late = server.run("reject", hold["id"], "--yes", token=team.cto)

    assert "Still pending" in first.out
    assert second.json()["status"] == "approved"
    assert late.exit == 5
    assert late.err.startswith("Already approved by tech_lead-")


def test_an_answer_of_no_decides_nothing(server: ServerProcess, team: Team):
    hold = team.ask(**CONFIRMATION)

    no = server.run("approve", hold["id"], token=team.team_lead, said="n\n")
    nobody = server.run("approve", hold["id"], token=team.team_lead)

    assert (no.exit, nobody.exit) == (1, 2)
    assert "--yes" in nobody.err
    assert team.hold(hold["id"])["status"] == "pending"


def test_a_critical_approval_needs_the_targets_name_and_a_reason(server: ServerProcess, team: Team):
    hold = team.ask(**CRITICAL)

    blind = server.run("approve", hold["id"], "--yes", token=team.cto)
    wrong = server.run("approve", hold["id"], token=team.cto, said="orders\n")
    bare = server.run("approve", hold["id"], "--yes", "--target", "orders-prod", token=team.cto)
    typed = server.run("approve", hold["id"], token=team.cto, said="orders-prod\nticket 17\n")

    assert (blind.exit, wrong.exit, bare.exit, typed.exit) == (2, 2, 1, 0)
    assert "justification" in bare.err
    assert [review["reason"] for review in team.hold(hold["id"])["reviews"]] == ["ticket 17"]


def test_what_changed_since_it_was_shown_is_not_approved(server: ServerProcess, team: Team):
    hold = team.ask(**{**CONFIRMATION, "kind": "review"})
    asking = subprocess.Popen(
        [HANDRAIL, "approve", hold["id"]],
        env=environment(server.folder, HANDRAIL_URL=server.url, HANDRAIL_TOKEN=team.team_lead),
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with asking:
        assert asking.stderr is not None
        while "Approve?" not in asking.stderr.readline():
            pass
        with server.client(team.tech_lead) as http:
            amended = {"name": "send_newsletter", "args": {"to": "everyone"}}
            body = {"verdict": "amend", "digest": hold["digest"], "amended_action": amended}
            http.post(f"/api/holds/{hold['id']}/reviews", json=body).raise_for_status()
        _, said = asking.communicate("y\n", timeout=60)

    assert asking.returncode == 5
    assert "changed since you saw it" in said


def test_an_agents_text_cannot_redraw_the_terminal(server: ServerProcess, team: Team):
    hold = team.ask(**{**CONFIRMATION, "title": "harmless \x1b[2J\x1b[31mtext"})

    shown = server.run("show", hold["id"], token=team.team_lead)
    listed = server.run("pending", token=team.team_lead)
    as_json = server.run("show", hold["id"], "--json", token=team.team_lead)

    assert "\x1b" not in shown.out + listed.out + as_json.out
    assert as_json.json()["title"] == "harmless \x1b[2J\x1b[31mtext"


def test_a_question_is_answered_as_its_schema_says(server: ServerProcess, team: Team):
    question: dict[str, Any] = {"kind": "input", "title": "How many?", "action": {"name": "scale"}}
    hold = team.ask(**question, schema={"type": "integer", "maximum": 9})

    wrong = server.run("answer", hold["id"], "many", token=team.team_lead)
    approved = server.run("approve", hold["id"], "--yes", token=team.team_lead)
    asked = server.run("answer", hold["id"], token=team.team_lead, said="7\n")

    assert (wrong.exit, approved.exit, asked.exit) == (1, 2, 0)
    assert "handrail answer" in approved.err
    assert team.hold(hold["id"])["decision"]["answer"] == 7


def test_words_are_given_where_the_agent_takes_them(server: ServerProcess, team: Team):
    deaf, hold = team.ask(**CONFIRMATION), team.ask(**CONFIRMATION, takes_response=True)

    refused = server.run("respond", deaf["id"], "later", token=team.team_lead)
    said = server.run("respond", hold["id"], "-", token=team.team_lead, said="ask legal first\n")

    assert (refused.exit, said.exit) == (1, 0)
    assert "takes no response" in refused.err
    assert said.out.startswith("Answered: ")
    assert team.hold(hold["id"])["decision"]["answer"] == "ask legal first"


def test_a_batch_is_decided_item_by_item(server: ServerProcess, team: Team):
    items = [{"item_id": "a"}, {"item_id": "b"}, {"item_id": "c"}]
    hold = team.ask(**CONFIRMATION, items=items)
    other = team.ask(**CONFIRMATION, items=items)

    server.run("answer", hold["id"], "--approve", "a", "--reject", "b", token=team.team_lead, said="y\n")
    server.run("reject", other["id"], "--yes", token=team.team_lead)

    assert _items(team, hold["id"]) == {"a": True, "b": False, "c": True}
    assert _items(team, other["id"]) == {"a": False, "b": False, "c": False}


def _items(team: Team, hold_id: str) -> dict[str, bool]:
    decided: list[dict[str, Any]] = team.hold(hold_id)["decision"]["items"]
    return {item["item_id"]: item["approved"] for item in decided}


def test_comments_withdrawal_and_cancelling(server: ServerProcess, team: Team):
    hold = team.ask(**CONFIRMATION)

    server.run("comment", hold["id"], "What about Friday?", token=team.team_lead)
    said = server.run("comment", hold["id"], "--json", token=team.tech_lead).json()
    server.run("approve", hold["id"], "--yes", token=team.team_lead)
    withdrawn = server.run("withdraw", hold["id"], token=team.team_lead)
    cancelled = server.run("cancel", hold["id"], token=team.agent)
    status = server.run("status", hold["id"], token=team.agent)

    assert [comment["text"] for comment in said["comments"]] == ["What about Friday?"]
    assert "pending" in withdrawn.out
    assert cancelled.exit == 0
    assert "cancelled" in status.out


def test_sign_in_by_password_lasts_until_sign_out(server: ServerProcess):
    name = f"Mara-{uuid4().hex[:8]}"
    with server.client() as http:
        body = {"name": name, "roles": ["team_lead"], "password": "correct horse"}
        http.post("/api/people", json=body).raise_for_status()
        link = http.post("/api/people", json={"name": f"{name}-2"}).raise_for_status().json()

    made = server.run("people", "link", link["name"], "--json", token=server.admin_token).json()
    code = server.run("login", "--code", made["url"], "--json")
    used = server.run("login", "--code", made["url"])
    kept = server.folder / ".config" / "handrail" / "credentials.json"
    listed = server.run("pending")
    out = server.run("logout")
    after = server.run("pending")

    assert "token" not in code.json()
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert (code.exit, used.exit, listed.exit, out.exit, after.exit) == (0, 4, 0, 0, 4)
    assert "handrail login" in after.err


def test_people_and_tokens_are_managed(server: ServerProcess):
    name, admin = f"bot-{uuid4().hex[:8]}", server.admin_token

    added = server.run("people", "add", name, "--kind", "agent", token=admin)
    twice = server.run("people", "add", name, token=admin)
    token = server.run("token", "make", name, "--expires-in", "1h", token=admin)
    works = server.run("pending", "--json", token=token.out.strip())
    tokens = server.run("token", "list", "--json", token=admin).json()["tokens"]
    [own] = [one for one in tokens if one["principal"]["name"] == name]
    server.run("token", "revoke", own["id"], token=admin)
    revoked = server.run("pending", token=token.out.strip())
    changed = server.run("people", "change", name, "--inactive", token=admin)
    listed = server.run("people", "list", token=admin)
    denied = server.run("people", "list", token=server.token_of(f"{name}-dev", "developer"))

    assert (added.exit, twice.exit, works.exit, revoked.exit, denied.exit) == (0, 5, 0, 4, 4)
    assert "inactive" in changed.out
    assert any(name in line and "inactive" in line for line in listed.out.splitlines())


@contextmanager
def _following(server: ServerProcess, token: str, *words: str) -> Generator[subprocess.Popen[str]]:
    with subprocess.Popen(
        [HANDRAIL, "events", "--json", *words],
        env=environment(server.folder, HANDRAIL_URL=server.url, HANDRAIL_TOKEN=token),
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def test_events_are_followed(server: ServerProcess, team: Team):
    hold = team.ask(**CONFIRMATION)

    with _following(server, team.agent, "--hold", hold["id"], "--after", "0") as events:
        assert events.stdout is not None
        opened = json.loads(events.stdout.readline())
        server.run("approve", hold["id"], "--yes", token=team.team_lead)
        types = [opened["type"], *(json.loads(events.stdout.readline())["type"] for _ in range(2))]

    assert types[0] == "hold.opened"
    assert "hold.decided" in types or "hold.approved" in types


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("show", "01999999-0000-7000-8000-000000000000"), "not_found"),
        (("show", "zzzz"), "usage"),
        (("pending", "--risk", "nonsense"), "invalid_field"),
    ],
)
def test_failures_are_json_where_json_is_asked_for(server: ServerProcess, words: tuple[str, ...], code: str):
    failed = server.run(*words, "--json", token=server.admin_token)

    assert failed.out == ""
    assert json.loads(failed.err)["code"] == code


def test_a_server_that_is_not_there(server: ServerProcess):
    gone = server.run("pending", "--url", "http://127.0.0.1:9", token="hr_any")

    assert gone.exit == 6
    assert "handrail up" in gone.err


SCRIPTS = Path(__file__).parents[3] / "scripts" / "workflow"
TASK = HANDRAIL.with_name("task")


def test_tasks_and_scripts_do_the_same(server: ServerProcess, team: Team):
    """S4.6."""
    hold, other = team.ask(**CONFIRMATION), team.ask(**CONFIRMATION)

    def task(name: str, *words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [TASK, "-x", f"workflow:{name}", "--", *words],
            cwd=SCRIPTS.parents[1],
            env=environment(server.folder, HANDRAIL_URL=server.url, HANDRAIL_TOKEN=team.team_lead),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    listed = cast(dict[str, Any], json.loads(task("list-pending", "--json").stdout))
    approved = task("approve", hold["id"], "--yes", "--reason", 'it\'s "fine" $HOME')
    rejected = task("reject", other["id"], "--yes")
    again = task("approve", hold["id"], "--yes")
    status = task("status", other["id"])

    assert {hold["id"], other["id"]} <= {one["id"] for one in listed["holds"]}
    assert (approved.returncode, rejected.returncode, again.returncode) == (0, 0, 5)
    assert "rejected" in status.stdout
    assert team.hold(hold["id"])["decision"]["reason"] == 'it\'s "fine" $HOME'


def test_tasks_take_the_variables_that_people_have(server: ServerProcess, team: Team):
    """S4.12."""
    hold, other, critical = team.ask(**CONFIRMATION), team.ask(**CONFIRMATION), team.ask(**CRITICAL)

    def task(name: str, *variables: str, token: str = "", **settings: str) -> subprocess.CompletedProcess[str]:
        known = {"HANDRAIL_URL": server.url, "HANDRAIL_TOKEN": token or team.team_lead, **settings}
        return subprocess.run(
            [TASK, "-x", f"workflow:{name}", *variables],
            cwd=SCRIPTS.parents[1],
            env=environment(server.folder, **known),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    hostile = 'it\'s "fine" $(touch /tmp/owned) `id` ; $HOME'
    approved = task("approve", f"WORKFLOW_ID={hold['id']}", f"JUSTIFICATION={hostile}")
    # what --remote goes to is configured: where it is not, nothing is sent
    lost = task("reject", f"WORKFLOW_ID={other['id']}", "--", "--remote")
    elsewhere = {"HANDRAIL_URL": "http://127.0.0.1:9", "HANDRAIL_REMOTE_URL": server.url}
    rejected = task("reject", f"WORKFLOW_ID={other['id']}", "REASON=not now", "--", "--remote", **elsewhere)
    status = task("status", f"WORKFLOW_ID={other['id']}")
    hasty = task("approve", f"WORKFLOW_ID={critical['id']}", "JUSTIFICATION=checked", token=team.cto)
    sure = task(
        "approve", f"WORKFLOW_ID={critical['id']}", "JUSTIFICATION=checked", "TARGET=orders-prod", token=team.cto
    )

    assert (approved.returncode, rejected.returncode) == (0, 0), approved.stderr + rejected.stderr
    assert team.hold(hold["id"])["decision"]["reason"] == hostile
    assert lost.returncode != 0 and "HANDRAIL_REMOTE_URL" in lost.stderr
    assert team.hold(other["id"])["decision"]["reason"] == "not now"
    assert "rejected" in status.stdout
    assert (hasty.returncode != 0, sure.returncode) == (True, 0), sure.stderr
    assert team.hold(critical["id"])["status"] == "pending"


def test_the_scripts_are_clean():
    scripts = sorted(SCRIPTS.glob("*.sh"))

    subprocess.run([HANDRAIL.with_name("shellcheck"), "-x", *scripts], cwd=SCRIPTS.parents[1], check=True)
    assert [script.stem for script in scripts] == [script.stem for script in sorted(SCRIPTS.glob("*.ps1"))]
