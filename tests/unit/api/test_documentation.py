"""docs/api.md has every route, as the API's own document has it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]


def test_every_route_stands_in_the_docs() -> None:
    made = subprocess.run([sys.executable, ROOT / "scripts" / "routes.py"], capture_output=True, text=True, check=True)
    assert (ROOT / "docs" / "api.md").read_text() == made.stdout, "run `make schema`"
