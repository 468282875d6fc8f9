"""One server that all attacks share, and everybody on it. An attack that harms it starts one of its own."""

from __future__ import annotations

from collections.abc import Generator

import pytest
import server as servers
from attacks_world import Cast, cast_of
from server import ServerProcess


@pytest.fixture(scope="session")
def target() -> Generator[ServerProcess]:
    """With a process for runs."""
    with servers.running(HANDRAIL_CONCURRENCY="1") as server:
        yield server


@pytest.fixture(scope="session")
def cast(target: ServerProcess) -> Cast:
    return cast_of(target)
