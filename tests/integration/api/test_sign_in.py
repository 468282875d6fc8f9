"""Sign-ins: signed in by password or one-time link, protected against other pages, ended."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from typing import Any

import apps
import httpx
import pytest
import quick_hashes

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
    """A browser, by a link."""
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
    assert answer.json()["detail"] == "The name or password is wrong, or the link has been used or has expired."
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
    assert "handrail_session" not in browser.cookies
    assert code_of(await copy.get("/api/me")) == (401, "session_ended")
    assert (await other.get("/api/me")).status_code == 200


async def test_signing_out_everywhere_ends_all(desk: apps.Desk) -> None:
    browser, other = await signed_in(desk), await signed_in(desk)
    assert (await browser.post("/api/sign-out-everywhere")).status_code == 204
    for each in (browser, other):
        assert code_of(await each.get("/api/me")) == (401, "session_ended")


async def sign_ins_of(browser: httpx.AsyncClient) -> list[dict[str, Any]]:
    return (await browser.get("/api/me/sign-ins")).raise_for_status().json()["sign_ins"]


async def test_a_person_sees_where_they_are_signed_in_and_ends_it(desk: apps.Desk) -> None:
    """With address, browser and time; what has ended stays in the list."""
    phone, lost, laptop = await signed_in(desk), await signed_in(desk), await signed_in(desk)
    seen = await sign_ins_of(laptop)
    assert [(one["how"], one["address"], one["current"]) for one in seen] == [
        ("link", "127.0.0.1", True),
        ("link", "127.0.0.1", False),
        ("link", "127.0.0.1", False),
    ]
    assert all(one["browser"].startswith("python-httpx") and one["ends_at"] for one in seen)
    assert (await laptop.delete(f"/api/me/sign-ins/{seen[1]['id']}")).status_code == 204
    assert code_of(await lost.get("/api/me")) == (401, "session_ended")
    assert (await phone.get("/api/me")).status_code == 200
    assert code_of(await laptop.delete(f"/api/me/sign-ins/{seen[1]['id']}")) == (404, "not_found"), "it has ended"
    assert [one["ends_at"] is None for one in await sign_ins_of(laptop)] == [False, True, False]

    assert (await laptop.post("/api/me/sign-ins/end-others")).status_code == 204
    assert code_of(await phone.get("/api/me")) == (401, "session_ended")
    assert (await laptop.get("/api/me")).status_code == 200
    ended = [event["data"] for event in await desk.events() if event["type"] == "session.signed_out"]
    assert ended == [{"sessions": 1}, {"sessions": 1}]


async def test_old_sign_ins_are_forgotten_and_those_that_last_are_not(
    desk: apps.Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("handrail.store.sign_ins.KEPT", 2)
    first = await signed_in(desk)
    for _ in range(3):
        await (await signed_in(desk)).post("/api/sign-out")
    assert [one["current"] for one in await sign_ins_of(first)] == [False, False, True]
    erased = desk.client()
    erased.headers["User-Agent"] = "x" * 1000
    await erased.post("/api/sign-in", json={"code": await link_for(desk, "Ann")})
    newest = (await sign_ins_of(first))[0]
    assert newest["browser"] == "x" * 300


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


async def shift(desk: apps.Desk, seconds: int) -> None:
    async with desk.database.connection() as conn:
        await conn.execute("UPDATE clock SET shift = shift + make_interval(secs => %s)", (seconds,))


async def guess(desk: apps.Desk, name: str = "Ann", password: str = "wrong") -> httpx.Response:
    return await desk.client().post("/api/sign-in", json={"name": name, "password": password})


async def test_wrong_passwords_slow_down_more_and_more_and_the_right_one_gets_in(database: str) -> None:
    async with apps.desk(database, wrong_passwords_per_name=2) as desk:
        await desk.principal("Ann", password=PASSWORD)
        for name in ("Ann", "ANN"):
            assert code_of(await guess(desk, name)) == (401, "sign_in_failed")
        for seconds in (5, 10, 20):
            refused = await guess(desk, "ann", PASSWORD)
            assert code_of(refused) == (429, "rate_limited")
            assert seconds / 2 < int(refused.headers["retry-after"]) <= seconds
            await shift(desk, seconds)
            assert code_of(await guess(desk)) == (401, "sign_in_failed")
        await shift(desk, 60)
        assert (await guess(desk, "ann", PASSWORD)).status_code == 200, "a minute is the most"
        assert code_of(await guess(desk)) == (401, "sign_in_failed"), "and then it begins anew"


async def test_a_browser_in_which_one_has_signed_in_is_not_kept_out_by_strangers(database: str) -> None:
    async with apps.desk(database, wrong_passwords_per_name=2) as desk:
        await desk.principal("Ann", password=PASSWORD)
        browser = desk.client()
        right = {"name": "Ann", "password": PASSWORD}
        (await browser.post("/api/sign-in", json=right)).raise_for_status()
        for _ in range(4):
            await guess(desk)
        assert (await guess(desk)).status_code == 429
        assert (await browser.post("/api/sign-in", json=right)).status_code == 200
        for _ in range(2):
            assert (await browser.post("/api/sign-in", json={**right, "password": "wrong"})).status_code == 401
        assert (await browser.post("/api/sign-in", json=right)).status_code == 429, "it is counted, too"
        other = {"name": "admin", "password": "wrong"}
        for _ in range(2):
            assert (await browser.post("/api/sign-in", json=other)).status_code == 401
        assert (await browser.post("/api/sign-in", json=other)).status_code == 429, "it is known for Ann alone"


async def test_of_many_guesses_at_once_no_more_are_compared_than_are_free(database: str) -> None:
    async with apps.desk(database, wrong_passwords_per_name=3) as desk:
        await desk.principal("Ann", password=PASSWORD)
        # all come while the first are still being compared
        with quick_hashes.thorough():
            answers = await asyncio.gather(*(guess(desk) for _ in range(12)))
        assert sorted(answer.status_code for answer in answers) == [401] * 3 + [429] * 9


async def test_wrong_passwords_are_counted_for_all_names_of_an_address(database: str) -> None:
    async with apps.desk(database, wrong_passwords_per_address=3) as desk:
        for name in ("ann", "bob", "cyd"):
            assert (await guess(desk, name)).status_code == 401
        assert code_of(await guess(desk, "dan")) == (429, "rate_limited")


async def test_bad_links_are_limited_and_good_ones_always_pass(database: str) -> None:
    async with apps.desk(database, token_failures_per_address="2/minute") as desk:
        await desk.principal("Ann")
        for _ in range(2):
            assert (await desk.client().post("/api/sign-in", json={"code": "x"})).status_code == 401
        assert code_of(await desk.client().post("/api/sign-in", json={"code": "x"})) == (429, "rate_limited")
        assert (await desk.client().post("/api/sign-in", json={"code": await link_for(desk, "Ann")})).status_code == 200


async def test_a_link_asks_before_it_replaces_somebody_elses_session(desk: apps.Desk) -> None:
    await desk.principal("Bob")
    browser = await signed_in(desk, "Ann")
    code = await link_for(desk, "Bob")
    asked = await browser.post("/api/sign-in", json={"code": code})
    assert code_of(asked) == (409, "signed_in_as_another")
    assert asked.json()["data"] == {"signed_in": "Ann", "link": "Bob"}
    assert (await browser.get("/api/me")).json()["name"] == "Ann"
    copy = desk.client()
    copy.cookies.update(browser.cookies)
    assert (await browser.post("/api/sign-in", json={"code": code, "replace": True})).json()["name"] == "Bob"
    assert code_of(await copy.get("/api/me")) == (401, "session_ended"), "what was replaced has ended"


async def test_a_link_of_ones_own_does_not_ask(desk: apps.Desk) -> None:
    browser = await signed_in(desk, "Ann")
    again = await browser.post("/api/sign-in", json={"code": await link_for(desk, "Ann")})
    assert (again.status_code, again.json()["name"]) == (200, "Ann")


@pytest.mark.parametrize(
    ("password", "why"),
    [
        ("sesame 9", "too short"),
        ("password123", "very common"),
        ("Password1!Password1!", "Repeats"),
        ("patricia-lang", "the account's name"),
        ("PATRICIA.LANG.1", "the account's name"),
        ("handrail2026", "easy to guess"),
        ("qwertyuiop", "common"),
    ],
)
async def test_a_password_that_is_easy_to_guess_is_refused_with_the_reason(
    desk: apps.Desk, password: str, why: str
) -> None:
    pat = await desk.principal("Patricia Lang")
    refused = await desk.admin.patch(f"/api/people/{pat.id}", json={"password": password})
    assert code_of(refused) == (422, "weak_password")
    assert why in refused.json()["detail"]
    assert password not in refused.text
    own = desk.client(await desk.token("Patricia Lang"))
    assert code_of(await own.post("/api/me/password", json={"password": password})) == (422, "weak_password")
    added = await desk.admin.post("/api/people", json={"name": "Patricia Lang 2", "password": password})
    assert code_of(added) == (422, "weak_password")


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


async def test_a_person_reads_dates_alike_on_every_device(desk: apps.Desk) -> None:
    laptop, phone = await signed_in(desk), await signed_in(desk)
    assert (await laptop.get("/api/me")).json()["dates"] == {"zone": None, "language": None}
    chosen = {"zone": "Asia/Kolkata", "language": "de-DE"}
    assert (await laptop.put("/api/me/dates", json=chosen)).raise_for_status().json()["dates"] == chosen
    assert (await phone.get("/api/me")).json()["dates"] == chosen
    cleared = {"zone": None, "language": "en-GB"}
    (await phone.put("/api/me/dates", json=cleared)).raise_for_status()
    assert (await laptop.get("/api/me")).json()["dates"] == cleared
    await desk.principal("Bob")
    assert (await (await signed_in(desk, "Bob")).get("/api/me")).json()["dates"]["language"] is None


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"zone": "Mars/Olympus", "language": None}, "invalid_field"),
        ({"zone": "../../etc/passwd", "language": None}, "invalid_field"),
        ({"zone": None, "language": "de_DE; x"}, "invalid_field"),
        ({"zone": "UTC"}, "missing_field"),
    ],
)
async def test_a_zone_that_nobody_has_is_refused(desk: apps.Desk, body: dict[str, Any], code: str) -> None:
    assert code_of(await (await signed_in(desk)).put("/api/me/dates", json=body)) == (422, code)


async def test_a_token_that_can_do_less_does_not_change_what_its_person_reads(desk: apps.Desk) -> None:
    reader = desk.client(await desk.token("Ann", scopes=["read"]))
    body = {"zone": "UTC", "language": None}
    assert code_of(await reader.put("/api/me/dates", json=body)) == (403, "scope_missing")
