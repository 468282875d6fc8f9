"""Company sign-in against a real provider: who comes in, with which roles, and how they go out."""

from __future__ import annotations

import secrets
import time
from collections.abc import AsyncGenerator, Generator
from pathlib import Path
from typing import Any

import apps
import pytest
from holds_world import shift_clock
from oidc_world import Oidc, Person, problem, provider, sso_file

CALLBACK = f"{apps.URL}/api/sso/corp/callback"
LOGOUT = "http://schemas.openid.net/event/backchannel-logout"


@pytest.fixture(scope="module")
def corp() -> Generator[Oidc]:
    with provider(CALLBACK) as started:
        yield started


@pytest.fixture
async def desk(database: str, corp: Oidc, tmp_path: Path) -> AsyncGenerator[apps.Desk]:
    async with apps.desk(database, public_url=apps.URL, sso_file=sso_file(tmp_path, corp=corp)) as made:
        yield made


def at(desk: apps.Desk, corp: Oidc) -> Person:
    return Person(desk.client(), corp)


async def kinds(desk: apps.Desk) -> list[str]:
    return [event["type"] for event in await desk.events()]


async def test_a_person_gets_an_account_and_the_roles_of_their_groups_at_the_first_sign_in(
    desk: apps.Desk, corp: Oidc
) -> None:
    corp.employs("ann", "platform", "leads", "chess")
    ann = at(desk, corp)
    answer = await ann.signs_in("ann", "/holds/1?tab=2")
    assert (answer.status_code, answer.headers["location"]) == (303, "/holds/1?tab=2")
    me = (await ann.me()).json()
    assert (me["name"], me["roles"], me["own_credential"]) == ("ann", ["team_lead", "tech_lead"], True)
    linked = next(event for event in await desk.events() if event["type"] == "person.sso_linked")
    assert (linked["data"]["issuer"], linked["data"]["subject"]) == (corp.issuer, "ann")
    sign_ins = (await ann.handrail.get("/api/me/sign-ins")).json()["sign_ins"]
    assert [each["how"] for each in sign_ins] == ["sso"]


async def test_the_next_sign_in_finds_the_same_account_under_another_name_and_address(
    desk: apps.Desk, corp: Oidc
) -> None:
    corp.employs("bea", "leads")
    first = at(desk, corp)
    await first.signs_in("bea")
    corp.employs("bea", "platform", preferred_username="bea.new", email="new@example.org")
    again = at(desk, corp)
    await again.signs_in("bea")
    before, after = (await first.me()).json(), (await again.me()).json()
    assert (before["id"], after["roles"]) == (after["id"], ["tech_lead"])


async def test_one_address_for_two_people_lets_the_second_one_not_in(desk: apps.Desk, corp: Oidc) -> None:
    corp.employs("cal", "leads")
    corp.employs("cam", "leads", email="CAL@example.org")
    await at(desk, corp).signs_in("cal")
    cam = at(desk, corp)
    assert problem(await cam.signs_in("cam")) == "sso_conflict"
    assert (await cam.me()).status_code == 401
    refused = [event["data"] for event in await desk.events() if event["type"] == "sso.refused"]
    assert refused == [{"provider": "corp", "subject": "cam", "code": "sso_conflict"}]


async def test_a_name_or_an_address_takes_nobody_elses_account(desk: apps.Desk, corp: Oidc) -> None:
    await desk.admin.post("/api/people", json={"name": "dora", "email": "dora@example.org", "roles": ["cto"]})
    corp.employs("evil", "leads", preferred_username="dora", email="evil@example.org")
    corp.employs("mean", "leads", email="dora@example.org")
    for who in ("evil", "mean"):
        assert problem(await at(desk, corp).signs_in(who)) == "sso_conflict"


async def test_without_a_listed_group_nobody_gets_in_and_the_roles_of_before_are_gone(
    desk: apps.Desk, corp: Oidc
) -> None:
    corp.employs("eve", "leads")
    eve = at(desk, corp)
    await eve.signs_in("eve")
    corp.employs("eve", "chess")
    assert problem(await at(desk, corp).signs_in("eve")) == "sso_no_role"
    assert (await eve.me()).status_code == 401
    people = (await desk.admin.get("/api/people")).json()["people"]
    assert next(each["roles"] for each in people if each["name"] == "eve") == []


async def test_a_provider_that_sends_no_groups_lets_nobody_in(desk: apps.Desk, corp: Oidc) -> None:
    corp.tell("people", fay={"preferred_username": "fay"})
    assert problem(await at(desk, corp).signs_in("fay")) == "sso_no_role"


async def test_who_says_no_at_the_provider_is_not_signed_in(desk: apps.Desk, corp: Oidc) -> None:
    assert problem(await at(desk, corp).signs_in("nobody")) == "sso_refused"


async def test_new_groups_count_at_the_next_refresh_and_a_dismissal_ends_everything(
    desk: apps.Desk, corp: Oidc
) -> None:
    corp.employs("gus", "leads")
    gus = at(desk, corp)
    await gus.signs_in("gus")
    csrf = (await gus.me()).json()["csrf_token"]
    made = await gus.handrail.post("/api/tokens", json={"principal": "gus"}, headers={"X-CSRF-Token": csrf})
    token = desk.client(made.json()["token"])
    corp.employs("gus", "platform")
    assert (await gus.me()).json()["roles"] == ["team_lead"]
    await shift_clock(desk.database, 301)
    assert (await gus.me()).json()["roles"] == ["tech_lead"]
    corp.dismisses("gus")
    await shift_clock(desk.database, 301)
    ended = await token.get("/api/me")
    assert (ended.status_code, ended.json()["code"]) == (401, "sso_ended")
    assert (await gus.me()).json()["code"] == "session_ended"
    assert (await token.get("/api/me")).json()["code"] == "sso_ended"
    assert (await kinds(desk)).count("person.sso_ended") == 1


async def test_while_the_provider_is_down_people_work_for_a_quarter_of_an_hour(desk: apps.Desk, corp: Oidc) -> None:
    corp.employs("hal", "leads")
    hal = at(desk, corp)
    await hal.signs_in("hal")
    corp.tell("down", down=True)
    try:
        await shift_clock(desk.database, 301)
        assert (await hal.me()).status_code == 200
        await shift_clock(desk.database, 901)
        late = await hal.me()
        assert (late.status_code, late.json()["code"]) == (503, "sso_unreachable")
        assert int(late.headers["retry-after"]) >= 1
    finally:
        corp.tell("down", down=False)
    await shift_clock(desk.database, 21)
    assert (await hal.me()).status_code == 200


async def test_a_provider_that_is_down_is_named_on_the_sign_in_page(database: str, tmp_path: Path, corp: Oidc) -> None:
    async with apps.desk(
        database, public_url=apps.URL, sso_file=sso_file(tmp_path, corp=Oidc("http://127.0.0.1:1"))
    ) as desk:
        answer = await desk.client().get("/api/sso/corp/start")
        assert problem(answer) == "sso_unreachable"
        assert (await desk.admin.get("/api/me")).status_code == 200


async def test_new_keys_of_the_provider_are_fetched(desk: apps.Desk, corp: Oidc) -> None:
    corp.employs("ida", "leads")
    assert problem(await at(desk, corp).signs_in("ida")) is None
    corp.tell("rotate")
    assert problem(await at(desk, corp).signs_in("ida")) is None


async def test_the_provider_ends_the_sessions_of_its_people_once(desk: apps.Desk, corp: Oidc) -> None:
    corp.employs("jon", "leads")
    jon = at(desk, corp)
    await jon.signs_in("jon")
    token = corp.forge(logout_claims(corp, sub="jon"), type="logout+jwt")
    provider_ = desk.client()
    assert (await log_out(provider_, token)).status_code == 200
    assert (await jon.me()).status_code == 401
    again = await log_out(provider_, token)
    assert (again.status_code, again.json()["code"]) == (400, "sso_refused")
    await jon.signs_in("jon")
    assert (await log_out(provider_, token)).status_code == 400
    assert (await jon.me()).status_code == 200


async def test_a_logout_makes_the_provider_answer_for_the_persons_tokens_too(desk: apps.Desk, corp: Oidc) -> None:
    corp.employs("kay", "leads")
    kay = at(desk, corp)
    await kay.signs_in("kay")
    csrf = (await kay.me()).json()["csrf_token"]
    made = await kay.handrail.post("/api/tokens", json={"principal": "kay"}, headers={"X-CSRF-Token": csrf})
    token = desk.client(made.json()["token"])
    await log_out(desk.client(), corp.forge(logout_claims(corp, sub="kay")))
    assert (await token.get("/api/me")).status_code == 200
    corp.dismisses("kay")
    await log_out(desk.client(), corp.forge(logout_claims(corp, sub="kay")))
    assert (await token.get("/api/me")).json()["code"] == "sso_ended"


async def test_roles_that_come_from_groups_are_not_changed_here(desk: apps.Desk, corp: Oidc) -> None:
    corp.employs("lea", "leads")
    lea = at(desk, corp)
    await lea.signs_in("lea")
    who = (await lea.me()).json()["id"]
    answer = await desk.admin.patch(f"/api/people/{who}", json={"roles": ["cto"]})
    assert (answer.status_code, answer.json()["code"]) == (409, "sso_managed")
    assert (await desk.admin.patch(f"/api/people/{who}", json={"active": False})).status_code == 200
    assert problem(await at(desk, corp).signs_in("lea")) == "principal_inactive"


async def test_a_preview_shows_what_groups_would_give(desk: apps.Desk) -> None:
    asked = {"provider": "corp", "groups": ["platform", "chess"]}
    assert (await desk.admin.post("/api/sso/preview", json=asked)).json() == {
        "admitted": True,
        "roles": ["tech_lead"],
        "levels": ["low", "medium", "high", "critical"],
        "unlisted_groups": ["chess"],
        "unknown_roles": [],
    }
    member = await desk.member("mo", roles=["cto"])
    assert (await member.post("/api/sso/preview", json=asked)).status_code == 403


async def test_a_local_account_is_linked_by_its_owner(desk: apps.Desk, corp: Oidc) -> None:
    corp.employs("nia", "leads")
    local = await desk.own_member("nia", roles=["cto"])
    assert problem(await at(desk, corp).signs_in("nia")) == "sso_conflict"
    begun = (await local.post("/api/sso/corp/link")).raise_for_status().json()["url"]
    linking = Person(local, corp)
    assert problem(await linking.returns(corp.consent(begun, "nia"))) is None
    me = (await local.get("/api/me")).json()
    assert (me["name"], me["roles"]) == ("nia", ["team_lead"])
    assert (await local.get("/api/me/sso")).json() == {"provider": "corp", "title": "Corp"}
    refused = await desk.client().post("/api/sign-in", json={"name": "nia", "password": apps.OWN_PASSWORD})
    assert (refused.status_code, refused.json()["code"]) == (403, "sso_required")


async def test_there_is_always_a_local_administrator(desk: apps.Desk, corp: Oidc) -> None:
    corp.employs("oda", "keepers")
    oda = at(desk, corp)
    await oda.signs_in("oda")
    assert "administer" in (await oda.me()).json()["scopes"]
    me = (await desk.admin.get("/api/me")).json()
    lost = await desk.admin.patch(f"/api/people/{me['id']}", json={"active": False})
    assert lost.json()["code"] == "last_administrator"


async def test_only_administrators_break_the_glass_and_it_is_recorded(
    database: str, corp: Oidc, tmp_path: Path
) -> None:
    file = sso_file(tmp_path, "break_glass", corp=corp)
    password = secrets.token_urlsafe(16)
    async with apps.desk(database, public_url=apps.URL, sso_file=file) as desk:
        await desk.principal("pat", roles=["cto"], password=password)
        await desk.principal("root", roles=["administrator"], password=password)
        listed = (await desk.client().get("/api/sso/providers")).json()
        assert listed["local_sign_in"] == "break_glass"
        refused = await desk.client().post("/api/sign-in", json={"name": "pat", "password": password})
        assert refused.json()["code"] == "sso_required"
        assert "session.break_glass" not in await kinds(desk)
        wrong = await desk.client().post("/api/sign-in", json={"name": "pat", "password": "wrong"})
        assert wrong.json()["code"] == "sign_in_failed"
        assert (await desk.client().post("/api/sign-in", json={"name": "root", "password": password})).is_success
        assert "session.break_glass" in await kinds(desk)


async def test_a_mistake_in_the_file_is_named(tmp_path: Path) -> None:
    from handrail.core.errors import Misconfigured
    from handrail.people.sso import providers

    file = tmp_path / "sso.toml"
    file.write_text('[providers.corp]\ntitle = "C"\nissuer = "http://corp.example"\nclient_id = "x"\nroles = {}\n')
    with pytest.raises(Misconfigured, match=r"providers\.corp\.issuer.*https://"):
        providers.read(file)


def logout_claims(corp: Oidc, **claims: Any) -> dict[str, Any]:
    now = int(time.time())
    known = {"iss": corp.issuer, "aud": "handrail", "iat": now, "exp": now + 120, "jti": secrets.token_hex(8)}
    return {**known, "events": {LOGOUT: {}}, **claims}


async def log_out(client: Any, token: str) -> Any:
    return await client.post("/api/sso/corp/back-channel-logout", data={"logout_token": token})
