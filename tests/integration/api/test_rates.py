"""What an agent may open in a minute, counted for all servers together."""

from __future__ import annotations

import asyncio

import apps
import pytest
from holds_world import shift_clock

from handrail.api.rates import Openings
from handrail.core.errors import RateLimited
from handrail.core.people import PrincipalKind
from handrail.store.database import opened


async def test_servers_count_together_and_lose_nothing_of_what_comes_at_once(database: str) -> None:
    async with apps.desk(database) as desk, opened(database) as other:
        bot = (await desk.principal("bot", PrincipalKind.agent)).id
        servers = [Openings(desk.database, "100/minute"), Openings(other, "100/minute")]
        done = await asyncio.gather(*(server.hit(bot) for server in servers * 75), return_exceptions=True)
        refused = [one for one in done if one is not None]
        assert all(isinstance(one, RateLimited) for one in refused)
        assert len(done) - len(refused) == 100
        with pytest.raises(RateLimited) as late:
            await servers[0].hit(bot)
        assert 1 <= late.value.retry_after <= 60
        await shift_clock(desk.database, 61)
        for _ in range(100):
            await servers[1].hit(bot)
        with pytest.raises(RateLimited):
            await servers[1].hit(bot)
