"""The pages in a real browser with 100,000 holds: first rows, scrolling, how soon a new hold is seen, a long diff, a
slow processor, insights.

A frame is blank if the middle of the list shows no row while scrolling. `asked to shown` is the time from before the
agent's request to the row on the page; `asking alone` is the request. Frames of the diff are counted while the wheel
turns. `usable` is from the address to the list next to a hold that can be decided, with a processor four times slower.
Insights are of 30 days in which people decided four of five holds.
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
from benchmarks.holds.world import BODY, World, world

PENDING = 100_000
LOADS = 7
SCROLLS = 80
# of fewer, the p99 would be the slowest alone
NEW = 300
DIFF_LINES = 20_000
SLOWER = 4
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
# frames while it scrolls, and how far it came
WATCH_DIFF = """() => {
  const box = document.querySelector('[role="group"][aria-label="Diff"]');
  const began = performance.now();
  window.diff_ = { frames: 0, ms: 0, moved: 0 };
  const look = () => {
    window.diff_ = { frames: window.diff_.frames + 1, ms: performance.now() - began, moved: box.scrollTop };
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}"""
# four of five were decided by people within the last 30 days, each after up to an hour, and the log says who
DECIDED = """
  WITH spread AS (
    SELECT id, row_number() OVER () AS n FROM holds
  ), moved AS (
    UPDATE holds SET
      opened_at = handrail_now() - make_interval(mins => (n %% 43000)::int),
      status = CASE WHEN n %% 5 = 0 THEN status WHEN n %% 7 = 0 THEN 'rejected' ELSE 'approved' END,
      decided_at = CASE WHEN n %% 5 = 0 THEN NULL
        ELSE handrail_now() - make_interval(mins => (n %% 43000)::int) + make_interval(secs => (n %% 3600)::int) END,
      state = CASE WHEN n %% 5 = 0 THEN state
        ELSE jsonb_set(state::jsonb, '{decision}', '{"basis": "people"}')::json END
    FROM spread WHERE spread.id = holds.id RETURNING holds.id, holds.decided_at
  )
  INSERT INTO events (seq, at, type, actor_id, hold_id, data, data_hash, hash)
  SELECT (SELECT max(seq) FROM events) + row_number() OVER (), decided_at, 'hold.reviewed', %s, id, '{}', '', ''
  FROM moved WHERE decided_at IS NOT NULL
"""


def run() -> dict[str, float]:
    return asyncio.run(_run())


async def _run() -> dict[str, float]:
    async with world() as at:
        seed = (await at.agent_http.post("/api/holds", json=BODY)).raise_for_status().json()
        await fill(at, seed["id"], PENDING)
        token = at.agent_http.headers["Authorization"]
        # the browser's driver has an event loop of its own, and wants a thread without one
        figures = await asyncio.to_thread(_in_browser, at.server, token)
        return {**figures, **await _insights(at)}


def _in_browser(server: ServerProcess, token: str) -> dict[str, float]:
    with chromium() as browser:
        person = visitor(browser, server, "reviewer", service_workers="allow")
        page = person.page
        loads = [_load(page, server) for _ in range(LOADS)]
        blank = _scroll(page)
        with httpx.Client(base_url=server.url, headers={"Authorization": token}, trust_env=False) as http:
            shown, asked = _new_holds(page, server, http)
            long = http.post("/api/holds", json={**BODY, "evidence": {"diff": _diff()}}).raise_for_status().json()
            frames = _scroll_diff(page, server, long["id"])
            usable = _usable(page, server, long["id"])
    percent = statistics.quantiles(shown, n=100)
    return {
        f"first_rows_ms_with_{PENDING}_pending": statistics.median(loads),
        "rows_scrolled_over": SCROLLS * 800 // 78,
        "blank_frames_of_1000": blank,
        "asked_to_shown_p50_ms": percent[49],
        "asked_to_shown_p99_ms": percent[98],
        "asking_alone_p50_ms": statistics.median(asked),
        "shown_over_asking_p50": percent[49] / statistics.median(asked),
        f"frames_per_second_in_a_diff_of_{DIFF_LINES}_lines": frames,
        f"usable_ms_with_a_processor_{SLOWER}_times_slower": usable,
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


def _diff() -> str:
    """Of ten files, half of their lines changed."""
    hunk = "@@ -{0},4 +{0},6 @@ def total(order):\n     lines = order.lines\n-    return sum(lines)\n"
    hunk += "+    # in cents, {0}\n+    if not lines:\n+        return 0\n     log(lines)\n     done()\n"
    each = DIFF_LINES // 10 // 8
    return "".join(
        f"--- a/src/part{n}.py\n+++ b/src/part{n}.py\n" + "".join(hunk.format(1 + 9 * at) for at in range(each))
        for n in range(10)
    )


def _scroll_diff(page: Page, server: ServerProcess, hold_id: str) -> float:
    page.goto(f"{server.url}/holds/{hold_id}")
    diff = page.get_by_role("group", name="Diff")
    diff.scroll_into_view_if_needed()
    diff.hover()
    page.evaluate(WATCH_DIFF)
    for _ in range(SCROLLS):
        page.mouse.wheel(0, 1_600)
        page.wait_for_timeout(50)
    seen: dict[str, float] = page.evaluate("window.diff_")
    assert seen["moved"] > 0, "it did not scroll"
    return 1000 * seen["frames"] / seen["ms"]


def _usable(page: Page, server: ServerProcess, hold_id: str) -> float:
    driver: Any = page.context.new_cdp_session(page)
    driver.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    times: list[float] = []
    for _ in range(LOADS):
        began = time.perf_counter()
        page.goto(f"{server.url}/holds/{hold_id}", wait_until="commit")
        page.locator(ROW).first.wait_for()
        page.get_by_role("button", name="Approve").wait_for()
        times.append((time.perf_counter() - began) * 1000)
    driver.send("Emulation.setCPUThrottlingRate", {"rate": 1})
    return statistics.median(times)


async def _insights(at: World) -> dict[str, float]:
    async with at.context.database.transaction() as conn:
        await conn.execute(DECIDED, (at.person.id,))
    async with at.context.database.connection() as conn:
        await conn.execute("VACUUM ANALYZE holds")
        await conn.execute("VACUUM ANALYZE events")
    times: list[float] = []
    counted = 0
    for _ in range(LOADS):
        began = time.perf_counter()
        found = (await at.person_http.get("/api/insights")).raise_for_status().json()
        times.append((time.perf_counter() - began) * 1000)
        counted = found["counted"]
    return {"insights_ms": statistics.median(times), "insights_count_holds": counted}
