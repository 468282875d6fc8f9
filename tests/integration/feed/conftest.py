"""Fixtures of the feed's tests."""

from __future__ import annotations

from collections.abc import AsyncGenerator

import pytest

from handrail.store.database import Database, opened


@pytest.fixture
async def store(database: str) -> AsyncGenerator[Database]:
    async with opened(database) as store:
        yield store
