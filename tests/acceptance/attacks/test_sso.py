"""Attacks on company sign-in, against a real provider and one that the attacker runs."""

from __future__ import annotations

import base64
import json
import time
from collections.abc import AsyncGenerator, Generator
from pathlib import Path
from typing import Any

import apps
import httpx
import pytest
from oidc_world import Oidc, Person, problem, provider, sso_file

LOGOUT = "http://schemas.openid.net/event/backchannel-logout"


@pytest.fixture(scope="module")
def corp() -> Generator[Oidc]:
    with provider(f"{apps.URL}/api/sso/corp/callback") as started:
        started.employs("ann", "leads")
        yield started


@pytest.fixture(scope="module")
def other() -> Generator[Oidc]:
    """A provider that the attacker runs, and that the operator trusts for its own people."""
    with provider(f"{apps.URL}/api/sso/other/callback") as started:
        started.employs("ann", "keepers", "unlisted")
        yield started


@pytest.fixture
async def desk(database: str, corp: Oidc, other: Oidc, tmp_path: Path) -> AsyncGenerator[apps.Desk]:
    file = sso_file(tmp_path, corp=corp, other=other)
    async with apps.desk(database, public_url=apps.URL, sso_file=file) as made:
        yield made


@pytest.fixture
async def ann(desk: apps.Desk, corp: Oidc) -> Person:
    return Person(desk.client(), corp)


async def test_a_way_back_works_once_and_only_in_the_browser_that_began_it(
    desk: apps.Desk, corp: Oidc, ann: Person
) -> None:
    back = corp.consent(await ann.departs(), "ann")
    stranger = Person(desk.client(), corp)
    assert problem(await stranger.returns(back)) == "sso_flow_ended"
    await stranger.departs()
    assert problem(await stranger.returns(back)) == "sso_flow_ended"
    assert problem(await ann.returns(back)) is None
    ann.handrail.cookies.delete("handrail_session")
    assert problem(await ann.returns(back)) == "sso_flow_ended"


async def test_a_way_back_with_another_state_or_code_signs_nobody_in(ann: Person, corp: Oidc) -> None:
    for changed in ("state", "code"):
        back = httpx.URL(corp.consent(await ann.departs(), "ann"))
        forged = str(back.copy_merge_params({changed: "x" * 43}))
        assert problem(await ann.returns(forged)) in {"sso_flow_ended", "sso_refused"}
    assert (await ann.me()).status_code == 401


async def test_a_code_that_was_stolen_is_of_no_use_in_another_sign_in(desk: apps.Desk, corp: Oidc, ann: Person) -> None:
    """PKCE: the thief's own sign-in has another verifier, though its state is good."""
    stolen = httpx.URL(corp.consent(await ann.departs(), "ann")).params["code"]
    thief = Person(desk.client(), corp)
    state = httpx.URL(await thief.departs()).params["state"]
    back = f"/api/sso/corp/callback?code={stolen}&state={state}&iss={corp.issuer}"
    assert problem(await thief.returns(back)) == "sso_refused"
    assert (await thief.me()).status_code == 401


async def test_a_provider_does_not_pass_for_another(desk: apps.Desk, corp: Oidc, other: Oidc) -> None:
    mixed = Person(desk.client(), other, "other")
    back = httpx.URL(other.consent(await mixed.departs(), "ann"))
    query = back.query.decode()
    assert problem(await mixed.returns(f"/api/sso/corp/callback?{query}")) == "sso_flow_ended"
    corps = Person(desk.client(), corp)
    state = httpx.URL(await corps.departs()).params["state"]
    code = back.params["code"]
    for sender in (f"&iss={other.issuer}", ""):
        answer = await corps.returns(f"/api/sso/corp/callback?code={code}&state={state}{sender}")
        assert problem(answer) in {"sso_refused", "sso_flow_ended"}
    assert (await corps.me()).status_code == 401


async def test_the_same_subject_at_another_provider_is_somebody_else(
    desk: apps.Desk, corp: Oidc, other: Oidc, ann: Person
) -> None:
    await ann.signs_in("ann")
    mallory = Person(desk.client(), other, "other")
    assert problem(await mallory.signs_in("ann")) == "sso_conflict"
    assert (await mallory.me()).status_code == 401
    assert (await ann.me()).json()["roles"] == ["team_lead"]


PAST = int(time.time()) - 3600
FORGED: dict[str, dict[str, Any]] = {
    "signed with nothing": {"alg": "none"},
    "signed with the public key as a secret": {"alg": "HS256"},
    "signed with the client's name as a secret": {"alg": "HS256", "secret": "handrail"},
    "a key that the provider does not have": {"kid": "unknown"},
    "expired": {"claims": {"exp": PAST, "iat": PAST - 60}},
    "without an end": {"claims": {"exp": None}},
    "from the future": {"claims": {"iat": int(time.time()) + 3600}},
    "for another application": {"claims": {"aud": "another"}},
    "for several without a party": {"claims": {"aud": ["handrail", "another"]}},
    "given to another application": {"claims": {"aud": ["handrail", "another"], "azp": "another"}},
    "from another issuer": {"claims": {"iss": "https://login.example.com"}},
    "of another sign-in": {"claims": {"nonce": "another"}},
    "about nobody": {"claims": {"sub": ""}},
    "about somebody else than the account": {"claims": {"sub": "root"}},
}


async def test_a_forged_id_token_signs_nobody_in(ann: Person, corp: Oidc) -> None:
    for name, forgery in FORGED.items():
        corp.tell("id-token", **forgery)
        try:
            assert problem(await ann.signs_in("ann")) == "sso_refused", name
        finally:
            corp.tell("id-token")
    assert (await ann.me()).status_code == 401


async def test_a_clock_that_is_half_a_minute_off_keeps_nobody_out(ann: Person, corp: Oidc) -> None:
    corp.tell("id-token", claims={"iat": int(time.time()) + 30, "exp": int(time.time()) - 30})
    try:
        assert problem(await ann.signs_in("ann")) is None
    finally:
        corp.tell("id-token")


ELSEWHERE = [
    "https://evil.example",
    "//evil.example",
    "/\\evil.example",
    "/%09/evil.example/..\\",
    "javascript:alert(1)",
]


async def test_signing_in_leads_to_no_other_site(ann: Person) -> None:
    for following in ELSEWHERE:
        answer = await ann.signs_in("ann", following)
        place = httpx.URL(answer.headers["location"])
        assert (place.host, place.scheme) == ("", "")
        assert not answer.headers["location"].startswith(("//", "/\\"))


async def test_a_group_that_the_table_does_not_list_gives_nothing(desk: apps.Desk, corp: Oidc) -> None:
    corp.employs("bob", "administrator", "Leads", "leads ", "cto", groups_of_old=["keepers"])
    bob = Person(desk.client(), corp)
    assert problem(await bob.signs_in("bob")) == "sso_no_role"


NO_LOGOUT: list[dict[str, Any]] = [
    {"events": {}},
    {"nonce": "n"},
    {"aud": "another"},
    {"iss": "https://login.example.com"},
    {"iat": PAST, "exp": int(time.time()) + 60},
    {"jti": None},
    {"sub": None},
]


async def test_a_logout_token_that_is_none_ends_nothing(desk: apps.Desk, corp: Oidc, ann: Person) -> None:
    await ann.signs_in("ann")
    now = int(time.time())
    good: dict[str, Any] = {
        "iss": corp.issuer,
        "aud": "handrail",
        "iat": now,
        "exp": now + 60,
        "jti": "1",
        "sub": "ann",
    }
    for change in NO_LOGOUT:
        claims: dict[str, Any] = {**good, "events": {LOGOUT: {}}, **change}
        await _log_out(desk, corp.forge({name: value for name, value in claims.items() if value is not None}))
    await _log_out(desk, corp.forge({**good, "events": {LOGOUT: {}}}, alg="none"))
    assert (await ann.me()).status_code == 200


async def test_an_id_token_is_no_logout_token(desk: apps.Desk, corp: Oidc, ann: Person) -> None:
    await ann.signs_in("ann")
    now = int(time.time())
    claims = {"iss": corp.issuer, "aud": "handrail", "iat": now, "exp": now + 60, "sub": "ann", "nonce": "n"}
    await _log_out(desk, corp.forge(claims))
    for text in ("", "x", "a.b.c", base64.b64encode(json.dumps({"alg": "RS256"}).encode()).decode() + ".e30."):
        await _log_out(desk, text)
    assert (await ann.me()).status_code == 200


async def test_nobody_links_the_account_of_another_nor_with_a_lesser_token(desk: apps.Desk, corp: Oidc) -> None:
    await desk.principal("zoe", roles=["cto"])
    lent = desk.client(await desk.token("zoe"))
    assert (await lent.post("/api/sso/corp/link")).json()["code"] == "credential_not_own"
    lesser = desk.client(await desk.token("zoe", scopes=["read", "open"]))
    assert (await lesser.post("/api/sso/corp/link")).json()["code"] == "scope_missing"
    agent = await desk.member("agent", kind="agent")
    assert (await agent.post("/api/sso/corp/link")).status_code == 403
    assert (await desk.client().post("/api/sso/corp/link")).status_code == 401


async def _log_out(desk: apps.Desk, token: str) -> None:
    answer = await desk.client().post("/api/sso/corp/back-channel-logout", data={"logout_token": token})
    assert (answer.status_code, answer.json()["code"]) == (400, "sso_refused")
