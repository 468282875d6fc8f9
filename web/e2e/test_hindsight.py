"""Pages that look back: fatigue and what would ask less, the replay before a policy is applied, the report."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from uuid import uuid4

import pytest
from browser import Visitor, barriers
from everybody import hindrances
from playwright.sync_api import expect
from server import ServerProcess
from stage import Company

Enter = Callable[..., Visitor]
PHONE = {"width": 360, "height": 740}
OFTEN = 12
# minutes of reading: approved sooner on any machine
LONG = {"summary": "word " * 3000}


@pytest.fixture(scope="module")
def action(founded: Company) -> str:
    """An action that Jon approved again and again, unread."""
    name = f"restart_{uuid4().hex[:6]}"
    asked = {"name": name, "args": {"service": "web", "environment": "staging"}}
    for n in range(OFTEN):
        question = {"kind": "approval", "title": f"Restart {n}", "action": asked, "evidence": LONG}
        founded.review("Jon", founded.ask(question))
    return name


def test_a_person_sees_their_own_signs_and_what_would_ask_less(action: str, enter: Enter) -> None:
    page = enter("Jon", path="/insights/fatigue").page
    mine = page.get_by_role("region", name="Your reviews")
    expect(mine.get_by_text("sooner than they can be read")).to_be_visible()
    expect(page.get_by_role("region", name="Suggestions")).to_have_count(0)
    assert barriers(page) == []


def test_a_suggestion_is_replayed_and_goes_to_the_editor_where_a_person_applies_it(action: str, enter: Enter) -> None:
    page = enter("Ada", path="/insights/fatigue").page
    one = (
        page.get_by_role("region", name="Suggestions")
        .get_by_role("listitem")
        .filter(has_text=f"Stop asking about {action}")
    )
    one.get_by_role("button", name="Show the replay").click()
    expect(one.get_by_text("Nothing that somebody stopped would slip through.")).to_be_visible()
    assert barriers(page) == []
    one.get_by_role("button", name="Open in the policy editor").click()
    page.get_by_role("button", name="Apply…").click()
    dialog = page.get_by_role("dialog", name="Put this policy in force?")
    replay = dialog.get_by_role("region", name="Replay of the past")
    expect(replay.get_by_role("row").filter(has_text=action)).to_contain_text("no longer asked")
    assert barriers(page) == []
    dialog.get_by_role("button", name="Back").click()
    page.get_by_role("button", name="Discard").click()
    expect(page.get_by_text("In force: version")).to_be_visible()


def test_what_ran_unasked_is_looked_at_by_keyboard_and_a_finding_raises_the_rule(
    company: Company, enter: Enter
) -> None:
    name = f"read_ledger_{uuid4().hex[:6]}"
    with company.server.client() as http:
        files = http.get("/api/policy").raise_for_status().json()["files"]
        entry = f"\nactions:\n  - {{id: looked-at-{name.replace('_', '-')}, name: [{name}], sample: 1}}\n"
        files["actions.yaml"] = files["actions.yaml"].replace("\nactions:\n", entry, 1)
        http.post("/api/policy", json={"files": files, "reason": "sampling"}).raise_for_status()

    def runs(month: int) -> None:
        read = {"name": name, "args": {"month": month}}
        hold = company.ask({"kind": "approval", "title": f"Read {name}, month {month}", "action": read})
        assert hold["status"] == "approved"
        company.redeem(hold)

    runs(1)
    page = enter("Jon", viewport=PHONE, path="/insights/samples").page
    waiting = page.get_by_role("list", name="To look at").get_by_role("listitem").filter(has_text=name)
    expect(waiting).to_have_count(1)
    # it comes by itself
    runs(2)
    expect(waiting).to_have_count(2)
    waiting.first.click()
    first = page.get_by_role("article", name=f"Read {name}, month 1")
    expect(first).to_contain_text("without asking anybody")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert hindrances(page) == []
    expect(page.locator("button.waits")).to_have_count(0)
    page.keyboard.press("f")
    expect(page.get_by_role("article", name=f"Read {name}, month 2")).to_be_visible()
    expect(page.locator("button.waits")).to_have_count(0)
    page.keyboard.press("r")
    page.keyboard.type("It shows salaries")
    page.keyboard.press("Enter")
    expect(page.get_by_text("recorded. Findings and rates has the rule")).to_be_visible()

    page = enter("Ada", path="/insights/samples").page
    led = page.get_by_role("region", name="What findings led to").get_by_role("listitem").filter(has_text=name)
    expect(led.first).to_contain_text("It shows salaries")
    rates = page.get_by_role("region", name="Share that is looked at")
    expect(rates.get_by_role("row").filter(has_text=name).first).to_contain_text("100%221")
    led.first.get_by_role("button", name="Show the replay").click()
    replay = led.first.get_by_role("region", name="Replay of the past")
    expect(replay.get_by_role("row").filter(has_text=name)).to_contain_text("newly asked")
    assert hindrances(page) == []
    led.first.get_by_role("button", name="Open in the policy editor").click()
    page.get_by_role("button", name="Apply…").click()
    dialog = page.get_by_role("dialog", name="Put this policy in force?")
    dialog.get_by_label("Reason").fill("A finding")
    dialog.get_by_role("button", name="Put in force").click()
    expect(dialog).to_have_count(0)
    page.goto(f"{company.server.url}/insights/samples")
    expect(led.first).to_contain_text("people are asked now")


def test_the_report_is_read_on_a_phone_and_taken_away(action: str, enter: Enter, tmp_path: Path) -> None:
    page = enter("Ada", viewport=PHONE, path="/report").page
    expect(page.get_by_role("region", name="The audit log")).to_contain_text("handrail audit verify")
    ran = page.get_by_role("region", name="What ran, and what was held")
    expect(ran.get_by_role("row").filter(has_text=action)).to_contain_text(str(OFTEN))
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert barriers(page) == []
    with page.expect_download() as taken:
        page.get_by_role("link", name="Download HTML").click()
    taken.value.save_as(tmp_path / "report.html")
    assert action in (tmp_path / "report.html").read_text()


def test_the_command_line_prints_it_as_pdf(office: ServerProcess, action: str, tmp_path: Path) -> None:
    file = tmp_path / "report.pdf"
    ran = office.run("report", "--from", "1d", "--pdf", str(file), token=office.admin_token)
    assert ran.exit == 0, ran.err
    assert file.read_bytes().startswith(b"%PDF-")
    assert "The audit log is intact" in ran.out
