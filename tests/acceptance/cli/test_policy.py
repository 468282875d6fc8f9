"""The policy on the command line: files are candidates, one file in the short form is enough, people apply it."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
import server as servers
from server import Ran, ServerProcess
from team import team_of

from handrail.policy.loading import RULES

HITL = Path(__file__).parents[3] / "config" / "hitl"
SHORT = """\
risk_levels:
  high: {auto_approve: false, notify: true, approvers: [cto], escalate_after: 30m}
  critical: {approvers: [cto], escalate_after: 15m, require_justification: true}
triggers:
  delete_staging: critical
"""
DELETE: dict[str, Any] = {
    "kind": "approval",
    "title": "Delete the old shop",
    "action": {"name": "delete", "args": {}, "target": "staging"},
}


@pytest.fixture
def short(tmp_path: Path) -> Path:
    file = tmp_path / "our-rules.yaml"
    file.write_text(SHORT)
    return file


def checked(place: Path) -> Ran:
    return servers.ran([str(servers.HANDRAIL), "policy", "check", str(place)], servers.environment(place))


def test_files_are_checked_without_a_server(short: Path, tmp_path: Path) -> None:
    for place in (HITL, short):
        found = checked(place)
        assert (found.exit, "is a valid policy" in found.out) == (0, True), found
    short.write_text(SHORT.replace("delete_staging", "sometimes"))
    broken = checked(short)
    assert broken.exit == 1
    assert broken.err.startswith(f"{RULES}:5:3: triggers.sometimes: is none of"), broken.err
    missing = checked(tmp_path / "nowhere")
    assert (missing.exit, missing.err) == (2, f"There is no {tmp_path / 'nowhere'}.\n")


def test_a_long_file_alone_lacks_the_others() -> None:
    alone = checked(HITL / RULES)
    assert alone.exit == 1
    assert alone.err.splitlines()[0] == "interrupt-triggers.yaml:1:1: file: is missing"


def test_an_administrator_puts_one_short_file_in_force_and_its_approvers_are_any_of_those_named(
    server: ServerProcess, short: Path, tmp_path: Path
) -> None:
    """S4.12, and *Policy in force*: audited, versioned, kept."""
    team = team_of(server)
    assert server.run("policy", "apply", str(short), "--yes", token=team.cto).exit == 4
    assert team.ask(**DELETE)["risk"] == "high"
    asked = server.run("policy", "apply", str(short), token=server.admin_token, said="n\n")
    assert (asked.exit, "Nothing was changed." in asked.err) == (1, True)
    applied = server.run("policy", "apply", str(short), "--yes", "--reason", "ours", token=server.admin_token)
    assert (applied.exit, applied.out) == (0, "Version 2 is in force.\n")
    with server.client() as http:
        kept = http.get("/api/policy/versions/2").json()
        [entry] = http.get("/api/audit/entries", params={"type": "policy.applied", "limit": 1}).json()["entries"]
    assert (kept["files"][RULES], kept["reason"], kept["applied_by"]["name"]) == (SHORT, "ours", "admin")
    assert (entry["actor"]["name"], entry["data"]["version"]) == ("admin", 2)
    hold = team.ask(**DELETE)
    assert (hold["risk"], hold["requirements"]["roles"]) == ("critical", ["cto"])
    say = {"verdict": "approve", "digest": hold["digest"], "reason": "its data is kept"}
    with server.client(team.cto) as http:
        assert http.post(f"/api/holds/{hold['id']}/reviews", json=say).json()["status"] == "approved"
    shutil.copytree(HITL, tmp_path / "hitl")
    back = server.run("policy", "apply", str(tmp_path / "hitl"), "--yes", token=server.admin_token)
    assert (back.exit, back.out) == (0, "Version 3 is in force.\n")
    assert team.ask(**DELETE)["risk"] == "high"
