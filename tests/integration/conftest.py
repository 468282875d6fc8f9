"""A context on a real database, and people to act in it."""

from __future__ import annotations

from collections.abc import AsyncGenerator

import pytest
import quick_hashes
from holds_world import Add, adder, context_on

from handrail.holds.context import Context


@pytest.fixture(scope="session", autouse=True)
def quickly_hashed_passwords() -> None:
    quick_hashes.begin()


@pytest.fixture
async def context(database: str) -> AsyncGenerator[Context]:
    async with context_on(database) as made:
        yield made


@pytest.fixture
def add(context: Context) -> Add:
    return adder(context)
