"""What holds for every route: hosts, origins, headers, bodies, problems, request ids, defects."""

from __future__ import annotations

import json
import socket
from collections.abc import AsyncGenerator
from typing import Any

import apps
import pytest
import structlog
from fastapi.routing import APIRoute
from structlog.testing import capture_logs

from handrail.api.app import ROUTERS
from handrail.api.body import LARGEST, StrictRoute
from handrail.api.identity import GuardedRoute

JSON = {"Content-Type": "application/json"}


def problem(answer: Any) -> tuple[int, str]:
    assert answer.headers["content-type"] == "application/problem+json", answer.text
    body = answer.json()
    assert body["status"] == answer.status_code
    assert body["type"] == f"urn:handrail:problem:{body['code']}"
    return answer.status_code, body["code"]


def routes() -> list[APIRoute]:
    return [route for router in ROUTERS for route in router.routes if isinstance(route, APIRoute)]


def test_every_route_takes_bodies_strictly_and_is_closed_to_strangers() -> None:
    assert {route.path for route in routes() if not isinstance(route, StrictRoute)} == apps.LENIENT
    unguarded = {(m, r.path_format) for r in routes() if not isinstance(r, GuardedRoute) for m in r.methods or ()}
    assert unguarded == apps.OPEN


async def test_health_is_open_to_strangers(desk: apps.Desk) -> None:
    answer = await desk.client().get("/health")
    assert answer.status_code == 200
    assert answer.json()["database"] == "ok"


async def test_health_says_when_the_database_is_gone(database: str) -> None:
    async with apps.desk(database) as desk:
        pass
    answer = await desk.client().get("/health")
    assert answer.status_code == 503
    assert answer.json()["status"] == "unavailable"


async def test_unknown_addresses_and_methods_are_problems(desk: apps.Desk) -> None:
    assert problem(await desk.admin.get("/api/nothing")) == (404, "not_found")
    assert problem(await desk.admin.get("/api/people/")) == (404, "not_found")
    answer = await desk.admin.put("/api/people")
    assert problem(answer) == (405, "method_not_allowed")
    assert answer.headers["allow"]


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.1:9", "localhost:8400", "LOCALHOST", "[::1]:8400"])
async def test_this_machine_is_served(desk: apps.Desk, host: str) -> None:
    assert (await desk.client().get("/health", headers={"Host": host})).status_code == 200


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example", "", "localhost@evil.example", "[::1", "::1"]
)
async def test_other_hosts_are_refused(desk: apps.Desk, host: str) -> None:
    """A page on a foreign name that resolves to this machine gets nothing."""
    assert problem(await desk.client().get("/health", headers={"Host": host})) == (421, "host_refused")


async def test_two_hosts_are_refused(desk: apps.Desk) -> None:
    answer = await desk.client().get("/health", headers=[("Host", "localhost"), ("Host", "evil.example")])
    assert problem(answer) == (421, "host_refused")


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:9999"},
        {"Sec-Fetch-Site": "cross-site"},
    ],
)
async def test_foreign_pages_change_nothing(desk: apps.Desk, headers: dict[str, str]) -> None:
    answer = await desk.admin.post("/api/people", json={"name": "Mallory"}, headers=headers)
    assert problem(answer) == (403, "origin_refused")
    names = [each["name"] for each in (await desk.admin.get("/api/people")).json()["people"]]
    assert names == ["admin"]


async def test_our_own_pages_may(desk: apps.Desk) -> None:
    headers = {"Origin": apps.URL, "Sec-Fetch-Site": "same-origin"}
    assert (await desk.admin.post("/api/people", json={"name": "Ann"}, headers=headers)).status_code == 201


async def test_no_page_elsewhere_may_read_unless_it_is_allowed(database: str) -> None:
    asked = {"Origin": "https://app.example.com", "Access-Control-Request-Method": "POST"}
    async with apps.desk(database) as desk:
        answer = await desk.client().options("/api/people", headers=asked)
        assert "access-control-allow-origin" not in answer.headers
        answer = await desk.admin.get("/api/me", headers=asked)
        assert "access-control-allow-origin" not in answer.headers
    async with apps.desk(database, allowed_origins="https://app.example.com") as desk:
        answer = await desk.client().options("/api/people", headers=asked)
        assert answer.headers["access-control-allow-origin"] == "https://app.example.com"
        answer = await desk.admin.post("/api/people", json={"name": "Ann"}, headers=asked)
        assert answer.status_code == 201
        answer = await desk.client().options("/api/people", headers={**asked, "Origin": "https://evil.example"})
        assert "access-control-allow-origin" not in answer.headers


async def test_every_answer_carries_the_safe_headers(desk: apps.Desk) -> None:
    for answer in [await desk.client().get("/health"), await desk.client().get("/api/me"), await desk.admin.get("/x")]:
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["x-request-id"]


@pytest.mark.parametrize(
    ("address", "code"),
    [
        ("/api/people/%00", "nul_byte"),
        ("/api/people?cursor=%00", "nul_byte"),
        ("/api/people?cursor=%ff", "bad_utf8"),
        ("/api/%c3%28", "bad_utf8"),
        ("/api/people?cursor=%ed%a0%80", "bad_utf8"),
    ],
)
async def test_addresses_are_text(desk: apps.Desk, address: str, code: str) -> None:
    assert problem(await desk.admin.get(address)) == (400, code)


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (b"{", 400, "not_json"),
        (b'{"name": "\xff"}', 400, "bad_utf8"),
        (b'{"name": "a\\u0000"}', 400, "nul_byte"),
        (b'{"name": NaN}', 400, "number_out_of_range"),
        (b'{"name": 9007199254740993}', 400, "number_out_of_range"),
        (b'{"name": "a", "name": "b"}', 422, "invalid_field"),
        (b'{"name": ' + b"[" * 64 + b"]" * 64 + b"}", 400, "too_deep"),
        (b"[" * 500_000, 400, "too_deep"),
        (b"", 422, "missing_field"),
        (b"[]", 422, "wrong_type"),
        (b"null", 422, "wrong_type"),
        (b'{"name": "' + b"x" * LARGEST + b'"}', 413, "body_too_large"),
    ],
)
async def test_bad_bodies_have_their_codes(desk: apps.Desk, body: bytes, status: int, code: str) -> None:
    assert problem(await desk.admin.post("/api/people", content=body, headers=JSON)) == (status, code)


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
async def test_only_json_is_taken_for_json(desk: apps.Desk, kind: str) -> None:
    """A form of a foreign page can send these without asking."""
    answer = await desk.admin.post("/api/people", content=b'{"name": "Ann"}', headers={"Content-Type": kind})
    assert problem(answer) == (400, "not_json")


async def test_a_body_of_unknown_length_is_cut_off_early(desk: apps.Desk) -> None:
    taken = 0

    async def endless() -> AsyncGenerator[bytes]:
        nonlocal taken
        while True:
            taken += 1 << 16
            yield b" " * (1 << 16)

    assert problem(await desk.admin.post("/api/people", content=endless(), headers=JSON)) == (413, "body_too_large")
    assert taken <= LARGEST + (2 << 16)


async def test_strangers_are_refused_before_their_body_is_read(desk: apps.Desk) -> None:
    async def never() -> AsyncGenerator[bytes]:
        raise AssertionError("the body was read")
        yield b""

    assert problem(await desk.client().post("/api/people", content=never(), headers=JSON)) == (401, "unauthenticated")


async def test_the_request_id_of_the_caller_is_kept_where_it_is_one(desk: apps.Desk) -> None:
    kept = await desk.client().get("/health", headers={"X-Request-ID": "trace-1.a"})
    assert kept.headers["x-request-id"] == "trace-1.a"
    replaced = await desk.client().get("/health", headers={"X-Request-ID": "a b\tc"})
    assert replaced.headers["x-request-id"] != "a b\tc"


async def test_one_line_per_request_with_its_ids_and_without_secrets(desk: apps.Desk) -> None:
    with capture_logs(processors=[structlog.contextvars.merge_contextvars]) as lines:
        await desk.admin.patch("/api/people/00000000-0000-0000-0000-000000000001", json={"password": "open-sesame"})
    [line] = lines
    me = (await desk.admin.get("/api/me")).json()
    assert line["principal_id"] == me["id"]
    assert (line["route"], line["status"]) == ("/api/people/{principal_id}", 404)
    assert line["request_id"]
    assert "sesame" not in json.dumps(line)
    assert apps.ADMIN_TOKEN not in json.dumps(line)


async def test_a_defect_tells_the_caller_an_id_and_the_log_the_rest(desk: apps.Desk) -> None:
    async def fails() -> None:
        raise RuntimeError("the inside of the server")

    desk.app.router.add_api_route("/api/defect", fails)
    with capture_logs(processors=[structlog.contextvars.merge_contextvars]) as lines:
        answer = await desk.client(apps.ADMIN_TOKEN).get("/api/defect")
    assert problem(answer) == (500, "internal_error")
    assert "inside" not in answer.text
    told = next(line for line in lines if line["event"] == "request failed")
    assert told["request_id"] == answer.json()["data"]["request_id"] == answer.headers["x-request-id"]
    assert "the inside of the server" in told["exception"]
    assert apps.ADMIN_TOKEN not in json.dumps(lines)


async def test_openapi_names_the_problem_and_the_security_of_every_operation(desk: apps.Desk) -> None:
    document = (await desk.client().get("/openapi.json")).json()
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            assert "application/problem+json" in operation["responses"]["default"]["content"], path
            assert ("security" in operation) is ((method.upper(), path) not in apps.OPEN), path
            # as FastAPI makes one of a function's name: "List Holds"
            assert operation["summary"] != operation["summary"].title(), path
            assert operation["tags"], path
            body = operation.get("requestBody")
            assert body is None or all(content["schema"] for content in body["content"].values()), path


async def test_agents_open_holds_only_so_fast(database: str) -> None:
    body: dict[str, Any] = {"kind": "confirmation", "title": "Send it", "action": {"name": "mailer", "args": {}}}
    async with apps.desk(database, openings_per_agent="2/minute") as desk:
        agent, other = await desk.member("bot", "agent"), await desk.member("other", "agent")
        statuses = [(await agent.post("/api/holds", json=body)).status_code for _ in range(3)]
        assert statuses == [201, 201, 429]
        refused = await agent.post("/api/holds", json=body)
        assert problem(refused) == (429, "rate_limited")
        assert int(refused.headers["retry-after"]) >= 1
        assert (await other.post("/api/holds", json=body)).status_code == 201
        for _ in range(3):
            assert (await desk.admin.post("/api/holds", json=body)).status_code == 201


def test_over_a_real_socket_too_much_is_refused_before_it_is_sent(database: str) -> None:
    """Whether the length is said or not: the answer comes while the client still holds most of its body."""
    with apps.served(database) as url:
        host, port = url.removeprefix("http://").split(":")
        head = f"POST /api/people HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {apps.ADMIN_TOKEN}\r\n"
        chunk = b"10000\r\n" + b" " * 0x10000 + b"\r\n"
        for length, sent in (("Content-Length: 999999999", b" " * 1000), ("Transfer-Encoding: chunked", chunk * 17)):
            with socket.create_connection((host, int(port)), timeout=60) as connection:
                connection.sendall(f"{head}Content-Type: application/json\r\n{length}\r\n\r\n".encode() + sent)
                answer = connection.recv(65536).decode()
            assert answer.startswith("HTTP/1.1 413 "), answer
