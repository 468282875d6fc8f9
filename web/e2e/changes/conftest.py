"""One server with a code host beside it for the tests of a change's page; a shop of its own for each change."""

from __future__ import annotations

from collections.abc import Generator

import hosting_stub
import pytest
import server as servers
from browser import link_for
from change_desk import Desk
from server import ServerProcess


@pytest.fixture(scope="session")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Generator[Desk]:
    with hosting_stub.serving(tmp_path_factory.mktemp("host")) as host:
        yield Desk(tmp_path_factory.mktemp("changes"), host)


@pytest.fixture(scope="session")
def place(desk: Desk) -> Generator[ServerProcess]:
    with servers.running(**desk.settings()) as server:
        server.serves("change")
        for name, role in (("Dev", "developer"), ("Mara", "tech_lead"), ("Jon", "team_lead")):
            link_for(server, name, role)
        link_for(server, "Ada", "administrator", "tech_lead")
        yield server
