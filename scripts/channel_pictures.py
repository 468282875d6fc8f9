"""Makes the pictures of messages in docs/channels, from the JSON that is sent, as the preview page draws it.

`python scripts/channel_pictures.py FOLDER` (or `make screenshots`).
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from browser import chromium, link_for, visitor
from playwright.sync_api import expect
from server import running
from stage import Company

CHANNELS = ("slack", "linear", "email", "push")
HOLD = {
    "kind": "approval",
    "title": "Deploy billing 4.2.0 to staging",
    "description": "The tests are green, and the change is behind a flag.",
    "action": {"name": "deploy", "args": {"version": "4.2.0", "api_key": "s3cr3t"}, "target": "staging"},
    "task": {"environment": "staging", "estimated_cost": 5},
}


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with running() as server, chromium() as browser:
        for name, role in (("Jon", "team_lead"), ("Mara", "tech_lead")):
            link_for(server, name, role)
        company = Company(server)
        asked, decided = company.ask(HOLD), company.ask(HOLD, title="Deploy billing 4.2.1 to staging")
        company.review("Jon", decided, "reject", reason="not on a Friday")
        jon = visitor(browser, server, "Jon", color_scheme="light", viewport={"width": 900, "height": 1400})
        for hold, state in ((asked, "asked"), (decided, "decided")):
            jon.page.goto(f"{server.url}/notifications/preview?hold={hold['id']}")
            for channel in CHANNELS:
                drawn = jon.page.locator(f"[data-preview={channel}]")
                expect(drawn).to_be_visible()
                drawn.screenshot(path=folder / f"channel-{channel}-{state}.png")
        jon.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
