"""A code change in a browser, from a sentence to a pull request on a code host; whole after a reload at every stage."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from browser import Visitor, barriers
from change_desk import DIVIDED, LONG_MS, ROUNDED, Desk, approve, decision, reloaded, start, wait_for_result
from change_scripts import FINISHED, INTENDED, INTENT, PLAN, PLANNED, call
from everybody import hindrances
from git_server import git
from playwright.sync_api import expect

Enter = Callable[..., Visitor]

PHONE = {"width": 360, "height": 740}
UNCLEAR = [{"question": "Which amounts?", "about": "cents", "choices": ["all prices"]}]
HALF_UP: dict[str, Any] = {
    **PLAN,
    "title": "round prices half up",
    "tasks": [{"task": "Round", "files": ["money.py"]}, {"task": "Note it", "new_files": ["CHANGES.md"]}],
}
WRONG = ROUNDED.replace("round(price * 100)", "str(price * 100)")
MENDED = ROUNDED.replace("int(price * 100)", "str(price * 100)")


def test_a_sentence_becomes_a_pull_request_by_two_keys_and_a_thumb(enter: Enter, desk: Desk) -> None:
    desk.script(
        intent=INTENDED,
        plan=[*PLANNED, call("submit_plan", **HALF_UP)],
        edit=[call("apply_patch", patch=ROUNDED), FINISHED],
    )
    shop = desk.hosted()
    page = enter("Dev").page
    expect(page.get_by_role("status").filter(has_text="live")).to_be_visible()
    page.keyboard.press("g")
    page.keyboard.press("c")
    expect(page.get_by_role("heading", name="Changes", exact=True)).to_be_visible()
    page.keyboard.press("n")
    start(page, desk.address(shop))
    expect(decision(page).get_by_role("button", name="Approve")).to_be_enabled(timeout=LONG_MS)
    on_the_way = enter("Dev", viewport=PHONE, has_touch=True)
    mine = on_the_way.go(page.url.removeprefix(on_the_way.server.url))
    decision(mine).get_by_role("button", name="Reject").tap()
    mine.get_by_label("Reason").fill("half up, please")
    decision(mine).get_by_role("button", name="Reject").tap()
    expect(page.get_by_role("heading", level=1)).to_have_text("fix: round prices half up", timeout=LONG_MS)
    expect(decision(page).get_by_role("button", name="Approve")).to_be_enabled(timeout=LONG_MS)
    page.keyboard.press("a")
    expect(page.get_by_role("log").get_by_text("Approved by Dev")).to_be_visible()
    wait_for_result(page)
    # who asked does not publish
    expect(page.get_by_text("View only.")).to_be_visible()
    assert hindrances(page) == []

    window = enter("Mara", viewport=PHONE, has_touch=True)
    phone = window.go(page.url.removeprefix(window.server.url))
    decision(phone).get_by_role("button", name="Approve").tap()
    for each in (phone, page):
        published = each.get_by_role("region", name="Published")
        expect(published.get_by_role("link", name=f"{desk.host.url}/{shop.path}/pull/1")).to_be_visible(timeout=LONG_MS)
    [pull] = shop.pulls
    assert (pull.title, pull.base) == ("fix: round prices half up", "main")


@pytest.mark.soak
@pytest.mark.timeout(900)
def test_a_question_a_rejected_and_an_amended_plan_a_repair_and_a_dropped_hunk(enter: Enter, desk: Desk) -> None:
    desk.script(intent=[call("submit_intent", **{**INTENT, "unclear": UNCLEAR})])
    plans = [call("submit_plan", **PLAN), call("submit_plan", **HALF_UP)]
    note = call("create", path="CHANGES.md", text="Prices are rounded.\n")
    wrong = {"say": "Now the rounding.", **call("apply_patch", patch=WRONG)}
    mended = {"say": "It was text. I mend it.", **call("apply_patch", patch=MENDED)}
    edits = [note, wrong, call("apply_patch", patch=DIVIDED), FINISHED, mended, FINISHED]
    desk.script(plan=plans, edit=edits)
    shop = desk.hosted()
    page = enter("Dev", path="/changes/start").page
    start(page, desk.address(shop))

    # a question with the choices that the code suggests, answered where it stands
    question = page.get_by_role("form", name="Which amounts?")
    expect(question).to_be_visible(timeout=LONG_MS)
    reloaded(page, lambda: expect(question.get_by_label("money.py::cents")).to_be_visible())
    desk.script(intent=INTENDED)
    question.get_by_label("all prices").check()
    question.get_by_role("button", name="Send answer").click()

    # the plan, rejected with a reason that goes back to the planner
    heading = page.get_by_role("heading", level=1)
    expect(heading).to_have_text("fix: round prices", timeout=LONG_MS)
    reloaded(page, lambda: expect(decision(page).get_by_role("button", name="Reject")).to_be_enabled())
    impact = page.get_by_role("region", name="Impact")
    expect(impact).to_contain_text("risk score")
    impact.get_by_text("By name").click()
    expect(impact.get_by_role("definition").filter(has_text="test_money.py").first).to_be_visible()
    assert barriers(page) == []
    decision(page).get_by_role("button", name="Reject").click()
    page.get_by_label("Reason").fill("half up, please")
    decision(page).get_by_role("button", name="Reject").click()
    expect(heading).to_have_text("fix: round prices half up", timeout=LONG_MS)
    tasks = page.get_by_role("list", name="Tasks")
    reloaded(page, lambda: expect(tasks.get_by_role("listitem")).to_have_count(2))

    # amended, then approved by who asked for it
    decision(page).get_by_role("button", name="Amend").click()
    page.get_by_label("What is done").first.fill("Round half up")
    page.get_by_role("button", name="Save as new revision").click()
    reloaded(page, lambda: expect(tasks).to_contain_text("Round half up"))
    # the hold's own page has it as a list, too, with what was changed
    page.get_by_role("link", name="rules and discussion").click()
    amended = page.get_by_role("region", name="What was amended")
    expect(amended).to_contain_text("plan.tasks 1.task")
    expect(amended.locator("del, ins")).to_have_text(["Round", "Round half up"])
    expect(tasks.get_by_role("listitem")).to_have_count(2)
    expect(page.get_by_role("heading", name="these 2 files and no others")).to_be_visible()
    assert barriers(page) == []
    page.go_back()
    approve(page)

    # tested, sent back by what failed, mended: a second attempt
    wait_for_result(page, "exactly these 2 commits are published")
    talk = page.get_by_role("log", name="Conversation")
    reloaded(page, lambda: expect(talk.get_by_text("Waiting for a CTO, team lead or tech lead")).to_be_in_viewport())
    # named by the plan, amended or not
    expect(talk.get_by_role("link", name="fix: round prices half up", exact=True).first).to_be_visible()
    expect(talk).not_to_contain_text("Change.plan")
    page.get_by_role("link", name="Tests").click()
    results = page.get_by_role("region", name="Test results")
    reloaded(page, lambda: expect(results).to_contain_text("test_whole"))
    page.get_by_label("Which attempt").select_option("1")
    reloaded(page, lambda: expect(results).to_contain_text("failed"))
    results.get_by_role("group").first.click()
    expect(results.get_by_label("Output of")).to_contain_text("'200.0' != 200")
    page.get_by_role("link", name="Checks").click()
    expect(page.get_by_role("list", name="Checks").get_by_role("listitem").first).to_be_visible()
    assert barriers(page) == []

    # somebody else, on a phone, leaves a file and a hunk out; the rest is checked and asked about again
    window = enter("Mara", viewport=PHONE, has_touch=True)
    phone = window.go(f"{page.url.removeprefix(window.server.url).split('?')[0]}?tab=files")
    expect(phone.get_by_role("list", name="Stages").get_by_text("Result approval")).to_be_in_viewport()
    phone.get_by_label("Include CHANGES.md").uncheck()
    money = phone.get_by_role("region", name="Files", exact=True).get_by_role("article", name="money.py")
    expect(money.get_by_label("Include @@")).to_have_count(2)
    money.get_by_label("Include @@").last.uncheck()
    reloaded(phone, lambda: expect(phone.get_by_text("2 parts left out.")).to_be_visible())
    phone.get_by_role("button", name="Save as new revision").click()
    expect(phone.get_by_text("tested and verified again without 1 file and 1 hunk")).to_be_visible()
    assert barriers(phone) == []
    approve(phone)
    wait_for_result(phone)
    expect(phone.get_by_role("article", name="CHANGES.md")).to_have_count(0)
    reloaded(phone, lambda: expect(money).to_contain_text("round(price * 100)"))
    expect(money).not_to_contain_text("euros")
    assert shop.pulls == []
    approve(phone)

    # the pull request, on both pages without a reload
    published = f"{desk.host.url}/{shop.path}/pull/1"
    for each in (phone, page):
        expect(each.get_by_role("region", name="Published").get_by_role("link", name=published)).to_be_visible(
            timeout=LONG_MS
        )
        expect(each.get_by_role("status").get_by_text("completed", exact=True)).to_be_visible()
    reloaded(page, lambda: expect(page.get_by_role("region", name="Published")).to_be_visible())
    [pull] = shop.pulls
    changed = git(shop.folder, "diff", f"main...{pull.head}")
    assert pull.title == "fix: round prices half up"
    assert "+    return round(price * 100)" in changed and "euros" not in changed and "CHANGES.md" not in changed
    page.get_by_role("link", name="Back to all changes").click()
    row = page.get_by_role("list", name="Changes, newest first").get_by_role("listitem").first
    expect(row.get_by_role("link", name="Pull request")).to_have_attribute("href", published)
    assert barriers(page) == []


def test_a_change_is_stopped_in_two_steps_and_says_so(enter: Enter, desk: Desk) -> None:
    shop = desk.hosted()
    page = enter("Dev", path="/changes/start").page
    start(page, desk.address(shop))
    page.get_by_role("button", name="Stop…").click()
    page.get_by_label("Reason (optional)").fill("not now")
    page.get_by_role("button", name="Cancel change").click()
    reloaded(page, lambda: expect(page.get_by_text("Cancelled by Dev: not now")).to_be_visible())
    expect(page.get_by_role("button", name="Stop…")).to_have_count(0)
    assert shop.pulls == []
