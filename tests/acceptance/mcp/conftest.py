"""One server of Handrail for all tests of MCP in a process."""

from __future__ import annotations

from collections.abc import Generator

import pytest
import server as servers
from mcp_world import Office


@pytest.fixture(scope="package")
def office() -> Generator[Office]:
    with servers.running() as server:
        yield Office(server)
