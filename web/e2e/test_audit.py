"""The page *Audit*: searched, drawn as a chain, and verified in the browser itself, in words."""

from __future__ import annotations

from collections.abc import Callable
from uuid import uuid4

import pytest
from browser import Visitor, barriers, barriers_in_both_themes
from playwright.sync_api import Route, expect
from stage import STAGING, Company
from typist import Typist

Enter = Callable[..., Visitor]
Seat = Callable[..., Typist]


@pytest.mark.story(8, "phone, dark")
def test_the_log_is_searched_by_text_person_action_and_time(company: Company, typist: Seat) -> None:
    word = uuid4().hex[:8]
    hold = company.ask(STAGING, title=f"Deploy {word}", action={"name": f"do_{word}", "args": {}, "target": "staging"})
    company.review("Jon", hold, "reject", reason=f"because of {word}")
    ada = typist("Ada", "/audit")
    page = ada.page
    entries = page.get_by_role("region", name="Entries").get_by_role("list").last.locator("> li")
    expect(entries.first).to_be_visible()
    ada.press("/")
    ada.type(f"because of {word}")
    # the review and the decision
    expect(entries).to_have_count(2)
    ada.fill(page.get_by_label("Search the log"), "")
    ada.on(page.get_by_role("button", name="More filters"))
    ada.fill(page.get_by_label("Done by"), "Jon")
    ada.fill(page.get_by_label("Action", exact=True), f"do_{word}")
    ada.press("Enter")
    page.wait_for_url(lambda url: "actor=Jon" in url and "text=" not in url)
    expect(entries).to_have_count(2)
    ada.to(page.get_by_label("Done by"), "Shift+Tab")
    ada.fill(page.get_by_label("Done by"), "Nobody Here")
    ada.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("There is no principal 'Nobody Here'")
    ada.fill(page.get_by_label("Done by"), "")
    ada.moment(page.get_by_label("From"), "01/01/2001", "12:00 AM")
    ada.moment(page.get_by_label("Until"), "01/02/2001", "12:00 AM")
    ada.on(page.get_by_role("button", name="Search", exact=True))
    expect(page.get_by_text("No entries match.")).to_be_visible()
    ada.empty(page.get_by_label("Until"))
    ada.on(page.get_by_role("button", name="Search", exact=True))
    # opened, reviewed, decided, and maybe what was notified
    expect(entries.filter(has_text="hold opened")).to_have_count(1)
    assert barriers(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= page.evaluate("innerWidth")


@pytest.mark.story(8, "desk, light")
def test_the_log_is_verified_in_the_browser(company: Company, typist: Seat) -> None:
    company.ask(STAGING)
    ada = typist("Ada")
    page = ada.page
    ada.press("g", "a")
    chain = page.get_by_role("list", name="The chain")
    expect(chain.get_by_role("listitem").first).to_be_visible()
    ada.on(page.get_by_role("button", name="Verify in this browser"))
    found = page.get_by_role("status").filter(has_text="The log is intact: entries 1 to")
    expect(found).to_contain_text("The keys are those that this server names.")
    assert barriers_in_both_themes(page) == []


def test_a_log_that_was_changed_on_its_way_is_found_out(enter: Enter) -> None:
    page = enter("Ada", path="/audit").page

    def forged(route: Route) -> None:
        answer = route.fetch()
        lines = answer.text().splitlines(keepends=True)
        lines[3] = lines[3].replace('"type": "', '"type": "x', 1)
        route.fulfill(response=answer, body="".join(lines))

    page.route("**/api/audit/export", forged)
    page.get_by_role("button", name="Verify in this browser").click()
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("The log is NOT intact.")
    expect(alert).to_contain_text("does not follow from the one before it")
    # a key that was kept elsewhere, and did not seal this log
    page.unroute("**/api/audit/export")
    page.get_by_text("Public key (key.pub) that you keep").first.click()
    stranger = "MCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo="
    pem = f"-----BEGIN PUBLIC KEY-----\n{stranger}\n-----END PUBLIC KEY-----\n"
    page.get_by_label("Public key (key.pub) that you keep").set_input_files(
        files=[{"name": "key.pub", "mimeType": "text/plain", "buffer": pem.encode()}]
    )
    page.get_by_role("button", name="Verify again").click()
    expect(page.get_by_role("alert")).to_contain_text("from a key that is not trusted")
    expect(page.get_by_role("alert")).to_contain_text("Proven to be as recorded: nothing.")
