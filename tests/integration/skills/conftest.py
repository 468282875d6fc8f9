"""Skills to register, on a real git server; and skills at work."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Generator
from pathlib import Path

import git_server
import pytest
import workshop as workshops
from git_server import GitServer
from workshop import Workshop

from handrail.holds.context import Context


@pytest.fixture(scope="session")
def git(tmp_path_factory: pytest.TempPathFactory) -> Generator[GitServer]:
    with git_server.serving(tmp_path_factory.mktemp("repositories")) as server:
        yield server


@pytest.fixture
async def workshop(context: Context, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncGenerator[Workshop]:
    async with workshops.opened(context, tmp_path, monkeypatch) as made:
        yield made
