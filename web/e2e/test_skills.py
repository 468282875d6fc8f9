"""A skill in a browser: registered from a folder, looked through, approved, run, asked back, whole after a refresh."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

import pytest
import server as servers
from browser import PATIENCE_MS, Visitor, barriers, visitor
from everybody import hindrances
from playwright.sync_api import Browser, Page, expect
from server import ServerProcess

EXAMPLES = Path(__file__).parents[2] / "examples"
SKILLS = EXAMPLES / "skills"
WINDOW = "2 to 3 in the morning"


@pytest.fixture(scope="module")
def school() -> Generator[ServerProcess]:
    """A server whose model follows the scripts of the examples."""
    with servers.running(
        HANDRAIL_CONCURRENCY="1",
        HANDRAIL_SKILL_ROOTS=str(SKILLS),
        HANDRAIL_MODEL_ADVANCED=f"scripted:{EXAMPLES / 'scripts'}",
    ) as server:
        server.serves("skill")
        yield server


@pytest.fixture
def tom(browser: Browser, school: ServerProcess) -> Generator[Visitor]:
    """Who decides on what Mara registers."""
    window = visitor(browser, school, "Tom", "tech_lead")
    yield window
    window.close()


@pytest.fixture
def mara(browser: Browser, school: ServerProcess) -> Generator[Visitor]:
    window = visitor(browser, school, "Mara", "tech_lead")
    yield window
    window.close()


def proposed(page: Page, folder: Path) -> None:
    """From the dialog to the queue."""
    page.get_by_role("button", name="Register…").click()
    page.get_by_label("From").select_option("A folder on the server")
    page.get_by_label("Folder", exact=True).fill(str(folder))
    page.get_by_role("button", name="Find skills").click()
    folders = page.get_by_role("list", name="Folders").get_by_role("listitem")
    expect(folders.filter(has_text="waiting for a decision")).to_have_count(1, timeout=3 * PATIENCE_MS)
    expect(page.get_by_text("Looked at 1 folder.")).to_be_visible()
    assert barriers(page) == []
    page.get_by_role("link", name="Go to the queue").click()


def test_a_skill_is_registered_approved_run_and_answered(mara: Visitor, tom: Visitor) -> None:
    """S1.12."""
    page = mara.go("/skills")
    proposed(page, SKILLS / "log-investigator")
    candidates = page.get_by_role("list", name="Candidates").get_by_role("listitem")
    expect(candidates.filter(has_text="You registered this, so someone else must approve it.")).to_have_count(1)
    expect(page.get_by_role("button", name="Approve all safe")).to_have_count(0)
    assert barriers(page) == []

    page = tom.go("/skills/queue")
    page.get_by_role("link", name="View files and decide").click()
    expect(page.get_by_role("region", name="What the scan found")).to_be_visible()
    page.get_by_role("region", name="Files").get_by_text("scripts/investigate.py", exact=True).click()
    expect(page.get_by_label("scripts/investigate.py")).to_contain_text("import")
    assert barriers(page) == []
    page.get_by_role("button", name="Approve").click()
    expect(page.get_by_text("Add the skill log-investigator: approved.")).to_be_visible()

    page = mara.page
    page.get_by_role("navigation", name="Pages").get_by_role("link", name="Skills").click()
    page.get_by_label("Describe what a skill should do").fill("why did it fail last night")
    page.get_by_role("link").filter(has_text="log-investigator").click()
    # its Markdown, as a document
    expect(page.get_by_role("heading", name="Log investigator")).to_be_visible()
    assert hindrances(page) == []
    page.get_by_role("link", name="Start a session").click()
    page.get_by_label("What should it do?").fill("Why did the shop fail last night?")
    assert barriers(page) == []
    page.get_by_role("button", name="Start session").click()

    story = page.get_by_role("region", name="What happened")
    expect(story.get_by_role("group", name="Choose one")).to_be_visible(timeout=3 * PATIENCE_MS)
    expect(story.get_by_text("There are errors at 2 in the morning and at 9.")).to_be_visible()
    assert hindrances(page) == []
    page.reload()
    expect(story.get_by_label(WINDOW)).to_be_attached()
    page.get_by_role("button", name="Answer", exact=True).click()
    expect(story.get_by_label(WINDOW)).to_be_in_viewport()
    story.get_by_label(WINDOW).check()
    story.get_by_role("button", name="Send answer").click()
    expect(page.get_by_role("region", name="Answer")).to_contain_text(
        "the configuration was reloaded", timeout=3 * PATIENCE_MS
    )
    # the answer is what the tool gave the model
    page.reload()
    asked = story.get_by_role("group").filter(has_text="request_input")
    asked.locator("summary").click()
    expect(asked).to_contain_text(WINDOW)
    expect(story.get_by_text("Answered by Mara")).to_have_count(1)
    with page.expect_download() as download:
        page.get_by_role("link", name="findings.txt").click()
    assert "config reloaded" in Path(download.value.path()).read_text()
    assert barriers(page) == []
    page.get_by_role("navigation", name="Skills").get_by_role("link", name="Sessions").click()
    expect(page.get_by_role("list", name="Sessions, newest first").get_by_text("completed")).to_be_visible()

    page = mara.go("/sessions/start?skill=log-investigator")
    page.get_by_label("What should it do?").fill("Why did the shop fail last night?")
    page.get_by_label("On its own").check()
    page.get_by_label("Model (optional)").fill("advanced")
    page.get_by_label("Maximum steps").fill("0")
    expect(page.get_by_role("button", name="Start session")).to_be_disabled()
    page.get_by_label("Maximum steps").fill("7")
    page.get_by_role("button", name="Start session").click()
    for said in ("at most 7 steps", "model advanced"):
        expect(page.get_by_text(said, exact=True)).to_be_visible()
    # it asked nobody
    status = page.get_by_role("status").filter(has_text="on its own")
    expect(status).to_contain_text("completed", timeout=3 * PATIENCE_MS)
    expect(page.get_by_role("group", name="Choose one")).to_have_count(0)


def test_all_safe_ones_are_approved_in_one_action(mara: Visitor, tom: Visitor) -> None:
    """S1.14."""
    page = mara.go("/skills")
    proposed(page, SKILLS / "compound-interest")
    page = tom.go("/skills/queue")
    page.get_by_role("button", name="Approve all safe (1)").click()
    expect(page.get_by_text("Approved: compound-interest.")).to_be_visible()
    expect(page.get_by_text("Nothing here. Newly registered skills appear in this list.")).to_be_visible()
    expect(page.get_by_role("list", name="Skills").get_by_text("compound-interest")).to_be_visible()
