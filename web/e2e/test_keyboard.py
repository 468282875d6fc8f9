"""An inbox of 200 varied holds, without a mouse: read through, narrowed, handed on, and each kind decided."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import pytest
import server as servers
from browser import Visitor, barriers, link_for
from playwright.sync_api import Locator, Page, expect
from server import ServerProcess
from stage import BATCH, CHOICE, DELETE, DEPLOY, EMAILS, FORM, TEXT, Company, Json

Enter = Callable[..., Visitor]
DARK_PHONE = {"viewport": {"width": 390, "height": 780}, "color_scheme": "dark", "reduced_motion": "reduce"}
RESPONDABLE: Json = {
    **EMAILS,
    "kind": "approval",
    "title": "Publish the price list",
    "action": {"name": "publish_prices", "args": {"list": "winter"}, "target": "shop"},
    "takes_response": True,
}
# of each kind 25; not what only others decide
VARIED = (DELETE, DEPLOY, EMAILS, TEXT, CHOICE, FORM, BATCH, RESPONDABLE)
COUNT = 200
# the furthest that anything is away: of a page from its top, of a hold from its headline
PAGE_TABS, HOLD_TABS = 40, 16


@pytest.fixture(scope="module")
def place() -> Generator[ServerProcess]:
    """A server where nothing else waits; it serves the workflows of the runs' tests."""
    workflows = str(Path(__file__).parent / "handrail.toml")
    with servers.running(HANDRAIL_WORKFLOWS_FILE=workflows, HANDRAIL_CONCURRENCY="1") as server:
        for name, role in (("Mara", "tech_lead"), ("Carl", "cto"), ("Jon", "team_lead")):
            link_for(server, name, role)
        link_for(server, "Ada", "administrator", "tech_lead")
        server.serves("rollout")
        yield server


@pytest.fixture(scope="module")
def full(place: ServerProcess) -> Company:
    company = Company(place)
    for n in range(COUNT):
        question = VARIED[n % len(VARIED)]
        company.ask(question, title=f"{question['title']} no {n}.", case_id=f"case-{n % 10}")
    return company


def rows(page: Page) -> Locator:
    return page.get_by_role("list", name=re.compile("^Holds")).get_by_role("listitem")


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def tab_to(page: Page, wanted: Locator, most: int = HOLD_TABS) -> None:
    """As far as the Tab key leads; what it does not lead to is for nobody without a mouse."""
    expect(wanted).to_be_visible()
    for _ in range(most):
        if wanted.evaluate("(one) => one === document.activeElement"):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not lead to {wanted}")


def shown(page: Page) -> str:
    """The title of the hold that is open, once it can be decided."""
    article = page.get_by_role("article")
    expect(article).to_have_attribute("aria-label", re.compile("no \\d+"))
    return article.get_attribute("aria-label") or ""


def at(page: Page, company: Company, question: Json) -> Json:
    """Searches for holds like this one, and opens the first."""
    press(page, "g", "i", "/")
    expect(page.get_by_role("searchbox", name="Search holds")).to_be_focused()
    page.keyboard.press("Control+a")
    page.keyboard.type(question["title"])
    # of all holds, at most so many are like it
    expect(rows(page).first).to_have_attribute("aria-setsize", re.compile(r"^\d\d?$"))
    expect(rows(page).first).to_contain_text(question["title"])
    expect(rows(page).filter(has_not_text=question["title"])).to_have_count(0)
    press(page, "Escape", "j", "Enter")
    expect(page.get_by_role("article")).to_have_attribute("aria-label", re.compile(re.escape(question["title"])))
    expect(page.get_by_role("article").get_by_role("heading", level=1)).to_be_focused()
    found = company.hold(page.url.split("/holds/")[1].split("?")[0])
    assert found["status"] == "pending"
    return found


@pytest.mark.parametrize("window", [{}, DARK_PHONE], ids=["desk", "phone, dark"])
def test_200_varied_holds_are_worked_through_by_keyboard(full: Company, enter: Enter, window: dict[str, Any]) -> None:
    mara = enter("Mara", **window)
    mara.make_own()
    page = mara.page
    expect(page.get_by_role("status").filter(has_text="live")).to_be_visible()
    expect(rows(page).first).to_contain_text("critical")

    # further than what was fetched at first, and the one that the keys mean stays in sight
    for step in range(1, 151):
        page.keyboard.press("j")
        if step % 50 == 0:
            current = page.locator("[aria-current=true]")
            expect(current).to_be_in_viewport()
            expect(rows(page).filter(has=current)).to_have_attribute("aria-posinset", str(step))
    press(page, "k", "Enter")
    opened = shown(page)
    page.keyboard.press("j")
    expect(page.get_by_role("article")).not_to_have_attribute("aria-label", opened)
    page.keyboard.press("Escape")
    expect(page.get_by_role("article")).to_have_count(0)

    # narrowed by what the Tab key leads to
    tab_to(page, page.get_by_role("button", name="More filters"), PAGE_TABS)
    page.keyboard.press("Enter")
    tab_to(page, page.get_by_role("group", name="Waiting, by risk").get_by_role("button", name="high"))
    page.keyboard.press("Enter")
    expect(rows(page).filter(has_not_text="high")).to_have_count(0)
    tab_to(page, page.get_by_label("Kind"))
    page.keyboard.type("approval")
    tab_to(page, page.get_by_label("Case"))
    page.keyboard.type("case-3")
    expect(page).to_have_url(re.compile("(?=.*risk=high)(?=.*kind=approval)(?=.*case=case-3)"))
    expect(rows(page).first).to_contain_text("Deploy api")
    expect(rows(page)).to_have_count(5)
    assert barriers(page) == []
    tab_to(page, page.get_by_role("button", name="Clear filters"))
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/inbox$"))

    # the answers to what is asked, each in the way that it asks for
    decided = [by_keys(page, full, question) for question in VARIED]
    assert [(hold["status"], hold["reviews"][-1]["verdict"]) for hold in decided] == [
        ("pending", "approve"),
        ("pending", "approve"),
        ("approved", "approve"),
        ("answered", "answer"),
        ("answered", "answer"),
        ("answered", "answer"),
        ("answered", "answer"),
        ("answered", "respond"),
    ]
    assert [hold["decision"]["answer"] for hold in decided[3:6]] == [
        "yesterday, 9 to 10",
        "eu-west",
        {"amount": 12.5, "reason": "damaged", "notify": True},
    ]
    assert [item["approved"] for item in decided[6]["decision"]["items"]] == [True, False, True]
    assert decided[7]["decision"]["answer"] == "Ask legal first."


def by_keys(page: Page, company: Company, question: Json) -> Json:
    """Decides the first hold like this one, and gives what has become of it."""
    hold = at(page, company, question)
    decision = page.get_by_role("region", name="Decision")
    # nothing is sent before the hold could be read
    send = page.get_by_role("button", name="Send answer")
    if question in (DELETE, DEPLOY, EMAILS):
        expect(decision.get_by_role("button", name="Approve")).to_be_enabled()
        page.keyboard.press("a")
    if question is DELETE:
        page.keyboard.type("the backup was restored elsewhere")
        page.keyboard.press("Enter")
        expect(page.get_by_label("Type orders-prod to approve")).to_be_focused()
        page.keyboard.type("orders-prod")
        page.keyboard.press("Enter")
    elif question is DEPLOY:
        expect(page.get_by_role("button", name="Yes, approve")).to_be_focused()
        page.keyboard.press("Enter")
    elif question is TEXT:
        tab_to(page, page.get_by_role("textbox", name="Your answer"))
        page.keyboard.type("yesterday, 9 to 10")
        expect(send).to_be_enabled()
        page.keyboard.press("Control+Enter")
    elif question is CHOICE:
        tab_to(page, page.get_by_label("eu-central"))
        press(page, "Space", "ArrowDown")
        expect(page.get_by_label("eu-west")).to_be_checked()
        expect(send).to_be_enabled()
        tab_to(page, send)
        page.keyboard.press("Enter")
    elif question is FORM:
        tab_to(page, page.get_by_label("Amount in EUR"))
        page.keyboard.type("12.5")
        tab_to(page, page.get_by_label("Reason"))
        page.keyboard.type("damaged")
        expect(send).to_be_enabled()
        page.keyboard.press("Enter")
    elif question is BATCH:
        tab_to(page, page.get_by_role("button", name="Approve all"))
        page.keyboard.press("Enter")
        tab_to(page, page.get_by_role("group", name="Decision on acct-47").get_by_role("button", name="Reject"))
        page.keyboard.press("Enter")
        send = page.get_by_role("button", name="Send: approve 2, reject 1")
        expect(send).to_be_enabled()
        tab_to(page, send)
        page.keyboard.press("Enter")
    elif question is RESPONDABLE:
        responded(page, decision)
    told = re.compile(rf"{re.escape(hold['title'])}: (approved|answered|approval 1 of 2 recorded)\.")
    expect(page.get_by_text(told)).to_be_visible()
    return company.hold(hold["id"])


def responded(page: Page, decision: Locator) -> None:
    """Neither yes nor no, next to both."""
    buttons = decision.get_by_role("button").all_inner_texts()
    assert [text.split()[0] for text in buttons] == ["Approve", "Reject", "Amend", "Respond", "Ask"]
    respond = decision.get_by_role("button", name="Respond")
    expect(respond).to_be_enabled()
    page.keyboard.press("w")
    # not without words
    expect(respond).to_be_disabled()
    expect(decision).to_contain_text("The action does not run.")
    assert barriers(page) == []
    page.keyboard.type("Ask legal first.")
    page.keyboard.press("Enter")


@pytest.mark.parametrize("window", [{}, DARK_PHONE], ids=["desk", "phone, dark"])
def test_the_other_pages_are_used_by_keyboard(full: Company, enter: Enter, window: dict[str, Any]) -> None:
    """A run is started and gone through, an agent stopped and let go, an action tried, figures and the log read."""
    page = enter("Ada", **window).page
    expect(page.get_by_role("status").filter(has_text="live")).to_be_visible()
    press(page, "g", "r")
    expect(
        page.get_by_role("heading", name="Runs").or_(page.get_by_role("heading", name="No runs yet")).first
    ).to_be_visible()
    page.keyboard.press("n")
    tab_to(page, page.get_by_label("Workflow", exact=True), PAGE_TABS)
    page.keyboard.type("rollout")
    for label, text in (("service", "shop"), ("version", "1.4.2"), ("copies", "3")):
        tab_to(page, page.get_by_label(label))
        page.keyboard.type(text)
    page.keyboard.press("Enter")
    where = page.get_by_role("region", name="Where it is")
    expect(where).to_contain_text("ask: waiting for people")
    tab_to(page, page.get_by_role("link").filter(has_text="Waiting for a team lead"), PAGE_TABS)
    page.keyboard.press("Enter")
    expect(page.get_by_role("article").get_by_role("heading", level=1)).to_contain_text("on staging")

    press(page, "g", "b")
    expect(page.get_by_role("heading", name="Agents")).to_be_visible()
    expect(page.get_by_role("link").filter(has_text="deploy-bot")).to_be_visible()
    tab_to(page, page.get_by_role("link").filter(has_text="deploy-bot"), PAGE_TABS)
    page.keyboard.press("Enter")
    tab_to(page, page.get_by_role("button", name="Stop this agent…"), PAGE_TABS)
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)

    press(page, "g", "p")
    tab_to(page, page.get_by_role("button", name="What would happen?"), PAGE_TABS)
    page.keyboard.press("Enter")
    expect(page.get_by_text("rule deploy-production").first).to_be_visible()

    press(page, "g", "t")
    tab_to(page, page.get_by_role("button", name="7 days"), PAGE_TABS)
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("period=7d"))
    tab_to(page, page.get_by_role("link").filter(has_text="Waiting now"))
    page.keyboard.press("Enter")
    expect(page.get_by_role("link").filter(has_text="Send 240 e-mails").first).to_be_visible()

    press(page, "g", "a")
    tab_to(page, page.get_by_role("button", name="Verify in this browser"), PAGE_TABS)
    page.keyboard.press("Enter")
    expect(page.get_by_role("status").filter(has_text="The log is intact")).to_be_visible()
