"""The page *Insights*: figures that lead to their holds, by hand and by keyboard, to share and to take away."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from uuid import uuid4

import pytest
from browser import Visitor, barriers
from playwright.sync_api import Locator, Page, expect
from stage import DEPLOY, STAGING, Company
from typist import Typist

Enter = Callable[..., Visitor]
Seat = Callable[..., Typist]


@pytest.fixture
def action(company: Company) -> str:
    """An action that two were asked about: one rejected, one that waits."""
    name = f"deploy_{uuid4().hex[:6]}"
    asked = {"name": name, "args": {"version": "1"}, "target": "staging"}
    company.review("Jon", company.ask(STAGING, title="Deploy one", action=asked), "reject", reason="not now")
    company.ask(STAGING, title="Deploy two", action=asked)
    company.ask(DEPLOY)
    return name


def behind(page: Page) -> Locator:
    return page.get_by_role("region", name="Holds behind this number").get_by_role("listitem")


@pytest.mark.story(7, "desk, light")
def test_a_number_leads_to_exactly_its_holds(action: str, typist: Seat) -> None:
    ada = typist("Ada")
    page = ada.page
    ada.press("g", "t")
    expect(page.get_by_role("heading", name="How long do decisions take?")).to_be_visible()
    figure = page.get_by_role("region", name="By action")
    ada.to(figure.locator("summary"))
    ada.press("Enter")
    row = figure.get_by_role("row").filter(has_text=action)
    assert row.get_by_role("cell").all_inner_texts()[:8] == [action, "0", "0", "1", "0", "0", "1", "0"]
    # from the table that stands for the picture
    ada.on(row.get_by_role("link", name="1", exact=True).first)
    expect(page.get_by_role("heading", name="Holds behind this number")).to_be_focused()
    expect(page.get_by_role("link", name=f"Remove filter: action {action}")).to_be_visible()
    expect(behind(page)).to_have_count(1)
    expect(behind(page)).to_contain_text("Deploy one")
    assert barriers(page) == []
    ada.on(page.get_by_role("link", name="Remove filter: rejected"))
    expect(behind(page)).to_have_count(2)
    # the address is all there is to share
    shared = page.url
    page.goto(shared)
    expect(behind(page)).to_have_count(2)
    ada.on(behind(page).filter(has_text="Deploy two").get_by_role("link"))
    expect(page.get_by_role("article", name="Deploy two")).to_be_visible()


def test_a_person_without_a_role_counts_nothing_of_others(action: str, enter: Enter) -> None:
    page = enter("Dev", path="/insights").page
    expect(page.get_by_role("heading", name="Insights")).to_be_visible()
    page.goto(page.url + f"?action={json.dumps(action)}&show=true")
    expect(page.get_by_text("No holds match in this period.")).to_be_visible()
    expect(page.get_by_text("No holds match.", exact=True)).to_be_visible()


@pytest.mark.story(7, "phone, dark")
def test_numbers_and_pictures_can_be_taken_away(action: str, typist: Seat, tmp_path: Path) -> None:
    ada = typist("Ada", f"/insights?action={json.dumps(action)}")
    page = ada.page
    save = page.get_by_role("region", name="By action").get_by_role("button", name="Save: By action")
    for item, name in (("Numbers as CSV", "outcomes-by-actions.csv"), ("Picture as PNG", "outcomes-by-actions.png")):
        with page.expect_download() as download:
            ada.pick(save, page.get_by_role("menuitem", name=item))
        assert download.value.suggested_filename == name
        download.value.save_as(tmp_path / name)
    rows = (tmp_path / "outcomes-by-actions.csv").read_text("utf-8-sig").splitlines()
    assert rows[0].startswith("Action,approved,answered,rejected")
    assert rows[1].startswith(f"{action},0,0,1,0,0,1,0,")
    picture = (tmp_path / "outcomes-by-actions.png").read_bytes()
    assert picture.startswith(b"\x89PNG") and len(picture) > 2_000


@pytest.mark.story(7, "phone, dark")
def test_the_period_is_chosen_by_key_and_is_in_the_address(action: str, typist: Seat) -> None:
    assert action
    ada = typist("Ada", "/insights")
    page = ada.page
    expect(page.get_by_role("region", name="When do people decide?")).to_be_visible()
    ada.on(page.get_by_role("button", name="24 hours"))
    expect(page.get_by_role("button", name="24 hours")).to_have_attribute("aria-pressed", "true")
    expect(page).to_have_url(page.url.split("?")[0] + "?period=1d")
    assert barriers(page) == []
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
