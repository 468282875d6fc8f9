"""What holds for every route: hosts, origins, headers, bodies, problems."""

from __future__ import annotations

import apps


async def test_health_is_open_to_strangers(desk: apps.Desk) -> None:
    answer = await desk.client().get("/health")
    assert answer.status_code == 200
    assert answer.json()["database"] == "ok"


async def test_an_unknown_address_is_a_problem(desk: apps.Desk) -> None:
    answer = await desk.admin.get("/api/nothing")
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
    assert answer.headers["content-type"] == "application/problem+json"


async def test_me(desk: apps.Desk) -> None:
    answer = await desk.admin.get("/api/me")
    assert answer.status_code == 200, answer.text
    assert answer.json()["name"] == "admin"
