"""Every page for everybody: nothing that axe finds in either theme, twice as large, and no motion if asked for none."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from browser import Visitor
from everybody import ZOOMED, addresses, hindrances
from playwright.sync_api import Page, ViewportSize, expect
from stage import EVERYTHING, Company

Enter = Callable[..., Visitor]
DESK: ViewportSize = {"width": 1360, "height": 860}
HERE = Path(__file__).parent
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
NOWHERE = "nowhere"
# each address of the router: where it is looked at here, or the test that goes there with something to show
LOOKED_AT = {
    "/inbox": "inbox", "/runs": "runs", "/runs/start": "runs/start", "/changes": "changes",
    "/changes/start": "changes/start", "/skills": "skills", "/skills/queue": "skills/queue", "/sessions": "sessions",
    "/sessions/start": "sessions/start", "/agents": "agents", "/agents/$agentId": "agents/deploy-bot",
    "/insights": "insights", "/insights/fatigue": "insights/fatigue", "/insights/samples": "insights/samples",
    "/report": "report", "/policy": "policy",
    "/grants": "grants", "/audit": "audit", "/people": "people", "/notifications": "notifications",
    "/notifications/preview": "notifications/preview", "/account": "account", "/docs": "docs",
}  # fmt: skip
MORE = ("policy?edit=true", "inbox?view=done")
ELSEWHERE = {
    "/holds/$holdId": "test_everybody",
    "/sign-in": "test_everybody",
    "/runs/$runId": "test_runs",
    "/changes/$changeId": "changes/test_story",
    "/insights/samples/$holdId": "test_hindsight",
    "/insights/samples/findings": "test_hindsight",
    "/skills/$name": "test_skills",
    "/sessions/$sessionId": "test_skills",
}


def shown(page: Page) -> None:
    page.wait_for_load_state("load")
    if not page.url.endswith((NOWHERE, "/docs", "/sign-in")):
        expect(page.get_by_role("status").filter(has_text="live")).to_be_visible()
    expect(page.get_by_role("heading", level=1).last).not_to_be_empty()
    expect(page.get_by_text("Loading")).to_have_count(0)


def test_no_address_is_forgotten() -> None:
    assert {*LOOKED_AT, *ELSEWHERE} == addresses()
    for name in set(ELSEWHERE.values()):
        assert "hindrances(" in (HERE / f"{name}.py").read_text(), name


# more than 30 pages, each judged four times
@pytest.mark.timeout(900)
def test_every_page_is_for_everybody(company: Company, enter: Enter) -> None:
    """Contrast, names, roles and order, as far as a program can judge, in both themes; and no motion."""
    holds = [company.ask(question) for question in (*EVERYTHING, ALL_FIELDS)]
    window = enter("Ada", viewport=DESK)
    page = window.page
    found: list[str] = []
    for path in (NOWHERE, *LOOKED_AT.values(), *MORE, *(f"holds/{hold['id']}" for hold in holds)):
        page.emulate_media(reduced_motion="reduce")
        window.go(f"/{path}")
        shown(page)
        found += [f"/{path}: {one}" for one in hindrances(page)]
    window.context.clear_cookies()
    window.go("/sign-in")
    shown(page)
    found += [f"/sign-in: {one}" for one in hindrances(page)]
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
