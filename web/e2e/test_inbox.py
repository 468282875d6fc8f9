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
from typist import Typist

Enter = Callable[..., Visitor]
Seat = Callable[..., Typist]


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


@pytest.mark.story(1, "desk, light", "phone, dark")
def test_each_view_has_what_its_name_says(company: Company, typist: Seat) -> None:
    mark = uuid4().hex[:6]
    both = company.ask(DEPLOY, title=f"Deploy both {mark}")
    company.ask(STAGING, title=f"Deploy first {mark}")
    done = company.ask(STAGING, title=f"Deploy done {mark}")
    company.review("Jon", both)
    company.review("Jon", done)
    with company.server.client(company.token("Jon")) as http:
        http.post("/api/holds", json={**DEPLOY, "title": f"Deploy own {mark}"}).raise_for_status()
    jon = typist("Jon", f"/inbox?text={mark}")
    page = jon.page
    views = page.get_by_role("navigation", name="Views")
    expect(rows(page)).to_have_count(1)
    expect(rows(page)).to_contain_text("Deploy first")
    jon.on(views.get_by_role("link", name="Waiting"))
    # what one asks oneself waits on others, too
    expect(rows(page)).to_have_count(2)
    expect(rows(page).filter(has_text="Deploy both")).to_be_visible()
    jon.on(views.get_by_role("link", name="Mine"))
    expect(rows(page)).to_have_count(1)
    expect(rows(page)).to_contain_text("Deploy own")
    jon.on(views.get_by_role("link", name="Done"))
    expect(rows(page)).to_have_count(1)
    expect(rows(page)).to_contain_text("approved by Jon")
    assert barriers(page) == []
    # the address says it all
    page.reload()
    expect(rows(page)).to_contain_text("Deploy done")
    jon.on(views.get_by_role("link", name="Needs me"))
    jon.on(page.get_by_role("button", name="Search everything"))
    expect(rows(page)).to_have_count(4)
    # also where there is no room for all of them
    expect(views.locator("[aria-current]")).to_have_text("Everything")
    expect(views.get_by_role("link", name="Everything")).to_be_in_viewport(ratio=0.9)


@pytest.mark.story(1, "phone, dark")
def test_the_badge_counts_what_needs_me_and_nothing_else(company: Company, typist: Seat) -> None:
    page = typist("Carl").page
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


@pytest.mark.story(1, "phone, dark")
def test_filters_are_in_the_address(company: Company, typist: Seat) -> None:
    action, [hold] = tenants(company, 1)
    jon = typist("Jon")
    page = jon.page
    jon.on(page.get_by_role("button", name="More filters"))
    jon.fill(page.get_by_label("Action", exact=True), f"{action[:-2]}*")
    expect(rows(page)).to_have_count(1)
    jon.fill(page.get_by_label("Agent"), "nobody-at-all")
    expect(page.get_by_text("No matches.")).to_be_visible()
    jon.fill(page.get_by_label("Agent"), "deploy-bot")
    jon.choose(page.get_by_label("Opened"), "last hour")
    expect(rows(page)).to_contain_text(hold["title"])
    expect(page).to_have_url(re.compile("(?=.*within=1h)(?=.*agent=deploy-bot)"))
    jon.on(page.get_by_role("button", name="Clear filters"))
    expect(page).to_have_url(re.compile("/inbox$"))


@pytest.mark.story(1, "desk, light")
def test_like_holds_are_one_line_one_look_and_one_decision(company: Company, typist: Seat) -> None:
    action, asked = tenants(company, 10)
    jon = typist("Jon", f"/inbox?group=true&action={action}")
    page = jon.page
    expect(rows(page)).to_have_count(1)
    expect(rows(page)).to_contain_text(f"10 × {action.replace('_', ' ')}")
    assert barriers(page) == []
    jon.press("j", "Enter")
    expect(rows(page)).to_have_count(11)
    jon.press("x")
    expect(page.get_by_text("10 selected")).to_be_visible()
    # one that changes meanwhile is not decided with them
    amended = {**asked[3]["action"], "args": {"rows": 0}}
    company.review("Jon", asked[3], "amend", amended_action=amended)
    expect(page.get_by_text("9 selected")).to_be_visible()
    jon.press("a")
    look = page.get_by_role("dialog")
    expect(look.get_by_text("all of them with:")).to_be_visible()
    expect(look.get_by_role("row")).to_have_count(10)
    expect(look.get_by_role("columnheader", name="rows")).to_be_visible()
    assert barriers(page) == []
    button = look.get_by_role("button", name="Approve exactly these 9")
    # not before they could be read
    expect(button).not_to_have_class(re.compile("waits"))
    jon.on(button)
    expect(look.get_by_text("Recorded for 9 holds.")).to_be_visible()
    stand = [company.hold(hold["id"])["status"] for hold in asked]
    assert stand == ["approved"] * 3 + ["pending"] + ["approved"] * 6


@pytest.mark.story(1, "phone, dark")
def test_a_range_is_selected_by_key(company: Company, typist: Seat) -> None:
    action, _ = tenants(company, 5)
    jon = typist("Jon", f"/inbox?action={action}")
    page = jon.page
    expect(rows(page)).to_have_count(5)
    jon.press("j", "x", "j", "j", "Shift+X")
    expect(page.get_by_text("3 selected")).to_be_visible()
    jon.on(page.get_by_role("button", name="Clear", exact=True))
    expect(page.get_by_text("selected")).to_have_count(0)


def test_a_range_is_selected_by_mouse(company: Company, enter: Enter) -> None:
    action, _ = tenants(company, 5)
    page = live(enter("Jon", path=f"/inbox?action={action}").page)
    expect(rows(page)).to_have_count(5)
    boxes = rows(page).get_by_role("checkbox")
    boxes.nth(0).click()
    boxes.nth(3).click(modifiers=["Shift"])
    expect(page.get_by_text("4 selected")).to_be_visible()


@pytest.mark.story(1, "phone, dark")
def test_a_claim_is_seen_by_others_at_once(company: Company, typist: Seat) -> None:
    hold = company.ask(DEPLOY, title=f"Deploy {uuid4().hex[:6]}")
    ada = typist("Ada", f"/holds/{hold['id']}")
    jon = typist("Jon", f"/inbox?text={hold['short_id']}")
    hers, his = ada.page, jon.page
    expect(rows(his)).to_have_count(1)
    expect(hers.get_by_role("button", name="Claim")).to_be_visible()
    ada.press("l")
    expect(hers.get_by_text("You are looking at it")).to_be_visible()
    expect(rows(his)).to_contain_text("Ada")
    jon.press("j", "Enter")
    expect(his.get_by_text("Ada is looking at it")).to_be_visible()
    assert barriers(his) == []
    jon.on(his.get_by_role("button", name="Take over"))
    expect(hers.get_by_text("Jon is looking at it")).to_be_visible()
    expect(hers.get_by_role("list").filter(has_text="Requested by")).to_contain_text("Jon claimed it")
    ada.on(hers.get_by_role("button", name="Assign"))
    names = hers.get_by_role("menu").inner_text()
    assert "Carl" in names and "Dev" not in names
    ada.to(hers.get_by_role("menuitem", name="Carl"), "ArrowDown")
    ada.press("Enter")
    expect(his.get_by_text("Carl is looking at it, asked by Ada")).to_be_visible()
    # it reserves nothing
    expect(hers.get_by_role("button", name="Approve")).to_be_enabled()


@pytest.mark.story(1, "desk, light")
def test_a_snoozed_hold_leaves_and_comes_back(company: Company, typist: Seat) -> None:
    action, [hold] = tenants(company, 1)
    jon = typist("Jon", f"/holds/{hold['id']}?action={action}")
    page = jon.page
    jon.pick(page.get_by_role("button", name="Snooze"), page.get_by_role("menuitem", name="for an hour"))
    expect(page.get_by_text("No matches.")).to_be_visible()
    jon.pick(page.get_by_role("button", name="Views and layout"), page.get_by_role("menuitem", name="Snoozed"))
    expect(rows(page).filter(has_text=hold["title"]).first).to_be_visible()
    jon.press("j", "Enter")
    jon.on(page.get_by_role("button", name="End snooze"))
    jon.press("Escape")
    jon.on(page.get_by_role("navigation", name="Views").get_by_role("link", name="Needs me"))
    page.wait_for_url("**/inbox")
    # the list of all may be longer than the window
    jon.go(f"/inbox?action={action}")
    expect(rows(page).filter(has_text=hold["title"]).first).to_be_visible()


@pytest.mark.story(1, "desk, light")
def test_a_view_is_saved_and_rows_are_as_dense_as_one_likes(company: Company, typist: Seat) -> None:
    action, _ = tenants(company, 2)
    jon = typist("Jon", f"/inbox?action={action}&group=true")
    page = jon.page
    expect(rows(page)).to_have_count(1)
    tall = rows(page).first.bounding_box()
    menu = page.get_by_role("button", name="Views and layout")
    jon.pick(menu, page.get_by_role("menuitem", name="Save this view"))
    jon.fill(page.get_by_label("Name"), action)
    jon.press("Enter")
    expect(page.get_by_text(f"Saved as {action}.")).to_be_visible()
    jon.go("/inbox")
    jon.pick(menu, page.get_by_role("menuitem", name=action, exact=True))
    expect(rows(page)).to_have_count(1)
    jon.pick(menu, page.get_by_role("menuitemradio", name="Compact"))
    jon.press("Escape")
    low = rows(page).first.bounding_box()
    assert tall and low and low["height"] < tall["height"]
    assert barriers(page) == []
    jon.pick(menu, page.get_by_role("menuitem", name=f"Remove {action}"))
    jon.on(menu)
    expect(page.get_by_role("menuitem", name="Save this view")).to_be_visible()
    expect(page.get_by_role("menuitem", name=action, exact=True)).to_have_count(0)


def test_a_question_is_its_own_headline(company: Company, enter: Enter) -> None:
    hold = company.ask(TEXT)
    page = live(enter("Mara", path=f"/holds/{hold['id']}").page)
    expect(page.get_by_role("article").get_by_role("heading", level=1)).to_have_text(hold["title"])
