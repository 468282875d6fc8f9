"""The page *Policy*: written, checked and completed, tested by its own cases, and applied with a reason."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from browser import Visitor, barriers, barriers_in_both_themes
from playwright.sync_api import expect
from stage import Company

Enter = Callable[..., Visitor]
PHONE = {"width": 360, "height": 740}
RULES = "risk-assessment-rules.yaml"
LAST = "(field) => field.setSelectionRange(field.value.length, field.value.length)"


@pytest.fixture
def restored(company: Company) -> None:
    """The policy without test cases, whatever another test left."""
    with company.server.client() as http:
        files = http.get("/api/policy").raise_for_status().json()["files"]
        http.post("/api/policy", json={"files": files, "cases": [], "reason": "a new test"}).raise_for_status()


@pytest.mark.usefixtures("restored")
def test_a_policy_is_written_tested_and_applied(enter: Enter, company: Company) -> None:
    page = enter("Ada").go("/policy")
    page.get_by_role("button", name="Edit…").click()
    page.get_by_role("tab", name=RULES).click()
    field = page.get_by_label(f"Text of {RULES}")
    expect(page.get_by_role("status").filter(has_text="The files are valid.")).to_be_visible()
    expect(page.get_by_role("button", name="Apply…")).to_be_disabled()
    expect(page.get_by_text("Nothing differs from the policy in force.")).to_be_visible()

    # a mistake is named at its line, and its line can be gone to
    field.evaluate(LAST)
    field.press_sequentially("\nnonsense: true\n")
    problem = page.get_by_role("button", name="nonsense")
    expect(problem).to_be_visible()
    expect(page.get_by_role("button", name="Apply…")).to_be_disabled()
    problem.press("Enter")
    expect(field).to_be_focused()

    # completion by keyboard: the words that the policy knows
    text = field.input_value().replace("nonsense: true\n", "")
    field.fill(text)
    field.evaluate(LAST)
    field.press_sequentially("# a remark\nlev")
    expect(page.get_by_role("option", name="levels: ")).to_be_visible()
    page.keyboard.press("Escape")
    field.fill(text + "# looked at in this year's review\n")

    # a case that fails keeps it from being applied
    page.get_by_role("button", name="Add a test case").click()
    page.get_by_label("Name 1").fill("deleting production")
    page.get_by_label("Action 1").fill("delete")
    page.get_by_label("Target 1").fill("production")
    page.get_by_label("Must be 1").select_option("low")
    expect(page.get_by_text("✗ fails: critical, asks people")).to_be_visible()
    expect(page.get_by_role("button", name="Apply…")).to_be_disabled()
    page.get_by_label("Must be 1").select_option("critical")
    expect(page.get_by_text("✓ passes")).to_be_visible()
    expect(page.get_by_role("list").filter(has_text="test cases: added 'deleting production'").first).to_be_visible()
    assert barriers(page) == []

    page.get_by_role("button", name="Apply…").click()
    page.get_by_label("Reason").fill("reviewed")
    page.get_by_role("button", name="Put in force").press("Enter")
    expect(page.get_by_text("is in force.").first).to_be_visible()
    with company.server.client() as http:
        kept = http.get("/api/policy").raise_for_status().json()
    assert kept["reason"] == "reviewed" and kept["files"][RULES].endswith("review\n")
    assert [case["name"] for case in kept["cases"]] == ["deleting production"]


@pytest.mark.usefixtures("restored")
def test_an_action_is_tried_and_where_each_fact_came_from_is_said(enter: Enter) -> None:
    page = enter("Ada", viewport=PHONE).go("/policy")
    page.get_by_role("button", name="What would happen?").click()
    table = page.get_by_role("table", name="What is known about it, and from where")
    expect(table.get_by_role("row").filter(has_text="environment")).to_contain_text("the target")
    page.get_by_role("button", name="Edit…").click()
    expect(page.get_by_label("Text of actions.yaml").or_(page.get_by_label(f"Text of {RULES}"))).to_be_visible()
    expect(page.get_by_text("under what you are writing")).to_be_visible()
    page.get_by_role("button", name="What would happen?").click()
    expect(table).to_be_visible()
    assert barriers_in_both_themes(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_only_administrators_edit(enter: Enter) -> None:
    page = enter("Mara").go("/policy")
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
