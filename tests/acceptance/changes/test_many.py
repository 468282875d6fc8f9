"""Twenty changes at once, on a server with several workers, each struck at another stage."""

from __future__ import annotations

import os
from pathlib import Path

import httpx
import pytest
from change_ordeal import ORDEALS, about, deployed, suffered
from change_server import Json, branches, git
from server import ServerProcess

from handrail import settings
from handrail.changes import tidying
from handrail.store.database import opened


@pytest.mark.soak
@pytest.mark.timeout(1800)
async def test_twenty_changes_at_once_end_clearly_however_they_are_struck(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with deployed(tmp_path) as (server, crew, shops):
        outcomes = suffered(server, crew, shops, ORDEALS)
        assert len(outcomes) == 20
        published: dict[Path, set[str]] = {each.folder: {"main"} for each in shops}
        with server.client() as http:
            for each in outcomes:
                assert each.run["status"] in each.ordeal.ends, (each.ordeal, each.run["error"])
                if each.run["status"] == "completed":
                    branch = each.run["result"]["branch"]
                    shop = each.shop.folder
                    published[shop].add(branch)
                    assert git(shop, "rev-parse", branch).strip() in granted(http, each.run["id"])
                    changed = git(shop, "diff", "--numstat", "main", branch)
                    assert changed == "1\t1\tmoney.py\n", "the change once, and nothing else"
        for shop, names in published.items():
            assert set(branches(shop)) == names, "nothing is published of a change that was cancelled"
            assert git(shop, "rev-list", "--count", "main").strip() == "1"
            # a host has no files to look at
            assert not (shop / ".git").exists() or git(shop, "status", "--porcelain") == ""
        await nothing_is_left(server, crew.dsn, monkeypatch)


def granted(http: httpx.Client, run: str) -> set[str]:
    """The last commits that people approved for publishing."""
    asked = {"run": run, "status": "all"}
    listed: list[Json] = http.get("/api/holds", params=asked).raise_for_status().json()["holds"]
    holds: list[Json] = [http.get(f"/api/holds/{hold['id']}").raise_for_status().json() for hold in listed]
    return {
        hold["action"]["args"]["commits"][-1]
        for hold in holds
        if hold["action"]["name"] == "change.publish" and any(one["verdict"] == "approve" for one in hold["reviews"])
    }


async def nothing_is_left(server: ServerProcess, dsn: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """No tree of a run that is over, no copy that was tested, no process; what was fetched stays."""
    work = server.data / "changes"
    assert about(work) == [], "sandboxes end with their worker"
    monkeypatch.setenv("HANDRAIL_DATA", str(server.data))
    for place in ("trees", "scratch"):
        for each in (work / place).iterdir():
            # not young any more
            os.utime(each, (0, 0))
    async with opened(dsn) as database:
        await tidying.tidy(database, settings.load())
    assert [[each.name for each in (work / place).iterdir()] for place in ("trees", "scratch")] == [[], []]
    assert any((server.data / "mirrors").iterdir()), "what was fetched from the host"
