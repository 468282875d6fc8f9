"""Attacks on the pages in a real browser: scripts through every field of an agent, framing, and a way out by `next`."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import quote
from uuid import uuid4

import pytest
from browser import Visitor, link_for
from playwright.sync_api import Browser, Page, expect
from server import ServerProcess
from stage import BATCH, DEPLOY, FORM, STAGING, Company, Json

Enter = Callable[..., Visitor]

# each would leave its mark if it ran: as a tag, an attribute, a link, a template, a style
SCRIPT = (
    '"\'><img src=x onerror="window.ran=1"><script>window.ran=1</script><svg onload=window.ran=1>'
    "<iframe srcdoc=\"<script>parent.ran=1</script>\"></iframe>{{constructor.constructor('window.ran=1')()}}"
    "[x](javascript:window.ran=1)<style>body{display:none}</style>"
)
PAGES = ("/inbox", "/runs", "/runs/start", "/skills", "/skills/queue", "/sessions", "/policy", "/audit", "/people")


def hostile(question: Json) -> Json:
    """The question with the script in everything that an agent may write."""
    action = {
        "name": f"{question['action']['name']}{SCRIPT}"[:500],
        "args": {
            **question["action"]["args"],
            SCRIPT: SCRIPT,
            "nested": {SCRIPT: [SCRIPT]},
            "url": "javascript:window.ran=1",
        },
        "target": SCRIPT,
    }
    return {
        **question,
        "title": SCRIPT,
        "description": SCRIPT,
        "action": action,
        "case_id": SCRIPT[:200],
        "evidence": {SCRIPT: SCRIPT, "diff": f"--- a/{SCRIPT}\n+++ b/x\n@@ -1 +1 @@\n-a\n+{SCRIPT}\n", "html": SCRIPT},
        "context": {SCRIPT: [SCRIPT, {"href": "javascript:window.ran=1"}]},
    }


def questions() -> list[Json]:
    form = {
        "type": "object",
        "title": SCRIPT,
        "description": SCRIPT,
        "properties": {"a": {"type": "string", "title": SCRIPT, "description": SCRIPT, "enum": [SCRIPT, "b"]}},
    }
    items = [{"item_id": f"1{SCRIPT}"[:200], SCRIPT: SCRIPT, "owner": SCRIPT}]
    return [
        hostile(STAGING),
        hostile(DEPLOY),
        {**hostile(BATCH), "items": items},
        {**hostile(FORM), "schema": form},
        {**hostile(FORM), "schema": {"oneOf": [{"const": 1, "title": SCRIPT}]}},
        {**hostile(FORM), "schema": {"enum": [SCRIPT]}},
    ]


def unharmed(page: Page, where: str) -> None:
    expect(page.get_by_role("status").filter(has_text="live")).to_be_visible()
    assert page.evaluate("window.ran") is None, where
    assert page.evaluate("document.querySelectorAll('#root iframe, #root img[src=x], #root style').length") == 0, where
    assert page.evaluate("[...document.links].filter((a) => !a.href.startsWith('http')).length") == 0, where


def test_no_script_in_any_field_of_an_agent_runs_on_any_page(company: Company, enter: Enter) -> None:
    """A refused script, request or style would be a complaint of the window, and so fails the test too."""
    server = company.server
    name = f"<img src=x onerror=window.ran=1>{uuid4().hex[:6]}"
    bot = server.token_of(name, kind="agent")
    with server.client(bot) as http:
        holds: list[Json] = [http.post("/api/holds", json=one).raise_for_status().json() for one in questions()]
        for hold in holds:
            http.post(f"/api/holds/{hold['id']}/comments", json={"text": SCRIPT}).raise_for_status()
    # decided and amended ones show more of it: reasons, changes, results, precedents
    changed = {**holds[1]["action"], "args": {SCRIPT: f"{SCRIPT}2"}}
    company.review("Mara", holds[1], "amend", amended_action=changed, reason=SCRIPT)
    approved = company.review("Jon", holds[0], reason=SCRIPT)
    with server.client(bot) as http:
        body = {"digest": approved["digest"], "key": "k"}
        http.post(f"/api/holds/{approved['id']}/redeem", json=body).raise_for_status()
        done = {"outcome": "failed", "detail": {"error": SCRIPT, SCRIPT: SCRIPT}}
        http.post(f"/api/holds/{approved['id']}/result", json=done).raise_for_status()
    window = enter("Ada")
    dialogs: list[str] = []
    window.page.on("dialog", lambda dialog: dialogs.append(dialog.message))
    elsewhere: list[str] = []
    window.page.on("request", lambda asked: None if asked.url.startswith(server.url) else elsewhere.append(asked.url))
    for address in (*PAGES, *(f"/holds/{hold['id']}" for hold in holds), f"/audit?hold={holds[0]['id']}"):
        page = window.go(address)
        if address.startswith("/holds/"):
            expect(page.get_by_role("region", name="Timeline")).to_contain_text("<script>window.ran=1</script>")
        unharmed(page, address)
    assert dialogs == [] and elsewhere == []


@contextmanager
def foreign_page(html: str) -> Generator[str]:
    """A page of somebody else, at another origin."""

    class Evil(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(html.encode())

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name of the base class
            return

    served = ThreadingHTTPServer(("127.0.0.1", 0), Evil)
    threading.Thread(target=served.serve_forever, daemon=True).start()
    try:
        yield f"http://localhost:{served.server_port}/"
    finally:
        served.shutdown()
        served.server_close()


def test_no_page_of_others_can_frame_a_hold(company: Company, enter: Enter, browser: Browser) -> None:
    hold = company.ask(STAGING)
    window = enter("Jon")
    page = window.context.new_page()
    with foreign_page(f'<iframe src="{company.server.url}/holds/{hold["id"]}"></iframe><p>loaded</p>') as evil:
        page.goto(evil)
        expect(page.get_by_text("loaded")).to_be_visible()
        (frame,) = [one for one in page.frames if one is not page.main_frame]
        frame.wait_for_load_state()
        assert frame.url.startswith("chrome-error:")
        assert "Approve" not in frame.content()
    page.close()
    assert company.hold(hold["id"])["status"] == "pending"


@pytest.mark.parametrize(
    "way",
    [
        "//evil.example",
        "///evil.example",
        "/\\evil.example",
        "/\t/evil.example",
        "/\n/evil.example",
        "https://evil.example",
        "javascript:window.ran=1",
        "data:text/html,<script>window.ran=1</script>",
        "/%2f%2fevil.example",
        "/..//evil.example",
    ],
)
def test_a_sign_in_link_leads_nowhere_but_to_our_own_pages(company: Company, browser: Browser, way: str) -> None:
    server: ServerProcess = company.server
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{link_for(server, 'Mara')}&next={quote(way, safe='')}")
    page.wait_for_url(lambda url: "/sign-in" not in url)
    expect(page.get_by_role("link", name="inbox").first).to_be_visible()
    assert page.url.startswith(f"{server.url}/")
    assert page.evaluate("window.ran") is None
    context.close()
