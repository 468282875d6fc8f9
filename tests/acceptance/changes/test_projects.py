"""The seven scripted attempts in real projects, which are fetched from their registries."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.changes.playing import play, world
from benchmarks.changes.projects import PROJECTS, Project


@pytest.mark.soak
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("project", PROJECTS, ids=lambda project: project.name)
async def test_in_a_real_project_only_the_right_attempt_reaches_the_publishing_hold(
    project: Project, database: str, tmp_path: Path
) -> None:
    async with world(tmp_path, database) as made:
        played = await play(made, project)
    counts = (played.wrong_at_hold, played.right_refused, played.silently_wrong, played.not_clean)
    assert counts == (0, 0, 0, 0), played.notes
