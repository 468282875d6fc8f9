"""The pages of agents: what each asks, what becomes of it, and the brake for one of them."""

from __future__ import annotations

from collections.abc import Callable
from uuid import uuid4

import pytest
from browser import Visitor, barriers_in_both_themes
from playwright.sync_api import expect
from stage import STAGING, Company
from typist import Typist

Enter = Callable[..., Visitor]
Seat = Callable[..., Typist]


@pytest.fixture
def agent(company: Company) -> str:
    """One with a rejected hold and one that waits."""
    name = f"bot {uuid4().hex[:6]}"
    token = company.server.token_of(name, kind="agent")
    with company.server.client(token) as http:
        first, _ = [http.post("/api/holds", json=STAGING).raise_for_status().json() for _ in range(2)]
    company.review("Jon", first, "reject", reason="not now")
    return name


@pytest.mark.story(5, "phone, dark")
def test_an_agent_is_found_and_its_numbers_lead_on(agent: str, typist: Seat) -> None:
    ada = typist("Ada", "/agents")
    page = ada.page
    ada.fill(page.get_by_label("Search agents"), agent)
    ada.on(page.get_by_role("list", name="Agents and services").get_by_role("link", name=agent))
    expect(page.get_by_role("heading", name=agent)).to_be_visible()
    expect(page.get_by_role("link", name="Waiting now")).to_contain_text("1")
    expect(page.get_by_role("link", name="Rejected")).to_contain_text("50 % of what people were asked")
    expect(page.get_by_role("region", name="By action")).to_contain_text("Most often asked: deploy.")
    assert barriers_in_both_themes(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= page.evaluate("innerWidth")
    ada.on(page.get_by_role("link", name="Rejected"))
    expect(page.get_by_role("region", name="Holds behind this number").get_by_role("listitem")).to_have_count(1)


@pytest.mark.story(5, "desk, light")
def test_an_agent_is_stopped_from_its_page_and_let_go(agent: str, typist: Seat) -> None:
    ada = typist("Ada")
    page = ada.page
    ada.press("g", "b")
    ada.fill(page.get_by_label("Search agents"), agent)
    expect(page.get_by_role("list", name="Agents and services").get_by_role("link")).to_have_count(1)
    ada.press("Escape", "j", "Enter")
    ada.on(page.get_by_role("button", name="Stop this agent…"))
    expect(page.get_by_label("Agent to stop")).to_have_value(agent)
    ada.fill(page.get_by_label("Reason"), "a drill")
    ada.on(page.get_by_role("button", name="Next"))
    ada.on(page.get_by_role("button", name=f"Yes, stop {agent}"))
    expect(page.get_by_role("status").filter(has_text="Stopped by Ada")).to_contain_text("a drill")
    ada.on(page.get_by_role("alert").get_by_role("button", name="Lift the brake…"))
    ada.fill(page.get_by_label("Reason"), "over")
    ada.on(page.get_by_role("button", name=f"Let {agent} continue"))
    expect(page.get_by_role("button", name="Stop this agent…")).to_be_visible()


def test_what_is_not_counted_yet_is_not_none(agent: str, enter: Enter) -> None:
    window = enter("Ada")
    window.page.route("**/api/insights*", lambda _: None)
    page = window.go(f"/agents/{agent}")
    expect(page.get_by_role("link", name="Rejected")).to_have_text("Rejected1–")
    expect(page.get_by_role("link", name="Reviews it took")).to_have_text("Reviews it took––")


def test_nobody_finds_an_agent_whose_holds_they_may_not_see(agent: str, enter: Enter) -> None:
    page = enter("Dev", path="/agents").page
    expect(page.get_by_role("heading", name="Agents")).to_be_visible()
    expect(page.get_by_role("link", name=agent)).to_have_count(0)
    page.goto(page.url + f"/{agent}")
    expect(page.get_by_role("alert")).to_contain_text("or you may see none of its holds")
