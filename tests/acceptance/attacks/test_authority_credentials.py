"""Attacks with credentials that somebody else made: they approve nothing critical, by no way in and by no detour."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from uuid import uuid4

import httpx
import pytest
from attacks_world import CRITICAL, HIGH, Cast, Json, Member, joined
from server import NO_CERTIFICATES, until


@pytest.fixture
def puppet(cast: Cast) -> Member:
    """A CTO who has never signed in, and whose token the administrator made and keeps."""
    return joined(cast.server, "puppet", "cto")


def unapproved(cast: Cast, hold: Json) -> None:
    seen = cast.hold(hold)
    assert (seen["status"], [one for one in seen["reviews"] if one["verdict"] == "approve"]) == ("pending", [])


def test_a_lent_token_approves_nothing_critical_by_any_way_in(cast: Cast, puppet: Member) -> None:
    hold = cast.agent.open(CRITICAL)
    said = puppet.review(hold, reason="as agreed")
    assert (said.status_code, said.json()["code"]) == (403, "credential_not_own")
    seen = [{"id": hold["id"], "digest": hold["digest"]}]
    bulk = puppet.post("/api/holds/reviews", {"verdict": "approve", "reason": "as agreed", "holds": seen})
    assert [one["code"] for one in bulk.json()["results"]] == ["credential_not_own"]
    ran = puppet.run("approve", hold["id"], "--yes", "--reason", "as agreed")
    assert ran.exit != 0, ran.out
    # an amendment is not an approval by another name
    smaller = {**hold["action"], "args": {"table": "orders_2019"}}
    amended = puppet.review(hold, "amend", amended_action=smaller, reason="smaller")
    assert amended.status_code in (200, 403), amended.text
    unapproved(cast, hold)
    body = {"operation": "delete", "environment": "production", "description": "Delete the orders"}
    made = cast.developer.post("/orchestrate", body).raise_for_status().json()
    path = f"/workflows/{made['workflow_id']}"
    until(lambda: cast.administrator.get(f"{path}/status").json()["workflow"]["status"] == "pending_approval")
    approved = puppet.post(f"{path}/approve", {"justification": "as agreed"})
    assert (approved.status_code, approved.json()["code"]) == (403, "credential_not_own")


def test_nothing_that_is_made_with_a_lent_token_is_ones_own(cast: Cast, puppet: Member) -> None:
    hold = cast.agent.open(CRITICAL)
    made = puppet.post("/api/tokens", {"principal": puppet.name}).raise_for_status().json()
    second = Member(cast.server, puppet.name, puppet.id, made["token"])
    third = second.post("/api/tokens", {"principal": puppet.name}).raise_for_status().json()["token"]
    link = cast.administrator.post(f"/api/people/{puppet.id}/login-link").raise_for_status().json()
    for token in (made["token"], third):
        said = Member(cast.server, puppet.name, puppet.id, token).review(hold, reason="as agreed")
        assert (said.status_code, said.json()["code"]) == (403, "credential_not_own")
    assert _by_session(cast, hold, {"code": link["url"].partition("#code=")[2]}) == (403, "credential_not_own")
    password = f"open sesame {uuid4().hex}"
    change = {"password": password}
    cast.administrator.send("PATCH", f"/api/people/{puppet.id}", json=change).raise_for_status()
    lent = _by_session(cast, hold, {"name": puppet.name, "password": password})
    assert lent == (403, "credential_not_own")
    unapproved(cast, hold)


def test_a_person_who_has_a_password_keeps_their_account(cast: Cast, puppet: Member) -> None:
    """Who has a token that the administrator made does not set another password in its name."""
    own = f"mine alone {uuid4().hex}"
    puppet.post("/api/me/password", {"password": own}).raise_for_status()
    fresh = cast.administrator.post("/api/tokens", {"principal": puppet.name}).raise_for_status().json()["token"]
    thief = Member(cast.server, puppet.name, puppet.id, fresh)
    for body in ({}, {"current": ""}, {"current": "guessed"}, {"current": None}):
        said = thief.post("/api/me/password", {"password": f"theirs {uuid4().hex}", **body})
        assert said.status_code in (403, 422), said.text
    hold = cast.agent.open(CRITICAL)
    assert thief.review(hold, reason="as agreed").json()["code"] == "credential_not_own"
    unapproved(cast, hold)
    # the person still gets in, and what they do counts
    assert _by_session(cast, hold, {"name": puppet.name, "password": own}) == (200, "")


def test_a_token_that_only_decides_makes_no_password(cast: Cast, puppet: Member) -> None:
    body = {"principal": puppet.name, "scopes": ["read", "decide"]}
    made = cast.administrator.post("/api/tokens", body).raise_for_status().json()
    lesser = Member(cast.server, puppet.name, puppet.id, made["token"])
    said = lesser.post("/api/me/password", {"password": f"mine {uuid4().hex}"})
    assert said.status_code == 403, said.text


def test_every_review_says_with_which_credential_it_was_given(cast: Cast, puppet: Member) -> None:
    """On a high hold a lent token counts, and everybody sees whose it was."""
    hold = cast.agent.open(HIGH)
    puppet.review(hold).raise_for_status()
    (review,) = cast.hold(hold)["reviews"]
    assert review["by"]["name"] == puppet.name
    assert "admin" in str(review["credential"]), review
    where = {"hold": hold["id"], "type": "hold.reviewed"}
    # the log is written after the answer
    (entry,) = until(lambda: cast.auditor.get("/api/audit/entries", params=where).json()["entries"])
    assert entry["data"]["credential"]["made_by"] is not None
    assert puppet.token not in str(entry)


def _by_session(cast: Cast, hold: Json, body: Json) -> tuple[int, str]:
    """What a browser that signs in so is answered when it approves."""
    url = cast.server.url
    with httpx.Client(base_url=url, timeout=30, trust_env=False, verify=NO_CERTIFICATES) as http:
        me = http.post("/api/sign-in", json=body).raise_for_status().json()
        said = {"verdict": "approve", "digest": hold["digest"], "reason": "as agreed"}
        headers = {"X-CSRF-Token": me["csrf_token"]}
        answer = http.post(f"/api/holds/{hold['id']}/reviews", json=said, headers=headers)
        return answer.status_code, answer.json().get("code", "")


def test_sign_ins_are_ones_own_and_no_lesser_token_has_a_say_in_them(cast: Cast) -> None:
    """Nor does an administrator see where others sign in from, and no page of others ends a session."""
    victim, thief = joined(cast.server, "victim", "tech_lead"), joined(cast.server, "thief", "tech_lead")
    with _browser(cast, victim) as browser:
        [seen] = browser.get("/api/me/sign-ins").json()["sign_ins"]
        assert seen["current"] and seen["ends_at"]
        for who in (thief, cast.administrator, cast.agent):
            listed = who.get("/api/me/sign-ins")
            assert seen["id"] not in listed.text
            ended = who.send("DELETE", f"/api/me/sign-ins/{seen['id']}")
            assert ended.status_code in (403, 404), ended.text
            who.post("/api/me/sign-ins/end-others", {})
            who.post("/api/sign-out-everywhere", {})
        for scopes in (["read"], ["read", "open"], ["decide"]):
            body = {"principal": victim.id, "scopes": scopes}
            made = cast.administrator.post("/api/tokens", body).raise_for_status().json()["token"]
            lesser = Member(cast.server, victim.name, victim.id, made)
            for refused in (
                lesser.get("/api/me/sign-ins"),
                lesser.send("DELETE", f"/api/me/sign-ins/{seen['id']}"),
                lesser.post("/api/me/sign-ins/end-others", {}),
                lesser.post("/api/sign-out-everywhere", {}),
            ):
                assert (refused.status_code, refused.json()["code"]) == (403, "scope_missing"), scopes
        token = browser.headers.pop("X-CSRF-Token")
        for refused in (
            browser.delete(f"/api/me/sign-ins/{seen['id']}"),
            browser.post("/api/me/sign-ins/end-others"),
            browser.post("/api/sign-out-everywhere"),
        ):
            assert (refused.status_code, refused.json()["code"]) == (403, "csrf_failed")
        browser.headers["X-CSRF-Token"] = token
        assert browser.get("/api/me").status_code == 200, "still signed in"


def test_a_browser_that_says_a_script_of_itself_is_only_text(cast: Cast) -> None:
    member = joined(cast.server, "scripted", "developer")
    with _browser(cast, member, "<script>alert(1)</script>") as browser:
        answer = browser.get("/api/me/sign-ins")
        assert answer.headers["content-type"] == "application/json"
        assert answer.json()["sign_ins"][0]["browser"].startswith("<script>")


def test_an_administrator_who_wants_their_own_tokens_gets_no_others(cast: Cast) -> None:
    mine = cast.administrator.get("/api/tokens?mine=true").json()["tokens"]
    assert {one["principal"]["id"] for one in mine} == {cast.administrator.id}
    lent = cast.developer.get("/api/tokens?mine=true").json()["tokens"]
    assert {one["principal"]["id"] for one in lent} == {cast.developer.id}


@contextmanager
def _browser(cast: Cast, member: Member, name: str = "Firefox") -> Generator[httpx.Client]:
    """One in which the person has signed in by a link."""
    link = cast.administrator.post(f"/api/people/{member.id}/login-link").raise_for_status().json()
    options: Json = {"timeout": 30, "trust_env": False, "verify": NO_CERTIFICATES, "headers": {"User-Agent": name}}
    with httpx.Client(base_url=cast.server.url, **options) as http:
        me = http.post("/api/sign-in", json={"code": link["url"].partition("#code=")[2]}).raise_for_status().json()
        http.headers["X-CSRF-Token"] = me["csrf_token"]
        yield http
