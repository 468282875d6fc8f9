"""Makes the pictures of docs/changes.md: `handrail demo change` in a terminal, cut where a person looks.

`python scripts/terminal_pictures.py FOLDER` (or `make screenshots`).
"""

from __future__ import annotations

import re
import sys
from io import StringIO
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import MONOKAI
from rich.text import Text

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from browser import chromium
from server import HANDRAIL, environment, running
from terminal import COLUMNS, lines, plain, terminal

# name of the picture: the first line of it, and the line that it ends before
CUTS = {
    "change-plan": (r"^R-\d+: ", r"The plan was approved"),
    "change-edit": (r"The plan was approved", r"  verifying$"),
    "change-repair": (r"does not pass|cannot be offered|I round it last", r"  testing$"),
    "change-verified": (r"^H-\d+  Publish", r"published|ended|completed"),
    "change-published": (r"Approve\? ", r"\Z\A"),
}
PAGE = """<!doctype html><meta charset="utf-8"><style>
body {{ margin: 0; padding: 20px; width: max-content; background: {background}; color: {foreground}; }}
pre {{ font: 14px/1.45 "DejaVu Sans Mono", monospace; margin: 0; }}
</style><pre><code>{code}</code></pre>"""


def main(folder: Path) -> None:
    shown = played()
    (folder / "demo-change.ansi").write_text(shown)


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
            return person.shown.replace(str(server.data), "…")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
