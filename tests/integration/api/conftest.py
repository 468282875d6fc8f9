from __future__ import annotations

from collections.abc import AsyncGenerator

import apps
import pytest


@pytest.fixture
async def desk(database: str) -> AsyncGenerator[apps.Desk]:
    async with apps.desk(database) as desk:
        yield desk
