"""Queries: a parameter that a route does not read is refused, on every route; holds are listed by run."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any
from uuid import UUID, uuid4

import apps
from runs_world import ask, publish, row

UNKNOWN = "no_such_parameter"


def operations(document: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, found in document["paths"].items():
        if path in apps.LENIENT:
            continue
        for method, operation in found.items():
            yield method.upper(), re.sub(r"\{[^}]+\}", str(uuid4()), path), operation


async def test_a_parameter_that_does_not_exist_is_refused_on_every_route(desk: apps.Desk) -> None:
    document = (await desk.client().get("/openapi.json")).json()
    tried = 0
    for method, path, operation in operations(document):
        body: dict[str, Any] | None = {} if "requestBody" in operation else None
        answer = await desk.admin.request(method, path, params={UNKNOWN: "1"}, json=body)
        assert (answer.status_code, answer.json()["code"]) == (422, "unknown_field"), f"{method} {path}: {answer.text}"
        assert answer.json()["data"] == {"field": UNKNOWN}
        tried += 1
    assert tried > 60


async def test_every_parameter_of_the_document_is_one_that_exists(desk: apps.Desk) -> None:
    """Whatever its value: it is not refused as unknown."""
    document = (await desk.client().get("/openapi.json")).json()
    tried = 0
    for method, path, operation in operations(document):
        # a stream that begins does not end
        if "text/event-stream" in str(operation["responses"]):
            continue
        for parameter in operation.get("parameters", []):
            if parameter["in"] == "query" and method == "GET":
                answer = await desk.admin.get(path, params={parameter["name"]: "%"})
                assert answer.is_success or answer.is_redirect or answer.json()["code"] != "unknown_field", (
                    f"{path} {parameter['name']}"
                )
                tried += 1
    assert tried > 20


async def test_strangers_are_told_to_sign_in_and_not_what_exists(desk: apps.Desk) -> None:
    answer = await desk.client().get("/api/holds", params={UNKNOWN: "1"})
    assert (answer.status_code, answer.json()["code"]) == (401, "unauthenticated")


HINTS = {
    "/api/holds?run_id=7": "did you mean `run`?",
    "/api/holds?case_id=7": "did you mean `case`?",
    "/api/holds?statsu=all": "did you mean `status`?",
    "/api/me?x=1": "takes none",
    "/api/deliveries?zzz=1": "it takes ",
}


async def test_the_refusal_names_what_was_meant(desk: apps.Desk) -> None:
    for address, says in HINTS.items():
        answer = await desk.admin.get(address)
        assert answer.status_code == 422
        assert says in answer.json()["detail"]


async def test_a_parameter_is_there_once(desk: apps.Desk) -> None:
    answer = await desk.admin.get("/api/holds?status=pending&status=all")
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid_field")
    assert answer.json()["data"] == {"field": "status"}


async def test_a_name_without_end_is_not_repeated_to_its_sender(desk: apps.Desk) -> None:
    answer = await desk.admin.get("/api/holds", params={"x" * 5000: "1"})
    assert answer.status_code == 422
    assert len(answer.text) < 2000


async def test_holds_are_listed_by_run(desk: apps.Desk) -> None:
    await publish(desk.database, "deploy", input_schema=None)
    asked: dict[str, UUID] = {}
    for _ in range(2):
        made = (await desk.admin.post("/api/runs", json={"workflow": "deploy", "input": {}})).json()
        asked[made["id"]] = (await ask(desk.context, await row(desk.database, UUID(made["id"])))).id
    for run, hold in asked.items():
        page = (await desk.admin.get("/api/holds", params={"run": run})).json()
        assert [one["id"] for one in page["holds"]] == [str(hold)]
        assert sum(level["count"] for level in page["counts"].values()) == 1
    assert (await desk.admin.get("/api/holds", params={"run": str(uuid4())})).json()["holds"] == []
