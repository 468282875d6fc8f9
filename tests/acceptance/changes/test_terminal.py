"""`handrail change` as a developer sees it: approved in a terminal, interrupted there, and as JSON for programs."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import change_scripts
import httpx
import pytest
from change_server import Json, approve, branches
from server import HANDRAIL, ServerProcess, environment
from terminal import plain, terminal


def test_whoever_asked_sees_the_result_and_that_somebody_else_must_decide(
    server: ServerProcess, http: httpx.Client, developer: str, folder: Path
) -> None:
    shop = change_scripts.repository(folder / "shop-terminal", f"{change_scripts.TESTS}# in a terminal\n")
    env = environment(server.folder, HANDRAIL_URL=server.url, HANDRAIL_TOKEN=developer)
    with terminal([HANDRAIL, "change", "Round prices.", "--repo", str(shop)], env) as person:
        person.expect("Approve? [y]es")
        assert "Reaches 1 file, 0 endpoints" in plain(person.shown)
        person.type("y\n")
        person.expect("You cannot decide this.")
        shown = plain(person.shown)
        assert "unittest on the head: 1 test\r" in shown or "unittest on the head: 1 test\n" in shown
        assert "✓ tests:" in shown and ", 1 commit" in shown
        assert branches(shop) == ["main"]
        listed = http.get("/api/changes", params={"status": "paused", "repo_url": str(shop)}).json()["changes"]
        approve(http, listed[0]["id"])
        assert person.wait() == 0, plain(person.shown)
    assert "Published handrail/" in plain(person.shown)
    assert len(branches(shop)) == 2


@pytest.mark.parametrize(
    ("key", "said", "status"), [("l", "It keeps running.", "paused"), ("y", "Cancelled.", "cancelled")]
)
def test_ctrl_c_asks_whether_to_cancel_or_to_leave_it_running(
    server: ServerProcess, http: httpx.Client, developer: str, folder: Path, key: str, said: str, status: str
) -> None:
    shop = change_scripts.repository(folder / f"shop-interrupted-{key}")
    env = environment(server.folder, HANDRAIL_URL=server.url, HANDRAIL_TOKEN=developer)
    with terminal([HANDRAIL, "change", "Round prices.", "--repo", str(shop)], env) as person:
        person.expect("Approve? [y]es")
        person.interrupt()
        person.expect("Cancel the change? [y]es, or [l]eave it running")
        person.type(f"{key}\n")
        person.expect(said)
        assert person.wait() == 0, plain(person.shown)
    [change] = http.get("/api/changes", params={"repo_url": str(shop)}).json()["changes"]
    assert change["status"] == status
    http.post(f"/api/changes/{change['id']}/cancel", json={})


def test_as_json_it_is_the_story_line_by_line(
    server: ServerProcess, http: httpx.Client, developer: str, folder: Path
) -> None:
    shop = change_scripts.repository(folder / "shop-json")
    env = environment(server.folder, HANDRAIL_URL=server.url, HANDRAIL_TOKEN=developer)
    command = [HANDRAIL, "change", "Round prices.", "--repo", str(shop), "--json"]
    told: list[Json] = []
    with subprocess.Popen(command, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        for line in program.stdout:
            told.append(json.loads(line))
            if told[-1]["story"]["is"] == "pause":
                http.post(f"/api/runs/{told[-1]['run_id']}/cancel", json={}).raise_for_status()
    parts = [each["story"]["is"] for each in told]
    assert "stage" in parts and parts[-1] == "end"
