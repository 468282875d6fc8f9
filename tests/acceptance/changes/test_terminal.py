"""`handrail change` as a developer sees it in a terminal: they approve the plan, and somebody else the result."""

from __future__ import annotations

from pathlib import Path

import change_scripts
import httpx
from change_server import approve, branches
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
