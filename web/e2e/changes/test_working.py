"""Working with changes: guiding an agent, a comment on a line, a follow-up, the ways to start, keys, and the demo."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
import server as servers
from browser import Visitor, barriers, link_for, visitor
from change_desk import LONG_MS, ROUNDED, Desk, approve, decision, reloaded, start, wait_for_result
from change_scripts import FINISHED, INTENDED, INTENT, PLANNED, call
from git_server import git
from playwright.sync_api import Browser, Page, expect
from server import ServerProcess

Enter = Callable[..., Visitor]

WRONG = ROUNDED.replace("round(price * 100)", "str(price * 100)")
MENDED = ROUNDED.replace("int(price * 100)", "str(price * 100)")
NOTED = """--- a/money.py
+++ b/money.py
@@ -1,2 +1,3 @@
 def cents(price):
+    # half to even
     return round(price * 100)
"""
# with this a change asks back, and comes to no plan before it is stopped
ASKING = [call("submit_intent", **{**INTENT, "unclear": [{"question": "Which amounts?", "about": "cents"}]})]
ISSUE = "Prices lose a cent\n\nSee https://github.com/acme/lamps/issues/7 for the receipt."


@pytest.mark.soak
@pytest.mark.timeout(900)
def test_an_agent_is_guided_takes_a_comment_on_a_line_and_is_followed_up(enter: Enter, desk: Desk) -> None:
    mend = [{"say": "Numbers, then.", **call("apply_patch", patch=MENDED)}, FINISHED]
    noted = [{"say": "I say why.", **call("apply_patch", patch=NOTED)}, FINISHED]
    desk.script(intent=INTENDED, plan=PLANNED)
    desk.script(edit=[call("apply_patch", patch=WRONG), FINISHED, FINISHED, *mend, *noted])
    shop = desk.hosted()
    page = enter("Dev", path="/changes/start").page
    start(page, desk.address(shop))
    expect(decision(page).get_by_role("button", name="Approve")).to_be_enabled(timeout=LONG_MS)
    approve(page)

    # no repair is left: a person says what to do
    stuck = page.get_by_role("form", name="does not pass")
    expect(stuck).to_be_visible(timeout=LONG_MS)
    stuck.get_by_label("tell the agent what to do").check()
    stuck.get_by_label("What the agent should do").fill("cents are numbers")
    reloaded(page, lambda: expect(stuck.get_by_label("What the agent should do")).to_have_value("cents are numbers"))
    assert barriers(page) == []
    stuck.get_by_role("button", name="Send answer").click()
    talk = page.get_by_role("log", name="Conversation")
    expect(talk.get_by_text("cents are numbers")).to_be_visible()
    expect(talk.get_by_text("Numbers, then.")).to_be_visible(timeout=LONG_MS)
    wait_for_result(page)

    # a comment on a line, kept over a reload until it is sent
    window = enter("Mara")
    mara = window.go(page.url.removeprefix(window.server.url))
    money = mara.get_by_role("article", name="money.py")
    money.get_by_title("Comment on line 2").click()
    money.get_by_label("Comment for the agent").fill("Say how halves are rounded.")
    money.get_by_role("button", name="Add comment").click()
    reloaded(mara, lambda: expect(money).to_contain_text("Say how halves are rounded."))
    expect(decision(mara).get_by_role("button", name="Approve")).to_have_count(0)
    assert barriers(mara) == []
    mara.get_by_role("button", name="Send back to the agent").click()
    expect(talk.get_by_text("money.py:2: Say how halves are rounded.")).to_be_visible()
    expect(talk.get_by_text("I say why.")).to_be_visible(timeout=LONG_MS)
    wait_for_result(mara)
    expect(money).to_contain_text("# half to even")
    approve(mara)
    expect(page.get_by_role("region", name="Published").get_by_role("link")).to_have_count(2, timeout=LONG_MS)
    [pull] = shop.pulls
    assert "+    # half to even" in git(shop.folder, "diff", f"main...{pull.head}")

    # what comes after it knows what was before
    desk.script(intent=ASKING)
    first = page.url
    page.get_by_label("Follow up").fill("And the euros, too.")
    reloaded(page, lambda: expect(page.get_by_label("Follow up")).to_have_value("And the euros, too."))
    page.get_by_role("button", name="Start follow-up").click()
    expect(talk.get_by_text("And the euros, too.")).to_be_visible()
    stop(page)
    page.get_by_role("link", name="an earlier change").click()
    expect(page).to_have_url(first)


def test_a_repository_is_picked_from_the_list_or_read_from_the_text_of_an_issue(enter: Enter, desk: Desk) -> None:
    desk.script(intent=ASKING)
    address = desk.address(desk.hosted())
    window = enter("Dev")
    page = window.go("/changes/start")
    start(page, address)
    stop(page)
    page.keyboard.press("Escape")
    expect(page.get_by_role("heading", name="Changes", exact=True)).to_be_visible()
    page.keyboard.press("n")
    message = page.get_by_label("What should be different?")
    where = page.get_by_label("Repository", exact=True)
    window.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.evaluate("text => navigator.clipboard.writeText(text)", ISSUE)
    message.focus()
    page.keyboard.press("ControlOrMeta+v")
    expect(message).to_have_value(ISSUE)
    expect(where).to_have_value("https://github.com/acme/lamps")
    reloaded(page, lambda: expect(message).to_have_value(ISSUE))
    assert barriers(page) == []
    page.get_by_role("radio").and_(page.get_by_label(address.rpartition("/")[2].removesuffix(".git"))).check(force=True)
    expect(where).to_have_value(address)
    # by the keyboard, from where one types
    message.press("ControlOrMeta+Enter")
    page.wait_for_url("**/changes/0*")
    expect(page.get_by_role("log")).to_contain_text("Prices lose a cent")
    stop(page)


def stop(page: Page) -> None:
    page.get_by_role("button", name="Stop…").click()
    page.get_by_role("button", name="Cancel change").click()
    expect(page.get_by_role("log")).to_contain_text("Cancelled by Dev")
    expect(page.get_by_role("dialog")).to_have_count(0)
    # nothing is promised any more
    expect(page.get_by_text("It ended before there was a plan.")).to_be_visible()


def test_many_changes_are_gone_through_by_keyboard_and_by_repository(
    enter: Enter, desk: Desk, place: ServerProcess
) -> None:
    shops = [desk.address(desk.hosted()) for _ in range(2)]
    ids = started(place, [(f"Round prices, part {number}.", shops[number % 2]) for number in range(6)])
    page = enter("Jon", path="/changes?mine=true").page
    rows = page.get_by_role("list", name="Changes, newest first").get_by_role("listitem")
    expect(rows).to_have_count(6)
    for _ in range(3):
        page.keyboard.press("j")
    page.keyboard.press("k")
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{place.url}/changes/{ids[4]}")
    parts = page.get_by_role("navigation", name="Parts of the change")
    expect(parts).to_be_visible()
    for key, name in (("2", "Files"), ("3", "Tests"), ("4", "Checks"), ("1", "Plan")):
        page.keyboard.press(key)
        expect(parts.get_by_role("link", name=name)).to_have_attribute("aria-current", "page")
    page.keyboard.press("Escape")
    page.goto(f"{place.url}/changes?mine=true")
    page.get_by_label("Filter by repository").select_option(shops[0])
    expect(rows).to_have_count(3)
    reloaded(page, lambda: expect(rows).to_have_count(3))
    assert barriers(page) == []


def started(server: ServerProcess, asked: Sequence[tuple[str, str]]) -> list[str]:
    """Changes of Jon's that were cancelled at once: their ids."""
    found: list[str] = []
    with server.client() as admin:
        token: str = admin.post("/api/tokens", json={"principal": "Jon"}).raise_for_status().json()["token"]
    with server.client(token) as http:
        for message, repository in asked:
            made = http.post("/api/changes", json={"message": message, "repo_url": repository}).raise_for_status()
            found.append(made.json()["id"])
            http.post(f"/api/changes/{found[-1]}/cancel", json={}).raise_for_status()
    return found


@pytest.mark.soak
@pytest.mark.timeout(900)
def test_the_demo_is_started_by_a_click_and_decided_where_it_plays(browser: Browser) -> None:
    with servers.running(HANDRAIL_CONCURRENCY="1") as server:
        link_for(server, "Ada", "administrator", "tech_lead")
        ada = visitor(browser, server, "Ada")
        page = ada.go("/changes")
        # enabled once a worker has told what it serves
        page.get_by_role("button", name="Watch a code change").click(timeout=LONG_MS)
        page.wait_for_url("**/changes/0*")
        expect(decision(page).get_by_role("button", name="Approve")).to_be_enabled(timeout=LONG_MS)
        reloaded(page, lambda: expect(page.get_by_role("figure", name="What the change reaches")).to_be_visible())
        approve(page)
        wait_for_result(page, "exactly these 2 commits are published")
        expect(page.get_by_role("list", name="Stages").get_by_text("2×").first).to_be_visible()
        approve(page)
        expect(page.get_by_role("region", name="Published")).to_contain_text("git switch handrail/", timeout=LONG_MS)
        ada.close()
