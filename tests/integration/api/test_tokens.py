"""Tokens: made, used, refused each with its own code, revoked at once, never more powerful than allowed."""

from __future__ import annotations

import re
from typing import Any
from uuid import uuid4

import apps
import pytest

from handrail.people.credentials import hash_of


def code_of(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


async def shift_clock(desk: apps.Desk, interval: str) -> None:
    async with desk.database.connection() as conn:
        await conn.execute("UPDATE clock SET shift = %s::interval", (interval,))


async def test_only_the_hash_of_a_token_is_kept(desk: apps.Desk) -> None:
    await desk.principal("bot", "agent")
    secret = await desk.token("bot")
    assert secret.startswith("hr_")
    assert len(secret) >= 43
    async with desk.database.connection() as conn:
        rows = await (await conn.execute("SELECT hash, tokens::text AS row FROM tokens")).fetchall()
    assert hash_of(secret) in [row["hash"] for row in rows]
    assert not any(secret in row["row"] for row in rows)
    assert secret not in str(await desk.events())


@pytest.mark.parametrize(
    ("header", "code"),
    [
        ("Bearer hr_nobody-knows-this-token", "token_unknown"),
        ("Bearer ", "unauthenticated"),
        ("Basic YWRtaW46YWRtaW4=", "unauthenticated"),
        ("hr_the-administrator-of-the-tests", "unauthenticated"),
    ],
)
async def test_what_is_no_token_is_refused(desk: apps.Desk, header: str, code: str) -> None:
    answer = await desk.client().get("/api/me", headers={"Authorization": header})
    assert code_of(answer) == (401, code)
    assert answer.headers["www-authenticate"] == "Bearer"


async def test_a_revoked_token_stops_with_the_next_request(desk: apps.Desk) -> None:
    bot = await desk.member("bot", "agent")
    assert (await bot.get("/api/me")).status_code == 200
    [token] = [t for t in (await desk.admin.get("/api/tokens")).json()["tokens"] if t["principal"]["name"] == "bot"]
    assert (await desk.admin.delete(f"/api/tokens/{token['id']}")).status_code == 204
    assert code_of(await bot.get("/api/me")) == (401, "token_revoked")
    assert (await desk.admin.delete(f"/api/tokens/{token['id']}")).status_code == 204


async def test_an_expired_token_says_so(desk: apps.Desk) -> None:
    await desk.principal("bot", "agent")
    bot = desk.client(await desk.token("bot", expires_in=60))
    assert (await bot.get("/api/me")).status_code == 200
    await shift_clock(desk, "61 seconds")
    assert code_of(await bot.get("/api/me")) == (401, "token_expired")


async def test_an_inactive_principal_is_out_at_once_and_stays_out_when_active_again(desk: apps.Desk) -> None:
    bot = await desk.member("bot", "agent")
    me = (await bot.get("/api/me")).json()
    assert (await desk.admin.patch(f"/api/people/{me['id']}", json={"active": False})).status_code == 200
    assert code_of(await bot.get("/api/me")) == (401, "principal_inactive")
    assert code_of(await desk.admin.post("/api/tokens", json={"principal": "bot"})) == (409, "conflict")
    assert (await desk.admin.patch(f"/api/people/{me['id']}", json={"active": True})).status_code == 200
    assert code_of(await bot.get("/api/me")) == (401, "token_revoked")


@pytest.mark.parametrize(
    ("kind", "roles", "scopes"),
    [
        ("agent", [], ["open", "read"]),
        ("service", [], ["open", "read"]),
        ("person", ["cto"], ["decide", "open", "read"]),
        ("person", ["administrator"], ["administer", "decide", "open", "read"]),
    ],
)
async def test_by_default_a_token_carries_what_kind_and_roles_allow(
    desk: apps.Desk, kind: str, roles: list[str], scopes: list[str]
) -> None:
    member = await desk.member("member", kind, roles)
    assert (await member.get("/api/me")).json()["scopes"] == scopes


@pytest.mark.parametrize("kind", ["agent", "service"])
@pytest.mark.parametrize("scope", ["decide", "administer"])
async def test_services_and_agents_never_get_more(desk: apps.Desk, kind: str, scope: str) -> None:
    await desk.principal("bot", kind)
    answer = await desk.admin.post("/api/tokens", json={"principal": "bot", "scopes": ["read", scope]})
    assert code_of(answer) == (422, "invalid_field")
    assert answer.json()["data"]["field"] == "scopes"


async def test_a_lost_role_takes_its_scope_from_every_token(desk: apps.Desk) -> None:
    ann = await desk.member("Ann", roles=["administrator"])
    me = (await ann.get("/api/me")).json()
    await desk.admin.patch(f"/api/people/{me['id']}", json={"roles": ["cto"]})
    assert (await ann.get("/api/me")).json()["scopes"] == ["decide", "open", "read"]
    assert code_of(await ann.get("/api/people")) == (403, "forbidden")


async def test_a_missing_scope_is_told_from_a_missing_role(desk: apps.Desk) -> None:
    reader = desk.client(await desk.token("admin", scopes=["read"]))
    assert code_of(await reader.get("/api/people")) == (403, "scope_missing")


async def test_a_token_that_only_reads_changes_nothing(desk: apps.Desk) -> None:
    reader = desk.client(await desk.token("admin", scopes=["read"]))
    document = (await reader.get("/openapi.json")).json()
    for path, operations in document["paths"].items():
        for method in set(operations) - {"get"}:
            if (method.upper(), path) not in apps.OPEN:
                address = re.sub(r"{[^}]+}", str(uuid4()), path)
                answer = await reader.request(method, address, json={})
                assert code_of(answer) == (403, "scope_missing"), (method, path)


async def test_a_person_handles_their_own_tokens_and_no_others(desk: apps.Desk) -> None:
    ann = await desk.member("Ann", roles=["cto"])
    bob = await desk.member("Bob")
    made = (await ann.post("/api/tokens", json={"principal": "Ann", "label": "laptop"})).raise_for_status().json()
    assert {token["principal"]["name"] for token in (await ann.get("/api/tokens")).json()["tokens"]} == {"Ann"}
    assert code_of(await ann.post("/api/tokens", json={"principal": "Bob"})) == (403, "forbidden")
    assert code_of(await ann.post("/api/tokens", json={"principal": "Nobody"})) == (403, "forbidden")
    assert code_of(await bob.delete(f"/api/tokens/{made['id']}")) == (404, "not_found")
    assert code_of(await bob.patch(f"/api/tokens/{made['id']}", json={"label": "x"})) == (404, "not_found")
    renamed = await ann.patch(f"/api/tokens/{made['id']}", json={"label": "desk"})
    assert renamed.json()["label"] == "desk"
    assert (await ann.delete(f"/api/tokens/{made['id']}")).status_code == 204
    assert code_of(await desk.client(made["token"]).get("/api/me")) == (401, "token_revoked")


@pytest.mark.parametrize("kind", ["agent", "service"])
async def test_programs_handle_no_tokens(desk: apps.Desk, kind: str) -> None:
    bot = await desk.member("bot", kind)
    assert code_of(await bot.get("/api/tokens")) == (403, "forbidden")
    assert code_of(await bot.post("/api/tokens", json={"principal": "bot"})) == (403, "forbidden")


async def test_a_token_makes_none_that_does_more_or_lives_longer(desk: apps.Desk) -> None:
    await desk.principal("Ann", roles=["cto"])
    short = desk.client(await desk.token("Ann", scopes=["open"], expires_in=600))
    longer = await short.post("/api/tokens", json={"principal": "Ann", "expires_in": 601})
    assert code_of(longer) == (422, "invalid_field")
    more = await short.post("/api/tokens", json={"principal": "Ann", "scopes": ["decide"]})
    assert code_of(more) == (422, "invalid_field")
    child = (await short.post("/api/tokens", json={"principal": "Ann"})).json()
    assert child["scopes"] == ["open"]
    assert child["expires_at"] is not None
    stretched = await short.patch(f"/api/tokens/{child['id']}", json={"expires_in": 6000})
    assert code_of(stretched) == (422, "invalid_field")


async def test_changing_a_token_touches_only_what_is_sent(desk: apps.Desk) -> None:
    made = (await desk.admin.post("/api/tokens", json={"principal": "admin", "label": "a", "expires_in": 60})).json()
    changed = (await desk.admin.patch(f"/api/tokens/{made['id']}", json={"label": "b"})).json()
    assert (changed["label"], changed["expires_at"]) == ("b", made["expires_at"])
    changed = (await desk.admin.patch(f"/api/tokens/{made['id']}", json={"label": None, "expires_in": 30})).json()
    assert (changed["label"], changed["expires_at"] < made["expires_at"]) == (None, True)


@pytest.mark.parametrize("later", [None, 61, 1e6])
async def test_a_tokens_end_is_brought_forward_and_never_back(desk: apps.Desk, later: float | None) -> None:
    made = (await desk.admin.post("/api/tokens", json={"principal": "admin", "expires_in": 60})).json()
    address = f"/api/tokens/{made['id']}"
    assert code_of(await desk.admin.patch(address, json={"expires_in": later})) == (422, "invalid_field")
    assert (await desk.admin.patch(address, json={"expires_in": 30})).status_code == 200
    assert code_of(await desk.admin.patch(address, json={"expires_in": 50})) == (422, "invalid_field")


async def test_what_has_ended_stays_ended(desk: apps.Desk) -> None:
    expired = (await desk.admin.post("/api/tokens", json={"principal": "admin", "expires_in": 60})).json()
    revoked = (await desk.admin.post("/api/tokens", json={"principal": "admin"})).json()
    await desk.admin.delete(f"/api/tokens/{revoked['id']}")
    await shift_clock(desk, "61 seconds")
    for token in (expired, revoked):
        for change in ({"expires_in": 600}, {"expires_in": None}, {"label": "again"}):
            answer = await desk.admin.patch(f"/api/tokens/{token['id']}", json=change)
            assert code_of(answer) == (409, "conflict")
        assert (await desk.client(token["token"]).get("/api/me")).status_code == 401


async def test_a_lesser_token_does_not_rule_over_a_greater_one(desk: apps.Desk) -> None:
    await desk.principal("Ann", roles=["cto"])
    lesser = desk.client(await desk.token("Ann", scopes=["read", "open"]))
    greater = (await desk.admin.post("/api/tokens", json={"principal": "Ann"})).json()
    address = f"/api/tokens/{greater['id']}"
    for answer in (
        await lesser.patch(address, json={"expires_in": 1}),
        await lesser.patch(address, json={"label": "mine"}),
        await lesser.delete(address),
    ):
        assert code_of(answer) == (403, "scope_missing")
    assert (await desk.client(greater["token"]).patch(address, json={"expires_in": 60})).status_code == 200
    assert (await desk.admin.delete(address)).status_code == 204


async def test_last_use_is_noted_at_most_once_a_minute(desk: apps.Desk) -> None:
    async def last_used() -> str:
        return (await desk.admin.get("/api/tokens")).json()["tokens"][-1]["last_used_at"]

    first = await last_used()
    assert first is not None
    assert await last_used() == first
    await shift_clock(desk, "61 seconds")
    assert await last_used() > first


async def test_lists_come_in_pages(desk: apps.Desk) -> None:
    for number in range(5):
        await desk.token("admin", label=str(number))
    seen: list[str] = []
    cursor = None
    while True:
        query = {"limit": "2", **({"cursor": cursor} if cursor else {})}
        page = (await desk.admin.get("/api/tokens", params=query)).json()
        seen += [token["label"] for token in page["tokens"]]
        if (cursor := page["next"]) is None:
            break
    assert seen == ["4", "3", "2", "1", "0", "HANDRAIL_ADMIN_TOKEN"]
    assert code_of(await desk.admin.get("/api/tokens?cursor=zzz")) == (400, "bad_cursor")


async def test_bad_tokens_have_to_wait_and_good_ones_pass(database: str) -> None:
    async with apps.desk(database, token_failures_per_address="3/minute") as desk:
        bad = desk.client("hr_nobody-knows-this-token")
        codes = [(await bad.get("/api/me")).json()["code"] for _ in range(5)]
        assert codes == ["token_unknown"] * 3 + ["rate_limited"] * 2
        answer = await bad.get("/api/me")
        assert answer.status_code == 429
        assert 1 <= int(answer.headers["retry-after"]) <= 60
        assert (await desk.admin.get("/api/me")).status_code == 200


async def test_what_happens_to_tokens_is_an_event(desk: apps.Desk) -> None:
    made = (await desk.admin.post("/api/tokens", json={"principal": "admin"})).json()
    await desk.admin.patch(f"/api/tokens/{made['id']}", json={"label": "b"})
    await desk.admin.delete(f"/api/tokens/{made['id']}")
    rows = [event for event in await desk.events() if event["data"].get("id") == made["id"]]
    assert [row["type"] for row in rows] == ["token.made", "token.changed", "token.revoked"]
    assert all(row["actor_id"] for row in rows)
