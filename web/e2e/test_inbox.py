"""Whose turn it is: views, filters, groups, ranges, claims, snoozes and saved views, in a real browser."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from browser import Visitor, barriers
from playwright.sync_api import Locator, Page, expect
from stage import DEPLOY, STAGING, TEXT, Company

Enter = Callable[..., Visitor]
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
DARK_PHONE = {**PHONE, "color_scheme": "dark"}


def live(page: Page) -> Page:
    expect(page.get_by_role("status").filter(has_text="live")).to_be_visible()
    return page


def rows(page: Page) -> Locator:
    return page.get_by_role("list", name=re.compile("^Holds")).get_by_role("listitem")


def tenants(company: Company, count: int) -> tuple[str, list[dict[str, Any]]]:
    """Like holds of an action that no other test has."""
    action = f"archive_tenant_{uuid4().hex[:6]}"
    asked = [
        company.ask(
            STAGING,
            title=f"Archive tenant {n}",
            action={"name": action, "args": {"backup": True, "rows": n}, "target": f"{action}-{n}"},
        )
        for n in range(count)
    ]
    return action, asked


@pytest.mark.parametrize("window", [{}, DARK_PHONE], ids=["desk", "phone, dark"])
def test_each_view_has_what_its_name_says(company: Company, enter: Enter, window: dict[str, Any]) -> None:
    mark = uuid4().hex[:6]
    both = company.ask(DEPLOY, title=f"Deploy both {mark}")
    company.ask(STAGING, title=f"Deploy first {mark}")
    done = company.ask(STAGING, title=f"Deploy done {mark}")
    company.review("Jon", both)
    company.review("Jon", done)
    with company.server.client(company.token("Jon")) as http:
        http.post("/api/holds", json={**DEPLOY, "title": f"Deploy own {mark}"}).raise_for_status()
    page = live(enter("Jon", **window).go(f"/inbox?text={mark}"))
    views = page.get_by_role("navigation", name="Views")
    expect(rows(page)).to_have_count(1)
    expect(rows(page)).to_contain_text("Deploy first")
    views.get_by_role("link", name="Waiting").click()
    # what one asks oneself waits on others, too
    expect(rows(page)).to_have_count(2)
    expect(rows(page).filter(has_text="Deploy both")).to_be_visible()
    views.get_by_role("link", name="Mine").click()
    expect(rows(page)).to_have_count(1)
    expect(rows(page)).to_contain_text("Deploy own")
    views.get_by_role("link", name="Done").click()
    expect(rows(page)).to_have_count(1)
    expect(rows(page)).to_contain_text("approved by Jon")
    assert barriers(page) == []
    # the address says it all
    page.reload()
    expect(rows(page)).to_contain_text("Deploy done")
    views.get_by_role("link", name="Needs me").click()
    page.get_by_role("button", name="Search everything").click()
    expect(rows(page)).to_have_count(4)
    # also where there is no room for all of them
    expect(views.locator("[aria-current]")).to_have_text("Everything")
    expect(views.get_by_role("link", name="Everything")).to_be_in_viewport(ratio=0.9)


def test_the_badge_counts_what_needs_me_and_nothing_else(company: Company, enter: Enter) -> None:
    page = live(enter("Carl").page)
    tab = page.get_by_role("navigation", name="Views").get_by_role("link", name="Needs me")
    badge = page.get_by_role("navigation", name="Pages").get_by_label("waiting")
    with company.server.client(company.token("Carl")) as http:
        counts = http.get("/api/holds/counts", params={"view": "needs_me"}).json()["counts"]
    before = sum(one["count"] for one in counts.values())
    both = company.ask(DEPLOY, title=f"Deploy {uuid4().hex[:6]}")
    expect(rows(page).filter(has_text=both["title"])).to_be_visible()
    expect(badge).to_have_text(str(before + 1))
    expect(tab).to_have_text(f"Needs me{before + 1}")
    company.review("Carl", both)
    expect(rows(page).filter(has_text=both["title"])).to_have_count(0)
    # without a badge nothing waits
    expect(tab).to_have_text(f"Needs me{before or ''}")


def test_filters_are_in_the_address(company: Company, enter: Enter) -> None:
    action, [hold] = tenants(company, 1)
    page = live(enter("Jon").page)
    page.get_by_role("button", name="More filters").click()
    page.get_by_label("Action", exact=True).fill(f"{action[:-2]}*")
    expect(rows(page)).to_have_count(1)
    page.get_by_label("Agent").fill("nobody-at-all")
    expect(page.get_by_text("No matches.")).to_be_visible()
    page.get_by_label("Agent").fill("deploy-bot")
    page.get_by_label("Opened").select_option("last hour")
    expect(rows(page)).to_contain_text(hold["title"])
    expect(page).to_have_url(re.compile("(?=.*within=1h)(?=.*agent=deploy-bot)"))
    page.get_by_role("button", name="Clear filters").click()
    expect(page).to_have_url(re.compile("/inbox$"))


def test_like_holds_are_one_line_one_look_and_one_decision(company: Company, enter: Enter) -> None:
    action, asked = tenants(company, 10)
    window = enter("Jon")
    page = live(window.go(f"/inbox?group=true&action={action}"))
    expect(rows(page)).to_have_count(1)
    expect(rows(page)).to_contain_text(f"10 × {action.replace('_', ' ')}")
    assert barriers(page) == []
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    expect(rows(page)).to_have_count(11)
    page.keyboard.press("x")
    expect(page.get_by_text("10 selected")).to_be_visible()
    # one that changes meanwhile is not decided with them
    amended = {**asked[3]["action"], "args": {"rows": 0}}
    company.review("Jon", asked[3], "amend", amended_action=amended)
    expect(page.get_by_text("9 selected")).to_be_visible()
    page.keyboard.press("a")
    look = page.get_by_role("dialog")
    expect(look.get_by_text("all of them with:")).to_be_visible()
    expect(look.get_by_role("row")).to_have_count(10)
    expect(look.get_by_role("columnheader", name="rows")).to_be_visible()
    assert barriers(page) == []
    look.get_by_role("button", name="Approve exactly these 9").click()
    expect(look.get_by_text("Recorded for 9 holds.")).to_be_visible()
    stand = [company.hold(hold["id"])["status"] for hold in asked]
    assert stand == ["approved"] * 3 + ["pending"] + ["approved"] * 6


def test_a_range_is_selected_by_mouse_and_by_key(company: Company, enter: Enter) -> None:
    action, _ = tenants(company, 5)
    page = live(enter("Jon").go(f"/inbox?action={action}"))
    expect(rows(page)).to_have_count(5)
    boxes = rows(page).get_by_role("checkbox")
    boxes.nth(0).click()
    boxes.nth(3).click(modifiers=["Shift"])
    expect(page.get_by_text("4 selected")).to_be_visible()
    page.get_by_role("button", name="Clear", exact=True).click()
    page.keyboard.press("j")
    page.keyboard.press("x")
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("Shift+X")
    expect(page.get_by_text("3 selected")).to_be_visible()


def test_a_claim_is_seen_by_others_at_once(company: Company, enter: Enter) -> None:
    hold = company.ask(DEPLOY, title=f"Deploy {uuid4().hex[:6]}")
    hers = live(enter("Ada").go(f"/holds/{hold['id']}"))
    his = live(enter("Jon", **PHONE).go(f"/inbox?text={hold['short_id']}"))
    expect(rows(his)).to_have_count(1)
    expect(hers.get_by_role("button", name="Claim")).to_be_visible()
    hers.keyboard.press("l")
    expect(hers.get_by_text("You are looking at it")).to_be_visible()
    expect(rows(his)).to_contain_text("Ada")
    rows(his).get_by_role("link").click()
    expect(his.get_by_text("Ada is looking at it")).to_be_visible()
    assert barriers(his) == []
    his.get_by_role("button", name="Take over").click()
    expect(hers.get_by_text("Jon is looking at it")).to_be_visible()
    expect(hers.get_by_role("list").filter(has_text="Requested by")).to_contain_text("Jon claimed it")
    hers.get_by_role("button", name="Assign").click()
    names = hers.get_by_role("menu").inner_text()
    assert "Carl" in names and "Dev" not in names
    hers.get_by_role("menuitem", name="Carl").press("Enter")
    expect(his.get_by_text("Carl is looking at it, asked by Ada")).to_be_visible()
    # it reserves nothing
    expect(hers.get_by_role("button", name="Approve")).to_be_enabled()


def test_a_snoozed_hold_leaves_and_comes_back(company: Company, enter: Enter) -> None:
    action, [hold] = tenants(company, 1)
    page = live(enter("Jon").go(f"/holds/{hold['id']}?action={action}"))
    page.get_by_role("button", name="Snooze").click()
    page.get_by_role("menuitem", name="for an hour").click()
    expect(page.get_by_text("No matches.")).to_be_visible()
    page.get_by_role("button", name="Views and layout").click()
    page.get_by_role("menuitem", name="Snoozed").click()
    rows(page).filter(has_text=hold["title"]).first.get_by_role("link").click()
    page.get_by_role("button", name="End snooze").click()
    page.get_by_role("navigation", name="Views").get_by_role("link", name="Needs me").click()
    expect(rows(page).filter(has_text=hold["title"]).first).to_be_visible()


def test_a_view_is_saved_and_rows_are_as_dense_as_one_likes(company: Company, enter: Enter) -> None:
    action, _ = tenants(company, 2)
    page = live(enter("Jon").go(f"/inbox?action={action}&group=true"))
    tall = rows(page).first.bounding_box()
    menu = page.get_by_role("button", name="Views and layout")
    menu.click()
    page.get_by_role("menuitem", name="Save this view").click()
    page.get_by_label("Name").fill(action)
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text(f"Saved as {action}.")).to_be_visible()
    page.goto(f"{company.server.url}/inbox")
    menu.click()
    page.get_by_role("menuitem", name=action, exact=True).click()
    expect(rows(page)).to_have_count(1)
    menu.click()
    page.get_by_role("menuitemradio", name="Compact").click()
    page.keyboard.press("Escape")
    low = rows(page).first.bounding_box()
    assert tall and low and low["height"] < tall["height"]
    assert barriers(page) == []
    menu.click()
    page.get_by_role("menuitem", name=f"Remove {action}").click()
    menu.click()
    expect(page.get_by_role("menuitem", name="Save this view")).to_be_visible()
    expect(page.get_by_role("menuitem", name=action, exact=True)).to_have_count(0)


def test_a_question_is_its_own_headline(company: Company, enter: Enter) -> None:
    hold = company.ask(TEXT)
    page = live(enter("Mara").go(f"/holds/{hold['id']}"))
    expect(page.get_by_role("article").get_by_role("heading", level=1)).to_have_text(hold["title"])
