"""A world in which code changes are made."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from pathlib import Path

import change_scripts
import change_world
import pytest
from change_world import ChangeWorld
from hosted_world import hosted, kind, source, stub

from handrail.holds.context import Context

__all__ = ["hosted", "kind", "source", "stub"]


@pytest.fixture
async def world(context: Context, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncGenerator[ChangeWorld]:
    async with change_world.opened(context, tmp_path, monkeypatch) as found:
        yield found


@pytest.fixture
def shop(world: ChangeWorld) -> str:
    """A repository with a fault, in a folder that the operator allows."""
    return str(change_scripts.repository(world.folder / "shop"))
