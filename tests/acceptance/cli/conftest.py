"""A team on the shared server."""

from __future__ import annotations

import pytest
from server import ServerProcess
from team import Team, team_of


@pytest.fixture(scope="session")
def team(shared_server: ServerProcess) -> Team:
    return team_of(shared_server)
