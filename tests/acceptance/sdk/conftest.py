"""Offices for the SDK's tests."""

from __future__ import annotations

from collections.abc import Generator
from uuid import uuid4

import pytest
from sdk_office import Office, open_office

from handrail_sdk import Handrail


@pytest.fixture(scope="session")
def shared_office() -> Generator[Office]:
    with open_office() as office:
        yield office


@pytest.fixture
def office(shared_office: Office) -> Generator[Office]:
    """The office that all tests share; what a test leaves open is cancelled after it."""
    yield shared_office
    with Handrail(shared_office.server.url, shared_office.agent) as agent:
        for hold in shared_office.pending():
            agent.cancel(hold["id"])


@pytest.fixture
def own_office() -> Generator[Office]:
    """An office of the test's own, for tests that break it."""
    with open_office() as office:
        yield office


@pytest.fixture
def case() -> str:
    """A case of the test's own."""
    return f"case-{uuid4().hex[:8]}"


@pytest.fixture
def environ(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    """This process is the agent."""
    monkeypatch.setenv("HANDRAIL_URL", office.server.url)
    monkeypatch.setenv("HANDRAIL_TOKEN", office.agent)
