"""A real browser for tests: people who are signed in at a running server, each with a window of their own."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal
from urllib.parse import quote, urlsplit

import database as databases
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Playwright, expect, sync_playwright
from server import ServerProcess

# a machine that runs other tests beside this one is slow
PATIENCE_MS = 45_000
# what a browser says of an answer that the page handles by itself: a refusal, or a server that restarts
EXPECTED = ("Failed to load resource", "net::ERR_")
# of a stream that a page began and was left, and of what the driver itself keeps away
LEFT = ("WebSocket is closed before the connection is established", "Service Worker registration blocked by Playwright")
# a refusal that the page's own code catches is in no console
REFUSALS = """
addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI, sourceFile }) =>
  console.error("refused by the content security policy:", effectiveDirective, blockedURI, sourceFile))
"""
# the details of what is in order take longer than finding what is not
VIOLATIONS = """(colours) => axe
  .run({ resultTypes: ["violations"], rules: { "color-contrast": { enabled: colours } } })
  .then((found) => found.violations)"""
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
WHOLE = "chromium"
# the same engine without what stands around a page: a fifth less processor time
SHELL = "chromium-headless-shell"
AXE = Path(__file__).parents[1] / "web/node_modules/axe-core/axe.min.js"


@contextmanager
def launched(playwright: Playwright, *programs: str) -> Generator[Browser]:
    """The first of these programs that is installed, or the one that HANDRAIL_BROWSER names."""
    named = os.environ.get("HANDRAIL_BROWSER")
    program = next(filter(None, map(shutil.which, [named] if named else programs)), None)
    assert program is not None, "there is no browser: `make browser` installs one, HANDRAIL_BROWSER names one"
    expect.set_options(timeout=PATIENCE_MS)
    # the sandbox refuses root, and the pages are our own
    # the driver has the browser's processes share what they share by files on the disk, for containers without memory
    on_disk = ["--disable-dev-shm-usage"] if databases.has_memory() else None
    browser = playwright.chromium.launch(executable_path=program, chromium_sandbox=False, ignore_default_args=on_disk)
    yield browser
    browser.close()


@contextmanager
def chromium() -> Generator[Browser]:
    with sync_playwright() as playwright, launched(playwright, WHOLE) as browser:
        yield browser


@dataclass
class Visitor:
    """A person at a window. Whatever the window complains of, a refused script above all, is kept."""

    name: str
    server: ServerProcess
    context: BrowserContext
    page: Page
    complaints: list[str] = field(default_factory=list[str])

    def note(self, message: ConsoleMessage) -> None:
        text = message.text
        known = text.startswith(EXPECTED) or any(words in text for words in LEFT)
        if message.type in {"error", "warning"} and not known:
            self.complaints.append(text)

    def go(self, path: str) -> Page:
        self.page.goto(f"{self.server.url}{path}")
        return self.page

    def make_own(self) -> None:
        """Sets a password through the link that somebody else made, so that it decides what is critical, too."""
        me = self.page.request.get(f"{self.server.url}/api/me").json()
        body = {"password": secrets.token_urlsafe(16)}
        headers = {"X-CSRF-Token": me["csrf_token"]}
        assert self.page.request.post(f"{self.server.url}/api/me/password", data=body, headers=headers).ok

    def close(self) -> None:
        self.context.close()
        assert not self.complaints, f"{self.name}'s window complained: {self.complaints}"


def link_for(server: ServerProcess, name: str, *roles: str) -> str:
    """A one-time sign-in link of a person, who is added where there is none."""
    with server.client() as http:
        people: list[dict[str, Any]] = http.get("/api/people?limit=500").raise_for_status().json()["people"]
        found = [each for each in people if each["name"] == name]
        who = (
            found[0]
            if found
            else http.post("/api/people", json={"name": name, "roles": roles}).raise_for_status().json()
        )
        return http.post(f"/api/people/{who['id']}/login-link").raise_for_status().json()["url"]


def arriving(
    browser: Browser, server: ServerProcess, name: str, link: str, path: str = "/inbox", **options: Any
) -> Visitor:
    """A window of a person who has signed in by this link, at that page; `options` are the window's: size, colours.

    Without a service worker unless the test is of one: a driver cannot answer requests that pass through it.
    """
    usual: dict[str, Any] = {"viewport": {"width": 1360, "height": 860}, "service_workers": "block"}
    context = browser.new_context(**usual | options)
    context.set_default_timeout(PATIENCE_MS)
    context.add_init_script(REFUSALS)
    page = context.new_page()
    made = Visitor(name, server, context, page)
    page.on("console", made.note)
    page.on("pageerror", lambda error: made.complaints.append(str(error)))
    # at once, as a link of a mail leads: a page that nobody looks at takes as long as any other
    page.goto(f"{link}&next={quote(path, safe='')}")
    page.wait_for_url(lambda url: urlsplit(url).path != "/sign-in")
    return made


def visitor(browser: Browser, server: ServerProcess, name: str, *roles: str, **options: Any) -> Visitor:
    """The same, for a person whom the administrator sends a link."""
    return arriving(browser, server, name, link_for(server, name, *roles), **options)


def barriers(page: Page, colours: bool = True) -> list[str]:
    """What keeps people out, as axe finds it; colours take most of its time."""
    if page.evaluate("typeof axe") == "undefined":
        page.evaluate(AXE.read_text())
    found: list[dict[str, Any]] = page.evaluate(VIOLATIONS, colours)
    return [f"{one['id']}: {one['nodes'][0]['html'][:200]} {one['nodes'][0]['failureSummary']}" for one in found]


def barriers_in_both_themes(page: Page) -> list[str]:
    """The same for the page as it stands, in light and in dark: a second visit would take ten times as long."""
    found: list[str] = []
    before = "dark" if page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches") else "light"
    for scheme in SCHEMES:
        # no colour may be on its way to another while it is judged
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        expect(page.locator("html.dark")).to_have_count(1 if scheme == "dark" else 0)
        found += [f"{scheme}: {one}" for one in barriers(page)]
    page.emulate_media(color_scheme=before, reduced_motion="null")
    return found
