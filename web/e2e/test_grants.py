"""Allow like this: from a hold to a grant, what it covers, and its end."""

from __future__ import annotations

from collections.abc import Callable

from browser import Visitor, barriers
from playwright.sync_api import expect
from stage import Company

Enter = Callable[..., Visitor]
ACTION = {"name": "deploy", "args": {"service": "shop", "version": "1.4.2"}, "target": "shop"}
CALL = {
    "kind": "approval",
    "title": "Deploy shop 1.4.2 to staging",
    "action": ACTION,
    "task": {"operation": "deploy", "environment": "staging"},
}


def test_calls_like_one_are_allowed_and_revoked(company: Company, enter: Enter) -> None:
    hold = company.ask(CALL)
    jon = enter("Jon")
    page = jon.go(f"/holds/{hold['id']}")
    page.get_by_role("button", name="Allow like this…").click()
    page.get_by_label("Bound for version").select_option("begins with")
    page.get_by_label("Value of version").fill("1.4.")
    expect(page.get_by_text('version beginning with "1.4."')).to_be_visible()
    page.get_by_label("Number of calls").fill("2")
    assert barriers(page) == []
    page.get_by_label("Reason").fill("Patch releases have been fine")
    page.get_by_role("button", name="Allow", exact=True).click()
    expect(page.get_by_text("counts from now")).to_be_visible()

    after = company.ask({**CALL, "action": {**ACTION, "args": {"service": "shop", "version": "1.4.3"}}})
    assert after["status"] == "approved"
    page = jon.go(f"/holds/{after['id']}")
    expect(page.get_by_text("covers this call")).to_be_visible()

    page = jon.go("/grants")
    grant = page.get_by_role("list", name="Grants").get_by_role("listitem").filter(has_text="1.4.")
    expect(grant).to_contain_text("Used 1 time")
    assert barriers(page) == []
    grant.get_by_role("button", name="Revoke").click()
    page.get_by_label("Reason").fill("The release is out")
    page.get_by_role("button", name="Revoke", exact=True).click()
    expect(page.get_by_text("people are asked again")).to_be_visible()
    assert company.ask(CALL)["status"] == "pending"
