"""The page */docs*: the whole API to read, without signing in."""

from __future__ import annotations

import re

import pytest
from browser import PATIENCE_MS, REFUSALS, barriers
from playwright.sync_api import Browser, expect
from stage import Company


@pytest.mark.parametrize(("theme", "width"), [("light", 1360), ("dark", 360)])
def test_the_api_is_read_without_signing_in(browser: Browser, company: Company, theme: str, width: int) -> None:
    with company.server.client() as http:
        paths = http.get("/openapi.json").raise_for_status().json()["paths"]
    context = browser.new_context(
        color_scheme="dark" if theme == "dark" else "light", viewport={"width": width, "height": 800}
    )
    context.set_default_timeout(PATIENCE_MS)
    context.add_init_script(REFUSALS)
    page, complaints = context.new_page(), list[str]()
    page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
    page.goto(f"{company.server.url}/docs")
    routes = page.locator("section > ul > li > details")
    # every operation once
    expect(routes).to_have_count(sum(map(len, paths.values())))
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert barriers(page) == []

    # what the document writes as Markdown is shown as such
    header = page.get_by_role("banner").or_(page.locator("header"))
    expect(header.locator("code").first).to_have_text("Authorization: Bearer hr_…")
    expect(header).not_to_contain_text("`")

    # found by a part of its address, opened, with an example of what to send and what comes back
    page.get_by_label("Find a route").fill("POST /api/holds")
    opening = routes.filter(has=page.get_by_text("/api/holds", exact=True))
    expect(opening).to_have_count(1)
    expect(routes.filter(has_text="/api/people")).to_have_count(0)
    opening.locator("summary").first.click()
    expect(opening).to_contain_text("Request, for example:")
    expect(opening).to_contain_text(re.compile("Answer 201, for example:"))
    expect(opening).to_contain_text("digest")
    assert barriers(page) == []

    page.get_by_label("Find a route").fill("no such route")
    expect(routes).to_have_count(0)
    expect(page.get_by_text("No route matches")).to_be_visible()
    assert complaints == []
    context.close()
