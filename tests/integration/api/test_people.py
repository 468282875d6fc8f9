"""Principals: added and changed by administrators, of whom one always stays."""

from __future__ import annotations

import asyncio
from typing import Any
from uuid import uuid4

import apps
import pytest


def code_of(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


async def test_people_are_added_and_listed(desk: apps.Desk) -> None:
    added = await desk.admin.post("/api/people", json={"name": "Zoë", "roles": ["developer", "cto"]})
    assert added.status_code == 201
    body = added.json()
    assert (body["name"], body["kind"], body["roles"], body["active"]) == ("Zoë", "person", ["cto", "developer"], True)
    listed = (await desk.admin.get("/api/people")).json()
    assert [each["name"] for each in listed["people"]] == ["admin", "Zoë"]
    assert "password" not in str(listed)


@pytest.mark.parametrize("name", ["Ann", "ANN", "ann"])
async def test_a_name_is_given_once(desk: apps.Desk, name: str) -> None:
    await desk.principal("Ann")
    assert code_of(await desk.admin.post("/api/people", json={"name": name})) == (409, "name_taken")


@pytest.mark.parametrize(
    "name", ["", " Ann", "Ann ", "A\u200bnn", "A\nnn", "A\u202enn", "6f4bd938-cdf6-4e1c-a3b3-8f83e3f048ed", "x" * 101]
)
async def test_names_can_be_seen_and_told_apart(desk: apps.Desk, name: str) -> None:
    answer = await desk.admin.post("/api/people", json={"name": name})
    assert code_of(answer) == (422, "invalid_field")
    assert answer.json()["data"]["field"] == "name"


@pytest.mark.parametrize("role", ["CTO", "1st", "team-lead", "", "a" * 101, "rôle"])
async def test_roles_are_plain_names(desk: apps.Desk, role: str) -> None:
    assert code_of(await desk.admin.post("/api/people", json={"name": "Ann", "roles": [role]})) == (
        422,
        "invalid_field",
    )


@pytest.mark.parametrize("kind", ["service", "agent"])
async def test_only_persons_have_roles_and_passwords(desk: apps.Desk, kind: str) -> None:
    for extra in ({"roles": ["cto"]}, {"password": "open sesame"}):
        answer = await desk.admin.post("/api/people", json={"name": "bot", "kind": kind, **extra})
        assert code_of(answer) == (422, "invalid_field")
    bot = await desk.principal("bot", kind)
    for change in ({"roles": ["cto"]}, {"password": "open sesame"}):
        assert code_of(await desk.admin.patch(f"/api/people/{bot.id}", json=change)) == (422, "invalid_field")


async def test_others_than_administrators_are_refused(desk: apps.Desk) -> None:
    ann = await desk.member("Ann", roles=["cto", "auditor"])
    me = (await ann.get("/api/me")).json()["id"]
    assert code_of(await ann.get("/api/people")) == (403, "forbidden")
    assert code_of(await ann.post("/api/people", json={"name": "x"})) == (403, "forbidden")
    promoted = await ann.patch(f"/api/people/{me}", json={"roles": ["administrator"]})
    assert code_of(promoted) == (403, "forbidden")
    assert code_of(await ann.post(f"/api/people/{me}/login-link")) == (403, "forbidden")


@pytest.mark.parametrize("change", [{"active": False}, {"roles": ["cto"]}, {"roles": []}])
async def test_the_last_administrator_stays(desk: apps.Desk, change: dict[str, Any]) -> None:
    me = (await desk.admin.get("/api/me")).json()["id"]
    assert code_of(await desk.admin.patch(f"/api/people/{me}", json=change)) == (409, "last_administrator")
    ann = await desk.principal("Ann", roles=["administrator"])
    assert (await desk.admin.patch(f"/api/people/{ann.id}", json={"active": False})).status_code == 200
    assert code_of(await desk.admin.patch(f"/api/people/{me}", json=change)) == (409, "last_administrator")


async def test_two_administrators_who_remove_each_other_leave_one(desk: apps.Desk) -> None:
    me = (await desk.admin.get("/api/me")).json()["id"]
    for round_ in range(5):
        ann = await desk.principal(f"Ann {round_}", roles=["administrator"])
        ann_client = desk.client(await desk.token(ann.name))
        answers = await asyncio.gather(
            desk.admin.patch(f"/api/people/{ann.id}", json={"active": False}),
            ann_client.patch(f"/api/people/{me}", json={"roles": ["cto"]}),
        )
        async with desk.database.connection() as conn:
            found = await conn.execute(
                "SELECT count(*) FROM principals WHERE active AND kind = 'person' AND 'administrator' = ANY (roles)"
            )
            row = await found.fetchone()
            assert row is not None
            assert row["count"] == 1, [answer.text for answer in answers]
            await conn.execute("UPDATE principals SET roles = '{administrator}' WHERE id = %s", (me,))
            await conn.execute("UPDATE principals SET active = false WHERE id = %s", (ann.id,))


async def test_only_what_is_sent_changes(desk: apps.Desk) -> None:
    ann = await desk.principal("Ann", roles=["cto"])
    changed = (await desk.admin.patch(f"/api/people/{ann.id}", json={"active": False})).json()
    assert (changed["roles"], changed["active"]) == (["cto"], False)
    changed = (await desk.admin.patch(f"/api/people/{ann.id}", json={"roles": ["developer"]})).json()
    assert (changed["roles"], changed["active"]) == (["developer"], False)


async def test_an_unknown_principal_is_not_found(desk: apps.Desk) -> None:
    assert code_of(await desk.admin.patch(f"/api/people/{uuid4()}", json={})) == (404, "not_found")
    assert code_of(await desk.admin.post(f"/api/people/{uuid4()}/login-link")) == (404, "not_found")
    assert code_of(await desk.admin.patch("/api/people/ann", json={})) == (404, "not_found")


async def test_what_happens_to_people_is_an_event_without_the_password(desk: apps.Desk) -> None:
    ann = await desk.principal("Ann", roles=["cto"], password="open sesame")
    await desk.admin.patch(f"/api/people/{ann.id}", json={"roles": [], "password": "close sesame"})
    rows = [event for event in await desk.events() if event["data"].get("id") == str(ann.id)]
    assert [row["type"] for row in rows] == ["person.added", "person.changed"]
    assert rows[1]["data"]["roles_before"] == ["cto"]
    assert rows[1]["data"]["password_changed"] is True
    assert "sesame" not in str(rows)
    assert "argon2" not in str(rows)


async def test_a_role_that_the_policy_does_not_have_is_refused_with_those_that_it_has(desk: apps.Desk) -> None:
    answer = await desk.admin.post("/api/people", json={"name": "ann", "roles": ["teamlead"]})
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid_field")
    assert "no role 'teamlead'" in answer.json()["detail"]
    known = (await desk.admin.get("/api/roles")).json()["roles"]
    assert {"team_lead", "cto", "auditor", "administrator"} <= set(known)
    assert all(role in answer.json()["detail"] for role in known)
    ann = await desk.principal("ann", roles=known)
    changed = await desk.admin.patch(f"/api/people/{ann.id}", json={"roles": ["boss"]})
    assert (changed.status_code, changed.json()["code"]) == (422, "invalid_field")


async def test_a_role_held_already_stays_although_the_policy_has_lost_it(desk: apps.Desk) -> None:
    ann = await desk.principal("ann", roles=["team_lead"])
    async with desk.database.transaction() as conn:
        await conn.execute("UPDATE principals SET roles = '{team_lead, old_role}' WHERE id = %s", (ann.id,))
    changed = await desk.admin.patch(f"/api/people/{ann.id}", json={"roles": ["old_role", "cto"]})
    assert changed.json()["roles"] == ["cto", "old_role"]
