"""A code change in a browser: from a sentence, through a question, a rejected plan, a repair and a dropped hunk, to its
branch; whole after a reload at every stage."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import change_scripts
import pytest
import server as servers
from browser import PATIENCE_MS, Visitor, barriers, link_for, visitor
from change_scripts import FINISHED, INTENT, PLAN, ROUNDED, call
from playwright.sync_api import Browser, Page, expect
from server import ServerProcess

# a worker's first steps on a busy machine
LONG_MS = 4 * PATIENCE_MS
UNCLEAR = [{"question": "Which amounts?", "about": "cents", "choices": ["all prices"]}]
TWO: dict[str, Any] = {
    **PLAN,
    "title": "round prices half up",
    "tasks": [
        {"task": "Round", "files": ["money.py"]},
        {"task": "Note it", "new_files": ["CHANGES.md"]},
    ],
}
WRONG = ROUNDED.replace("round(price * 100)", "str(price * 100)")
MENDED = ROUNDED.replace("int(price * 100)", "str(price * 100)")
EDIT = [
    call("create", path="CHANGES.md", text="Prices are rounded.\n"),
    {"say": "Now the rounding.", **call("apply_patch", patch=WRONG)},
    FINISHED,
    {"say": "It was text. I mend it.", **call("apply_patch", patch=MENDED)},
    FINISHED,
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("changes")
    (made / "scripts").mkdir()
    script(made, intent=[call("submit_intent", **{**INTENT, "unclear": UNCLEAR})])
    script(made, plan=[call("submit_plan", **PLAN), call("submit_plan", **TWO)], edit=EDIT)
    return made


def script(folder: Path, **parts: Any) -> None:
    for name, steps in parts.items():
        # JSON is YAML
        (folder / "scripts" / f"change-{name}.yaml").write_text(json.dumps(steps))


@pytest.fixture(scope="module")
def works(folder: Path) -> Generator[ServerProcess]:
    variables = {"HANDRAIL_LLM_MODEL": f"scripted:{folder / 'scripts'}", "HANDRAIL_REPOSITORY_ROOTS": str(folder)}
    with servers.running(HANDRAIL_CONCURRENCY="1", **variables) as server:
        server.serves("change")
        for name, role in (("Dev", "developer"), ("Mara", "tech_lead")):
            link_for(server, name, role)
        yield server


@pytest.fixture
def enter(browser: Browser, works: ServerProcess) -> Generator[Callable[..., Visitor]]:
    windows: list[Visitor] = []

    def opened(name: str, **options: Any) -> Visitor:
        windows.append(visitor(browser, works, name, **options))
        return windows[-1]

    yield opened
    for window in windows:
        window.close()


def started(page: Page, repository: Path) -> None:
    page.get_by_label("What should be different?").fill("Round prices.")
    page.get_by_label("Repository", exact=True).fill(str(repository))
    page.get_by_role("button", name="Start", exact=False).click()
    page.wait_for_url("**/changes/*")


def reloaded(page: Page, shown: Callable[[], None]) -> None:
    """The same before and after."""
    shown()
    page.reload()
    shown()


def decide(page: Page) -> None:
    page.get_by_role("region", name="Decision").get_by_role("button", name="Approve").click()


@pytest.mark.soak
def test_from_a_sentence_to_a_branch_with_a_question_a_rejected_plan_a_repair_and_a_dropped_file(
    enter: Callable[..., Visitor], folder: Path
) -> None:
    shop = change_scripts.repository(folder / "shop")
    page = enter("Dev").go("/changes/start")
    started(page, shop)

    # a question with the choices that the code suggests, answered where it stands
    question = page.get_by_role("form", name="Which amounts?")
    expect(question).to_be_visible(timeout=LONG_MS)
    reloaded(page, lambda: expect(question.get_by_label("money.py::cents")).to_be_visible())
    script(folder, intent=[call("submit_intent", **INTENT)])
    question.get_by_label("all prices").check()
    question.get_by_role("button", name="Send answer").click()

    # the plan, rejected with a reason that goes back to the planner
    heading = page.get_by_role("heading", level=1)
    expect(heading).to_have_text("fix: round prices", timeout=LONG_MS)
    decision = page.get_by_role("region", name="Decision")
    reloaded(page, lambda: expect(decision.get_by_role("button", name="Reject")).to_be_enabled())
    expect(page.get_by_role("region", name="Impact")).to_contain_text("risk score")
    assert barriers(page) == []
    decision.get_by_role("button", name="Reject").click()
    page.get_by_label("Reason").fill("half up, please")
    decision.get_by_role("button", name="Reject").click()
    expect(heading).to_have_text("fix: round prices half up", timeout=LONG_MS)
    tasks = page.get_by_role("list", name="Tasks")
    reloaded(page, lambda: expect(tasks.get_by_role("listitem")).to_have_count(2))

    # amended, then approved by who asked for it
    decision.get_by_role("button", name="Amend").click()
    page.get_by_label("What is done").first.fill("Round half up")
    page.get_by_role("button", name="Save as new revision").click()
    expect(tasks).to_contain_text("Round half up")
    decide(page)

    # tested, sent back by what failed, mended: a second attempt
    publishing = page.get_by_text("exactly these 2 commits are published")
    expect(publishing).to_be_visible(timeout=LONG_MS)
    talk = page.get_by_role("log", name="Conversation")
    reloaded(page, lambda: expect(talk.get_by_text("Waiting for a CTO, team lead or tech lead")).to_be_in_viewport())
    # named by the plan, amended or not
    expect(talk.get_by_role("link", name="fix: round prices half up", exact=True).first).to_be_visible()
    expect(talk).not_to_contain_text("Change.plan")
    page.get_by_role("link", name="Tests").click()
    reloaded(page, lambda: expect(page.get_by_role("region", name="Test results")).to_contain_text("test_whole"))
    page.get_by_label("Which attempt").select_option("1")
    reloaded(page, lambda: expect(page.get_by_role("region", name="Test results")).to_contain_text("failed"))
    page.get_by_role("link", name="Checks").click()
    expect(page.get_by_role("list", name="Checks").get_by_role("listitem").first).to_be_visible()
    assert barriers(page) == []
    # who asked does not publish
    expect(page.get_by_text("View only.")).to_be_visible()

    # somebody else, on a phone, leaves a file out; the rest is checked and asked about again
    window = enter("Mara", viewport={"width": 360, "height": 740})
    phone = window.go(f"{page.url.removeprefix(window.server.url).split('?')[0]}?tab=files")
    expect(phone.get_by_role("list", name="Stages").get_by_text("Result approval")).to_be_in_viewport()
    phone.get_by_label("Include CHANGES.md").uncheck()
    phone.get_by_role("button", name="Save as new revision").click()
    expect(phone.get_by_text("tested and verified again without 1 file")).to_be_visible()
    assert barriers(phone) == []
    decide(phone)
    once = "exactly this commit is published"
    expect(phone.get_by_text(once)).to_be_visible(timeout=LONG_MS)
    expect(phone.get_by_role("article", name="CHANGES.md")).to_have_count(0)
    reloaded(phone, lambda: expect(phone.get_by_role("article", name="money.py")).to_be_visible())
    decide(phone)

    # the branch, on both pages without a reload
    for each in (phone, page):
        expect(each.get_by_role("region", name="Published")).to_contain_text("git switch handrail/", timeout=LONG_MS)
        expect(each.get_by_role("status").get_by_text("completed", exact=True)).to_be_visible()
    reloaded(page, lambda: expect(page.get_by_role("region", name="Published")).to_be_visible())
    branch = page.get_by_role("region", name="Published").locator("code").first.inner_text()
    shown = subprocess.run(["git", "show", "--stat", branch], cwd=shop, check=True, capture_output=True, text=True)
    assert "money.py" in shown.stdout and "CHANGES.md" not in shown.stdout
    expect(page.get_by_label("Follow up")).to_be_visible()
    page.get_by_role("link", name="Back to all changes").click()
    expect(page.get_by_role("list", name="Changes, newest first")).to_contain_text("completed")
    assert barriers(page) == []


def test_a_change_is_stopped_in_two_steps_and_says_so(enter: Callable[..., Visitor], folder: Path) -> None:
    script(folder, intent=[call("submit_intent", **INTENT)])
    page = enter("Dev").go("/changes/start")
    started(page, change_scripts.repository(folder / "stopped"))
    page.get_by_role("button", name="Stop…").click()
    page.get_by_label("Reason (optional)").fill("not now")
    page.get_by_role("button", name="Cancel change").click()
    reloaded(page, lambda: expect(page.get_by_text("Cancelled by Dev: not now")).to_be_visible())
    expect(page.get_by_role("button", name="Stop…")).to_have_count(0)
