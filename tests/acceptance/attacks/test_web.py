"""Attacks on the web: paths out of the pages, requests within requests, headers through text, pages of others."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Generator
from contextlib import contextmanager
from uuid import uuid4

import pytest
import server as servers
from attacks_world import MEDIUM, Cast, joined
from mail_sink import Sink
from server import ServerProcess, until

HOSTILE = "x\r\nBcc: all@evil.example\r\nX-Evil: 1\r\n\r\n<script>alert(1)</script>"


def raw(server: ServerProcess, request: bytes, *, ends: bool = False) -> bytes:
    """All that the server says to these bytes, until it closes; `ends` says that no more will come."""
    host, _, port = server.url.removeprefix("http://").partition(":")
    said = b""
    with socket.create_connection((host, int(port)), timeout=60) as connection:
        connection.sendall(request)
        if ends:
            connection.shutdown(socket.SHUT_WR)
        while part := connection.recv(65536):
            said += part
    return said


def host_of(server: ServerProcess) -> bytes:
    return server.url.removeprefix("http://").encode()


@pytest.mark.parametrize(
    "path",
    [
        "/../../../../etc/passwd",
        "/assets/../../../../../etc/passwd",
        "/assets/%2e%2e/%2e%2e/%2e%2e/%2e%2e/etc/passwd",
        "/assets/..%2f..%2f..%2f..%2fetc%2fpasswd",
        "/assets/..%252f..%252f..%252fetc%252fpasswd",
        "/assets/..%5c..%5c..%5cetc%5cpasswd",
        "//etc/passwd",
        "/assets//etc/passwd",
        "/assets/%00../../settings.py",
        "/.vite/../../settings.py",
        "/api/../../settings.py",
        "file:///etc/passwd",
        "http://127.0.0.1/assets/../../settings.py",
    ],
)
@pytest.mark.parametrize("accept", ["*/*", "text/html"])
def test_no_path_leads_out_of_the_pages(target: ServerProcess, path: str, accept: str) -> None:
    request = (
        f"GET {path} HTTP/1.1\r\nHost: {host_of(target).decode()}\r\nAccept: {accept}\r\nConnection: close\r\n\r\n"
    )
    said = raw(target, request.encode())
    assert b"root:" not in said and b"pydantic" not in said
    # an address that is none of a file is a refusal, or the one page that every address opens
    status = said.split(b" ", 2)[1]
    assert status in (b"400", b"404") or (status == b"200" and b'id="root"' in said), said[:300]


def smuggled(cast: Cast) -> tuple[str, bytes]:
    """A whole request that opens a hold, and its title."""
    title = f"smuggled {uuid4().hex}"
    body = b'{"kind": "confirmation", "title": "%s", "action": {"name": "x", "args": {}}}' % title.encode()
    head = (
        f"POST /api/holds HTTP/1.1\r\nHost: {host_of(cast.server).decode()}\r\n"
        f"Authorization: Bearer {cast.agent.token}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    )
    return title, head.encode() + body


@pytest.mark.parametrize(
    ("headers", "wrap"),
    [
        ("Content-Length: {n}\r\nTransfer-Encoding: chunked\r\n", b"0\r\n\r\n%s"),
        ("Transfer-Encoding: chunked\r\nContent-Length: {n}\r\n", b"0\r\n\r\n%s"),
        ("Content-Length: 5\r\nContent-Length: {n}\r\n", b"%s"),
        ("Content-Length: 0, {n}\r\n", b"%s"),
        ("Content-Length: +0\r\n", b"%s"),
        ("Content-Length: {n}\r\nTransfer-Encoding: xchunked\r\n", b"0\r\n\r\n%s"),
        ("Content-Length: {n}\r\nTransfer-Encoding : chunked\r\n", b"0\r\n\r\n%s"),
        ("Content-Length: {n}\r\nTransfer-Encoding:\x0bchunked\r\n", b"0\r\n\r\n%s"),
        ("Transfer-Encoding: chunked, identity\r\n", b"0\r\n\r\n%s"),
        ("Transfer-Encoding: chunked\r\n", b"0;x=\ny\r\n\r\n%s"),
        ("Content-Length: {n}\r\nX: y\nTransfer-Encoding: chunked\r\n", b"0\r\n\r\n%s"),
    ],
)
def test_a_request_hidden_in_the_body_of_another_is_never_carried_out_ambiguously(
    cast: Cast, headers: str, wrap: bytes
) -> None:
    """Where two servers in a row could disagree on where a body ends, ours takes none of it, or all of it as a body."""
    title, inner = smuggled(cast)
    payload = wrap % inner
    head = f"POST /api/sign-in HTTP/1.1\r\nHost: {host_of(cast.server).decode()}\r\nContent-Type: application/json\r\n"
    said = raw(
        cast.server, head.encode() + headers.format(n=len(payload)).encode("latin-1") + b"\r\n" + payload, ends=True
    )
    found = cast.administrator.get("/api/holds", params={"text": title, "status": "all"}).json()["holds"]
    if found:
        # a chunked body that ended before it: then the rest is an honest second request, seen alike by everybody
        assert "content-length" not in headers.lower() and said.count(b"HTTP/1.1 ") == 2, said[:500]
    else:
        assert said.count(b"HTTP/1.1 2") == 0, said[:500]


@pytest.mark.parametrize(
    "path", ["/api/holds/x%0d%0aX-Evil:%201", "/inbox?next=%0d%0aX-Evil:%201", "/sign-in%0d%0aX-Evil:1"]
)
def test_no_address_writes_a_header_of_the_answer(target: ServerProcess, path: str) -> None:
    request = (
        f"GET {path} HTTP/1.1\r\nHost: {host_of(target).decode()}\r\nAccept: text/html\r\nConnection: close\r\n\r\n"
    )
    head, _, _ = raw(target, request.encode()).partition(b"\r\n\r\n")
    assert b"x-evil" not in head.lower()


def test_hosts_that_we_do_not_serve_and_two_hosts_are_refused(target: ServerProcess) -> None:
    for hosts in ("Host: evil.example\r\n", f"Host: {host_of(target).decode()}\r\nHost: evil.example\r\n", ""):
        said = raw(target, f"GET /inbox HTTP/1.1\r\n{hosts}Accept: text/html\r\nConnection: close\r\n\r\n".encode())
        assert said.startswith(b"HTTP/1.1 4"), said[:200]


@pytest.mark.parametrize("path", ["/", "/inbox", "/sign-in", "/api/me", "/nothing", "/health"])
def test_nobody_can_frame_any_answer_or_guess_its_type(target: ServerProcess, path: str) -> None:
    with target.client() as http:
        headers = http.get(path, headers={"Accept": "text/html"}).headers
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert "unsafe" not in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"


@contextmanager
def mailed() -> Generator[tuple[ServerProcess, Sink]]:
    """A server that writes to a mail server of ours."""
    sink = Sink()
    loop = asyncio.new_event_loop()
    ended = asyncio.Event()

    async def serve() -> None:
        async with sink.serving():
            await ended.wait()

    thread = threading.Thread(target=loop.run_until_complete, args=(serve(),))
    thread.start()
    variables = {
        "HANDRAIL_SMTP_URL": f"smtp://{sink.host}:{sink.port}",
        "HANDRAIL_EMAIL_FROM": "handrail@example.org",
        "HANDRAIL_PUBLIC_URL": "http://127.0.0.1:8400",
    }
    try:
        with servers.running(**variables) as server:
            yield server, sink
    finally:
        loop.call_soon_threadsafe(ended.set)
        thread.join()
        loop.close()


def test_no_text_of_an_agent_writes_a_header_or_markup_of_a_mail() -> None:
    with mailed() as (server, sink):
        agent = joined(server, "<script>Bcc: all@evil.example</script>", kind="agent")
        with server.client() as http:
            person = {"name": "Ann", "roles": ["team_lead", "tech_lead", "cto"], "email": "ann@example.org"}
            http.post("/api/people", json=person).raise_for_status()
        action = {"name": "deploy", "args": {"version": HOSTILE, HOSTILE: "1"}, "target": "staging"}
        hold = agent.open(MEDIUM, title=HOSTILE, description=HOSTILE, case_id=" ".join(HOSTILE.split()), action=action)
        agent.post(f"/api/holds/{hold['id']}/comments", {"text": HOSTILE}).raise_for_status()
        until(lambda: sink.mail)
        for to, message in list(sink.mail):
            assert to == "ann@example.org"
            assert message["Bcc"] is None and message["X-Evil"] is None
            assert [message["To"], message["From"]] == ["ann@example.org", "handrail@example.org"]
            assert "\n" not in message["Subject"] and "\r" not in message["Subject"]
            html = message.get_body(("html",))
            assert html is not None and "<script" not in html.get_content()
