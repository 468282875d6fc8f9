"""Whose session it is: a link asks before it replaces another person's, and is one's own once a password is set."""

from __future__ import annotations

from collections.abc import Callable
from uuid import uuid4

from browser import Visitor, barriers, link_for
from playwright.sync_api import expect
from stage import Company, Json

Enter = Callable[..., Visitor]
DELETION: Json = {
    "kind": "approval",
    "action": {"name": "delete_database", "args": {}, "target": "orders-prod"},
    "task": {"operation": "delete", "environment": "production"},
}


def test_a_link_asks_before_it_replaces_another_persons_session(company: Company, enter: Enter) -> None:
    page = enter("Mara").page
    page.goto(link_for(company.server, "Jon"))
    expect(page.get_by_role("heading", name="You are signed in as Mara")).to_be_visible()
    assert barriers(page) == []
    page.get_by_role("button", name="Stay signed in as Mara").click()
    page.wait_for_url("**/inbox")
    expect(page.get_by_role("button", name="Mara: account")).to_be_visible()
    page.goto(link_for(company.server, "Jon"))
    page.get_by_role("button", name="Sign in as Jon").click()
    page.wait_for_url("**/inbox")
    expect(page.get_by_role("button", name="Jon: account")).to_be_visible()


def test_a_link_that_someone_else_made_approves_critical_only_after_a_password(company: Company, enter: Enter) -> None:
    hold = company.ask({**DELETION, "title": f"Delete orders ({uuid4().hex[:6]})"})
    page = enter("Carl", path=f"/holds/{hold['id']}").page
    expect(page.get_by_text("You did not create this credential yourself.")).to_be_visible()
    expect(page.get_by_role("button", name="Approve")).to_be_disabled()
    expect(page.get_by_role("button", name="Reject")).to_be_enabled()
    page.get_by_role("button", name="Carl: account").click()
    page.get_by_role("menuitem", name="Your account").click()
    expect(page.get_by_role("region", name="Password")).to_contain_text("You did not create this credential yourself.")
    page.get_by_label("New password").fill("password123")
    page.get_by_role("button", name="Set password").click()
    expect(page.get_by_text("too easy to guess")).to_be_visible()
    assert barriers(page) == []
    page.get_by_label("New password").fill("nine purple kettles")
    page.get_by_role("button", name="Set password").click()
    expect(page.get_by_text("Your password is set.")).to_be_visible()
    expect(page.get_by_role("region", name="Password")).not_to_contain_text("did not create")
    page.go_back()
    expect(page.get_by_role("button", name="Approve")).to_be_enabled()


def test_a_person_looks_after_their_own_tokens_and_sign_ins(company: Company, enter: Enter) -> None:
    """By keyboard; one token is made, shown once and revoked, another browser is signed out, and this one stays."""
    elsewhere, here = enter("Dev"), enter("Dev")
    page = here.page
    expect(page.get_by_role("heading", name="Inbox")).to_be_attached()
    page.keyboard.press("g")
    page.keyboard.press("m")
    expect(page.get_by_role("heading", name="Your account")).to_be_visible()
    assert barriers(page) == []

    page.get_by_role("button", name="Create token…").press("Enter")
    page.get_by_label("Label (optional)").fill("my laptop")
    page.keyboard.press("Enter")
    secret = page.get_by_text("hr_").first
    expect(secret).to_be_visible()
    token = secret.inner_text()
    assert barriers(page) == []
    with company.server.client(token) as program:
        assert program.get("/api/me").json()["name"] == "Dev"
        page.keyboard.press("Escape")
        revoke = page.get_by_role("list", name="Tokens").get_by_role("listitem").filter(has_text="my laptop")
        revoke.get_by_role("button", name="Revoke").press("Enter")
        revoke.get_by_role("button", name="Confirm revoke").press("Enter")
        expect(revoke).to_have_count(0)
        assert program.get("/api/me").json()["code"] == "token_revoked"
    assert token not in page.content()

    rows = page.get_by_role("list", name="Sign-ins, newest first").get_by_role("listitem")
    expect(rows.first).to_contain_text("This browser")
    expect(rows.first).to_contain_text("Chrome on Linux")
    expect(rows.first).to_contain_text("from 127.0.0.1, with a link")
    rows.nth(1).get_by_role("button", name="Sign out").press("Enter")
    rows.nth(1).get_by_role("button", name="Confirm sign out").press("Enter")
    expect(rows.nth(1)).to_contain_text("ended")
    assert barriers(page) == []
    other = elsewhere.page
    other.reload()
    other.wait_for_url("**/sign-in**")
    page.reload()
    expect(page.get_by_role("heading", name="Your account")).to_be_visible()
