"""A context on a real database, and a seat in which the tests' graphs run."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from decimal import Decimal

import pytest
from engine_world import GRAPHS

from handrail import settings
from handrail.engine.checkpoints import connect
from handrail.engine.driver import Seat
from handrail.engine.kinds import Kind
from handrail.engine.registry import Target, Workflow, load
from handrail.holds.context import Context
from handrail.holds.policies import Policies
from handrail.policy import default_policy
from handrail.store.audiences import Audiences
from handrail.store.database import opened

PRICES = {"scripted": (Decimal(1_000_000), Decimal(2_000_000))}


@pytest.fixture
async def context(database: str) -> AsyncGenerator[Context]:
    async with opened(database) as db:
        yield Context(db, Audiences(), Policies(db, default_policy()), lambda: None)


async def _same_policy() -> None:
    return


@pytest.fixture
async def seat(context: Context) -> AsyncGenerator[Seat]:
    known = settings.load(model_prices=PRICES)
    loaded = [await load(Kind(name, Target(f"engine_graphs:{name}")), known) for name in GRAPHS]
    workflows = {each.name: each for each in loaded if isinstance(each, Workflow)}
    assert set(workflows) == set(GRAPHS)
    connection = await connect(context.database.dsn)
    async with connection:
        yield Seat(context, connection, workflows, _same_policy, known)
