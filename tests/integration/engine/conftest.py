"""A context on a real database, people to act in it, and runs."""

from __future__ import annotations

from collections.abc import AsyncGenerator

import pytest

from handrail.holds.context import Context
from handrail.policy import default_policy
from handrail.store.audiences import Audiences
from handrail.store.database import opened


@pytest.fixture
async def context(database: str) -> AsyncGenerator[Context]:
    policy = default_policy()
    async with opened(database) as db:
        yield Context(db, Audiences(), lambda: policy, lambda: None)
