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
    page = enter("Carl").go(f"/holds/{hold['id']}")
    expect(page.get_by_text("Someone else made what you signed in with.")).to_be_visible()
    expect(page.get_by_role("button", name="Approve")).to_be_disabled()
    expect(page.get_by_role("button", name="Reject")).to_be_enabled()
    page.get_by_role("button", name="Carl: account").click()
    page.get_by_role("menuitem", name="Set password").click()
    page.get_by_label("New password").fill("password123")
    page.get_by_role("button", name="Set password").click()
    expect(page.get_by_text("too easy to guess")).to_be_visible()
    assert barriers(page) == []
    page.get_by_label("New password").fill("nine purple kettles")
    page.get_by_role("button", name="Set password").click()
    expect(page.get_by_text("Your password is set.")).to_be_visible()
    expect(page.get_by_role("button", name="Approve")).to_be_enabled()
