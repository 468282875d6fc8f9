"""The seven scripted attempts in real projects, which are fetched from their registries."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.changes.playing import play_all
from benchmarks.changes.projects import PROJECTS


@pytest.mark.soak
@pytest.mark.timeout(7200)
async def test_in_real_projects_only_the_right_attempt_reaches_the_publishing_hold(
    database: str, tmp_path: Path
) -> None:
    played = await play_all(PROJECTS, tmp_path, database)
    assert {name: each.wrong_at_hold for name, each in played.items()} == dict.fromkeys(played, 0)
    assert {name: each.right_refused for name, each in played.items()} == dict.fromkeys(played, 0)
    assert {name: each.silently_wrong for name, each in played.items()} == dict.fromkeys(played, 0)
    assert {name: each.not_clean for name, each in played.items()} == dict.fromkeys(played, 0)
