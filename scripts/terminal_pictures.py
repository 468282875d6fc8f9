"""Makes the pictures of docs/changes.md: `handrail demo change` in a terminal, cut where a person looks.

`python scripts/terminal_pictures.py FOLDER` (or `make screenshots`).
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from io import StringIO
from itertools import takewhile
from pathlib import Path

from playwright.sync_api import Browser
from rich.console import Console
from rich.terminal_theme import MONOKAI
from rich.text import Text

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from browser import chromium
from server import HANDRAIL, environment, running
from terminal import COLUMNS, lines, plain, terminal

# name of a picture: the line that it begins with, of which the last counts, and the one that it ends before
PICTURES = {
    "change-plan": (r"^H-1 ", r"^\d.* Resumed"),
    "change-diff": (r"The plan was approved", r"Stage: testing"),
    "change-tests": (r"Verified: The change cannot", r"Stage: preparing to publish"),
    "change-verified": (r"^H-2 ", r"^\d.* Resumed"),
    "change-published": (r"H-2 approved by", r"^$"),
}
PAGE = """<!doctype html><meta charset="utf-8"><style>
body {{ margin: 0; padding: 20px; width: max-content; background: {background}; color: {foreground}; }}
pre {{ font: 14px/1.45 "DejaVu Sans Mono", monospace; margin: 0; }}
</style><pre>{code}</pre>"""


def main(folder: Path) -> None:
    shown = lines(played())
    with chromium() as browser:
        for name, (first, after) in PICTURES.items():
            shoot(browser, cut(shown, first, after), folder / f"{name}.png")


def played() -> str:
    """All that the terminal shows of the demo, approved twice."""
    with running(HANDRAIL_CONCURRENCY="1") as server:
        server.serves("demo-change")
        env = environment(server.folder, HANDRAIL_URL=server.url, HANDRAIL_TOKEN=server.admin_token)
        with terminal([HANDRAIL, "demo", "change"], env) as person:
            for _ in range(2):
                person.expect("Approve? [y]es")
                person.type("y\n")
            person.wait()
            return person.shown.replace(str(server.data), "~/.local/share/handrail")


def cut(shown: Sequence[str], first: str, after: str) -> list[str]:
    at = max(number for number, line in enumerate(shown) if re.search(first, plain(line)))
    return [shown[at], *takewhile(lambda line: not re.search(after, plain(line)), shown[at + 1 :])]


def shoot(browser: Browser, chosen: Sequence[str], target: Path) -> None:
    console = Console(record=True, width=COLUMNS, file=StringIO(), force_terminal=True, legacy_windows=False)
    for line in chosen:
        console.print(Text.from_ansi(line))
    page = browser.new_page(device_scale_factor=1.5)
    page.set_content(console.export_html(theme=MONOKAI, inline_styles=True, code_format=PAGE))
    page.locator("body").screenshot(path=target)
    page.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
