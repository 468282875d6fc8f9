"""Small things that once went wrong: nothing hides, moves away, is fetched twice, or offers what cannot be done."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from browser import Visitor, barriers, visitor
from playwright.sync_api import Browser, Page, expect
from server import ServerProcess
from stage import BATCH, EMAILS, STAGING, Company
from typist import Typist

Enter = Callable[..., Visitor]
Seat = Callable[..., Typist]


def titled(question: dict[str, Any]) -> dict[str, Any]:
    return {**question, "title": f"{question['title']} ({uuid4().hex[:6]})"}


def live(page: Page) -> Page:
    expect(page.get_by_role("status").filter(has_text="live")).to_be_visible()
    return page


@pytest.mark.story(10, "phone, dark")
def test_the_document_ends_where_the_window_does(company: Company, typist: Seat) -> None:
    long = {f"field_{n}": {"a": ["x" * 40] * 12, "b": {"c": n, "d": {"e": n}}} for n in range(80)}
    hold = company.ask(titled(STAGING), evidence=long, context=long)
    jon = typist("Jon", f"/holds/{hold['id']}")
    page = jon.page
    expect(page.get_by_role("heading", name="Timeline")).to_be_attached()
    # the hold scrolls, and not what is around it
    jon.to(page.get_by_role("article"), "Shift+Tab")
    jon.press("End")
    expect(page.get_by_role("heading", name="Timeline")).to_be_in_viewport()
    void = page.evaluate("document.documentElement.scrollHeight - innerHeight")
    assert void <= 0, f"there are {void} px of nothing under the page"


# at once: counts that come in between would be written behind these
SQUEEZED = """(count) => {
  const group = document.querySelector('[aria-label="Waiting, by risk"]')
  const chips = [...group.querySelectorAll("button")]
  for (const chip of chips) chip.lastChild.textContent = count
  return { hidden: group.scrollWidth - group.clientWidth, lines: new Set(chips.map((chip) => chip.offsetTop)).size }
}"""


@pytest.mark.story(10, "desk, light")
def test_the_counts_by_risk_stay_on_one_line(company: Company, typist: Seat) -> None:
    company.ask(titled(EMAILS))
    ada = typist("Ada")
    page = ada.page
    expect(page.get_by_role("group", name="Waiting, by risk").get_by_role("button").first).to_contain_text(
        re.compile(r"\d")
    )
    if not ada.on_phone:
        assert page.evaluate(SQUEEZED, "999") == {"hidden": 0, "lines": 1}
    # as wide as counts get: some may have to be scrolled to
    assert page.evaluate(SQUEEZED, "9,999")["lines"] == 1


@pytest.mark.story(10, "phone, dark")
def test_signs_and_names_of_any_script_are_read_in_their_order(company: Company, typist: Seat) -> None:
    args = {"שם": "אבג", "כמות": "דהו"}
    action = {"name": "send_newsletter", "args": args, "target": "customers"}
    hold = company.ask({**EMAILS, "title": "Ask the family 👩‍👩‍👧 and 🏳️‍🌈 first", "action": action})
    page = typist("Mara", f"/holds/{hold['id']}").page
    # an emoji of several signs is one
    expect(page.get_by_role("article")).to_contain_text("Ask the family 👩‍👩‍👧 and 🏳️‍🌈 first")
    # a name that reads from the right stays before its value: in the headline, and in the list below
    for name, said in args.items():
        term, value = (page.get_by_text(text, exact=True).last.bounding_box() for text in (name, said))
        assert term and value and (term["y"], term["x"]) < (value["y"] + 8, value["x"] + 8)
        assert value["x"] + value["width"] <= page.evaluate("innerWidth")
    heading = page.get_by_role("article").get_by_role("heading", level=1)
    expect(heading).to_contain_text("אבג")
    order = heading.evaluate(
        """(h1, words) => {
             const walk = document.createTreeWalker(h1, NodeFilter.SHOW_TEXT), at = {};
             for (let node = walk.nextNode(); node; node = walk.nextNode())
               for (const word of words) {
                 const from = node.data.indexOf(word);
                 if (from < 0 || word in at) continue;
                 const range = document.createRange();
                 range.setStart(node, from); range.setEnd(node, from + word.length);
                 const box = range.getBoundingClientRect();
                 at[word] = Math.round(box.top / 20) * 10000 + box.left;
               }
             return words.map((word) => at[word]);
           }""",
        ["שם", "אבג", "כמות", "דהו"],
    )
    assert order == sorted(order), "the eye meets a value before its name"


def test_no_value_leaves_an_empty_box_at_the_end_of_a_line(company: Company, enter: Enter) -> None:
    args = {"to": "a list of addresses that is longer than a line of a headline", "name": "spring", "count": 12}
    hold = company.ask({**titled(EMAILS), "action": {"name": "send_newsletter", "args": args, "target": "customers"}})
    page = live(enter("Mara", path=f"/holds/{hold['id']}").page)
    heading = page.get_by_role("article").get_by_role("heading", level=1)
    expect(heading).to_contain_text("spring")
    # at every width: where a line ends differs
    empty = heading.evaluate(
        """(h1) => {
             const found = [];
             for (let width = 220; width < 640; width += 4) {
               h1.style.width = `${width}px`;
               for (const code of h1.querySelectorAll("code")) {
                 const { paddingLeft, paddingRight } = getComputedStyle(code);
                 const edges = parseFloat(paddingLeft) + parseFloat(paddingRight);
                 if ([...code.getClientRects()].some((box) => box.width < edges + 1)) found.push(width);
               }
             }
             return found;
           }"""
    )
    assert empty == []


def test_nothing_is_fetched_twice_when_a_page_opens(company: Company, enter: Enter) -> None:
    hold = company.ask(titled(STAGING))
    window = enter("Jon")
    # what the page before still asks for is not counted
    window.page.goto("about:blank")
    asked: list[str] = []
    window.page.on("request", lambda one: asked.append(one.url) if "/api/" in one.url and one.method == "GET" else None)
    page = live(window.go(f"/holds/{hold['id']}"))
    expect(page.get_by_role("heading", name="Timeline")).to_be_attached()
    page.wait_for_load_state("load")
    expect(page.get_by_role("heading", name="Precedents")).to_be_attached()
    again = {url for url in asked if asked.count(url) > 1}
    assert not again


def test_a_list_carries_what_its_rows_show(company: Company, enter: Enter) -> None:
    window = enter("Mara")
    for _ in range(10):
        company.ask(titled(EMAILS), context={"log": "not of the list " * 200})
    # nothing that the page before asked for may still be answered
    window.page.goto("about:blank")
    with window.page.expect_response(re.compile(r"/api/holds/rows\?.*limit=100")) as listing:
        window.go("/inbox")
    answer = listing.value
    assert answer.headers.get("content-encoding") == "gzip"
    assert "not of the list" not in answer.text()


@pytest.mark.story(10, "desk, light")
def test_without_a_network_a_link_leads_to_no_error_of_the_browser(typist: Seat) -> None:
    mara = typist("Mara")
    page = mara.page
    mara.window.context.set_offline(True)
    mara.on(page.get_by_role("navigation", name="Pages").get_by_role("link", name="Changes"))
    expect(page.get_by_text("could not be loaded")).to_be_visible()
    mara.on(page.get_by_role("button", name="Try again"))
    expect(page.get_by_text("could not be loaded")).to_be_visible()
    # by itself, as soon as there is a network
    mara.window.context.set_offline(False)
    expect(page.get_by_role("heading", name="Changes", exact=True)).to_be_visible()


@pytest.mark.story(11, "phone, dark")
def test_without_a_server_any_address_says_what_is_safe_and_opens_once_it_is_back(
    company: Company, typist: Seat
) -> None:
    hold = company.ask(titled(STAGING))
    window = typist("Jon", service_workers="allow").window
    page = window.page
    # with it the worker has what it shows
    page.evaluate("navigator.serviceWorker.ready.then(({ active }) => active.state)")
    window.context.set_offline(True)
    page = window.go(f"/holds/{hold['id']}")
    expect(page.get_by_role("heading", level=1, name="Handrail cannot be reached")).to_be_visible()
    expect(page.get_by_text("Your decisions.")).to_be_visible()
    assert barriers(page) == []
    window.context.set_offline(False)
    expect(page.get_by_role("article").get_by_role("heading", level=1)).to_be_visible()
    assert page.url.endswith(hold["id"])
    kept = page.evaluate(
        "caches.keys().then((names) => Promise.all(names.map(async (name) => (await (await caches.open(name)).keys())"
        ".map(({ url }) => new URL(url).pathname))))"
    )
    assert kept == [["/offline.html", "/offline.css", "/offline.js", "/theme.js", "/icon.svg"]]


@pytest.mark.story(11, "desk, light")
def test_it_can_be_installed(whole_browser: Browser, place: ServerProcess, look: dict[str, Any]) -> None:
    """As Chromium itself judges it, which also reads the icons."""
    window = visitor(whole_browser, place, "Mara", service_workers="allow", **look)
    page = live(window.page)
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    driver: Any = window.context.new_cdp_session(page)
    errors = driver.send("Page.getInstallabilityErrors")["installabilityErrors"]
    # each window of these tests is a private one
    assert [error["errorId"] for error in errors] == ["in-incognito"]
    manifest = driver.send("Page.getAppManifest")
    assert manifest["errors"] == [] and manifest["url"].endswith("/manifest.webmanifest")
    window.close()


@pytest.mark.story(10, "desk, light")
def test_nothing_can_be_approved_while_its_agent_is_stopped(company: Company, typist: Seat) -> None:
    hold = company.ask(titled(STAGING))
    jon = typist("Jon", f"/holds/{hold['id']}")
    page = jon.page
    expect(page.get_by_role("button", name="Approve")).to_be_enabled()
    with company.server.client() as http:
        http.post("/api/brake", json={"agent": "deploy-bot", "reason": "a test"}).raise_for_status()
        try:
            expect(page.get_by_text("deploy-bot is stopped").first).to_be_visible()
            expect(page.get_by_role("button", name="Approve")).to_be_disabled()
            expect(page.get_by_role("region", name="Decision")).to_contain_text("stopped")
            jon.press("a")
            assert company.hold(hold["id"])["status"] == "pending"
        finally:
            http.post("/api/brake/lift", json={"agent": "deploy-bot", "reason": "tested"}).raise_for_status()
    expect(page.get_by_role("button", name="Approve")).to_be_enabled()


@pytest.mark.story(10, "phone, dark")
def test_both_answers_of_an_item_are_in_sight(company: Company, typist: Seat) -> None:
    hold = company.ask(titled(BATCH))
    page = typist("Mara", f"/holds/{hold['id']}").page
    for name in ("Approve", "Reject"):
        box = page.get_by_role("group", name="Decision on acct-31").get_by_role("button", name=name).bounding_box()
        assert box is not None and box["x"] + box["width"] <= page.evaluate("innerWidth")


@pytest.mark.story(10, "phone, dark")
def test_a_page_that_is_not_there_has_a_heading(typist: Seat) -> None:
    window = typist("Mara").window
    for address in ("/nowhere", f"/holds/{uuid4()}"):
        page = window.go(address)
        expect(page.get_by_role("heading", level=1).filter(has_text=re.compile("no (page|hold)", re.I))).to_be_visible()


@pytest.mark.story(10, "phone, dark")
def test_the_tabs_of_skills_are_large_enough_for_a_thumb(typist: Seat) -> None:
    page = typist("Mara", "/skills").page
    # the tabs are there also while there is no skill to list
    expect(page.get_by_role("heading", name="No skills yet")).to_be_visible()
    tabs = page.get_by_role("navigation", name="Skills").get_by_role("link")
    expect(tabs).to_have_count(3)
    # of one moment: the page may still draw them again
    sizes: list[list[int]] = tabs.evaluate_all("tabs => tabs.map((tab) => [tab.offsetWidth, tab.offsetHeight])")
    assert all(width >= 24 and height >= 24 for width, height in sizes), sizes


@pytest.mark.story(10, "phone, dark")
def test_enter_sends_a_comment_as_it_sends_a_reason(company: Company, typist: Seat) -> None:
    hold = company.ask(titled(STAGING))
    jon = typist("Jon", f"/holds/{hold['id']}")
    page = jon.page
    expect(page.get_by_label("Comment or question")).to_be_attached()
    jon.press("c")
    jon.type("Is it urgent?")
    jon.press("Shift+Enter")
    jon.type("I wonder.")
    jon.press("Enter")
    expect(page.get_by_role("listitem").filter(has_text="Is it urgent?")).to_contain_text("I wonder.")


@pytest.mark.story(10, "desk, light")
def test_a_selection_is_decided_by_key(company: Company, typist: Seat) -> None:
    word = uuid4().hex[:8]
    holds = [company.ask({**EMAILS, "title": f"Send {word} {n}"}) for n in range(2)]
    mara = typist("Mara", f"/inbox?text={word}")
    page = mara.page
    expect(page.get_by_role("list", name="Holds, most urgent first").get_by_role("link")).to_have_count(2)
    mara.press("j", "x", "j", "x", "a")
    dialog = page.get_by_role("dialog", name="Approve 2 holds?")
    expect(dialog).to_be_visible()
    button = dialog.get_by_role("button", name="Approve exactly these 2")
    expect(button).not_to_have_class(re.compile("waits"))
    mara.on(button)
    expect(page.get_by_text("Recorded for 2 holds.")).to_be_visible()
    assert {company.hold(hold["id"])["status"] for hold in holds} == {"approved"}
