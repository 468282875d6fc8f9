"""An inbox of 200 varied holds, without a mouse: read through, narrowed, handed on, and each kind decided."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator

import pytest
import server as servers
from browser import barriers, link_for
from playwright.sync_api import Locator, Page, expect
from server import ServerProcess
from stage import BATCH, CHOICE, DELETE, DEPLOY, EMAILS, FORM, TEXT, Company, Json
from typist import Typist

Seat = Callable[..., Typist]
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


@pytest.fixture(scope="module")
def place() -> Generator[ServerProcess]:
    """A server where nothing else waits."""
    with servers.running() as server:
        for name, role in (("Mara", "tech_lead"), ("Carl", "cto"), ("Jon", "team_lead")):
            link_for(server, name, role)
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


def shown(page: Page) -> str:
    """The title of the hold that is open, once it can be decided."""
    article = page.get_by_role("article")
    expect(article).to_have_attribute("aria-label", re.compile("no \\d+"))
    return article.get_attribute("aria-label") or ""


def at(mara: Typist, company: Company, question: Json) -> Json:
    """Searches for holds like this one, and opens the first."""
    page = mara.page
    mara.press("g", "i", "/")
    expect(page.get_by_role("searchbox", name="Search holds")).to_be_focused()
    mara.press("Control+a")
    mara.type(question["title"])
    # of all holds, at most so many are like it
    expect(rows(page).first).to_have_attribute("aria-setsize", re.compile(r"^\d\d?$"))
    expect(rows(page).first).to_contain_text(question["title"])
    expect(rows(page).filter(has_not_text=question["title"])).to_have_count(0)
    mara.press("Escape", "j", "Enter")
    expect(page.get_by_role("article")).to_have_attribute("aria-label", re.compile(re.escape(question["title"])))
    expect(page.get_by_role("article").get_by_role("heading", level=1)).to_be_focused()
    found = company.hold(page.url.split("/holds/")[1].split("?")[0])
    assert found["status"] == "pending"
    return found


@pytest.mark.story(1, "desk, light")
def test_200_varied_holds_are_worked_through_by_keyboard(full: Company, typist: Seat) -> None:
    mara = typist("Mara")
    mara.window.make_own()
    page = mara.page
    expect(rows(page).first).to_contain_text("critical")

    # further than what was fetched at first, and the one that the keys mean stays in sight
    for step in range(1, 151):
        mara.press("j")
        if step % 50 == 0:
            current = page.locator("[aria-current=true]")
            expect(current).to_be_in_viewport()
            expect(rows(page).filter(has=current)).to_have_attribute("aria-posinset", str(step))
    mara.press("k", "Enter")
    opened = shown(page)
    mara.press("j")
    expect(page.get_by_role("article")).not_to_have_attribute("aria-label", opened)
    mara.press("Escape")
    expect(page.get_by_role("article")).to_have_count(0)

    # narrowed by what the Tab key leads to
    mara.on(page.get_by_role("button", name="More filters"))
    mara.on(page.get_by_role("group", name="Waiting, by risk").get_by_role("button", name="high"))
    expect(rows(page).filter(has_not_text="high")).to_have_count(0)
    mara.choose(page.get_by_label("Kind"), "approval")
    mara.fill(page.get_by_label("Case"), "case-3")
    expect(page).to_have_url(re.compile("(?=.*risk=high)(?=.*kind=approval)(?=.*case=case-3)"))
    expect(rows(page).first).to_contain_text("Deploy api")
    expect(rows(page)).to_have_count(5)
    assert barriers(page) == []
    mara.on(page.get_by_role("button", name="Clear filters"))
    expect(page).to_have_url(re.compile("/inbox$"))

    # the answers to what is asked, each in the way that it asks for
    decided = [by_keys(mara, full, question) for question in VARIED]
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


def by_keys(mara: Typist, company: Company, question: Json) -> Json:
    """Decides the first hold like this one, and gives what has become of it."""
    hold = at(mara, company, question)
    page = mara.page
    decision = page.get_by_role("region", name="Decision")
    # nothing is sent before the hold could be read
    send = page.get_by_role("button", name="Send answer")
    if question in (DELETE, DEPLOY, EMAILS):
        expect(decision.get_by_role("button", name="Approve")).to_be_enabled()
        mara.press("a")
    if question is DELETE:
        mara.type("the backup was restored elsewhere")
        mara.press("Enter")
        expect(page.get_by_label("Type orders-prod to approve")).to_be_focused()
        mara.type("orders-prod")
        mara.press("Enter")
    elif question is DEPLOY:
        expect(page.get_by_role("button", name="Yes, approve")).to_be_focused()
        mara.press("Enter")
    elif question is TEXT:
        mara.fill(page.get_by_role("textbox", name="Your answer"), "yesterday, 9 to 10")
        expect(send).to_be_enabled()
        mara.press("Control+Enter")
    elif question is CHOICE:
        mara.to(page.get_by_label("eu-central"))
        mara.press("Space", "ArrowDown")
        expect(page.get_by_label("eu-west")).to_be_checked()
        expect(send).to_be_enabled()
        mara.on(send)
    elif question is FORM:
        mara.fill(page.get_by_label("Amount in EUR"), "12.5")
        mara.fill(page.get_by_label("Reason"), "damaged")
        expect(send).to_be_enabled()
        mara.press("Enter")
    elif question is BATCH:
        mara.on(page.get_by_role("button", name="Approve all"))
        mara.on(page.get_by_role("group", name="Decision on acct-47").get_by_role("button", name="Reject"))
        mara.on(page.get_by_role("button", name="Send: approve 2, reject 1"))
    elif question is RESPONDABLE:
        responded(mara, decision)
    told = re.compile(rf"{re.escape(hold['title'])}: (approved|answered|approval 1 of 2 recorded)\.")
    expect(page.get_by_text(told)).to_be_visible()
    return company.hold(hold["id"])


def responded(mara: Typist, decision: Locator) -> None:
    """Neither yes nor no, next to both."""
    buttons = decision.get_by_role("button").all_inner_texts()
    assert [text.split()[0] for text in buttons] == ["Approve", "Reject", "Amend", "Respond", "Ask"]
    respond = decision.get_by_role("button", name="Respond")
    expect(respond).to_be_enabled()
    mara.press("w")
    # not without words
    expect(respond).to_be_disabled()
    expect(decision).to_contain_text("The action does not run.")
    assert barriers(mara.page) == []
    mara.type("Ask legal first.")
    mara.press("Enter")
