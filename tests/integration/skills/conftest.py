"""Skills to register, on a real git server."""

from __future__ import annotations

from collections.abc import Generator

import git_server
import pytest
from git_server import GitServer


@pytest.fixture(scope="session")
def git(tmp_path_factory: pytest.TempPathFactory) -> Generator[GitServer]:
    with git_server.serving(tmp_path_factory.mktemp("repositories")) as server:
        yield server
