"""A run in a browser: started from its form, followed word by word, held, decided, whole after a refresh."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator
from pathlib import Path

import pytest
import server as servers
from browser import Visitor, barriers, link_for
from everybody import hindrances
from playwright.sync_api import Page, expect
from server import ServerProcess
from typist import Typist

Seat = Callable[..., Typist]
HERE = Path(__file__).parent
# from the middle of what the model says
PLAN = "If the answer is yes, the new version goes to staging"


@pytest.fixture(scope="module")
def place() -> Generator[ServerProcess]:
    """A server that serves the workflow beside this file, and people."""
    workflows, prices = str(HERE / "handrail.toml"), '{"scripted": [100, 500]}'
    with servers.running(
        HANDRAIL_WORKFLOWS_FILE=workflows, HANDRAIL_CONCURRENCY="1", HANDRAIL_MODEL_PRICES=prices
    ) as server:
        server.serves("rollout")
        server.serves("survey")
        for name, role in (("Dev", "developer"), ("Jon", "team_lead")):
            link_for(server, name, role)
        yield server


def started(page: Page, service: str) -> None:
    """From the form, which is open."""
    page.get_by_label("service").fill(service)
    page.get_by_label("version").fill("1.4.2")
    page.get_by_label("copies").fill("3")
    page.get_by_role("button", name="Start run").click()


@pytest.mark.story(4, "desk, light")
def test_a_run_is_started_followed_decided_and_whole_after_a_refresh(typist: Seat) -> None:
    dev = typist("Dev")
    page = dev.page
    dev.press("g", "r")
    # what a phone shows of no runs has no list, and so no button of it
    expect(page.get_by_role("heading", name=re.compile("^(Runs|No runs yet)$")).first).to_be_visible()
    dev.press("n")
    dev.choose(page.get_by_label("Workflow", exact=True), "rollout")
    for label, text in (("service", "shop"), ("version", "1.4.2"), ("copies", "3")):
        dev.fill(page.get_by_label(label), text)
    dev.press("Enter")
    story = page.get_by_role("region", name="What happened")
    # word by word: its beginning stands while its end is not there yet
    expect(story.get_by_text("First I look")).to_be_visible()
    expect(story.get_by_text("until the last one is up")).to_have_count(0)
    page.reload()
    hold = story.get_by_text("Deploy shop 1.4.2 to staging")
    expect(hold).to_be_visible()
    expect(page.get_by_role("status").get_by_text("waiting for people")).to_be_visible()
    expect(page.get_by_role("region", name="Where it is")).to_contain_text("ask: waiting for people")
    # what a step changed is folded, and repeats it
    expect(story.get_by_text(PLAN).filter(visible=True)).to_have_count(1)
    expect(story.get_by_text("Reasoning")).to_have_count(1)
    expect(story.get_by_text("returned")).to_have_count(1)
    assert barriers(page) == []

    jon = typist("Jon")
    jon.on(jon.page.get_by_role("link").filter(has_text="Deploy shop 1.4.2 to staging").first)
    expect(jon.page.get_by_role("button", name="Approve")).not_to_have_class(re.compile("waits"))
    jon.press("a")
    expect(story.get_by_text("Approved by Jon")).to_be_visible()
    result = page.get_by_role("region", name="Result")
    expect(result).to_contain_text("shop 1.4.2 runs in 3 copies")

    page.reload()
    expect(story.get_by_text("executed once")).to_be_visible()
    for once in (PLAN, "Deploy shop 1.4.2 to staging", "Started by Dev", "Approved by Jon"):
        expect(story.get_by_text(once).filter(visible=True)).to_have_count(1)
    assert hindrances(page) == []

    # what its model read and wrote, and what that costs at the prices that are set
    used = page.request.get(page.url.replace("/runs/", "/api/runs/")).json()["usage"]
    assert used["tokens_in"] > 0 and used["tokens_out"] > 0
    assert used["cost"] == pytest.approx((100 * used["tokens_in"] + 500 * used["tokens_out"]) / 1e6)
    tokens, cost = (
        page.get_by_role("article").locator("dl > div").filter(has_text=name) for name in ("Tokens", "Cost")
    )
    expect(tokens).to_contain_text(
        f"{used['tokens_in'] + used['tokens_out']}{used['tokens_in']} in, {used['tokens_out']} out"
    )
    expect(cost).to_contain_text(f"{used['cost']:.4f}no limit")

    # the graph in words, the steps by node, and the story moment by moment
    where = page.get_by_role("region", name="Where it is")
    expect(where).to_contain_text("4 of 4 nodes visited; waited")
    expect(where).to_contain_text("deploy: done, 1 time")
    steps = page.get_by_role("region", name="Steps by node")
    dev.to(steps.locator("summary").filter(has_text="deploy"))
    dev.press("Enter")
    expect(steps.get_by_text("shop 1.4.2 runs in 3 copies")).to_be_visible()
    scrubber = page.get_by_role("slider", name="Moment of the story")
    dev.to(scrubber)
    dev.press("Home")
    expect(page.get_by_text("You are looking at an earlier moment of this run.")).to_be_visible()
    expect(where).to_contain_text("0 of 4 nodes visited")
    expect(story.get_by_text("Approved by Jon")).to_have_count(0)
    dev.press(*["ArrowRight"] * 3)
    expect(where).to_contain_text("plan: done")
    expect(where).to_contain_text("deploy: not reached")
    assert barriers(page) == []
    dev.on(page.get_by_role("button", name="To the end"))
    expect(story.get_by_text("Approved by Jon")).to_be_visible()

    # once more with the same input
    dev.on(page.get_by_role("link", name="Start again…"))
    expect(page.get_by_label("service")).to_have_value("shop")
    expect(page.get_by_text("The input is that of R-")).to_be_visible()
    page.go_back()
    dev.on(story.get_by_role("link", name="Open hold"))
    dev.on(page.get_by_role("article").get_by_role("link", name="Run R-"))
    expect(result).to_be_visible()


def test_a_run_that_failed_says_why_and_one_that_waits_is_cancelled_in_two_steps(enter: Callable[..., Visitor]) -> None:
    window = enter("Dev", viewport={"width": 360, "height": 740})
    page = window.go("/runs/start?workflow=rollout")
    started(page, "broken")
    why = page.get_by_role("region", name="Why it failed")
    expect(why).to_contain_text("broken does not answer")
    expect(page.get_by_role("region", name="Where it is")).to_contain_text("look: failed")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert barriers(page) == []
    page.get_by_role("button", name="Retry").click()
    page.get_by_role("dialog").get_by_role("button", name="Retry").click()
    story = page.get_by_role("region", name="What happened")
    expect(story.get_by_text("Retried by Dev")).to_be_visible()
    expect(why).to_be_visible()

    started(window.go("/runs/start?workflow=rollout"), "billing")
    page.get_by_role("button", name="Cancel…").click()
    page.get_by_label("Reason (optional)").fill("the wrong service")
    page.get_by_role("button", name="Cancel run").click()
    expect(story.get_by_text("Cancelled by Dev: the wrong service")).to_be_visible()
    expect(page.get_by_role("button", name="Cancel…")).to_have_count(0)


@pytest.mark.story(4, "phone, dark")
def test_branches_and_a_way_back_are_seen_in_the_picture_and_read_in_words(typist: Seat) -> None:
    """The picture scrolls in its frame, the page does not."""
    dev = typist("Dev", "/runs/start?workflow=survey")
    page = dev.page
    dev.fill(page.get_by_label("topic"), "tea")
    dev.press("Enter")
    where = page.get_by_role("region", name="Where it is")
    expect(where).to_contain_text("ask: waiting for people")
    # both branches, each once; and the loop as often as it was gone
    for words in ("news: done, 1 time", "prices: done, 1 time", "write: done, 3 times", "critique: done, 3 times"):
        expect(where).to_contain_text(words)
    assert "2×" in where.locator("svg text").all_text_contents()
    boxes = {name: where.locator("svg g", has_text=name).first.bounding_box() for name in ("news", "prices", "write")}
    news, prices, write = (boxes[name] for name in ("news", "prices", "write"))
    assert news and prices and write
    assert abs(news["y"] - prices["y"]) < 1 and abs(news["x"] - prices["x"]) >= news["width"], "side by side"
    assert write["y"] > news["y"] + news["height"]
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    assert barriers(page) == []
