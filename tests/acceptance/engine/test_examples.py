"""Each built-in workflow runs to its end with the example that the start page fills in."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path
from typing import Any

import git_server
import pytest
import server as servers
from server import ServerProcess, until
from team import Team, team_of

Json = dict[str, Any]
EXAMPLES = ("code_graph", "demo-deploy", "demo-export", "demo-refund", "task")


@pytest.fixture(scope="module")
def team() -> Generator[Team]:
    with servers.running(HANDRAIL_CONCURRENCY="2", HANDRAIL_GIT_PRIVATE_HOSTS="127.0.0.1") as server:
        yield team_of(server)


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Generator[str]:
    """In the place of the public one, which cannot be reached from everywhere."""
    with git_server.serving(Path(tmp_path_factory.mktemp("git"))) as git:
        yield git.repository("flask", {"flask/app.py": b"def run() -> None: ...\n"})


@pytest.fixture(scope="module")
def examples(team: Team) -> dict[str, Json]:
    with team.server.client(team.developer) as http:
        offered = http.get("/api/workflows").raise_for_status().json()["workflows"]
    found = {one["name"]: one["example"] for one in offered if one["example"] is not None}
    # code changes have their own tests: one needs a model, the other takes long
    return {name: example for name, example in found.items() if "change" not in name}


def test_every_example_that_is_offered_is_run_here(examples: dict[str, Json]) -> None:
    assert sorted(examples) == [*EXAMPLES]


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_example_runs_to_its_end(team: Team, repository: str, examples: dict[str, Json], name: str) -> None:
    given = examples[name]
    if "repo_url" in given:
        assert given["repo_url"].startswith("https://")
        given = {**given, "repo_url": repository}
    with team.server.client(team.developer) as http:
        run = http.post("/api/runs", json={"workflow": name, "input": given}).raise_for_status().json()
    ended = until(lambda: _ended(team, run["id"]))
    assert (ended["status"], ended.get("error")) == ("completed", None)
    assert ended["result"]


def _ended(team: Team, run: str) -> Json | None:
    """The run once it has ended; what it asks until then is approved by all who may."""
    with team.server.client() as http:
        seen: Json = http.get(f"/api/runs/{run}").raise_for_status().json()
    for hold in (one for one in seen["holds"] if one["status"] == "pending"):
        for token in (team.team_lead, team.tech_lead, team.cto):
            _approve(team.server, token, hold["id"])
    return seen if seen["status"] in {"completed", "failed", "cancelled"} else None


def _approve(server: ServerProcess, token: str, hold: str) -> None:
    with server.client(token) as http:
        shown = http.get(f"/api/holds/{hold}")
        if shown.status_code == 200 and shown.json()["may_decide"]["allowed"]:
            said = {"verdict": "approve", "digest": shown.json()["digest"], "reason": "as the example says"}
            http.post(f"/api/holds/{hold}/reviews", json=said)
