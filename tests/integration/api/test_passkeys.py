"""Passkeys: sign in with one, and sign what is critical; what does not count; and the proof of it, offline."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Any

import apps
import httpx
import pytest
from authenticator import ORIGIN, Authenticator, add_passkey, approval
from feed_world import DEADLINE_SECONDS, audit_folder, key_file
from holds_world import shift_clock

from handrail.core.signed_decisions import SIGNED_TYPES, SignedDecisions
from handrail.core.verification import verify
from handrail.policy import default_policy

CRITICAL: dict[str, Any] = {
    "kind": "approval",
    "title": "Delete database orders-prod",
    "action": {"name": "delete_database", "args": {}, "target": "orders-prod"},
    "task": {"operation": "delete", "environment": "production"},
}
DAY = 24 * 3600


@dataclass(frozen=True)
class Office:
    """A tech lead and a CTO, each with a passkey, and an agent. Critical needs a signature."""

    desk: apps.Desk
    lead: httpx.AsyncClient
    cto: httpx.AsyncClient
    agent: httpx.AsyncClient
    key: Authenticator
    ctos: Authenticator

    async def asks(self) -> dict[str, Any]:
        return (await self.agent.post("/api/holds", json=CRITICAL)).raise_for_status().json()

    async def says(self, client: httpx.AsyncClient, hold: dict[str, Any], review: dict[str, Any]) -> httpx.Response:
        return await client.post(f"/api/holds/{hold['id']}/reviews", json=review)


def local(client: httpx.AsyncClient) -> httpx.AsyncClient:
    """The same, at the name by which passkeys know the site."""
    client.base_url = ORIGIN
    return client


@pytest.fixture
async def office(desk: apps.Desk) -> AsyncGenerator[Office]:
    files = dict(default_policy().source)
    rules = "risk-assessment-rules.yaml"
    files[rules] = files[rules].replace("own_credential: true", "own_credential: true\n    require_passkey: true")
    (await desk.admin.post("/api/policy", json={"files": files, "reason": "passkeys"})).raise_for_status()
    lead, cto = [local(await desk.member(name, roles=[name])) for name in ("tech_lead", "cto")]
    agent = await desk.member("agent", kind="agent")
    yield Office(desk, lead, cto, agent, await add_passkey(lead), await add_passkey(cto))


async def test_a_critical_hold_is_approved_by_two_signatures_and_the_log_proves_them(office: Office) -> None:
    """B13."""
    hold = await office.asks()
    assert hold["requirements"]["passkey"] is True
    for client, key in ((office.lead, office.key), (office.cto, office.ctos)):
        decided = await office.says(client, hold, await approval(client, hold, key))
        assert decided.status_code == 200, decided.text
    assert decided.json()["status"] == "approved"
    assert [review["signed"] for review in decided.json()["reviews"]] == [True, True]
    redeemed = await office.agent.post(
        f"/api/holds/{hold['id']}/redeem", json={"digest": hold["digest"], "key": "once"}
    )
    assert redeemed.status_code == 200, redeemed.text
    lines = await exported(office.desk)
    assert verify(lines, key_file(audit_folder()).publics()).faults == ()
    check_forgeries_are_found([json.loads(line) for line in lines])


def check_forgeries_are_found(records: list[dict[str, Any]]) -> None:
    """A writer of the database who also has the key that seals the log cannot make up what an authenticator signs."""
    entries = [record for record in records if record["record"] == "entry" and record["type"] in SIGNED_TYPES]
    review = next(record for record in entries if record["type"] == "hold.reviewed")
    said = json.loads(review["data"])
    other = next(each["actor_id"] for each in entries if each["actor_id"] != review["actor_id"])
    forged: list[tuple[dict[str, Any], dict[str, Any]]] = [
        (review, {**said, "digest": "0" * 64}),
        (review, {**said, "verdict": "answer"}),
        (review, {**said, "revision": 2}),
        ({**review, "hold_id": other}, said),
        ({**review, "actor_id": other}, said),
        (review, {**said, "signature": {**said["signature"], "nonce": "another"}}),
        (review, {**said, "signature": {**said["signature"], "public_key": "AAAA"}}),
        (review, {**said, "signature": {**said["signature"], "signature": "AAAA"}}),
    ]
    for record, data in forged:
        following = SignedDecisions(from_the_start=True)
        for entry in entries:
            if entry["type"] != "hold.reviewed":
                following.take(entry, json.loads(entry["data"]))
        assert following.take(review, said) is None
        assert following.take(record, data) is not None
    assert SignedDecisions(from_the_start=True).take(review, said) == "it is not by a passkey that this person had"


async def test_without_a_signature_nothing_critical_is_approved_by_any_way(office: Office) -> None:
    hold = await office.asks()
    plain = {"verdict": "approve", "digest": hold["digest"], "reason": "fine"}
    refused = await office.says(office.lead, hold, plain)
    assert (refused.status_code, refused.json()["code"]) == (403, "passkey_required")
    bulk = {"verdict": "approve", "holds": [{"id": hold["id"], "digest": hold["digest"]}], "reason": "fine"}
    results = (await office.lead.post("/api/holds/reviews", json=bulk)).json()["results"]
    assert results[0]["code"] == "passkey_required"
    rejected = await office.says(office.lead, hold, {**plain, "verdict": "reject"})
    assert rejected.json()["status"] == "rejected"


async def test_a_signature_counts_for_one_verdict_of_one_person_on_one_hold_once(office: Office) -> None:
    hold, other = await office.asks(), await office.asks()
    signed = await approval(office.lead, hold, office.key)
    elsewhere = await office.says(office.lead, other, {**signed, "digest": other["digest"]})
    assert elsewhere.json()["code"] == "passkey_refused"
    # a nonce that was tried elsewhere is still this hold's
    borrowed = await office.says(office.cto, hold, signed)
    assert borrowed.json()["code"] == "passkey_refused"
    assert (await office.says(office.lead, hold, signed)).status_code == 200
    withdrawn = await office.lead.post(f"/api/holds/{hold['id']}/withdraw", json={})
    assert withdrawn.status_code == 200
    replayed = await office.says(office.lead, hold, signed)
    assert replayed.json()["code"] == "passkey_refused"


async def test_a_signature_over_something_else_does_not_count(office: Office) -> None:
    hold = await office.asks()
    rejecting = await approval(office.lead, hold, office.key, "reject")
    assert (await office.says(office.lead, hold, {**rejecting, "verdict": "approve"})).json()["code"] == (
        "passkey_refused"
    )
    unverified = Authenticator(office.key.key, office.key.id, office.key.count, flags=0x01)
    stranger = Authenticator(id=office.key.id, count=office.key.count)
    for wrong in (unverified, stranger):
        refused = await office.says(office.lead, hold, await approval(office.lead, hold, wrong))
        assert refused.json()["code"] == "passkey_refused"
    asked = {"verdict": "approve", "digest": hold["digest"]}
    options = (await office.lead.post(f"/api/holds/{hold['id']}/passkey-options", json=asked)).json()
    for origin in ("http://evil.example", "https://localhost:8400"):
        foreign = {**asked, "reason": "fine", "passkey": office.key.signs(options, origin)}
        assert (await office.says(office.lead, hold, foreign)).json()["code"] == "passkey_refused"
    assert (await office.lead.get(f"/api/holds/{hold['id']}")).json()["reviews"] == []
    copied = Authenticator(office.key.key, office.key.id, count=0)
    assert (await office.says(office.lead, hold, await approval(office.lead, hold, office.key))).is_success
    await office.lead.post(f"/api/holds/{hold['id']}/withdraw", json={})
    cloned = await office.says(office.lead, hold, await approval(office.lead, hold, copied))
    assert "copy" in cloned.json()["detail"]


async def test_an_amendment_is_signed_by_nobody_and_counts_as_no_approval(office: Office) -> None:
    hold = await office.asks()
    amended: dict[str, Any] = {
        "verdict": "amend",
        "digest": hold["digest"],
        "reason": "the copy",
        "amended_action": {"name": "delete_database", "args": {}, "target": "orders-prod-copy"},
    }
    answer = await office.says(office.lead, hold, amended)
    assert (answer.status_code, answer.json()["reviews"]) == (200, [])
    signed = await approval(office.lead, answer.json(), office.key)
    stale = await office.says(office.lead, hold, {**signed, "digest": hold["digest"]})
    assert stale.json()["code"] == "stale_digest"


async def test_an_approval_from_before_the_policy_asked_for_passkeys_is_void(desk: apps.Desk) -> None:
    lead, cto = [local(await desk.own_member(name, roles=[name])) for name in ("tech_lead", "cto")]
    agent = await desk.member("agent", kind="agent")
    hold = (await agent.post("/api/holds", json=CRITICAL)).json()
    for client in (lead, cto):
        review = {"verdict": "approve", "digest": hold["digest"], "reason": "fine"}
        (await client.post(f"/api/holds/{hold['id']}/reviews", json=review)).raise_for_status()
    files = dict(default_policy().source)
    rules = "risk-assessment-rules.yaml"
    files[rules] = files[rules].replace("own_credential: true", "own_credential: true\n    require_passkey: true")
    (await desk.admin.post("/api/policy", json={"files": files, "reason": "passkeys"})).raise_for_status()
    redeemed = await agent.post(f"/api/holds/{hold['id']}/redeem", json={"digest": hold["digest"], "key": "once"})
    assert redeemed.json()["code"] == "approval_void"


async def test_a_removed_passkey_signs_nothing_and_the_next_one_waits_a_day(office: Office) -> None:
    hold = await office.asks()
    [known] = (await office.lead.get("/api/me/passkeys")).json()["passkeys"]
    stranger = await office.cto.delete(f"/api/me/passkeys/{known['id']}")
    assert stranger.status_code == 404
    signed = await approval(office.lead, hold, office.key)
    assert (await office.lead.delete(f"/api/me/passkeys/{known['id']}")).status_code == 204
    assert (await office.says(office.lead, hold, signed)).json()["code"] == "passkey_refused"
    new = await add_passkey(office.lead, "Phone")
    cooling = await office.says(office.lead, hold, await approval(office.lead, hold, new))
    assert cooling.json()["code"] == "passkey_cooling"
    await shift_clock(office.desk.database, DAY)
    hold = await office.asks()
    assert (await office.says(office.lead, hold, await approval(office.lead, hold, new))).status_code == 200
    types = [event["type"] for event in await office.desk.events()]
    assert (types.count("person.passkey_added"), types.count("person.passkey_removed")) == (3, 1)


async def test_a_passkey_signs_its_owner_in_and_nobody_else(office: Office) -> None:
    browser = local(office.desk.client())
    options = (await browser.post("/api/sign-in/passkey/options")).raise_for_status().json()
    signed = office.key.signs(options)
    me = await browser.post("/api/sign-in/passkey", json=signed)
    assert (me.json()["name"], me.json()["own_credential"]) == ("tech_lead", True)
    stranger = local(office.desk.client())
    for wrong in (signed, {**Authenticator().signs(options)}):
        refused = await stranger.post("/api/sign-in/passkey", json=wrong)
        assert (refused.status_code, refused.json()["code"]) == (401, "sign_in_failed")
    fresh = (await stranger.post("/api/sign-in/passkey/options")).json()
    unverified = Authenticator(office.key.key, office.key.id, office.key.count, flags=0x01)
    assert (await stranger.post("/api/sign-in/passkey", json=unverified.signs(fresh))).status_code == 401
    # what was signed to decide signs nobody in
    hold = await office.asks()
    decision = (await approval(office.lead, hold, office.key))["passkey"]
    assert (await stranger.post("/api/sign-in/passkey", json=decision)).status_code == 401


async def test_a_registration_is_for_this_site_this_person_and_once(office: Office) -> None:
    options = (await office.lead.post("/api/me/passkeys/options")).json()
    for made in (
        Authenticator().makes(options, origin="http://evil.example"),
        Authenticator(flags=0x01).makes(options),
        {**Authenticator().makes(options), "nonce": secrets.token_urlsafe(32)},
        {**Authenticator().makes(options), "id": "AAAA"},
        {**Authenticator().makes(options), "public_key": "AAAA"},
    ):
        refused = await office.lead.post("/api/me/passkeys", json=made)
        assert (refused.status_code, refused.json()["code"]) == (403, "passkey_refused"), refused.text
    assert (await office.cto.post("/api/me/passkeys", json=Authenticator().makes(options))).status_code == 403
    again = await office.lead.post("/api/me/passkeys", json=office.ctos.makes(options))
    assert again.json()["code"] == "conflict"
    lesser = local(office.desk.client(await office.desk.token("cto", scopes=["read", "decide"])))
    assert (await lesser.post("/api/me/passkeys/options")).json()["code"] == "scope_missing"


async def test_an_address_of_digits_is_refused_with_the_name_to_use(desk: apps.Desk) -> None:
    answer = await desk.admin.post("/api/me/passkeys/options")
    assert (answer.status_code, answer.json()["code"]) == (409, "passkey_needs_name")
    assert "http://localhost:8400" in answer.json()["detail"]


async def exported(desk: apps.Desk) -> list[bytes]:
    async with asyncio.timeout(DEADLINE_SECONDS):
        while True:
            lines = (await desk.admin.get("/api/audit/export")).raise_for_status().content.splitlines()
            if json.loads(lines[-1])["waiting"] == 0:
                return lines
