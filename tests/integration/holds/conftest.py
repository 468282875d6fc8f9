"""A context on a real database, and people to act in it."""

from __future__ import annotations

from collections.abc import AsyncGenerator

import pytest
from holds_world import Add

from handrail.core import ids
from handrail.core.ids import PrincipalId
from handrail.core.people import Principal, PrincipalKind
from handrail.holds.context import Context
from handrail.policy import default_policy
from handrail.store.audiences import Audiences
from handrail.store.database import opened


@pytest.fixture
async def context(database: str) -> AsyncGenerator[Context]:
    policy = default_policy()
    async with opened(database) as db:
        yield Context(db, Audiences(), lambda: policy, lambda: None)


@pytest.fixture
def add(context: Context) -> Add:
    """Add a principal: `await add("mara", "team_lead")`."""

    async def add(name: str, *roles: str, kind: PrincipalKind = PrincipalKind.person) -> Principal:
        who = Principal(PrincipalId(ids.fresh()), name, kind, frozenset(roles))
        async with context.database.transaction() as conn:
            await conn.execute(
                "INSERT INTO principals (id, name, kind, roles, created_at) VALUES (%s, %s, %s, %s, handrail_now())",
                (who.id, name, kind.value, list(roles)),
            )
        return who

    return add
