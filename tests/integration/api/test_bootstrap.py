"""The first start: one administrator, a way in, and the token of the settings."""

from __future__ import annotations

import asyncio

import apps
import pytest

from handrail.api.app import create_app
from handrail.core.errors import Misconfigured
from handrail.core.people import DEFAULT_ROLES
from handrail.people.bootstrap import bootstrap_administrator
from handrail.store import database as databases

TOKEN, OTHER = "hr_the-first-token-of-the-settings", "hr_the-other-token-of-the-settings"


async def test_the_code_signs_the_administrator_in(database: str) -> None:
    async with apps.services(database) as made:
        opened = made.database
        code = await bootstrap_administrator(opened)
        client = apps.client_of(create_app(made))
        me = (await client.post("/api/sign-in", json={"code": code})).json()
    assert me["name"] == "admin"
    assert me["roles"] == sorted(DEFAULT_ROLES)


async def test_replicas_that_start_at_once_make_one_administrator(database: str) -> None:
    async with databases.opened(database) as opened:
        await asyncio.gather(*(bootstrap_administrator(opened) for _ in range(5)))
        async with opened.connection() as conn:
            rows = await (await conn.execute("SELECT name FROM principals")).fetchall()
    assert [row["name"] for row in rows] == ["admin"]


async def test_a_code_comes_as_long_as_there_is_no_other_way_in(database: str) -> None:
    async with apps.services(database) as made:
        opened = made.database
        assert await bootstrap_administrator(opened)
        code = await bootstrap_administrator(opened)
        assert code
        client = apps.client_of(create_app(made))
        assert (await client.post("/api/sign-in", json={"code": code})).status_code == 200
        assert await bootstrap_administrator(opened) is None


async def test_the_token_of_the_settings_is_the_only_one_of_them(database: str) -> None:
    async with apps.services(database) as made:
        opened = made.database
        app = create_app(made)

        async def answers() -> list[int]:
            return [(await apps.client_of(app, token).get("/api/me")).status_code for token in (TOKEN, OTHER)]

        assert await bootstrap_administrator(opened, admin_token=TOKEN) is None
        assert await answers() == [200, 401]
        await bootstrap_administrator(opened, admin_token=OTHER)
        assert await answers() == [401, 200]
        await bootstrap_administrator(opened, admin_token=TOKEN)
        assert await answers() == [200, 401]
        await bootstrap_administrator(opened)
        assert await answers() == [401, 401]


async def test_a_token_of_another_stops_the_start(database: str) -> None:
    async with apps.desk(database) as desk:
        await desk.principal("bot", "agent")
        token = await desk.token("bot")
        with pytest.raises(Misconfigured, match="HANDRAIL_ADMIN_TOKEN"):
            await bootstrap_administrator(desk.database, admin_token=token)
