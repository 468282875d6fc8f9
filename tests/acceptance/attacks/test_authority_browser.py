"""Attacks on authority through a browser: sign-in links, cookies, foreign pages, foreign hosts."""

from __future__ import annotations

import socket
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from urllib.parse import urlsplit

import httpx
import pytest
from attacks_world import MEDIUM, Cast, Json, Member, joined
from server import NO_CERTIFICATES
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

COOKIE = "handrail_session"
EVIL = "https://evil.example"


@contextmanager
def browser(cast: Cast) -> Generator[httpx.Client]:
    """Without a token."""
    with httpx.Client(base_url=cast.server.url, timeout=30, trust_env=False, verify=NO_CERTIFICATES) as http:
        yield http


def link_for(cast: Cast, who: Member) -> str:
    made = cast.administrator.post(f"/api/people/{who.id}/login-link").raise_for_status().json()
    return made["url"].partition("#code=")[2]


def sign_in(cast: Cast, http: httpx.Client, who: Member) -> Json:
    me = http.post("/api/sign-in", json={"code": link_for(cast, who)}).raise_for_status().json()
    http.headers["X-CSRF-Token"] = me["csrf_token"]
    return me


def code_of(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


def test_of_eight_who_race_for_a_link_one_gets_in(cast: Cast) -> None:
    for _ in range(5):
        code = link_for(cast, cast.team_lead)

        def race(_: int, code: str = code) -> tuple[int, bool]:
            with browser(cast) as http:
                answer = http.post("/api/sign-in", json={"code": code})
                return answer.status_code, COOKIE in answer.cookies

        with ThreadPoolExecutor(8) as pool:
            answers = sorted(pool.map(race, range(8)))
        assert answers == [(200, True)] + [(401, False)] * 7


def test_a_link_is_of_no_use_once_used_and_guesses_are_of_none(cast: Cast) -> None:
    code = link_for(cast, cast.team_lead)
    with browser(cast) as http:
        http.post("/api/sign-in", json={"code": code}).raise_for_status()
    for guess in (code, code[:-1], code.swapcase(), f"{code} ", "", "x" * 5000, "' OR 1=1 --"):
        with browser(cast) as http:
            answer = http.post("/api/sign-in", json={"code": guess})
            assert answer.status_code in (401, 422), answer.text
            assert COOKIE not in answer.cookies


def test_the_cookie_is_for_this_server_alone_and_out_of_reach_of_scripts(cast: Cast) -> None:
    with browser(cast) as http:
        answer = http.post("/api/sign-in", json={"code": link_for(cast, cast.team_lead)})
        parts = {part.strip().lower() for part in answer.headers["set-cookie"].split(";")[1:]}
    assert {"httponly", "samesite=strict", "path=/"} <= parts
    assert not any(part.startswith("domain") for part in parts)


def test_a_session_that_was_planted_before_signing_in_is_not_the_one_after(cast: Cast) -> None:
    """Session fixation: the attacker's own cookie, or one made up, is replaced."""
    with browser(cast) as attacker, browser(cast) as victim:
        sign_in(cast, attacker, cast.nobody)
        for planted in (attacker.cookies[COOKIE], "made-up"):
            victim.cookies.clear()
            victim.headers.pop("X-CSRF-Token", None)
            victim.cookies.set(COOKIE, planted)
            answer = victim.post("/api/sign-in", json={"code": link_for(cast, cast.cto)})
            given = answer.cookies.get(COOKIE)
            if answer.status_code == 200:
                assert given not in (None, planted)
            else:
                # it asks before it replaces another person's session
                assert answer.status_code in (401, 403, 409) and given is None, answer.text
            attacker.cookies.clear()
            attacker.cookies.set(COOKIE, planted)
            assert attacker.get("/api/me").json().get("name") != cast.cto.name


def test_signing_out_ends_a_stolen_copy_too(cast: Cast) -> None:
    with browser(cast) as http, browser(cast) as thief:
        sign_in(cast, http, cast.team_lead)
        thief.cookies.set(COOKIE, http.cookies[COOKIE])
        assert thief.get("/api/me").json()["name"] == cast.team_lead.name
        assert http.post("/api/sign-out").status_code == 204
        assert code_of(thief.get("/api/me")) == (401, "session_ended")


def test_who_is_made_inactive_is_out_at_once(cast: Cast) -> None:
    who = joined(cast.server, "short", "team_lead")
    hold = cast.agent.open(MEDIUM)
    with browser(cast) as http:
        sign_in(cast, http, who)
        unused = link_for(cast, who)
        cast.administrator.send("PATCH", f"/api/people/{who.id}", json={"active": False}).raise_for_status()
        body = {"verdict": "approve", "digest": hold["digest"]}
        assert http.post(f"/api/holds/{hold['id']}/reviews", json=body).status_code == 401
        assert http.post("/api/sign-in", json={"code": unused}).status_code == 401
    assert who.review(hold).status_code == 401
    assert cast.hold(hold)["status"] == "pending"


def test_a_request_that_the_page_did_not_send_decides_nothing(cast: Cast) -> None:
    """CSRF: the cookie alone is not enough, nor is the token of another session."""
    hold = cast.agent.open(MEDIUM)
    path, body = f"/api/holds/{hold['id']}/reviews", {"verdict": "approve", "digest": hold["digest"]}
    with browser(cast) as http, browser(cast) as other:
        sign_in(cast, http, cast.team_lead)
        foreign = sign_in(cast, other, cast.team_lead)["csrf_token"]
        for token in ("", "wrong", foreign):
            assert code_of(http.post(path, json=body, headers={"X-CSRF-Token": token})) == (403, "csrf_failed")
        del http.headers["X-CSRF-Token"]
        assert code_of(http.post(path, json=body)) == (403, "csrf_failed")
        # what a form of a foreign page can send
        for content_type in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"):
            text = f'{{"verdict": "approve", "digest": "{hold["digest"]}"}}'
            sent = http.post(path, content=text, headers={"Content-Type": content_type})
            assert sent.status_code in (403, 415, 422), sent.text
        # reading is no way to write
        for method in ("GET", "HEAD", "OPTIONS"):
            assert http.request(method, path).status_code in (404, 405)
        for name in ("X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override"):
            assert http.get(f"/api/holds/{hold['id']}", headers={name: "DELETE"}).status_code == 200
    assert cast.hold(hold)["status"] == "pending"


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": EVIL},
        {"Origin": "null"},
        {"Origin": ""},
        {"Origin": "http://127.0.0.1:1"},
        {"Origin": "http://127.0.0.1.evil.example"},
        {"Origin": "http://evil.example/127.0.0.1"},
        {"Sec-Fetch-Site": "cross-site"},
    ],
    ids=str,
)
def test_a_foreign_page_changes_nothing_even_with_the_right_tokens(cast: Cast, headers: dict[str, str]) -> None:
    hold = cast.agent.open(MEDIUM)
    path, body = f"/api/holds/{hold['id']}/reviews", {"verdict": "approve", "digest": hold["digest"]}
    with browser(cast) as http:
        sign_in(cast, http, cast.team_lead)
        assert code_of(http.post(path, json=body, headers=headers)) == (403, "origin_refused")
    assert code_of(cast.team_lead.post(path, body, headers=headers)) == (403, "origin_refused")
    assert cast.hold(hold)["status"] == "pending"


def test_no_foreign_page_may_read(cast: Cast) -> None:
    """CORS: nothing invites it."""
    with browser(cast) as http:
        sign_in(cast, http, cast.team_lead)
        for answer in (
            http.get("/api/me", headers={"Origin": EVIL}),
            http.options("/api/me", headers={"Origin": EVIL, "Access-Control-Request-Method": "POST"}),
            http.get("/health", headers={"Origin": EVIL}),
        ):
            assert not [name for name in answer.headers if name.startswith("access-control-")]
            assert answer.headers["cross-origin-resource-policy"] == "same-origin"
            assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]


def test_a_foreign_page_opens_no_socket_with_the_cookie(cast: Cast) -> None:
    with browser(cast) as http:
        sign_in(cast, http, cast.team_lead)
        address = f"{cast.server.url.replace('http', 'ws')}/ws/runs/{cast.team_lead.id}"
        cookie = f"{COOKIE}={http.cookies[COOKIE]}"
    for origin in (EVIL, "null", "http://127.0.0.1.evil.example"):
        with (
            pytest.raises(InvalidStatus) as refused,
            connect(address, additional_headers={"Cookie": cookie, "Origin": origin}, proxy=None),
        ):
            pass
        assert refused.value.response.status_code == 403


@pytest.mark.parametrize(
    "hosts",
    [
        ["evil.example"],
        ["127.0.0.1.evil.example"],
        ["evil.example:80"],
        ["127.0.0.1@evil.example"],
        ["127.0.0.1", "evil.example"],
        [""],
        [],
        ["[::1"],
    ],
    ids=str,
)
def test_a_name_that_is_not_ours_is_answered_by_nothing(cast: Cast, hosts: list[str]) -> None:
    """DNS rebinding, and requests that name two hosts or none."""
    at = urlsplit(cast.server.url)
    named = "".join(f"Host: {host}\r\n" for host in hosts)
    head = f"GET /api/me HTTP/1.1\r\n{named}Authorization: Bearer {cast.team_lead.token}\r\nConnection: close\r\n\r\n"
    with socket.create_connection((at.hostname or "", at.port or 0), timeout=30) as wire:
        wire.sendall(head.encode())
        answer = b"".join(iter(lambda: wire.recv(65536), b""))
    assert answer.split(b"\r\n")[0].split()[1] in (b"400", b"403", b"421"), answer[:200]
    assert cast.team_lead.name.encode() not in answer


def test_a_link_made_for_one_host_does_not_name_another(cast: Cast) -> None:
    """Who asks for a link chooses no host for it."""
    path = f"/api/people/{cast.team_lead.id}/login-link"
    for headers in ({"X-Forwarded-Host": "evil.example"}, {"Forwarded": "host=evil.example"}, {"X-Original-URL": EVIL}):
        made = cast.administrator.post(path, headers=headers).raise_for_status().json()
        assert "evil.example" not in made["url"]
