"""A newcomer: from the link that the first start prints, through the demo, to three decisions, as the page says."""

from __future__ import annotations

import re

import server as servers
from browser import PATIENCE_MS, arriving, barriers
from playwright.sync_api import Browser, Page, expect


def opened(page: Page, title: str) -> None:
    # the first runs of a first worker take their time on a busy machine
    page.get_by_role("link").filter(has_text=title).click(timeout=3 * PATIENCE_MS)


def approve(page: Page, title: str, told: str, *, high: bool = False) -> None:
    page.get_by_role("button", name="Approve").click()
    if high:
        page.get_by_role("button", name="Yes, approve").click()
    expect(page.get_by_text(f"{title}: {told}")).to_be_visible()


def test_from_the_link_and_the_demo_a_newcomer_decides_three_holds(browser: Browser) -> None:
    with servers.beginning(HANDRAIL_CONCURRENCY="2", HANDRAIL_ADMIN_TOKEN="") as server:
        link = re.search(r"http\S+/sign-in#code=\S+", server.output())
        assert link is not None, server.output()
        newcomer = arriving(browser, server, "the newcomer", link[0])
        page = newcomer.page
        # enabled once a worker has told what it serves
        page.get_by_role("button", name="Start the demo").click(timeout=3 * PATIENCE_MS)
        expect(page.get_by_text("The demo is running")).to_be_visible()
        assert barriers(page) == []
        second = page.get_by_role("listitem").filter(has_text="Demo Toni").get_by_text("/sign-in#code=").inner_text()

        opened(page, "Refund order 77")
        page.get_by_role("button", name="Amend").click()
        page.get_by_label("amount", exact=True).fill("240")
        page.get_by_role("button", name="Save as new revision").click()
        expect(page.get_by_text("Amended: this is now revision 2.")).to_be_visible()
        approve(page, "amount 240, currency EUR (order-77)", "approved.", high=True)

        opened(page, "Export 18,000 customer records")
        page.get_by_role("button", name="Reject").click()
        page.get_by_label("Reason").fill("only what the auditors need")
        page.get_by_role("region", name="Decision").get_by_role("button", name="Reject").click()
        expect(page.get_by_text("Export 18,000 customer records: rejected.")).to_be_visible()

        opened(page, "Deploy shop 2.0 to production")
        approve(page, "Deploy shop 2.0 to production", "approval 1 of 2 recorded", high=True)
        toni = arriving(browser, server, "Demo Toni", second)
        opened(toni.page, "Deploy shop 2.0 to production")
        approve(toni.page, "Deploy shop 2.0 to production", "approved.", high=True)

        # the agents went on with what was decided
        page.get_by_role("link", name="Runs").click()
        for workflow, became in (
            ("demo-deploy", "shop 2.0 runs on shop-prod"),
            ("demo-refund", "240 EUR refunded for order-77"),
        ):
            page.get_by_role("list", name="Runs, newest first").get_by_role("link").filter(has_text=workflow).click()
            expect(page.get_by_role("region", name="Result")).to_contain_text(became)
        toni.close()
        newcomer.close()
