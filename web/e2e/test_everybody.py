"""Every page for everybody: nothing that axe finds in either theme, twice as large, and no motion if asked for none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from browser import Visitor, barriers_in_both_themes
from playwright.sync_api import Page, ViewportSize, expect
from stage import EVERYTHING, Company

Enter = Callable[..., Visitor]
DESK: ViewportSize = {"width": 1360, "height": 860}
# what a window of that size shows when everything in it is twice as large
ZOOMED: ViewportSize = {"width": 680, "height": 430}
PHONE: ViewportSize = {"width": 360, "height": 740}
# all that a form of ours can ask for
ALL_FIELDS: dict[str, Any] = {
    "kind": "input",
    "title": "What should the invoice say?",
    "action": {"name": "invoice", "args": {"order": "77"}},
    "schema": {
        "type": "object",
        "required": ["amount", "when"],
        "properties": {
            "amount": {"type": "number", "title": "Amount", "format": "money", "x-currency": "EUR"},
            "when": {"type": "string", "format": "date-time", "title": "Due"},
            "proof": {"type": "string", "format": "data-url", "title": "Proof"},
            "note": {"type": "string", "title": "Note", "maxLength": 2000, "description": "Printed below the sum."},
            "tags": {"type": "array", "title": "Tags", "uniqueItems": True, "items": {"enum": ["urgent", "gift"]}},
            "lines": {"type": "array", "title": "Lines", "items": {"type": "string", "title": "Line"}},
            "to": {
                "title": "Recipient",
                "oneOf": [
                    {"title": "A person", "properties": {"name": {"type": "string", "title": "Name"}}},
                    {"title": "A company", "properties": {"tax_id": {"type": "string", "title": "Tax number"}}},
                ],
            },
        },
    },
}
PAGES = (
    "inbox", "runs", "runs/start", "changes", "changes/start", "skills", "skills/queue", "sessions", "agents",
    "agents/deploy-bot", "insights", "policy", "grants", "audit", "people", "notifications", "account",
)  # fmt: skip
NOWHERE = "nowhere"
MOVING = """() => document.getAnimations().filter((one) => Number(one.effect?.getTiming().duration ?? 0) > 10)
  .map((one) => one.animationName ?? one.transitionProperty ?? "?")"""


def shown(page: Page) -> None:
    page.wait_for_load_state("load")
    if not page.url.endswith(NOWHERE):
        expect(page.get_by_role("status").filter(has_text="live")).to_be_visible()
    expect(page.get_by_role("heading", level=1).last).not_to_be_empty()
    expect(page.get_by_text("Loading")).to_have_count(0)


# 27 pages, each judged twice
@pytest.mark.timeout(900)
def test_every_page_is_for_everybody(company: Company, enter: Enter) -> None:
    """Contrast, names, roles and order, as far as a program can judge, in both themes; and no motion."""
    holds = [company.ask(question) for question in (*EVERYTHING, ALL_FIELDS)]
    window = enter("Ada", viewport=DESK)
    page = window.page
    found: list[str] = []
    for path in (NOWHERE, *PAGES, *(f"holds/{hold['id']}" for hold in holds)):
        page.emulate_media(reduced_motion="reduce")
        window.go(f"/{path}")
        shown(page)
        found += [f"/{path} moves: {what}" for what in page.evaluate(MOVING)]
        found += [f"/{path}: {barrier}" for barrier in barriers_in_both_themes(page)]
        for size, name in ((ZOOMED, "twice as large"), (PHONE, "on a phone")):
            page.set_viewport_size(size)
            wider = page.evaluate("document.documentElement.scrollWidth - innerWidth")
            if wider > 0:
                found.append(f"/{path}: {wider} px beside the window, {name}")
        page.set_viewport_size(DESK)
    assert found == []


def test_what_a_form_asks_is_given_by_keyboard_and_file(company: Company, enter: Enter) -> None:
    hold = company.ask(ALL_FIELDS)
    page = enter("Mara", viewport=ZOOMED, timezone_id="Europe/Berlin").go(f"/holds/{hold['id']}")
    page.get_by_role("spinbutton", name="Amount").fill("12.5")
    page.get_by_label("Due").fill("2026-12-24T18:00")
    page.get_by_label("Proof: Choose a file").set_input_files(
        {"name": "receipt.txt", "mimeType": "text/plain", "buffer": b"paid"}
    )
    expect(page.get_by_text("receipt.txt")).to_be_visible()
    page.get_by_label("gift").check()
    send = page.get_by_role("button", name="Send answer")
    # not before the hold could be read
    expect(send).to_be_enabled()
    with page.expect_response(f"**/holds/{hold['id']}/reviews"):
        send.press("Enter")
    answer = company.hold(hold["id"])["decision"]["answer"]
    assert (answer["amount"], answer["when"], answer["tags"]) == (12.5, "2026-12-24T17:00:00.000Z", ["gift"])
    assert answer["proof"] == "data:text/plain;name=receipt.txt;base64,cGFpZA=="
