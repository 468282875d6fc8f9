"""Grants and the replay of the past on the command line, against a real server."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import uuid4

from policy_world import SOURCE
from server import ServerProcess
from team import CRITICAL, Team

from handrail.policy.loading import RULES

STAGING: dict[str, Any] = {
    "kind": "approval",
    "title": "Deploy shop 1.4.2 to staging",
    "action": {"name": "deploy", "args": {"version": "1.4.2"}, "target": "staging"},
}
BOUNDS = json.dumps({"args": {"version": {"prefix": "1."}}, "target": {"exact": "staging"}})


def test_calls_are_allowed_listed_and_revoked(shared_server: ServerProcess, team: Team) -> None:
    run = shared_server.run
    hold = team.ask(**STAGING)
    looked = run("grants", "allow", hold["id"], token=team.team_lead, said="n\n")
    assert (looked.exit, "Nothing was changed." in looked.err) == (1, True)
    assert 'may call deploy on "staging" with version "1.4.2", up to 20 times' in looked.out
    words = ("--bounds", BOUNDS, "--uses", "2", "--until", "2d", "--reason", "patches")
    made = run("grants", "allow", hold["id"], *words, token=team.team_lead, said="y\n")
    assert (made.exit, "counts from now" in made.out, 'beginning with "1.", up to 2 times' in made.out) == (
        0,
        True,
        True,
    )
    assert team.ask(**STAGING)["decision"]["basis"] == "grant"
    grant = json.loads(run("grants", "list", "--json", token=team.team_lead).out)["grants"][0]
    listed = run("grants", "list", token=team.team_lead).out
    assert grant["short_id"] in listed and "1 of 2" in listed
    assert "Used once, last" in run("grants", "show", grant["short_id"], token=team.team_lead).out
    ended = run("grants", "revoke", grant["short_id"], "--reason", "over", token=team.team_lead)
    assert (ended.exit, "is revoked, used once" in ended.out) == (0, True)
    assert team.ask(**STAGING)["status"] == "pending"


def test_what_nobody_may_allow_is_refused_with_a_word(shared_server: ServerProcess, team: Team) -> None:
    hold = team.ask(**CRITICAL)
    refused = shared_server.run("grants", "allow", hold["id"], "--yes", token=team.cto)
    assert (refused.exit, "people are asked each time" in refused.err) == (4, True)
    assert shared_server.run("grants", "allow", hold["id"], "--bounds", "{", token=team.cto).exit == 2


def test_a_looser_policy_fails_in_ci_and_the_same_does_not(
    shared_server: ServerProcess, team: Team, tmp_path: Path
) -> None:
    since = datetime.now(UTC).isoformat()
    team.ask(kind="approval", title="Restart", action={"name": "restart", "args": {}, "target": "staging"})
    for name, text in SOURCE.items():
        (tmp_path / name).write_text(text)
    words = ("policy", "replay", "--since", since, "--fail-on-looser", str(tmp_path))
    auditor = shared_server.token_of(f"auditor-{uuid4().hex[:8]}", "auditor")
    same = shared_server.run(*words, token=auditor)
    assert (same.exit, "Nothing would have been decided by other rules." in same.out) == (0, True)
    before, rule, after = SOURCE[RULES].partition("  - id: change-staging\n")
    (tmp_path / RULES).write_text(before + rule + after.replace("level: medium", "level: low", 1))
    looser = shared_server.run(*words, token=auditor)
    assert (looser.exit, "no longer asked" in looser.out, "less strictly" in looser.err) == (1, True, True)
    assert shared_server.run(*words, token=team.developer).exit == 4
    (tmp_path / RULES).write_text("levels: 7\n")
    broken = shared_server.run(*words, token=auditor)
    assert (broken.exit, "risk-assessment-rules.yaml:1:9: levels" in broken.err) == (1, True)
