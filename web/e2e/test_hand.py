"""Safety of the hand: a held key, a double tap, a dialog left in haste decide nothing; the last decision is undone."""

from __future__ import annotations

import re
from collections.abc import Callable
from uuid import uuid4

import pytest
from browser import Visitor, barriers
from playwright.sync_api import Locator, Page, expect
from stage import DELETE, DEPLOY, EMAILS, STAGING, Company, Json

Enter = Callable[..., Visitor]
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}

# clicks where the button is, again so many milliseconds later, by the page's own clock: `taps` on the same spot
TAPS = """
async ([name, apart]) => {
  const buttons = [...document.querySelectorAll("section[aria-label=Decision] button")];
  const at = buttons.find((one) => one.innerText.startsWith(name)).getBoundingClientRect();
  const tap = () => document.elementFromPoint(at.x + at.width / 2, at.y + at.height / 2).click();
  const before = location.href;
  const begun = performance.now();
  tap();
  while (performance.now() - begun < apart) await new Promise(requestAnimationFrame);
  tap();
  return location.href !== before;
}
"""


def several(company: Company, question: Json, count: int) -> tuple[str, list[Json]]:
    """A word that finds exactly these holds."""
    word = f"t{uuid4().hex[:8]}"
    return word, [company.ask(question, title=f"{question['title']} {n} {word}") for n in range(count)]


def first_of(window: Visitor, word: str, holds: list[Json]) -> Page:
    # the list too: it says which one is next
    with window.page.expect_response(re.compile(rf"/api/holds/rows\?.*{word}")):
        page = window.go(f"/holds/{holds[0]['id']}?text={word}")
    expect(approve_button(page)).to_be_enabled()
    return page


def approve_button(page: Page) -> Locator:
    return page.get_by_role("region", name="Decision").get_by_role("button", name="Approve")


def approved(company: Company, holds: list[Json]) -> int:
    return sum(bool(company.hold(hold["id"])["reviews"]) for hold in holds)


@pytest.mark.parametrize(("question", "expected"), [(DEPLOY, 0), (EMAILS, 1)], ids=["high", "medium"])
def test_a_key_that_is_held_down_decides_once_and_never_on_the_next(
    company: Company, enter: Enter, question: Json, expected: int
) -> None:
    word, holds = several(company, question, 4)
    page = first_of(enter("Mara"), word, holds)
    # the second and every later one repeats, as a keyboard's do
    for _ in range(60):
        page.keyboard.down("a")
    page.keyboard.up("a")
    if expected:
        expect(page.get_by_text(re.compile(f"{word}: approved"))).to_be_visible()
    else:
        expect(page.get_by_role("group", name="High risk: approve?")).to_be_visible()
    assert approved(company, holds) == expected


def test_two_taps_less_than_half_a_second_apart_approve_one(company: Company, enter: Enter) -> None:
    word, holds = several(company, EMAILS, 3)
    page = first_of(enter("Mara", **PHONE), word, holds)
    assert page.evaluate(TAPS, ["Approve", 450]), "the next one had opened by then"
    expect(page.get_by_text(re.compile(f"{word}: approved"))).to_be_visible()
    expect(approve_button(page)).to_be_enabled()
    assert approved(company, holds) == 1


def test_a_high_risk_takes_two_motions_by_key(company: Company, enter: Enter) -> None:
    word, holds = several(company, DEPLOY, 2)
    page = first_of(enter("Mara"), word, holds)
    for key in "aaa":
        page.keyboard.press(key)
    step = page.get_by_role("group", name="High risk: approve?")
    expect(step).to_be_visible()
    assert barriers(page) == []
    page.keyboard.press("Escape")
    expect(step).to_be_hidden()
    assert approved(company, holds) == 0
    page.keyboard.press("a")
    page.keyboard.press("Enter")
    expect(page.get_by_text("It needs 1 more approval from a CTO, team lead or tech lead")).to_be_visible()
    assert approved(company, holds) == 1


def test_a_high_risk_is_pressed_and_held_on_touch_and_a_double_tap_is_not_enough(
    company: Company, enter: Enter
) -> None:
    word, holds = several(company, DEPLOY, 2)
    page = first_of(enter("Mara", **PHONE), word, holds)
    assert not page.evaluate(TAPS, ["Approve", 450])
    expect(approve_button(page)).to_be_enabled()
    assert approved(company, holds) == 0
    spot = approve_button(page).bounding_box()
    assert spot is not None
    page.mouse.move(spot["x"] + 20, spot["y"] + 10)
    page.mouse.down()
    expect(page.get_by_text(re.compile(f"{word}: approval 1 of 2 recorded"))).to_be_visible()
    page.mouse.up()
    assert approved(company, holds) == 1


def test_who_cannot_hold_a_press_confirms_elsewhere(company: Company, enter: Enter) -> None:
    word, holds = several(company, DEPLOY, 1)
    page = first_of(enter("Mara", **PHONE), word, holds)
    approve_button(page).tap()
    page.get_by_role("button", name="Yes, approve").tap()
    expect(page.get_by_text(re.compile(f"{word}: approval 1 of 2 recorded"))).to_be_visible()
    assert approved(company, holds) == 1


def test_the_last_decision_is_taken_back_from_anywhere_and_nothing_else_is(company: Company, enter: Enter) -> None:
    word, holds = several(company, STAGING, 2)
    page = first_of(enter("Jon"), word, holds)
    page.keyboard.press("a")
    expect(page.get_by_text(re.compile(f"{word}: approved"))).to_be_visible()
    page.get_by_role("link", name="Policy").click()
    expect(page.get_by_role("button", name="Undo your approval of")).to_be_visible()
    page.keyboard.press("u")
    expect(page.get_by_text("Approval withdrawn.")).to_be_visible()
    assert approved(company, holds) == 0
    # the key means that decision, which is taken back already, and never an older one
    company.review("Jon", holds[1])
    page.goto(f"{company.server.url}/holds/{holds[0]['id']}?text={word}")
    page.get_by_role("button", name="Reject").click()
    page.keyboard.press("Enter")
    expect(page.get_by_text(re.compile(f"{word}: rejected"))).to_be_visible()
    page.keyboard.press("u")
    expect(page.get_by_text(re.compile(f"A rejection cannot be undone: .*{word}"))).to_be_visible()
    assert company.hold(holds[1]["id"])["status"] == "approved"


def test_an_undo_stands_only_as_long_as_it_is_true(company: Company, enter: Enter) -> None:
    word, holds = several(company, STAGING, 1)
    page = first_of(enter("Jon"), word, holds)
    page.keyboard.press("a")
    expect(page.get_by_role("button", name="Undo", exact=True)).to_be_visible()
    company.redeem(company.hold(holds[0]["id"]))
    expect(page.get_by_role("button", name="Undo", exact=True)).to_be_hidden()
    expect(page.get_by_role("button", name="Undo your approval of")).to_be_hidden()
    page.keyboard.press("u")
    expect(page.get_by_text(re.compile(f"Used by deploy-bot, so it cannot be undone: .*{word}"))).to_be_visible()


def test_several_that_were_approved_together_are_taken_back_together(company: Company, enter: Enter) -> None:
    word, holds = several(company, DEPLOY, 2)
    page = first_of(enter("Mara"), word, holds)
    for hold in holds:
        page.get_by_label(f"Select {hold['title']}").check()
    page.get_by_role("button", name="Approve…").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_label("Reason (optional)")).to_be_focused()
    dialog.get_by_role("button", name="Approve exactly these 2").click()
    expect(dialog).to_contain_text("2 of 2 holds are high risk.")
    assert barriers(page) == []
    assert approved(company, holds) == 0
    page.keyboard.press("Enter")
    expect(page.get_by_text("Recorded for 2 holds.")).to_be_visible()
    assert approved(company, holds) == 2
    page.get_by_role("button", name="Back to the inbox").click()
    page.keyboard.press("u")
    expect(page.get_by_text("Approval of 2 holds withdrawn.")).to_be_visible()
    assert approved(company, holds) == 0


def test_the_critical_dialog_begins_at_its_field_and_says_what_leaving_it_did(company: Company, enter: Enter) -> None:
    word, holds = several(company, DELETE, 1)
    mara = enter("Mara")
    mara.make_own()
    page = first_of(mara, word, holds)
    page.keyboard.press("a")
    page.keyboard.type("the backup was restored elsewhere")
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name="This is critical")
    field = dialog.get_by_label("Type orders-prod to approve")
    expect(field).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.type("orders")
    page.keyboard.press("Enter")
    expect(dialog).to_contain_text("This is not orders-prod. Nothing has been recorded yet.")
    assert barriers(page) == []
    for _ in range(2):
        page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(page.get_by_text(re.compile(f"Not approved: .*{word}. Nothing was recorded."))).to_be_visible()
    assert approved(company, holds) == 0


def test_a_critical_dialog_that_is_overtaken_says_so(company: Company, enter: Enter) -> None:
    word, holds = several(company, DELETE, 1)
    mara = enter("Mara")
    mara.make_own()
    page = first_of(mara, word, holds)
    page.keyboard.press("a")
    page.keyboard.type("because")
    page.keyboard.press("Enter")
    page.get_by_label("Type orders-prod to approve").fill("orders-pr")
    company.review("Carl", holds[0], "reject", reason="never")
    dialog = page.get_by_role("dialog", name="No longer open")
    expect(dialog).to_contain_text("Rejected by Carl while you were typing.")
    expect(dialog).to_contain_text("Your decision was not recorded.")
    assert [review["by"]["name"] for review in company.hold(holds[0]["id"])["reviews"]] == ["Carl"]


def test_a_dialog_with_typed_text_asks_before_it_is_lost(enter: Enter) -> None:
    page = enter("Ada").page
    page.get_by_role("button", name="Brake").click()
    dialog = page.get_by_role("dialog", name="Emergency brake")
    expect(dialog.get_by_label("Agent to stop")).to_be_focused()
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    page.get_by_role("button", name="Brake").click()
    dialog.get_by_label("Reason").fill("it repeats itself")
    page.keyboard.press("Escape")
    expect(dialog).to_contain_text("Close and lose what you typed?")
    expect(dialog.get_by_role("button", name="Keep writing")).to_be_focused()
    page.keyboard.press("Escape")
    expect(dialog.get_by_label("Reason")).to_have_value("it repeats itself")
    dialog.get_by_role("button", name="Close", exact=True).click()
    dialog.get_by_role("button", name="Close anyway").click()
    expect(dialog).to_be_hidden()
