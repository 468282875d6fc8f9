"""The documents that say where things are name every room and every file."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
ROOMS = {file.parent.name for file in (ROOT / "src" / "handrail").glob("*/__init__.py")}


def test_every_room_stands_in_the_architecture() -> None:
    rows = (ROOT / "docs" / "architecture.md").read_text().splitlines()
    assert {room for room in ROOMS if not any(row.startswith(f"| `{room}/` |") for row in rows)} == set()


def test_every_file_stands_in_the_list_of_files() -> None:
    made = subprocess.run([sys.executable, ROOT / "scripts" / "files.py"], capture_output=True, text=True, check=True)
    assert (ROOT / "docs" / "files.md").read_text() == made.stdout, "run `make schema`"


def test_every_file_says_what_it_is_for() -> None:
    rows = (ROOT / "docs" / "files.md").read_text().splitlines()
    assert [row for row in rows if row.endswith("|  |")] == []
