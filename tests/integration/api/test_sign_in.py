"""Browser sessions: signed in by password or one-time link, protected against other pages, ended."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from typing import Any

import apps
import httpx
import pytest

PASSWORD = "open sesame 1"


def code_of(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


@pytest.fixture
async def desk(database: str) -> AsyncGenerator[apps.Desk]:
    async with apps.desk(database) as desk:
        await desk.principal("Ann", roles=["cto", "administrator"])
        yield desk


@pytest.fixture
async def pat(desk: apps.Desk) -> None:
    """Has a password."""
    await desk.principal("Pat", password=PASSWORD)


async def signed_in(desk: apps.Desk, name: str = "Ann") -> httpx.AsyncClient:
    """A browser. By link: a password costs a quarter of a second."""
    browser = desk.client()
    me = (await browser.post("/api/sign-in", json={"code": await link_for(desk, name)})).raise_for_status().json()
    browser.headers["X-CSRF-Token"] = me["csrf_token"]
    return browser


async def link_for(desk: apps.Desk, name: str) -> str:
    people = (await desk.admin.get("/api/people")).json()["people"]
    [who] = [each["id"] for each in people if each["name"] == name]
    link = (await desk.admin.post(f"/api/people/{who}/login-link")).raise_for_status().json()
    assert link["url"].startswith(f"{apps.URL}/sign-in#code=")
    return link["url"].partition("#code=")[2]


@pytest.mark.usefixtures("pat")
async def test_a_password_signs_in(desk: apps.Desk) -> None:
    browser = desk.client()
    answer = await browser.post("/api/sign-in", json={"name": "pat", "password": PASSWORD})
    assert answer.status_code == 200
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert "Secure" not in cookie
    me = (await browser.get("/api/me")).json()
    assert (me["name"], me["scopes"]) == ("Pat", ["decide", "open", "read"])
    assert me["csrf_token"] == answer.json()["csrf_token"]


async def test_over_https_the_cookie_stays_there(desk: apps.Desk) -> None:
    async with httpx.AsyncClient(transport=httpx.ASGITransport(desk.app), base_url="https://localhost") as browser:
        answer = await browser.post("/api/sign-in", json={"code": await link_for(desk, "Ann")})
    assert "Secure" in answer.headers["set-cookie"]


@pytest.mark.parametrize(
    "body",
    [
        {"name": "Pat", "password": "wrong"},
        {"name": "Nobody", "password": PASSWORD},
        {"name": "admin", "password": PASSWORD},
        {"name": "bot", "password": PASSWORD},
        {"code": "wrong"},
    ],
)
@pytest.mark.usefixtures("pat")
async def test_every_failure_looks_the_same(desk: apps.Desk, body: dict[str, str]) -> None:
    await desk.principal("bot", "agent")
    answer = await desk.client().post("/api/sign-in", json=body)
    assert code_of(answer) == (401, "sign_in_failed")
    assert answer.json()["detail"] == "Name or password is wrong, or the link was used or has expired."
    assert "set-cookie" not in answer.headers


@pytest.mark.parametrize(
    "body", [{}, {"name": "Ann"}, {"password": "x"}, {"name": "Ann", "password": "x", "code": "y"}]
)
async def test_half_a_sign_in_is_told_what_is_missing(desk: apps.Desk, body: dict[str, str]) -> None:
    assert code_of(await desk.client().post("/api/sign-in", json=body)) == (422, "missing_field")


async def test_changes_need_the_csrf_token(desk: apps.Desk) -> None:
    browser = await signed_in(desk)
    body = {"name": "New"}
    for token in (b"", b"wrong", b"\xc3\xa9"):
        headers = {b"X-CSRF-Token": token}
        assert code_of(await browser.post("/api/people", json=body, headers=headers)) == (403, "csrf_failed")
    del browser.headers["X-CSRF-Token"]
    assert code_of(await browser.post("/api/people", json=body)) == (403, "csrf_failed")
    assert (await browser.get("/api/people")).status_code == 200
    other = await signed_in(desk)
    headers = {"X-CSRF-Token": other.headers["X-CSRF-Token"]}
    assert code_of(await browser.post("/api/people", json=body, headers=headers)) == (403, "csrf_failed")
    me = (await browser.get("/api/me")).json()
    headers = {"X-CSRF-Token": me["csrf_token"]}
    assert (await browser.post("/api/people", json=body, headers=headers)).status_code == 201


async def test_a_link_signs_in_once(desk: apps.Desk) -> None:
    code = await link_for(desk, "Ann")
    assert (await desk.client().post("/api/sign-in", json={"code": code})).json()["name"] == "Ann"
    assert code_of(await desk.client().post("/api/sign-in", json={"code": code})) == (401, "sign_in_failed")


async def test_of_many_who_use_a_link_at_once_one_gets_in(desk: apps.Desk) -> None:
    for _ in range(3):
        code = await link_for(desk, "Ann")
        answers = await asyncio.gather(*(desk.client().post("/api/sign-in", json={"code": code}) for _ in range(8)))
        assert sorted(answer.status_code for answer in answers) == [200] + [401] * 7


async def test_a_link_ends(desk: apps.Desk) -> None:
    code = await link_for(desk, "Ann")
    async with desk.database.connection() as conn:
        await conn.execute("UPDATE clock SET shift = '901 seconds'")
    assert code_of(await desk.client().post("/api/sign-in", json={"code": code})) == (401, "sign_in_failed")


async def test_links_are_for_active_persons(desk: apps.Desk) -> None:
    bot = await desk.principal("bot", "agent")
    assert code_of(await desk.admin.post(f"/api/people/{bot.id}/login-link")) == (409, "conflict")
    bob = await desk.principal("Bob")
    code = await link_for(desk, "Bob")
    await desk.admin.patch(f"/api/people/{bob.id}", json={"active": False})
    assert code_of(await desk.client().post("/api/sign-in", json={"code": code})) == (401, "sign_in_failed")
    assert code_of(await desk.admin.post(f"/api/people/{bob.id}/login-link")) == (409, "conflict")


async def test_signing_out_ends_this_session(desk: apps.Desk) -> None:
    browser, other = await signed_in(desk), await signed_in(desk)
    copy = desk.client()
    copy.cookies.update(browser.cookies)
    assert (await browser.post("/api/sign-out")).status_code == 204
    assert not browser.cookies
    assert code_of(await copy.get("/api/me")) == (401, "session_ended")
    assert (await other.get("/api/me")).status_code == 200


async def test_signing_out_everywhere_ends_all(desk: apps.Desk) -> None:
    browser, other = await signed_in(desk), await signed_in(desk)
    assert (await browser.post("/api/sign-out-everywhere")).status_code == 204
    for each in (browser, other):
        assert code_of(await each.get("/api/me")) == (401, "session_ended")


async def test_a_session_ends_by_itself(desk: apps.Desk) -> None:
    browser = await signed_in(desk)
    async with desk.database.connection() as conn:
        await conn.execute("UPDATE clock SET shift = '12 hours 1 second'")
    assert code_of(await browser.get("/api/me")) == (401, "session_ended")


@pytest.mark.parametrize("change", [{"active": False}, {"password": "another sesame"}])
@pytest.mark.usefixtures("pat")
async def test_sessions_end_with_the_account_and_with_the_old_password(desk: apps.Desk, change: dict[str, Any]) -> None:
    browser = await signed_in(desk, "Pat")
    who = (await browser.get("/api/me")).json()["id"]
    await desk.admin.patch(f"/api/people/{who}", json=change)
    assert code_of(await browser.get("/api/me")) == (401, "session_ended")
    again = await desk.client().post("/api/sign-in", json={"name": "Pat", "password": PASSWORD})
    assert code_of(again) == (401, "sign_in_failed")


async def test_a_token_does_not_sign_out(desk: apps.Desk) -> None:
    assert code_of(await desk.admin.post("/api/sign-out")) == (409, "conflict")


async def test_attempts_are_limited_by_name(database: str) -> None:
    async with apps.desk(database, sign_ins_per_name="2/minute") as desk:
        await desk.principal("Ann", password=PASSWORD)
        for name in ("Ann", "ANN"):
            answer = await desk.client().post("/api/sign-in", json={"name": name, "password": "wrong"})
            assert code_of(answer) == (401, "sign_in_failed")
        answer = await desk.client().post("/api/sign-in", json={"name": "ann", "password": PASSWORD})
        assert code_of(answer) == (429, "rate_limited")
        assert int(answer.headers["retry-after"]) >= 1


async def test_attempts_are_limited_by_address(database: str) -> None:
    async with apps.desk(database, sign_ins_per_address="2/minute") as desk:
        for _ in range(2):
            assert (await desk.client().post("/api/sign-in", json={"code": "x"})).status_code == 401
        assert code_of(await desk.client().post("/api/sign-in", json={"code": "x"})) == (429, "rate_limited")


@pytest.mark.usefixtures("pat")
async def test_only_hashes_are_kept(desk: apps.Desk) -> None:
    browser = await signed_in(desk)
    code = await link_for(desk, "Ann")
    async with desk.database.connection() as conn:
        kept = ""
        for table in ("principals", "sessions", "sign_in_codes"):
            found = await conn.execute(f"SELECT t::text AS row FROM {table} t".encode())
            kept += "".join(row["row"] for row in await found.fetchall())
    kept += str(await desk.events())
    for secret in (PASSWORD, code, browser.cookies["handrail_session"]):
        assert secret not in kept
    assert "$argon2id$" in kept
