"""Pages that look back: fatigue and what would ask less, the replay before a policy is applied, the report."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from uuid import uuid4

import pytest
from browser import Visitor, barriers
from playwright.sync_api import expect
from server import ServerProcess
from stage import Company

Enter = Callable[..., Visitor]
PHONE = {"width": 360, "height": 740}
OFTEN = 12
# minutes of reading: approved sooner on any machine
LONG = {"summary": "word " * 3000}


@pytest.fixture(scope="module")
def action(company: Company) -> str:
    """An action that Jon approved again and again, unread."""
    name = f"restart_{uuid4().hex[:6]}"
    asked = {"name": name, "args": {"service": "web", "environment": "staging"}}
    for n in range(OFTEN):
        question = {"kind": "approval", "title": f"Restart {n}", "action": asked, "evidence": LONG}
        company.review("Jon", company.ask(question))
    return name


def test_a_person_sees_their_own_signs_and_what_would_ask_less(action: str, enter: Enter) -> None:
    page = enter("Jon").go("/insights/fatigue")
    mine = page.get_by_role("region", name="Your reviews")
    expect(mine.get_by_text("sooner than they can be read")).to_be_visible()
    expect(page.get_by_role("region", name="Suggestions")).to_have_count(0)
    assert barriers(page) == []


def test_a_suggestion_is_replayed_and_goes_to_the_editor_where_a_person_applies_it(action: str, enter: Enter) -> None:
    page = enter("Ada").go("/insights/fatigue")
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


def test_the_report_is_read_on_a_phone_and_taken_away(action: str, enter: Enter, tmp_path: Path) -> None:
    page = enter("Ada", viewport=PHONE).go("/report")
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
