"""Escalation and expiry by the database's clock, with the server down across the deadline."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import psycopg
import pytest
from server import ServerProcess

from handrail.store.embedded import Server

PATIENCE_SECONDS = 60.0
APPROVALS: list[tuple[dict[str, str], int, int]] = [
    ({"operation": "deploy", "environment": "production"}, 30, 8 * 60),
    ({"operation": "delete", "environment": "production"}, 15, 4 * 60),
]


@pytest.mark.parametrize(("task", "escalates", "expires"), APPROVALS, ids=["high", "critical"])
def test_a_deadline_that_passes_while_the_server_is_down(
    server: ServerProcess, task: dict[str, str], escalates: int, expires: int
) -> None:
    agent = server.token_of("bot", kind="agent")
    body: dict[str, Any] = {"kind": "approval", "title": "Do it", "action": {"name": "do", "args": {}}, "task": task}
    with server.client(agent) as http:
        hold = http.post("/api/holds", json=body).json()
    assert hold["status"] == "pending"
    _sleep(server, minutes=escalates - 1)
    assert _look(server, agent, hold)["escalated_at"] is None
    _sleep(server, minutes=1)
    escalated = _until(server, agent, hold, lambda seen: seen["escalated_at"] is not None)
    assert escalated["status"] == "pending"
    assert "cto" in escalated["requirements"]["roles"]
    _sleep(server, minutes=expires - escalates)
    expired = _until(server, agent, hold, lambda seen: seen["status"] != "pending")
    assert (expired["status"], expired["decision"]["basis"]) == ("expired", "expiry")


@pytest.mark.parametrize(("task", "escalates", "expires"), APPROVALS, ids=["high", "critical"])
def test_downtime_across_both_deadlines_expires_nothing_unseen(
    server: ServerProcess, task: dict[str, str], escalates: int, expires: int
) -> None:
    agent, cto = server.token_of("bot", kind="agent"), server.token_of("Cleo", "cto")
    server.make_own(cto)
    body: dict[str, Any] = {"kind": "approval", "title": "Do it", "action": {"name": "do", "args": {}}, "task": task}
    with server.client(agent) as http:
        hold = http.post("/api/holds", json=body).json()
    _sleep(server, minutes=expires + 1)
    escalated = _until(server, agent, hold, lambda seen: seen["escalated_at"] is not None)
    assert escalated["status"] == "pending"
    left = _moment(escalated["expires_at"]) - _moment(escalated["escalated_at"])
    assert left == timedelta(minutes=expires - escalates), "those added have the time that was meant for them"
    _sleep(server, minutes=expires - escalates - 1)
    with server.client(cto) as http:
        said = {"verdict": "approve", "digest": hold["digest"], "reason": "back from the outage"}
        heard = http.post(f"/api/holds/{hold['id']}/reviews", json=said).raise_for_status().json()
    assert [review["verdict"] for review in heard["reviews"]] == ["approve"]
    _sleep(server, minutes=1)
    expired = _until(server, agent, hold, lambda seen: seen["status"] != "pending")
    assert (expired["status"], expired["decision"]["at"] >= escalated["expires_at"]) == ("expired", True)


def test_an_expiry_that_the_opener_asked_for_before_any_escalation_is_kept(server: ServerProcess) -> None:
    agent = server.token_of("bot", kind="agent")
    task, escalates, expires = APPROVALS[0]
    body: dict[str, Any] = {"kind": "approval", "title": "Do it", "action": {"name": "do", "args": {}}, "task": task}
    with server.client(agent) as http:
        hold = http.post("/api/holds", json={**body, "expires_in": (escalates - 1) * 60}).json()
    _sleep(server, minutes=expires + 1)
    expired = _until(server, agent, hold, lambda seen: seen["status"] != "pending")
    assert (expired["status"], expired["escalated_at"]) == ("expired", None)


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text)


def _sleep(server: ServerProcess, minutes: int) -> None:
    """The server is stopped, the time passes, the server starts."""
    server.stop()
    database = Server(server.data)
    try:
        with psycopg.connect(database.start(), autocommit=True) as conn:
            conn.execute("UPDATE clock SET shift = shift + make_interval(mins => %s)", (minutes,))
    finally:
        database.stop()
    server.start()


def _look(server: ServerProcess, token: str, hold: dict[str, Any]) -> dict[str, Any]:
    with server.client(token) as http:
        return http.get(f"/api/holds/{hold['id']}").raise_for_status().json()


def _until(
    server: ServerProcess, token: str, hold: dict[str, Any], done: Callable[[dict[str, Any]], bool]
) -> dict[str, Any]:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not done(seen := _look(server, token, hold)):
        assert time.monotonic() < deadline, seen
    return seen
