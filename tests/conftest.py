"""Fixtures that every test may use."""

from __future__ import annotations

from collections.abc import Generator

import database as databases
import pytest


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
