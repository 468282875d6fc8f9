"""What a schema asks for is a form: filled in by keyboard, errors at their fields, and kept over a reload."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from browser import barriers
from playwright.sync_api import expect
from stage import ALL_FIELDS, Company
from typist import Typist


@pytest.mark.story(3, "desk, light", "phone, dark")
def test_all_that_a_form_can_ask_for_is_given(company: Company, typist: Callable[..., Typist], tmp_path: Path) -> None:
    hold = company.ask(ALL_FIELDS)
    receipt = tmp_path / "receipt.txt"
    receipt.write_text("paid")
    mara = typist("Mara", f"/holds/{hold['id']}", timezone_id="Europe/Berlin")
    # the list next to it has names and words of its own
    paper = mara.page.get_by_role("article")
    send = paper.get_by_role("button", name="Send answer")
    amount = paper.get_by_role("spinbutton", name="Amount")
    # not before the hold could be read
    expect(send).to_be_enabled()

    # what is missing is said where it is missing
    mara.on(send)
    expect(amount).to_have_attribute("aria-invalid", "true")
    expect(paper.get_by_text("This field is required.").first).to_be_visible()
    assert barriers(mara.page) == []
    mara.to(amount, "Shift+Tab")
    mara.type("12.5")
    expect(amount).to_have_attribute("aria-invalid", "false")
    mara.moment(paper.get_by_label("Due"), "12/24/2026", "06:00 PM")
    mara.attach(paper.get_by_label("Proof: Choose a file"), receipt)
    expect(paper.get_by_text("receipt.txt")).to_be_visible()
    mara.fill(paper.get_by_label("Note"), "Two lines,\n")
    mara.to(paper.get_by_label("gift"))
    mara.press("Space")

    # a list: added to, and put in order
    lines = paper.get_by_role("group", name="Lines")
    for at, text in enumerate(("lamp", "bulb")):
        mara.on(lines.get_by_role("button", name="Add"))
        mara.fill(lines.get_by_role("textbox").nth(at), text)
    mara.to(lines.get_by_role("button", name="Move entry 2 up"), "Shift+Tab")
    mara.press("Enter")
    expect(lines.get_by_role("textbox").first).to_have_value("bulb")
    mara.choose(paper.get_by_label("Recipient"), "A company")
    mara.fill(paper.get_by_label("Tax number"), "DE 123")

    # whatever happens to the tab
    mara.page.reload()
    expect(paper.get_by_label("Tax number")).to_have_value("DE 123")
    expect(paper.get_by_text("receipt.txt")).to_be_visible()
    expect(send).to_be_enabled()
    with mara.page.expect_response(f"**/holds/{hold['id']}/reviews"):
        mara.on(send)
    answer = company.hold(hold["id"])["decision"]["answer"]
    assert answer == {
        "amount": 12.5,
        "when": "2026-12-24T17:00:00.000Z",
        "proof": "data:text/plain;name=receipt.txt;base64,cGFpZA==",
        "note": "Two lines,\n",
        "tags": ["gift"],
        "lines": ["bulb", "lamp"],
        "to": {"tax_id": "DE 123"},
    }
