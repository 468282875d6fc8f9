"""From anywhere: the palette, notifications in the page, and dates as the person set them."""

from __future__ import annotations

import re
from collections.abc import Callable
from uuid import uuid4

import pytest
from browser import Visitor, barriers, barriers_in_both_themes, link_for
from playwright.sync_api import Route, expect
from stage import DELETE, STAGING, Company
from typist import Typist

Enter = Callable[..., Visitor]
Seat = Callable[..., Typist]
PALETTE = "**/assets/Commands-*.js"


@pytest.mark.story(9, "desk, light")
def test_everything_is_found_by_keyboard(company: Company, typist: Seat) -> None:
    word = uuid4().hex[:8]
    hold = company.ask(STAGING, title=f"Deploy {word} to staging")
    # found before it by what is typed at first
    company.ask(DELETE, title=f"Delete {word[:3]}, which is another")
    ada = typist("Ada")
    page = ada.page
    # typed before the palette is there: it is for the palette, and no letter of it is a shortcut
    late: list[Route] = []

    def kept(route: Route) -> None:
        late.append(route)

    page.route(PALETTE, kept)
    with page.expect_request(PALETTE):
        page.keyboard.press("Control+k")
    page.keyboard.type("grants")
    [route] = late
    route.continue_()
    field = page.get_by_role("combobox", name="Page, action, hold")
    expect(field).to_have_value("grants")
    assert page.url.endswith("/inbox")
    expect(field).to_be_focused()
    ada.fill(field, "")
    expect(page.get_by_role("option", name="Insights")).to_be_visible()
    assert barriers_in_both_themes(page) == []
    # what was typed so far is found first; Enter opens what fits all of it, however soon it comes
    page.keyboard.type(word[:3])
    expect(page.get_by_role("option", name=f"Deploy {word} to staging")).to_contain_text(hold["short_id"])
    page.keyboard.type(word[3:])
    page.keyboard.press("Enter")
    expect(page.get_by_role("article", name=f"Deploy {word} to staging")).to_be_visible()

    for typed, name, address in (
        ("insig", "Insights", "**/insights"),
        ("deploy-b", "deploy-bot", "**/agents/*"),
        ("mara", "Mara", "**/audit?actor=*"),
        ("start a run", "Start a run", "**/runs/start"),
    ):
        page.keyboard.press("Control+k")
        page.keyboard.type(typed)
        # holds that other tests opened may come before it, and may name it
        option = page.get_by_role("option", name=re.compile(f"^{name}")).first
        expect(option).to_be_visible()
        page.keyboard.press("ArrowDown")
        while option.get_attribute("aria-selected") != "true":
            page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        page.wait_for_url(address)
    page.keyboard.press("Control+k")
    page.keyboard.type("nothing like this")
    expect(page.get_by_text("Nothing fits.")).to_be_visible()
    page.keyboard.press("Escape")
    expect(field).to_have_count(0)


@pytest.mark.story(9, "phone, dark")
def test_what_concerns_a_person_is_told_in_the_page(company: Company, typist: Seat) -> None:
    jon = typist("Jon")
    page = jon.page
    bell = page.get_by_role("button", name="Notifications")
    title = f"Deploy {uuid4().hex[:8]} to staging"
    company.ask(STAGING, title=title)
    expect(bell).to_have_accessible_name("Notifications, 1 new")
    jon.on(bell)
    item = page.get_by_role("menuitem").filter(has_text=title)
    expect(item).to_contain_text("deploy-bot asks you")
    assert barriers(page) == []
    jon.to(item, "ArrowDown")
    jon.press("Enter")
    expect(page.get_by_role("article", name=title)).to_be_visible()
    expect(bell).to_have_accessible_name("Notifications")


@pytest.mark.story(9, "phone, dark")
def test_dates_are_shown_as_the_person_set_them_on_every_device(company: Company, typist: Seat) -> None:
    name = f"Yuki {uuid4().hex[:6]}"
    link_for(company.server, name, "auditor")
    yuki = typist(name)
    page = yuki.page
    yuki.press("g", "m")
    yuki.to(page.get_by_label("Time zone"))
    yuki.type("Asia/Tokyo")
    expect(page.get_by_label("Time zone")).to_have_value("Asia/Tokyo")
    yuki.choose(page.get_by_label("Language of dates"), "Deutsch (Deutschland)")
    expect(page.get_by_text(re.compile(r"\d\d\.\d\d\.\d{4}.*\(UTC\+09:00\)")).first).to_be_visible()
    page = typist(name, "/audit").page
    entry = page.get_by_role("region", name="Entries").locator("time").first
    expect(entry).to_have_attribute("title", re.compile(r"\d\d\.\d\d\.\d{4}, .*\(UTC\+09:00\)"))


@pytest.mark.story(9, "phone, dark")
def test_every_page_is_reached_by_keys_where_there_is_little_room(typist: Seat) -> None:
    ada = typist("Ada")
    page = ada.page
    pages = page.get_by_role("navigation", name="Pages")
    others = page.get_by_role("button", name="more pages")
    if ada.on_phone:
        ada.on(others)
        assert barriers_in_both_themes(page) == []
        ada.to(page.get_by_role("menuitem", name="Insights"), "ArrowDown")
        ada.press("Enter")
    else:
        ada.on(pages.get_by_role("link", name="Insights"))
    page.wait_for_url("**/insights")
    ada.on(page.get_by_role("button", name="Go to anything"))
    expect(page.get_by_role("combobox", name="Page, action, hold")).to_be_focused()
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    ada.press("Escape")
    account = page.get_by_role("button", name="Ada: account").bounding_box()
    assert account and account["x"] + account["width"] <= page.evaluate("innerWidth")
