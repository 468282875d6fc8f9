"""The window itself: signing in, keys alone, a small screen, dark colours, a server that dies, what is left behind."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import uuid4

import server as servers
from browser import PATIENCE_MS, Visitor, link_for, visitor
from playwright.sync_api import Browser, Route, expect
from stage import CHOICE, DEPLOY, EMAILS, STAGING, Company

Enter = Callable[..., Visitor]


def titled(question: dict[str, Any]) -> dict[str, Any]:
    return {**question, "title": f"{question['title']} ({uuid4().hex[:6]})"}


def test_a_link_signs_in_once_and_leaves_no_trace(company: Company, browser: Browser) -> None:
    link = link_for(company.server, "Mara")
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{link}&next=/policy")
    # the whole address: that of the link ends the same
    page.wait_for_url(f"{company.server.url}/policy")
    # neither the code nor the session may lie where a script or the next person finds it
    code = link.partition("code=")[2]
    kept = page.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}, location.href, document.cookie])")
    assert code not in kept and "csrf" not in kept.lower() and "hr_" not in kept
    assert json.loads(kept)[0] == {} and json.loads(kept)[3] == ""
    again = browser.new_context().new_page()
    again.goto(link)
    expect(again.get_by_text("This link has been used or has expired.")).to_be_visible()
    again.context.close()
    page.get_by_role("button", name="Mara: account").click()
    page.get_by_role("menuitem", name="Sign out", exact=True).click()
    expect(page.get_by_label("Password")).to_be_visible()
    page.goto(f"{company.server.url}/inbox")
    expect(page.get_by_label("Password")).to_be_visible()
    context.close()


def test_a_password_signs_in_and_a_wrong_one_does_not(company: Company, browser: Browser) -> None:
    with company.server.client() as http:
        body = {"name": "Pat", "roles": ["team_lead"], "password": "correct horse battery"}
        http.post("/api/people", json=body).raise_for_status()
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{company.server.url}/inbox?text=nothing+like+it")
    page.get_by_label("Name").fill("Pat")
    page.get_by_label("Password").fill("wrong")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_be_visible()
    page.get_by_label("Password").fill("correct horse battery")
    page.get_by_role("button", name="Sign in").click()
    # where the person wanted to go, with the filters of whoever sent the address
    expect(page.get_by_role("searchbox", name="Search holds")).to_have_value("nothing like it")
    context.close()


def test_everything_is_reached_by_keys_alone(company: Company, enter: Enter) -> None:
    first, _ = (company.ask(titled(EMAILS)) for _ in range(2))
    page = enter("Mara").page
    search = first["title"].partition("(")[2].rstrip(")")
    # of a long list only what is in sight is there
    rows = page.get_by_role("list", name="Holds, most urgent first").get_by_role("link")
    expect(rows.nth(1)).to_be_visible()
    page.keyboard.press("/")
    page.keyboard.type(search)
    row = rows.filter(has_text=first["title"])
    expect(row).to_be_visible()
    expect(rows).to_have_count(1)
    page.keyboard.press("Escape")
    page.keyboard.press("j")
    expect(row).to_have_attribute("aria-current", "true")
    page.keyboard.press("x")
    expect(page.get_by_text("1 selected")).to_be_visible()
    page.keyboard.press("x")
    page.keyboard.press("Enter")
    expect(page.get_by_role("article")).to_contain_text(first["title"])
    expect(page.get_by_role("button", name="Approve")).to_be_enabled()
    page.keyboard.press("r")
    page.keyboard.type("by key")
    page.keyboard.press("Enter")
    expect(page.get_by_text(f"{first['title']}: rejected.")).to_be_visible()
    assert company.hold(first["id"])["decision"]["reason"] == "by key"
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("g")
    page.keyboard.press("p")
    expect(page.get_by_role("heading", name="Policy", exact=True)).to_be_visible()


def test_a_phone_shows_the_list_and_then_the_hold(company: Company, enter: Enter) -> None:
    hold = company.ask(titled(STAGING))
    page = enter("Jon", viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True).page
    # others may be in front of it, further than the window shows
    page.get_by_role("searchbox", name="Search holds").fill(hold["title"].split("(")[1].rstrip(")"))
    row = page.get_by_role("link").filter(has_text=hold["title"])
    row.tap()
    expect(row).to_be_hidden()
    article = page.get_by_role("article")
    expect(article).to_contain_text("deploy-bot")
    for address in ("", "/inbox", "/policy"):
        if address:
            page.goto(f"{company.server.url}{address}")
            expect(page.get_by_role("navigation", name="Pages")).to_be_visible()
        wider = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert wider <= 0, f"{address or 'the hold'} scrolls sideways by {wider} px"
    page.goto(f"{company.server.url}/holds/{hold['id']}")
    page.get_by_role("button", name="Approve").tap()
    expect(page.get_by_text(f"{hold['title']}: approved.")).to_be_visible()


def test_a_page_that_stays_open_sees_what_happened_while_the_server_was_dead(browser: Browser) -> None:
    """kill -9 of server and database; the page says so, comes back by itself, and shows the hold asked meanwhile."""
    with servers.running() as server:
        company = Company(server)
        window = visitor(browser, server, "Mara", "tech_lead")
        page = window.page
        expect(page.get_by_role("status").filter(has_text="live")).to_be_visible()
        server.kill()
        expect(page.get_by_text("reconnecting")).to_be_visible()
        server.start()
        hold = company.ask(EMAILS)
        expect(page.get_by_role("link").filter(has_text=hold["title"])).to_be_visible(timeout=2 * PATIENCE_MS)
        expect(page.get_by_role("status").filter(has_text="live")).to_be_visible()
        page.goto(f"{server.url}/holds/{hold['id']}")
        page.get_by_role("button", name="Approve").click()
        expect(page.get_by_text(f"{hold['title']}: approved.")).to_be_visible()
        window.close()


def test_a_part_that_could_not_be_loaded_comes_with_the_server(company: Company, enter: Enter) -> None:
    """The list stays; once the server answers, the page loads itself again, with all that it was showing."""
    hold = company.ask(titled(STAGING))
    window = enter("Jon")
    page = window.go("/runs")
    away = re.compile("/assets/BulkBar-|/health$")
    refused: list[str] = []

    def refuse(route: Route) -> None:
        refused.append(route.request.url)
        route.abort("connectionrefused")

    page.route(away, refuse)
    page.get_by_role("navigation", name="Pages").get_by_role("link", name="Inbox").click()
    page.get_by_role("searchbox", name="Search holds").fill(hold["title"].split("(")[1].rstrip(")"))
    row = page.get_by_role("link").filter(has_text=hold["title"])
    expect(row).to_be_visible()
    assert any("BulkBar" in address for address in refused)
    with page.expect_event("load"):
        page.unroute(away)
    expect(row).to_be_visible()
    page.get_by_role("checkbox").first.check()
    expect(page.get_by_text("1 selected")).to_be_visible()


def test_tabs_share_one_stream_and_another_takes_over(company: Company, enter: Enter) -> None:
    window = enter("Mara")
    expect(window.page.get_by_role("status").filter(has_text="live")).to_be_visible()
    streams: list[str] = []
    window.context.on("request", lambda request: streams.append(request.url) if "/api/events" in request.url else None)
    others = [window.context.new_page() for _ in range(2)]
    for page in others:
        page.goto(f"{company.server.url}/inbox")
        expect(page.get_by_role("status").filter(has_text="live")).to_be_visible()
    assert streams == []
    question = titled(EMAILS)
    for page in others:
        # of a long list only what is in sight is there
        page.get_by_role("searchbox", name="Search holds").fill(question["title"].split("(")[1].rstrip(")"))
    window.page.close()
    hold = company.ask(question)
    for page in others:
        expect(page.get_by_role("link").filter(has_text=hold["title"])).to_be_visible()
    assert len(streams) == 1


def test_an_empty_inbox_teaches_with_code_that_works(browser: Browser) -> None:
    with servers.running() as server:
        bot = server.token_of("first-bot", kind="agent")
        window = visitor(browser, server, "Mara", "team_lead")
        code = window.page.get_by_text(re.compile(r"^curl")).inner_text()
        ran = servers.shell(code, BOT=bot)
        assert '"pending"' in ran, ran
        expect(window.page.get_by_role("link").filter(has_text="Deploy shop 1.4.2 to staging")).to_be_visible()
        window.close()


def test_the_policy_page_explains_what_would_happen(enter: Enter) -> None:
    page = enter("Mara", path="/policy").page
    page.get_by_label("Action", exact=True).fill("delete")
    page.get_by_role("button", name="What would happen?").click()
    panel = page.get_by_role("region", name="Try an action")
    expect(panel).to_contain_text("critical")
    expect(panel).to_contain_text("rule delete-production")
    expect(panel).to_contain_text("with a justification")


def test_the_brake_takes_two_steps_and_everybody_sees_it(company: Company, enter: Enter) -> None:
    onlooker = enter("Jon").page
    page = enter("Ada").page
    page.get_by_role("button", name="Brake").click()
    page.get_by_label("Agent to stop").fill("runaway-bot")
    page.get_by_label("Reason").fill("it repeats itself")
    company.server.token_of("runaway-bot", kind="agent")
    page.get_by_role("button", name="Next").click()
    page.get_by_role("button", name="Yes, stop runaway-bot").click()
    expect(page.get_by_text("runaway-bot is stopped")).to_be_visible()
    expect(onlooker.get_by_text("runaway-bot is stopped")).to_be_visible()
    expect(onlooker.get_by_role("button", name="Lift the brake…")).to_have_count(0)
    page.get_by_role("button", name="Lift the brake…").click()
    page.get_by_label("Reason").fill("repaired")
    page.get_by_role("button", name="Let runaway-bot continue").click()
    expect(page.get_by_text("runaway-bot is stopped")).to_have_count(0)


def test_the_audit_page_follows_a_hold(company: Company, enter: Enter) -> None:
    hold = company.ask(titled(CHOICE))
    company.review("Mara", hold, "answer", answer="eu-west")
    page = enter("Ada", path=f"/audit?hold={hold['id']}").page
    entries = page.get_by_role("region", name="Entries")
    expect(entries).to_contain_text("hold decided: answered")
    expect(entries.get_by_role("listitem")).to_have_count(3)
    expect(page.get_by_role("region", name="The chain")).to_contain_text("Sealed up to entry")
    with page.expect_download() as download:
        page.get_by_role("link", name="Export").click()
    assert '"record": "header"' in Path(download.value.path()).read_text()


def test_an_administrator_adds_an_agent_and_its_token(company: Company, enter: Enter) -> None:
    page = enter("Ada", path="/people").page
    page.get_by_role("button", name="Add…").click()
    page.get_by_label("Name").fill("web-bot")
    page.get_by_label("Kind").select_option("agent")
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.get_by_role("listitem").filter(has_text="web-bot")).to_be_visible()
    page.get_by_role("button", name="Create token…").click()
    page.get_by_label("Token for").select_option(label="web-bot (agent)")
    page.get_by_role("button", name="Create token", exact=True).click()
    token = page.get_by_text(re.compile("^hr_")).inner_text()
    with company.server.client(token) as http:
        assert http.post("/api/holds", json=DEPLOY).status_code == 201
    page.reload()
    expect(page.get_by_text(token)).to_have_count(0)
