"""A server that makes code changes, for all tests of a worker: they leave it running."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

import httpx
import pytest
import server as servers
from change_scripts import INTENDED, PLANNED, ROUNDED, call
from change_server import written
from server import ServerProcess

# so that there is a moment to be killed in
SLOW = {"delay": 1.5}
EDIT = [{**call("apply_patch", patch=ROUNDED), **SLOW}, {**call("finish", summary="done"), **SLOW}]
SCRIPTS = {"intent": INTENDED, "plan": [{**PLANNED[0], **SLOW}], "edit": EDIT}


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Repositories in it may be worked on."""
    return tmp_path_factory.mktemp("changes")


@pytest.fixture(scope="session")
def server(folder: Path) -> Generator[ServerProcess]:
    log = {"HANDRAIL_LOG_FILE": str(folder / "handrail.log"), "HANDRAIL_LOG_LEVEL": "info"}
    with servers.running(HANDRAIL_CONCURRENCY="2", **log, **written(SCRIPTS, folder)) as server:
        server.serves("change")
        yield server


@pytest.fixture
def http(server: ServerProcess) -> Generator[httpx.Client]:
    with server.client() as client:
        yield client


@pytest.fixture(scope="session")
def developer(server: ServerProcess) -> str:
    return server.token_of("dev", "developer")
