"""What tests of code changes on a real server share: a model with a script, changes that are followed and decided."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import psutil
from server import ServerProcess

Json = dict[str, Any]

ENDED = {"completed", "failed", "cancelled"}


def written(scripts: Mapping[str, Sequence[Mapping[str, Any]]], folder: Path) -> dict[str, str]:
    """The settings of a server whose model says this, and that may work on what is in the folder."""
    place = folder / "scripts"
    place.mkdir()
    for name, steps in scripts.items():
        # JSON is YAML
        (place / f"change-{name}.yaml").write_text(json.dumps(steps))
    return {"HANDRAIL_LLM_MODEL": f"scripted:{place}", "HANDRAIL_REPOSITORY_ROOTS": str(folder)}


def started(server: ServerProcess, token: str, repository: str) -> str:
    """The id of a change that somebody else has started: who asks does not publish."""
    given = {"workflow": "change", "input": {"request": "Round prices.", "repo_url": repository}}
    with server.client(token) as http:
        return http.post("/api/runs", json=given).raise_for_status().json()["id"]


def look(http: httpx.Client, run: str) -> Json:
    return http.get(f"/api/runs/{run}").raise_for_status().json()


def told(http: httpx.Client, run: str) -> Iterator[Json]:
    """The change's story as it happens, part by part, to its end."""
    with http.stream("GET", f"/api/runs/{run}/story", timeout=None) as story:
        for line in story.iter_lines():
            if line.startswith("data:"):
                yield json.loads(line[5:])["story"]


def reach(http: httpx.Client, run: str, stage: str) -> None:
    """Until that stage has begun; what the run asks on the way is approved."""
    for part in told(http, run):
        if part["is"] == "pause":
            approve(http, run)
        if part["is"] == "stage" and part["name"] == stage:
            return
        assert part["is"] != "end", part


def approve(http: httpx.Client, run: str) -> list[str]:
    """What the change waits for, by the names of the actions."""
    found: list[Json] = []
    waiting = http.get("/api/holds", params={"run": run, "status": "pending"}).raise_for_status().json()["holds"]
    for hold in waiting:
        http.post(f"/api/holds/{hold['id']}/reviews", json={"verdict": "approve", "digest": hold["digest"]})
        found.append(hold)
    return [hold["action"]["name"] for hold in found if hold["action"]]


def git(folder: Path, *words: str) -> str:
    return subprocess.run(["git", *words], cwd=folder, check=True, capture_output=True, text=True).stdout


def branches(shop: Path) -> list[str]:
    return git(shop, "branch", "--format=%(refname:short)").split()


def started_by(pid: int, word: str) -> list[psutil.Process]:
    """The processes below this one, in sandboxes as well, that have the word in their command."""
    found: list[psutil.Process] = []
    with suppress(psutil.NoSuchProcess):
        for each in psutil.Process(pid).children(recursive=True):
            with suppress(psutil.NoSuchProcess):
                if word in " ".join((each.name(), *each.cmdline())):
                    found.append(each)
    return found
