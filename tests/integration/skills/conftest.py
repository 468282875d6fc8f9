"""A context on a real database, people, and skills to register."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Generator

import git_server
import pytest
from git_server import GitServer
from holds_world import Add, adder, context_on

from handrail.holds.context import Context


@pytest.fixture
async def context(database: str) -> AsyncGenerator[Context]:
    async with context_on(database) as made:
        yield made


@pytest.fixture
def add(context: Context) -> Add:
    return adder(context)


@pytest.fixture(scope="session")
def git(tmp_path_factory: pytest.TempPathFactory) -> Generator[GitServer]:
    with git_server.serving(tmp_path_factory.mktemp("repositories")) as server:
        yield server
