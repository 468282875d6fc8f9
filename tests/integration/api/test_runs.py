"""Runs over HTTP: start, list, read, cancel, retry, and the workflows that there are."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import apps
import httpx
import pytest
from runs_world import DEPLOY, publish, settle

START: dict[str, Any] = {"workflow": "deploy", "input": {"service": "billing"}}


@pytest.fixture
async def mara(desk: apps.Desk) -> httpx.AsyncClient:
    await publish(desk.database, description="Deploys.", diagram="graph TD;")
    return await desk.member("mara")


async def start(client: httpx.AsyncClient, **more: Any) -> dict[str, Any]:
    return (await client.post("/api/runs", json={**START, **more})).raise_for_status().json()


async def test_a_run_is_started_listed_read_and_cancelled(mara: httpx.AsyncClient, desk: apps.Desk) -> None:
    answer = await mara.post("/api/runs", json={**START, "mode": "slow", "budget": {"steps": 7, "cost": 0.25}})
    assert answer.status_code == 201
    run = answer.json()
    assert (run["status"], run["workflow"], run["mode"]) == ("queued", "deploy", "slow")
    assert (run["started_by"]["name"], run["agent"]["name"]) == ("mara", "workflow/deploy")
    assert run["budget"] == {"steps": 7, "seconds": 3600.0, "cost": 0.25}
    assert run["usage"] == {"steps": 0, "seconds": 0.0, "tokens_in": 0, "tokens_out": 0, "cost": 0.0}
    listed = (await mara.get("/api/runs")).json()
    assert listed == {"runs": [run], "next": None}
    await settle(desk.database, UUID(run["id"]), "paused", tokens_in=5, cost=0.125)
    detail = (await mara.get(f"/api/runs/{run['id']}")).json()
    assert (detail["status"], detail["input"], detail["result"]) == ("paused", START["input"], None)
    assert (detail["usage"]["tokens_in"], detail["usage"]["cost"]) == (5, 0.125)
    assert (detail["steps"], detail["holds"]) == ([], [])
    cancelled = await mara.post(f"/api/runs/{run['id']}/cancel", json={"reason": "enough"})
    assert (cancelled.status_code, cancelled.json()["status"]) == (200, "cancelled")
    again = await mara.post(f"/api/runs/{run['id']}/cancel", json={})
    assert (again.status_code, again.json()["code"]) == (409, "run_ended")


async def test_the_idempotency_key_gives_the_same_run(mara: httpx.AsyncClient) -> None:
    headers = {"Idempotency-Key": "k"}
    first = (await mara.post("/api/runs", json=START, headers=headers)).json()
    again = await mara.post("/api/runs", json=START, headers=headers)
    assert (again.status_code, again.json()) == (201, first)
    other = await mara.post("/api/runs", json={**START, "mode": "x"}, headers=headers)
    assert (other.status_code, other.json()["code"]) == (409, "idempotency_conflict")


@pytest.mark.parametrize(
    ("body", "status", "code", "says"),
    [
        ({"workflow": "refund"}, 422, "unknown_workflow", "Available: deploy"),
        ({"input": {"service": 7}}, 422, "input_mismatch", "input['service']"),
        ({"input": None}, 422, "input_mismatch", "null"),
        ({"budget": {"steps": 5000}}, 422, "invalid_field", "the most allowed here is 1000"),
        ({"budget": {"steps": 0}}, 422, "invalid_field", "budget.steps"),
        ({"budget": {"money": 1}}, 422, "unknown_field", "budget.money"),
    ],
    ids=str,
)
async def test_what_cannot_be_started_is_refused(
    mara: httpx.AsyncClient, body: dict[str, Any], status: int, code: str, says: str
) -> None:
    refused = await mara.post("/api/runs", json={**START, **body})
    assert (refused.status_code, refused.json()["code"]) == (status, code)
    assert says in refused.json()["detail"]


async def test_lists_are_filtered_and_paged(mara: httpx.AsyncClient, desk: apps.Desk) -> None:
    made = [(await start(mara))["id"] for _ in range(3)]
    theirs = await start(desk.admin)
    await settle(desk.database, UUID(made[0]), "failed", error={"code": "boom"})

    async def ids(**query: Any) -> list[str]:
        return [run["id"] for run in (await desk.admin.get("/api/runs", params=query)).json()["runs"]]

    assert await ids() == [theirs["id"], *made[::-1]]
    assert await ids(status="failed") == [made[0]]
    assert await ids(mine="true") == [theirs["id"]]
    assert await ids(starter=(await mara.get("/api/me")).json()["id"]) == made[::-1]
    assert await ids(workflow="other") == []
    page = (await desk.admin.get("/api/runs", params={"limit": 2})).json()
    assert len(page["runs"]) == 2
    rest = (await desk.admin.get("/api/runs", params={"limit": 2, "cursor": page["next"]})).json()
    assert [run["id"] for run in rest["runs"]] == [made[1], made[0]]
    assert rest["next"] is None
    bad = await mara.get("/api/runs", params={"cursor": "nonsense"})
    assert (bad.status_code, bad.json()["code"]) == (400, "bad_cursor")


async def test_only_a_failed_run_is_retried(mara: httpx.AsyncClient, desk: apps.Desk) -> None:
    run = await start(mara)
    refused = await mara.post(f"/api/runs/{run['id']}/retry", json={})
    assert (refused.status_code, refused.json()["code"]) == (409, "not_failed")
    await settle(desk.database, UUID(run["id"]), "failed", error={"code": "boom", "message": "no"})
    assert (await mara.get(f"/api/runs/{run['id']}")).json()["error"]["code"] == "boom"
    again = await mara.post(f"/api/runs/{run['id']}/retry", json={"budget": {"steps": 9}})
    assert (again.status_code, again.json()["status"], again.json()["error"]) == (200, "queued", None)
    assert again.json()["budget"]["steps"] == 9


async def test_workflows_are_listed_also_those_that_cannot_run(mara: httpx.AsyncClient, desk: apps.Desk) -> None:
    await publish(desk.database, "broken", error="ImportError: shop", input_schema=None)
    broken, deploy = (await mara.get("/api/workflows")).json()["workflows"]
    assert (broken["name"], broken["error"], broken["input_schema"]) == ("broken", "ImportError: shop", None)
    assert (deploy["name"], deploy["description"], deploy["diagram"]) == ("deploy", "Deploys.", "graph TD;")
    assert deploy["input_schema"] == DEPLOY
    refused = await mara.post("/api/runs", json={**START, "workflow": "broken"})
    assert (refused.status_code, refused.json()["code"]) == (409, "broken_workflow")
