"""Attacks on secrets: a password that a person answered is read by whoever asked, and found nowhere else."""

from __future__ import annotations

import hashlib
import json
import subprocess
from collections.abc import Generator
from pathlib import Path
from typing import Any

import psycopg
import pytest
import server as servers
from attacks_world import Cast, Json, Member, cast_of, joined
from server import ServerProcess, until

from handrail.core.sealing import MARK
from handrail.store.embedded import Server, programs

FLOWS = Path(__file__).with_name("secret_flows.toml")
# with what JSON, Python and addresses write differently
SECRET = 'correct "horse" bättery\\staple'
FORMS = {SECRET, json.dumps(SECRET)[1:-1], json.dumps(SECRET, ensure_ascii=False)[1:-1], "bättery", "b\\u00e4ttery"}
ANSWER: Json = {"user": "ann", "login": {"key": SECRET}}
QUESTION: Json = {
    "kind": "input",
    "title": "How do I sign in?",
    "action": {"name": "ask"},
    "schema": {
        "type": "object",
        "properties": {
            "user": {"type": "string"},
            "login": {"type": "object", "properties": {"key": {"type": "string", "format": "password"}}},
        },
    },
}


@pytest.fixture(scope="module")
def vault() -> Generator[ServerProcess]:
    variables = {"HANDRAIL_CONCURRENCY": "1", "HANDRAIL_WORKFLOWS_FILE": str(FLOWS), "HANDRAIL_LOG_LEVEL": "debug"}
    with servers.running(**variables) as server:
        server.serves("login")
        yield server


@pytest.fixture(scope="module")
def staff(vault: ServerProcess) -> Cast:
    return cast_of(vault)


@pytest.fixture(scope="module")
def answered(staff: Cast) -> Json:
    hold = staff.agent.open(QUESTION)
    said = staff.team_lead.review(hold, "answer", answer=ANSWER)
    assert said.is_success, said.text
    assert_not_in(said.text)
    return said.json()


def assert_not_in(text: str) -> None:
    assert not [form for form in FORMS if form in text]


def dump(server: ServerProcess, *options: str) -> str:
    """The whole database as somebody reads it who stole a backup."""
    user = Server(server.data)
    try:
        dsn = user.start()
        done = subprocess.run(
            [programs.path("pg_dump"), f"--dbname={dsn}", "--inserts", *options],
            capture_output=True,
            text=True,
            check=True,
        )
    finally:
        user.stop()
    return done.stdout


def run_of(staff: Cast, **given: Any) -> str:
    """A run that was told the password, and then something else."""
    run = staff.developer.post("/api/runs", {"workflow": "login", "input": given}).raise_for_status().json()["id"]
    for answer in (ANSWER, "yes"):
        hold = until(lambda: pending(staff.developer, run))
        staff.developer.review(hold, "answer", answer=answer).raise_for_status()
    until(lambda: look(staff, run)["ended_at"])
    return run


def pending(who: Member, run: str) -> Any:
    return next(iter(who.get(f"/api/holds?run={run}").json()["holds"]), None)


def look(staff: Cast, run: str) -> Json:
    return staff.administrator.get(f"/api/runs/{run}").raise_for_status().json()


@pytest.mark.parametrize("path", ["", "/wait?timeout=0"])
def test_whoever_asked_reads_the_answer_in_clear(staff: Cast, answered: Json, path: str) -> None:
    assert staff.agent.get(f"/api/holds/{answered['id']}{path}").json()["decision"]["answer"] == ANSWER


@pytest.mark.parametrize("name", ["team_lead", "administrator", "auditor", "cto"])
def test_nobody_else_does_not_even_who_answered(staff: Cast, answered: Json, name: str) -> None:
    who: Member = getattr(staff, name)
    seen = who.get(f"/api/holds/{answered['id']}")
    assert_not_in(seen.text)
    answer = seen.json()["decision"]["answer"]
    assert (answer["user"], answer["login"]["key"][: len(MARK)]) == ("ann", MARK)


def test_it_is_in_no_list_stream_export_or_output(staff: Cast, answered: Json) -> None:
    for who in (staff.agent, staff.auditor, staff.team_lead):
        assert_not_in(who.get("/api/holds?status=answered").text)
    for path in ("/api/audit/export", "/api/audit/entries", "/metrics"):
        assert_not_in(staff.auditor.get(path).text)
    for who in (staff.agent, staff.auditor):
        with who.http() as http, http.stream("GET", "/api/events?after=0") as stream:
            told = ""
            for line in stream.iter_lines():
                told += line
                if answered["id"] in line and MARK in line:
                    break
            assert_not_in(told)
    for words in (("show", answered["id"]), ("show", answered["id"], "--json")):
        shown = staff.team_lead.run(*words)
        assert (shown.exit, "How do I sign in?" in shown.out) == (0, True), shown.err
        assert_not_in(shown.out + shown.err)
    assert_not_in(staff.server.output())


def test_a_wrong_answer_is_refused_without_repeating_it(staff: Cast) -> None:
    hold = staff.agent.open(QUESTION)
    refused = staff.team_lead.review(hold, "answer", answer={"user": 1, "login": {"key": SECRET}})
    assert refused.status_code == 422
    assert_not_in(refused.text)


def test_a_run_gets_it_and_what_the_run_tells_of_it_is_blotted_out(staff: Cast) -> None:
    run = look(staff, run_of(staff))
    assert run["status"] == "completed"
    steps = run["result"]["steps"]
    assert steps[:2] == ["ann", hashlib.sha256(SECRET.encode()).hexdigest()], "the graph itself has the password"
    assert MARK in steps[2]
    assert_not_in(json.dumps(run, ensure_ascii=False))
    assert_not_in(staff.auditor.get("/api/audit/export").text)


def test_a_run_that_fails_with_it_in_its_error_does_not_tell_it(staff: Cast) -> None:
    run = look(staff, run_of(staff, fails=True))
    assert run["status"] == "failed"
    assert MARK in run["error"]["message"]
    assert_not_in(json.dumps(run, ensure_ascii=False))


def test_a_stolen_database_has_it_only_in_the_graphs_own_state(staff: Cast, answered: Json) -> None:
    run_of(staff)
    stolen = dump(staff.server, "--exclude-table=checkpoint*", "--exclude-table=effects")
    assert answered["id"] in stolen
    assert "sealed_answers" in stolen
    assert_not_in(stolen)
    assert SECRET.encode().hex() not in stolen
    key = staff.server.data / "keys" / "answers.key"
    assert key.stat().st_mode & 0o777 == 0o600
    assert key.read_bytes().hex() not in stolen


def test_the_log_is_whole_and_agrees_with_the_holds(staff: Cast, answered: Json) -> None:
    told = staff.auditor.run("audit", "verify")
    assert told.exit == 0, told.out


def test_erasing_whoever_answered_destroys_it(staff: Cast) -> None:
    mary = joined(staff.server, "mary", "team_lead")
    hold = staff.agent.open(QUESTION)
    mary.review(hold, "answer", answer=ANSWER).raise_for_status()
    staff.administrator.send("PATCH", f"/api/people/{mary.id}", json={"active": False}).raise_for_status()
    staff.administrator.post(f"/api/people/{mary.id}/erase").raise_for_status()
    assert staff.agent.get(f"/api/holds/{hold['id']}").json()["decision"]["answer"] is None
    user = Server(staff.server.data)
    try:
        with psycopg.connect(user.start()) as conn:
            left = conn.execute("SELECT count(*) FROM sealed_answers WHERE hold_id = %s", [hold["id"]]).fetchone()
    finally:
        user.stop()
    assert left == (0,)
    assert staff.auditor.run("audit", "verify").exit == 0
