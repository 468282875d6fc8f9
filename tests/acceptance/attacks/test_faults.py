"""Floods, bombs and faults: who takes more than their share keeps nobody else from being served.

Outages are in tests/acceptance/faults: kill -9 of server, database and workers under load (`test_kill`,
`test_workers`), deadlines that pass meanwhile (`test_deadlines`), notices (`test_notices`), and fifty people who decide
at once (`test_race`).
"""

from __future__ import annotations

import os
import resource
import secrets
import shutil
import socket
import tempfile
import time
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import psutil
import pytest
import server as servers
from attacks_world import MEDIUM, Json, Member, joined
from registrations import finished
from server import ServerProcess, until

from handrail.core.sizes import MIB

HALF_A_HEADER = b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: "


@contextmanager
def files(number: int) -> Generator[None]:
    """What is started meanwhile may open so many files, unless it asks for more."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (number, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@contextmanager
def flood(server: ServerProcess, number: int, said: bytes) -> Generator[list[socket.socket]]:
    """So many connections, on each of which that was said."""
    url = urlsplit(server.url)
    with ExitStack() as stack:
        held: list[socket.socket] = []
        for _ in range(number):
            held.append(stack.enter_context(socket.create_connection((url.hostname, url.port), timeout=60)))
            held[-1].sendall(said)
        yield held


def check_served(server: ServerProcess, agent: Member, lead: Member) -> None:
    """Health, an opening, a decision and the brake."""
    with server.client() as http:
        assert http.get("/health").json()["status"] == "ok"
    assert lead.review(agent.open(MEDIUM)).json()["status"] == "approved"
    with server.client() as http:
        http.post("/api/brake", json={"reason": "a flood"}).raise_for_status()
        http.post("/api/brake/lift", json={"reason": "over"}).raise_for_status()


def check_steady(waits: list[float]) -> None:
    """Whoever asked again and again was never left without an answer for most of the time."""
    assert len(waits) > 2
    assert max(waits) < sum(waits) / 2


def test_half_sent_requests_keep_nobody_from_being_served_and_are_sent_away() -> None:
    with files(1024), servers.running() as server:
        agent, lead = joined(server, "agent", kind="agent"), joined(server, "lead", "team_lead")
        half_a_body = f"POST /api/holds HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {agent.token}\r\n"
        half_a_body += "Content-Type: application/json\r\nContent-Length: 9\r\n\r\n{"
        slow_bodies = flood(server, 300, half_a_body.encode())
        with files(8192), flood(server, 1100, HALF_A_HEADER) as headers, slow_bodies as bodies:
            check_served(server, agent, lead)
            for slow in (headers[0], headers[-1], bodies[0], bodies[-1]):
                assert slow.recv(4096).startswith(b"HTTP/1.1 408 ")
            check_served(server, agent, lead)
        assert "Traceback" not in server.output()


def test_more_connections_than_there_may_be_leave_room_for_who_asks_properly() -> None:
    limits = {"HANDRAIL_MAX_CONNECTIONS": "100", "HANDRAIL_CONNECTIONS_PER_ADDRESS": "50"}
    with servers.running(**limits) as server:
        agent, lead = joined(server, "agent", kind="agent"), joined(server, "lead", "team_lead")
        with flood(server, 500, HALF_A_HEADER) as held:
            check_served(server, agent, lead)
            assert b"too_many_connections" in held[0].recv(4096)


@pytest.mark.soak
def test_fifteen_hundred_streams_at_once_hear_of_a_hold_while_others_flood(target: ServerProcess) -> None:
    agent, lead = joined(target, "agent", kind="agent"), joined(target, "lead", "team_lead")
    asks = f"GET /api/events HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {lead.token}\r\n\r\n".encode()
    with files(8192), ExitStack() as stack:
        streams: list[socket.socket] = []
        for _ in range(30):
            streams += stack.enter_context(flood(target, 50, asks))
            for stream in streams[-50:]:
                assert stream.recv(4096).startswith(b"HTTP/1.1 200 ")
        stack.enter_context(flood(target, 1100, HALF_A_HEADER))
        hold = agent.open(MEDIUM)
        for stream in streams:
            said = b""
            while hold["id"].encode() not in said:
                said += stream.recv(65536)
        check_served(target, agent, lead)


def test_clients_that_go_in_the_middle_leave_no_traceback(target: ServerProcess) -> None:
    agent = joined(target, "agent", kind="agent")
    hold = agent.open(MEDIUM)
    secret = f"Host: 127.0.0.1\r\nAuthorization: Bearer {agent.token}\r\n"
    key = f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {'A' * 22}==\r\n"
    upgrade = f"Connection: Upgrade\r\nUpgrade: websocket\r\n{key}"
    body = "Content-Length: 99\r\nContent-Type:"
    for said in (
        f"POST /api/holds HTTP/1.1\r\n{secret}{body} application/json\r\n\r\n{{",
        f"GET /api/holds/{hold['id']}/wait HTTP/1.1\r\n{secret}\r\n",
        f"GET /api/events HTTP/1.1\r\n{secret}\r\n",
        f"POST /process-pdf HTTP/1.1\r\n{secret}{body} multipart/form-data; boundary=x\r\n\r\n--x",
        f"GET /ws/runs/{hold['id']} HTTP/1.1\r\n{secret}{upgrade}\r\n",
        f"GET /ws/execution/{hold['id']} HTTP/1.1\r\nHost: 127.0.0.1\r\n{upgrade}\r\n",
    ):
        for linger in (b"\1\0\0\0\0\0\0\0", b"\0\0\0\0\0\0\0\0"):
            with flood(target, 3, said.encode()) as held:
                for each in held:
                    # gone with a reset, and in order
                    each.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
    # whoever is answered now comes after them
    agent.get(f"/api/holds/{hold['id']}").raise_for_status()
    assert "Traceback" not in target.output()


def test_bombs_in_skills_and_documents_hold_up_nobody(tmp_path: Path) -> None:
    laughs = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
        f"{b}: &{b} [{', '.join([f'*{a}'] * 9)}]\n" for a, b in zip("abcdef", "bcdefg", strict=True)
    )
    for name, bomb in {"laughs": laughs, "tools": "allowed-tools: " + "a(" * 8000, "deep": "a: " + "[" * 8000}.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "SKILL.md").write_text(f"---\nname: {name}\ndescription: d\n{bomb}\n---\nDo it.\n")
    variables = {"HANDRAIL_SKILL_ROOTS": str(tmp_path), "HANDRAIL_CONCURRENCY": "1"}
    with servers.running(**variables) as server, ThreadPoolExecutor(2) as threads, server.client() as registrar:
        person = joined(server, "mara", "developer")
        registering = threads.submit(finished, server, registrar, tmp_path)
        reading = threads.submit(person.post, "/process-pdf", files={"file": ("page", b"<!---->" * 100)})
        waits: list[float] = []
        with server.client() as http:
            while not waits or not (registering.done() and reading.done()):
                began = time.monotonic()
                assert http.get("/health").json()["status"] == "ok"
                waits.append(time.monotonic() - began)
        check_steady(waits)
        candidates = registering.result()["candidates"]
        assert [one["outcome"] for one in candidates] == ["new"] * 3, candidates
        assert reading.result().json()["code"] == "unsupported_document"


@pytest.mark.parametrize("declared", [True, False], ids=["declared", "in chunks"])
def test_a_body_of_twenty_megabytes_is_refused_before_it_is_read(target: ServerProcess, declared: bool) -> None:
    agent, lead = joined(target, "agent", kind="agent"), joined(target, "lead", "team_lead")
    piece = b'"' + b"a" * 65536 + b'",'
    before = psutil.Process(target.pid).memory_info().rss
    with agent.http() as http:
        for _ in range(5):
            whole = b"[" + piece * 320
            answer = http.post(
                "/api/holds",
                content=whole if declared else (piece for _ in range(320)),
                headers={"Content-Type": "application/json"},
            )
            assert (answer.status_code, answer.json()["code"]) == (413, "body_too_large")
    assert psutil.Process(target.pid).memory_info().rss - before < 60 << 20
    check_served(target, agent, lead)


def test_deep_json_from_many_keeps_nobody_waiting(target: ServerProcess) -> None:
    agent, lead = joined(target, "agent", kind="agent"), joined(target, "lead", "team_lead")
    half = (1 << 20) // 2 - 100
    bombs = [b"[" * half + b"]" * half, b'{"a":' * (half // 5) + b"1" + b"}" * (half // 5), b"[" * (2 * half)]

    def throw(bomb: bytes) -> tuple[int, str]:
        answer = agent.send("POST", "/api/holds", content=bomb, headers={"Content-Type": "application/json"})
        return answer.status_code, answer.json()["code"]

    with ThreadPoolExecutor(12) as pool:
        thrown = [pool.submit(throw, bomb) for bomb in bombs * 8]
        check_served(target, agent, lead)
        assert {each.result() for each in thrown} <= {(422, "too_deep"), (400, "too_deep"), (400, "not_json")}


def test_an_agent_that_floods_meets_its_quotas_and_others_are_served() -> None:
    limits = {"HANDRAIL_OPEN_HOLDS": "40", "HANDRAIL_OPEN_MEGABYTES": "4", "HANDRAIL_COMMENTS_ON_HOLD": "10"}
    with servers.running(**limits) as server, ThreadPoolExecutor(4) as threads:
        lead, other = joined(server, "lead", "team_lead"), joined(server, "other", kind="agent")
        flooder, heavy = joined(server, "flooder", kind="agent"), joined(server, "heavy", kind="agent")
        # as large as a body may be, of small values, which cost most
        large = {**MEDIUM, "evidence": [{"n": n, "v": secrets.token_hex(8)} for n in range(28_000)]}
        hold = flooder.open(MEDIUM)
        floods = [
            *(threads.submit(_until_refused, flooder, "/api/holds", MEDIUM, 60) for _ in range(2)),
            threads.submit(_until_refused, heavy, "/api/holds", large, 20),
            threads.submit(_until_refused, flooder, f"/api/holds/{hold['id']}/comments", {"text": "please"}, 20),
        ]
        waits: list[float] = []
        while not waits or not all(flood.done() for flood in floods):
            began = time.monotonic()
            with server.client() as http:
                assert http.get("/health").json()["status"] == "ok"
            waits.append(time.monotonic() - began)
        check_served(server, other, lead)
        refusals = [flood.result() for flood in floods]
        assert [one["code"] for one in refusals] == ["quota_exceeded"] * 4
        assert [one["data"]["quota"] for one in refusals] == [*["open_holds"] * 2, "open_bytes", "comments_on_hold"]
        assert [one["data"]["most"] for one in refusals] == [40, 40, 4 * MIB, 10]
        check_steady(waits)
        # a decision makes room again
        assert lead.review(hold, "reject", reason="enough").status_code == 200
        flooder.open(MEDIUM)


def _until_refused(who: Member, path: str, body: Json, at_most: int) -> Json:
    for _ in range(at_most):
        answer = who.post(path, body)
        if answer.status_code == 429:
            assert int(answer.headers["retry-after"]) >= 1
            return answer.json()
        assert answer.status_code == 201, answer.text
    raise AssertionError(f"{at_most} were taken")


def test_a_disk_that_is_nearly_full_takes_nothing_new_and_people_still_decide() -> None:
    free = shutil.disk_usage(tempfile.gettempdir()).free // MIB
    # more than what other tests write or remove meanwhile
    with servers.beginning(HANDRAIL_DISK_RESERVE_MEGABYTES=str(free - 1000)) as server:
        lead, agent = joined(server, "lead", "team_lead"), joined(server, "agent", kind="agent")
        wanted, unwanted, frozen = (agent.open(MEDIUM) for _ in range(3))
        with (server.folder / "ballast").open("wb") as ballast:
            os.posix_fallocate(ballast.fileno(), 0, 2000 * MIB)
            refused = agent.post("/api/holds", MEDIUM)
            assert (refused.status_code, refused.json()["code"]) == (507, "out_of_space")
            assert int(refused.headers["retry-after"]) >= 1
            said = lead.post(f"/api/holds/{wanted['id']}/comments", {"text": "why?"})
            assert (said.status_code, said.json()["code"]) == (507, "out_of_space")
            uploaded = agent.post("/process-pdf", files={"file": ("a.txt", b"text")})
            assert (uploaded.status_code, uploaded.json()["code"]) == (507, "out_of_space")
            with server.client() as http:
                health = http.get("/health")
                assert (health.status_code, health.json()["status"], health.json()["disk"]) == (200, "ok", "low")
            assert lead.review(wanted).json()["status"] == "approved"
            assert lead.review(unwanted, "reject", reason="no").json()["status"] == "rejected"
            assert agent.redeem(wanted).status_code == 200
            with server.client() as http:
                http.post("/api/brake", json={"reason": "full", "pending": "deny"}).raise_for_status()
                until(lambda: http.get(f"/api/holds/{frozen['id']}").json()["status"] == "rejected")
                http.post("/api/brake/lift", json={"reason": "room again"}).raise_for_status()
        (server.folder / "ballast").unlink()
        agent.open(MEDIUM)
