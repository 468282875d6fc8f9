"""Fixtures that every test may use."""

from __future__ import annotations

import gc
from collections.abc import Generator

import database as databases
import pytest
import server as servers

# what is collected stays to the end: looking through all of it for garbage, again and again, takes half of the time
gc.disable()


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.set_threshold(20_000)
    gc.enable()


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        databases.begin_run()


def pytest_unconfigure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        databases.end_run()


@pytest.fixture(scope="session")
def clones() -> Generator[databases.Clones]:
    with databases.server() as clones:
        yield clones


@pytest.fixture
def database(clones: databases.Clones) -> Generator[str]:
    """The DSN of a database of this test's own, with the schema and no rows."""
    with clones.database() as dsn:
        yield dsn


@pytest.fixture
def server() -> Generator[servers.ServerProcess]:
    """A running Handrail of this test's own, to be stopped, killed and started at will."""
    with servers.running() as server:
        yield server


@pytest.fixture(scope="session")
def shared_server() -> Generator[servers.ServerProcess]:
    """A running Handrail for all tests that leave it running."""
    with servers.running() as server:
        yield server
