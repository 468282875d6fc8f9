"""The page *Policy*: written, checked and completed, tested by its own cases, and applied with a reason."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from browser import Visitor, barriers, barriers_in_both_themes
from playwright.sync_api import expect
from stage import Company
from typist import Typist

Enter = Callable[..., Visitor]
Seat = Callable[..., Typist]
RULES = "risk-assessment-rules.yaml"


@pytest.fixture
def restored(company: Company) -> None:
    """The policy without test cases, whatever another test left."""
    with company.server.client() as http:
        files = http.get("/api/policy").raise_for_status().json()["files"]
        http.post("/api/policy", json={"files": files, "cases": [], "reason": "a new test"}).raise_for_status()


@pytest.mark.story(6, "desk, light")
@pytest.mark.usefixtures("restored")
def test_a_policy_is_written_tested_and_applied(typist: Seat, company: Company) -> None:
    ada = typist("Ada")
    page = ada.page
    ada.press("g", "p")
    ada.on(page.get_by_role("button", name="Edit…"))
    ada.to(page.get_by_role("tab", name=RULES, selected=True))
    ada.press("ArrowLeft")
    expect(page.get_by_role("tab", name="actions.yaml", selected=True)).to_be_focused()
    expect(page.get_by_label("Text of actions.yaml")).to_be_visible()
    ada.press("ArrowRight")
    field = page.get_by_label(f"Text of {RULES}")
    expect(page.get_by_role("status").filter(has_text="The files are valid.")).to_be_visible()
    expect(page.get_by_role("button", name="Apply…")).to_be_disabled()
    expect(page.get_by_text("Nothing differs from the policy in force.")).to_be_visible()

    # a mistake is named at its line, and its line can be gone to
    ada.to(field)
    ada.press("Control+End")
    ada.type("\nnonsense: true")
    problem = page.get_by_role("button", name="nonsense")
    expect(problem).to_be_visible()
    expect(page.get_by_role("button", name="Apply…")).to_be_disabled()
    ada.on(problem)
    expect(field).to_be_focused()

    # completion: the words that the policy knows
    ada.press("Control+End", *["Backspace"] * len("nonsense: true"))
    ada.type("lev")
    expect(page.get_by_role("option", name="levels: ")).to_be_visible()
    ada.press("Escape", *["Backspace"] * len("lev"))
    ada.type("# looked at in this year's review\n")

    # a case that fails keeps it from being applied
    ada.on(page.get_by_role("button", name="Add a test case"))
    ada.fill(page.get_by_label("Name 1"), "deleting production")
    ada.fill(page.get_by_label("Action 1"), "delete")
    ada.fill(page.get_by_label("Target 1"), "production")
    ada.choose(page.get_by_label("Must be 1"), "low")
    expect(page.get_by_text("✗ fails: critical, asks people")).to_be_visible()
    expect(page.get_by_role("button", name="Apply…")).to_be_disabled()
    ada.choose(page.get_by_label("Must be 1"), "critical")
    expect(page.get_by_text("✓ passes")).to_be_visible()
    expect(page.get_by_role("list").filter(has_text="test cases: added 'deleting production'").first).to_be_visible()
    assert barriers(page) == []

    ada.on(page.get_by_role("button", name="Apply…"))
    ada.fill(page.get_by_label("Reason"), "reviewed")
    ada.on(page.get_by_role("button", name="Put in force"))
    expect(page.get_by_text("is in force.").first).to_be_visible()
    with company.server.client() as http:
        kept = http.get("/api/policy").raise_for_status().json()
    assert kept["reason"] == "reviewed" and kept["files"][RULES].endswith("review\n")
    assert [case["name"] for case in kept["cases"]] == ["deleting production"]


@pytest.mark.story(6, "phone, dark")
@pytest.mark.usefixtures("restored")
def test_an_action_is_tried_and_where_each_fact_came_from_is_said(typist: Seat) -> None:
    ada = typist("Ada", "/policy")
    page = ada.page
    ada.on(page.get_by_role("button", name="What would happen?"))
    table = page.get_by_role("table", name="What is known about it, and from where")
    expect(table.get_by_role("row").filter(has_text="environment")).to_contain_text("the target")
    ada.on(page.get_by_role("button", name="Edit…"))
    expect(page.get_by_label("Text of actions.yaml").or_(page.get_by_label(f"Text of {RULES}"))).to_be_visible()
    expect(page.get_by_text("under what you are writing")).to_be_visible()
    ada.on(page.get_by_role("button", name="What would happen?"))
    expect(table).to_be_visible()
    assert barriers_in_both_themes(page) == []
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


def test_only_administrators_edit(enter: Enter) -> None:
    page = enter("Mara", path="/policy").page
    expect(page.get_by_role("heading", name="Try an action")).to_be_visible()
    expect(page.get_by_role("button", name="Edit…")).to_have_count(0)


def test_nobody_is_offered_what_would_be_refused(enter: Enter) -> None:
    window = enter("Mara")
    page = window.go("/people")
    expect(page.get_by_text("This needs the role administrator.")).to_be_visible()
    expect(page.get_by_role("button", name="Add…")).to_have_count(0)
    page = window.go("/audit")
    expect(page.get_by_text("The audit log is for auditors and administrators.")).to_be_visible()
    expect(page.get_by_role("link", name="Export")).to_have_count(0)
