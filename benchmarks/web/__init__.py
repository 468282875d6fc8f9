"""The inbox in a real browser with 100,000 holds pending: first rows, scrolling, and how soon a new hold is seen.

A frame is blank if the middle of the list shows no row while scrolling. `asked to shown` is the time from before the
agent's request to the row on the page; `asking alone` is the request.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import time
from pathlib import Path
from typing import Any

import httpx

sys.path.append(str(Path(__file__).parents[2] / "tests"))

from browser import chromium, visitor
from playwright.sync_api import Page
from server import ServerProcess

from benchmarks.holds.scale import fill
from benchmarks.holds.world import BODY, world

PENDING = 100_000
LOADS = 7
SCROLLS = 80
NEW = 100
ROW = "ul[aria-label^=Holds] li"

# counts frames, and those in which the middle of the list shows no row
WATCH_FRAMES = """() => {
  window.frames_ = { all: 0, blank: 0 };
  const list = document.querySelector("ul[aria-label^=Holds]").parentElement;
  const look = () => {
    const box = list.getBoundingClientRect();
    const at = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    window.frames_.all += 1;
    if (!at || !at.closest("li")) window.frames_.blank += 1;
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}"""
# notes when each title was first there
WATCH_TITLES = """() => {
  window.seen_ = {};
  new MutationObserver(() => {
    for (const row of document.querySelectorAll("ul[aria-label^=Holds] a")) {
      const title = row.textContent.match(/fresh \\d+ end/)?.[0];
      if (title && !(title in window.seen_)) window.seen_[title] = Date.now();
    }
  }).observe(document.body, { childList: true, subtree: true, characterData: true });
}"""


def run() -> dict[str, float]:
    return asyncio.run(_run())


async def _run() -> dict[str, float]:
    async with world() as at:
        seed = (await at.agent_http.post("/api/holds", json=BODY)).raise_for_status().json()
        await fill(at, seed["id"], PENDING)
        token = at.agent_http.headers["Authorization"]
        # the browser's driver has an event loop of its own, and wants a thread without one
        return await asyncio.to_thread(_in_browser, at.server, token)


def _in_browser(server: ServerProcess, token: str) -> dict[str, float]:
    with chromium() as browser:
        page = visitor(browser, server, "reviewer").page
        loads = [_load(page, server) for _ in range(LOADS)]
        blank = _scroll(page)
        with httpx.Client(base_url=server.url, headers={"Authorization": token}, trust_env=False) as http:
            shown, asked = _new_holds(page, server, http)
    percent = statistics.quantiles(shown, n=100)
    return {
        f"first_rows_ms_with_{PENDING}_pending": statistics.median(loads),
        "rows_scrolled_over": SCROLLS * 800 // 78,
        "blank_frames_of_1000": blank,
        "asked_to_shown_p50_ms": percent[49],
        "asked_to_shown_p99_ms": percent[98],
        "asking_alone_p50_ms": statistics.median(asked),
        "shown_over_asking_p50": percent[49] / statistics.median(asked),
    }


def _load(page: Page, server: ServerProcess) -> float:
    began = time.perf_counter()
    page.goto(f"{server.url}/inbox")
    page.locator(ROW).first.wait_for()
    return (time.perf_counter() - began) * 1000


def _scroll(page: Page) -> float:
    page.locator(ROW).first.hover()
    page.evaluate(WATCH_FRAMES)
    for _ in range(SCROLLS):
        page.mouse.wheel(0, 800)
        page.wait_for_timeout(50)
    frames: dict[str, int] = page.evaluate("window.frames_")
    return 1000 * frames["blank"] / frames["all"]


def _new_holds(page: Page, server: ServerProcess, http: httpx.Client) -> tuple[list[float], list[float]]:
    """Each has less time left than the one before, and so goes to the top of what the page shows."""
    page.goto(f"{server.url}/inbox?text=fresh")
    page.get_by_text("live").first.wait_for()
    page.evaluate(WATCH_TITLES)
    shown: list[float] = []
    asked: list[float] = []
    for n in range(NEW):
        body: dict[str, Any] = {**BODY, "title": f"fresh {n} end", "expires_in": 80_000 - n}
        began = time.time()
        http.post("/api/holds", json=body).raise_for_status()
        asked.append((time.time() - began) * 1000)
        page.get_by_role("link").filter(has_text=body["title"]).wait_for()
        seen: float = page.evaluate("(title) => window.seen_[title]", body["title"])
        shown.append(seen - began * 1000)
    return shown, asked
