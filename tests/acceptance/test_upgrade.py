"""The database of every release, with holds in each state and runs that wait, works on under this version."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

import pytest
import upgrade_world as world
from database import new_folder
from server import ServerProcess, until

RELEASES = sorted(world.RELEASES.iterdir())


@pytest.fixture(scope="module", params=RELEASES, ids=[release.name for release in RELEASES])
def upgraded(request: pytest.FixtureRequest) -> Generator[ServerProcess]:
    release: Path = request.param
    server = ServerProcess(new_folder(), HANDRAIL_CONCURRENCY="1")
    world.put_back(server.data, release)
    try:
        server.start()
        yield server
    finally:
        server.close()


def holds(server: ServerProcess) -> dict[str, world.Json]:
    with server.client() as http:
        return {hold["title"]: hold for hold in http.get("/api/holds?status=all").raise_for_status().json()["holds"]}


def test_what_was_decided_before_is_decided_and_used_once(upgraded: ServerProcess) -> None:
    found = holds(upgraded)
    assert [found[title]["status"] for title in (world.OPEN, world.APPROVED, world.USED)] == [
        "pending",
        "approved",
        "approved",
    ]
    with upgraded.client() as http:
        token = http.post("/api/tokens", json={"principal": world.AGENT}).raise_for_status().json()["token"]
    with upgraded.client(token) as http:
        for title, key, status in (
            (world.APPROVED, "after", 200),
            (world.USED, "once", 200),
            (world.USED, "again", 409),
        ):
            use = {"digest": found[title]["digest"], "key": key}
            assert http.post(f"/api/holds/{found[title]['id']}/redeem", json=use).status_code == status, title


def test_a_run_that_waited_resumes_with_the_decision(upgraded: ServerProcess) -> None:
    with upgraded.client() as http:
        runs = {run["workflow"]: run for run in http.get("/api/runs").json()["runs"]}
        assert {run["status"] for run in runs.values()} == {"paused"}
        refund = next(hold for hold in holds(upgraded).values() if hold["run_id"] == runs["demo-refund"]["id"])
        person = upgraded.make_own(upgraded.token_of("Nora New", "tech_lead"))
        with upgraded.client(person) as theirs:
            review = {"verdict": "approve", "digest": refund["digest"], "reason": "checked"}
            theirs.post(f"/api/holds/{refund['id']}/reviews", json=review).raise_for_status()
        path = f"/api/runs/{runs['demo-refund']['id']}"
        assert until(lambda: http.get(path).json()["status"] not in {"paused", "queued", "running"})
        assert http.get(path).json()["status"] == "completed"


def test_an_agent_that_was_observed_is_observed(upgraded: ServerProcess) -> None:
    """By a release that could do that; the absence that it knew of may be over by now."""
    with upgraded.client() as http:
        names = {one["name"] for one in http.get("/api/people").raise_for_status().json()["people"]}
        found = http.get("/api/observations").raise_for_status().json()["observed"]
        http.get("/api/absences", params={"everybody": True}).raise_for_status()
    assert {one["agent"]["name"] for one in found} == {world.OBSERVED} & names


def test_the_log_is_whole_and_the_doctor_is_content(upgraded: ServerProcess) -> None:
    key = str(upgraded.data / "audit" / "key.pub")
    verified = upgraded.run("audit", "verify", "--key", key, token=upgraded.admin_token)
    assert verified.exit == 0, verified.out + verified.err
    seen = upgraded.run("doctor", "--json", "--data", str(upgraded.data))
    assert (seen.exit, [each for each in seen.json()["findings"] if each["status"] == "problem"]) == (0, [])
