"""A hold reads itself: trees, Markdown, tables, tests, pictures and long diffs, and nothing of it acts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from browser import Visitor, barriers
from playwright.sync_api import Page, expect
from stage import STAGING, Company
from typist import Typist

Enter = Callable[..., Visitor]
Seat = Callable[..., Typist]
PICTURE = (
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAYAAACNMs+9AAAAFUlEQVR42mNkYPhfz0AEYBxVSF+FABJADveWkH6oAAAA"
    "AElFTkSuQmCC"
)
EVIDENCE: dict[str, Any] = {
    "summary": "## Result\n\nAll **green**, see [the run](https://ci.example/7).\n\n<img src=x onerror=alert(1)>",
    "tests": {"passed": 12, "failed": 1, "tests": [{"name": "test_rate", "outcome": "failed", "message": "0.07"}]},
    "hosts": [{"host": "web-1", "cpu": 41}, {"host": "web-2", "cpu": 77}],
    "picture": PICTURE,
    "deep": {"a": {"b": {"c": {"d": "the bottom"}}}},
}


def live(page: Page) -> Page:
    expect(page.get_by_role("status").filter(has_text="live")).to_be_visible()
    return page


def asked(company: Company, **more: Any) -> dict[str, Any]:
    return company.ask(STAGING, title=f"Deploy {uuid4().hex[:6]}", **more)


@pytest.mark.story(2, "phone, dark")
def test_evidence_looks_like_what_it_is(company: Company, typist: Seat) -> None:
    hold = asked(company, evidence=EVIDENCE, description="# Why\n\nBecause `rates` changed.")
    jon = typist("Jon", f"/holds/{hold['id']}")
    page = jon.page
    evidence = page.get_by_role("region", name="Evidence")
    expect(evidence.get_by_text("claimed", exact=True)).to_be_visible()
    expect(evidence.get_by_role("link", name="the run")).to_have_attribute("href", "https://ci.example/7")
    expect(evidence.get_by_text("(ci.example)")).to_be_visible()
    expect(evidence.get_by_text("<img src=x onerror=alert(1)>")).to_be_visible()
    expect(evidence.get_by_text("12 passed")).to_be_visible()
    expect(evidence.get_by_text("test_rate")).to_be_visible()
    expect(evidence.get_by_role("columnheader", name="cpu")).to_be_visible()
    assert evidence.get_by_role("img", name="Supplied").evaluate("(one) => one.naturalWidth") == 10
    # folded by depth, and there on request
    expect(evidence.get_by_text("the bottom")).to_be_hidden()
    expect(page.get_by_role("article").get_by_text("Because rates changed.")).to_be_visible()
    assert barriers(page) == []
    jon.on(evidence.get_by_role("button", name="JSON"))
    expect(evidence.get_by_label("JSON", exact=True)).to_contain_text('"d": "the bottom"')


def test_arguments_are_shown_as_they_are(company: Company, enter: Enter) -> None:
    """What is to be done is never rendered, and no argument passes for the target."""
    args = {"note": "**bold** [x](https://evil.example)", "target": "harmless"}
    hold = asked(company, action={"name": "deploy", "args": args, "target": "shop"})
    page = live(enter("Jon", path=f"/holds/{hold['id']}").page)
    arguments = page.get_by_role("region", name="Action and arguments")
    expect(arguments.get_by_text("**bold** [x](https://evil.example)")).to_be_visible()
    expect(arguments.get_by_role("definition").nth(1)).to_have_text("shop")
    expect(arguments.get_by_text("target (argument)")).to_be_visible()


@pytest.mark.story(2, "desk, light")
def test_a_diff_of_20000_lines_is_drawn_as_far_as_it_is_seen(company: Company, typist: Seat) -> None:
    files = [
        f"--- a/f{n}.py\n+++ b/f{n}.py\n@@ -1,100 +1,100 @@\n"
        + "".join(f"-old {n} {line}\n+new {n} {line}\n" for line in range(100))
        for n in range(100)
    ]
    hold = asked(company, evidence={"diff": "".join(files)})
    jon = typist("Jon", f"/holds/{hold['id']}")
    page = jon.page
    diff = page.get_by_role("group", name="Diff")
    expect(diff.get_by_text("f0.py")).to_be_visible()
    assert diff.evaluate("(box) => box.querySelectorAll('*').length") < 2000
    jon.to(diff)
    jon.press("End")
    expect(diff.get_by_text("new 99 99")).to_be_visible()
    jon.to(page.get_by_role("button", name="Fold all"), "Shift+Tab")
    jon.press("Enter")
    jon.to(diff)
    jon.press("Home")
    expect(diff.get_by_text("old 0 0", exact=True)).to_have_count(0)
    jon.on(diff.get_by_role("button", name="f1.py"))
    expect(diff.get_by_text("new 1 0", exact=True)).to_be_visible()
    assert barriers(page) == []
    side_by_side = page.get_by_role("button", name="Side by side")
    if jon.on_phone:
        # there is no room for both
        expect(side_by_side).to_be_hidden()
        return
    jon.to(side_by_side, "Shift+Tab")
    jon.press("Enter")
    old, new = (diff.get_by_text(text, exact=True).bounding_box() for text in ("old 1 0", "new 1 0"))
    assert old and new and old["y"] == new["y"] and old["x"] < new["x"]
    assert barriers(page) == []
