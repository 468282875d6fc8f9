"""People decide in a browser: every kind of hold, alone, together and against each other."""

from __future__ import annotations

import re
from collections.abc import Callable
from uuid import uuid4

import pytest
from browser import Visitor, barriers
from playwright.sync_api import Page, expect
from stage import BATCH, CHOICE, DELETE, DEPLOY, EMAILS, FORM, STAGING, TEXT, Company, Json
from typist import Typist

Enter = Callable[..., Visitor]
Seat = Callable[..., Typist]


def asked(company: Company, question: Json, **changes: object) -> Json:
    """A hold with a title that no other test has."""
    return company.ask(question, title=f"{question['title']} ({uuid4().hex[:6]})", **changes)


def opened(window: Visitor, hold: Json) -> Page:
    page = window.go(f"/holds/{hold['id']}")
    expect(page.get_by_role("article")).to_contain_text("deploy-bot")
    return page


def test_what_happens_is_told_from_the_action_and_approving_decides(company: Company, enter: Enter) -> None:
    hold = asked(company, STAGING)
    page = opened(enter("Jon"), hold)
    expect(page.get_by_role("article").get_by_role("heading", level=1)).to_have_text(
        "If approved, deploy-bot will run deploy on shop with service shop, version 1.4.2."
    )
    page.get_by_role("button", name="Approve").click()
    expect(page.get_by_text(f"{hold['title']}: approved.")).to_be_visible()
    assert company.hold(hold["id"])["decision"]["by"]["name"] == "Jon"


def test_an_approval_is_undone_until_it_is_used(company: Company, enter: Enter) -> None:
    hold = asked(company, STAGING)
    page = opened(enter("Jon"), hold)
    page.get_by_role("button", name="Approve").click()
    page.get_by_role("button", name="Undo", exact=True).click()
    expect(page.get_by_text("Approval withdrawn.")).to_be_visible()
    assert company.hold(hold["id"])["status"] == "pending"
    company.redeem(company.review("Jon", company.hold(hold["id"])))
    page.goto(f"{company.server.url}/holds/{hold['id']}")
    expect(page.get_by_text("It cannot be withdrawn.")).to_be_visible()
    expect(page.get_by_role("button", name="Withdraw")).to_have_count(0)


def test_a_rejection_carries_its_reason(company: Company, enter: Enter) -> None:
    hold = asked(company, EMAILS)
    page = opened(enter("Mara"), hold)
    page.get_by_role("button", name="Reject").click()
    page.get_by_label("Reason (optional)").fill("not on a Sunday")
    page.get_by_role("region", name="Decision").get_by_role("button", name="Reject").click()
    expect(page.get_by_text(f"{hold['title']}: rejected.")).to_be_visible()
    assert company.hold(hold["id"])["decision"]["reason"] == "not on a Sunday"


@pytest.mark.story(2, "desk, light")
def test_an_amendment_keeps_types_shows_what_changes_and_survives_a_reload(company: Company, typist: Seat) -> None:
    """And the timeline has it, with a comment."""
    hold = asked(company, DEPLOY)
    mara = typist("Mara", f"/holds/{hold['id']}")
    page = mara.page
    amend = page.get_by_role("region", name="Decision").get_by_role("button", name="Amend")
    expect(amend).to_be_enabled()
    mara.press("e")
    mara.fill(page.get_by_label("replicas", exact=True), "4")
    expect(page.get_by_role("listitem").filter(has_text="replicas")).to_contain_text("6→4")
    mara.on(page.get_by_role("button", name="Remove version"))
    mara.on(page.get_by_role("button", name="Add argument"))
    mara.fill(page.get_by_label("Name", exact=True), "replicas")
    expect(page.get_by_text("There is already an argument named replicas.")).to_be_visible()
    expect(page.get_by_role("button", name="Save as new revision")).to_be_disabled()
    mara.fill(page.get_by_label("Name", exact=True), "canary")
    mara.choose(page.get_by_label("Type", exact=True), "yes or no")
    mara.to(page.get_by_label("Value", exact=True))
    mara.press("Space")
    assert barriers(page) == []
    page.reload()
    mara.on(amend)
    expect(page.get_by_label("replicas", exact=True)).to_have_value("4")
    mara.on(page.get_by_role("button", name="Save as new revision"))
    expect(page.get_by_text("Amended: this is now revision 2.")).to_be_visible()
    assert company.hold(hold["id"])["action"]["args"] == {"service": "api", "replicas": 4, "canary": True}
    mara.press("c")
    mara.type("Four are enough.")
    mara.press("Enter")
    timeline = page.get_by_role("region", name="Timeline")
    for said in ("Requested by", "replicas", "Four are enough."):
        expect(timeline).to_contain_text(said)


def test_a_critical_hold_needs_a_justification_and_its_target_typed(company: Company, enter: Enter) -> None:
    hold = asked(company, DELETE)
    mara = enter("Mara")
    mara.make_own()
    page = opened(mara, hold)
    page.get_by_role("button", name="Approve").click()
    page.get_by_label("Justification").fill("the backup was restored elsewhere")
    page.get_by_role("region", name="Decision").get_by_role("button", name="Approve").click()
    dialog = page.get_by_role("dialog", name="This is critical")
    confirm = dialog.get_by_role("button", name="Approve")
    dialog.get_by_label("Type orders-prod to approve").fill("orders")
    expect(confirm).to_be_disabled()
    dialog.get_by_label("Type orders-prod to approve").fill("orders-prod")
    confirm.click()
    expect(page.get_by_text("approval 1 of 2 recorded")).to_be_visible()
    (review,) = company.hold(hold["id"])["reviews"]
    assert review["reason"] == "the backup was restored elsewhere"


def test_questions_are_answered_in_words_by_choice_and_by_form(company: Company, enter: Enter) -> None:
    window = enter("Mara")
    words = asked(company, TEXT)
    page = opened(window, words)
    page.get_by_role("textbox", name="Your answer").fill("yesterday, 9 to 10")
    page.get_by_role("button", name="Send answer").click()
    expect(page.get_by_text(f"{words['title']}: answered.")).to_be_visible()
    assert company.hold(words["id"])["decision"]["answer"] == "yesterday, 9 to 10"

    choice = asked(company, CHOICE)
    page = opened(window, choice)
    page.get_by_label("eu-west").check()
    page.get_by_role("button", name="Send answer").click()
    expect(page.get_by_text(f"{choice['title']}: answered.")).to_be_visible()
    assert company.hold(choice["id"])["decision"]["answer"] == "eu-west"

    form = asked(company, FORM)
    page = opened(window, form)
    page.get_by_label("Reason").fill("damaged")
    page.get_by_role("button", name="Send answer").click()
    expect(page.get_by_text("This field is required.")).to_be_visible()
    page.get_by_label("Amount in EUR").fill("12.5")
    page.get_by_role("button", name="Send answer").click()
    expect(page.get_by_text(f"{form['title']}: answered.")).to_be_visible()
    assert company.hold(form["id"])["decision"]["answer"] == {"amount": 12.5, "reason": "damaged", "notify": True}


def test_a_batch_is_decided_item_by_item_and_sent_as_one(company: Company, enter: Enter) -> None:
    hold = asked(company, BATCH)
    page = opened(enter("Mara"), hold)
    page.get_by_role("button", name="Approve all").click()
    page.get_by_role("group", name="Decision on acct-47").get_by_role("button", name="Reject").click()
    page.get_by_role("button", name="Send: approve 2, reject 1").click()
    expect(page.get_by_text(f"{hold['title']}: answered.")).to_be_visible()
    items = company.hold(hold["id"])["decision"]["items"]
    assert {item["item_id"]: item["approved"] for item in items} == {"acct-31": True, "acct-47": False, "acct-90": True}


def test_of_two_who_decide_at_once_the_second_is_told_who_was_first(company: Company, enter: Enter) -> None:
    hold = asked(company, EMAILS)
    slow = enter("Mara")
    page = opened(slow, hold)
    # the page of the slower one hears of nothing until its own decision is refused
    slow.context.route("**/api/events*", lambda route: route.abort())
    page.reload()
    expect(page.get_by_role("button", name="Approve")).to_be_enabled()
    fast = opened(enter("Carl"), hold)
    fast.get_by_role("button", name="Approve").click()
    expect(fast.get_by_text(f"{hold['title']}: approved.")).to_be_visible()
    page.get_by_role("button", name="Approve").click()
    expect(page.get_by_text(re.compile(r"Already approved by Carl"))).to_be_visible()
    expect(page.get_by_text("Your decision arrived later and was not recorded.")).to_be_visible()
    assert company.hold(hold["id"])["decision"]["by"]["name"] == "Carl"


def test_the_page_shows_at_once_what_others_do(company: Company, enter: Enter) -> None:
    """Decided elsewhere, amended elsewhere, asked elsewhere: without a reload."""
    window = enter("Mara")
    hold = asked(company, EMAILS)
    expect(window.page.get_by_role("link").filter(has_text=hold["title"])).to_be_visible()
    page = opened(window, hold)
    amended = company.review("Carl", hold, "amend", amended_action={**hold["action"], "target": "nobody"})
    expect(page.get_by_text("This was amended while you were looking at it. It is now revision 2.")).to_be_visible()
    expect(page.get_by_role("button", name="Approve")).to_be_disabled()
    page.get_by_role("button", name="I have seen the change").click()
    expect(page.get_by_role("button", name="Approve")).to_be_enabled()
    company.review("Carl", amended, "reject", reason="never")
    expect(page.get_by_role("region", name="Decision")).to_contain_text("Rejected by Carl")
    expect(page.get_by_role("button", name="Approve")).to_have_count(0)


def test_several_are_decided_together_exactly_as_they_were_seen(company: Company, enter: Enter) -> None:
    first, second, third = (asked(company, EMAILS) for _ in range(3))
    page = enter("Mara").page
    for hold in (first, second, third):
        page.get_by_label(f"Select {hold['title']}").check()
    # one of them becomes another one meanwhile, and so leaves the selection
    company.review("Carl", third, "amend", amended_action={**third["action"], "target": "everybody"})
    expect(page.get_by_text("2 selected")).to_be_visible()
    page.get_by_role("button", name="Approve…").click()
    page.get_by_role("button", name="Approve exactly these 2").click()
    expect(page.get_by_text("Recorded for 2 holds.")).to_be_visible()
    assert [company.hold(h["id"])["status"] for h in (first, second, third)] == ["approved", "approved", "pending"]


def test_who_may_not_decide_is_told_why(company: Company, enter: Enter) -> None:
    hold = asked(company, STAGING)
    page = opened(enter("Ada"), hold)
    expect(page.get_by_role("region", name="Decision")).to_contain_text("View only. This is for a team lead to decide.")
    expect(page.get_by_role("button", name="Approve")).to_have_count(0)


def test_a_question_back_is_seen_by_who_asked(company: Company, enter: Enter) -> None:
    hold = asked(company, STAGING)
    page = opened(enter("Jon"), hold)
    page.keyboard.press("c")
    page.get_by_label("Comment or question").fill("Which migration does this run?")
    page.get_by_role("button", name="Comment").click()
    expect(page.get_by_role("region", name="Timeline")).to_contain_text("Which migration does this run?")
