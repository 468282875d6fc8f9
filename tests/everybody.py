"""A page as everybody may meet it: in both themes, twice as large, on a phone, and asked for no motion."""

from __future__ import annotations

import re
from pathlib import Path

from browser import barriers, barriers_in_both_themes
from playwright.sync_api import Page, ViewportSize

# what a window of 1360 by 860 shows when everything in it is twice as large
ZOOMED: ViewportSize = {"width": 680, "height": 430}
PHONE: ViewportSize = {"width": 360, "height": 740}
MOVING = """() => document.getAnimations().filter((one) => Number(one.effect?.getTiming().duration ?? 0) > 10)
  .map((one) => one.animationName ?? one.transitionProperty ?? "?")"""
ROUTER = Path(__file__).parents[1] / "web/src/app/router.tsx"
ROUTE = re.compile(r"const (\w+) = createRoute\(\{\s*getParentRoute: \(\) => (\w+),\s*(?:path|id): \"([^\"]*)\"")


def hindrances(page: Page) -> list[str]:
    """Whatever keeps somebody out of the page as it stands."""
    before = page.viewport_size
    page.emulate_media(reduced_motion="reduce")
    found = [f"moves: {what}" for what in page.evaluate(MOVING)]
    found += barriers_in_both_themes(page)
    for size, name in ((ZOOMED, "twice as large"), (PHONE, "on a phone")):
        page.set_viewport_size(size)
        wider = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        if wider > 0:
            found.append(f"{name}: {wider} px beside the window")
        # colours are the same in a window of any size
        found += [f"{name}: {one}" for one in barriers(page, colours=False)]
    if before:
        page.set_viewport_size(before)
    return found


def addresses() -> set[str]:
    """Every address of the pages, as the router has it; `/runs/$runId` stands for all runs."""
    known = {name: (parent, path) for name, parent, path in ROUTE.findall(ROUTER.read_text())}

    def whole(name: str) -> str:
        parent, path = known[name]
        own = f"/{path.strip('/')}" if path.startswith("/") and path != "/" else ""
        return (whole(parent) if parent in known else "") + own

    shown = {whole(name) for name, (_, path) in known.items() if path.startswith("/")}
    return shown - {""}
