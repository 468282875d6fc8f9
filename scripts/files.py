"""Prints docs/files.md: every room and every file of it, by the first sentence that the file says of itself."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "handrail"
HEAD = """# Every file

Made by `make schema` from what each file says of itself. [architecture.md](architecture.md) says how the rooms fit.
"""


def page() -> str:
    rooms = sorted(file.parent for file in SOURCE.glob("*/__init__.py"))
    return "\n".join([HEAD, *(_room(room) for room in rooms)])


def _room(room: Path) -> str:
    files = sorted(file for file in room.rglob("*.py") if file.name != "__init__.py")
    rows = [f"| `{file.relative_to(room)}` | {_about(file)} |" for file in files]
    return "\n".join([f"## {room.name}/", _about(room / "__init__.py"), "", "| file | |", "| --- | --- |", *rows, ""])


def _about(file: Path) -> str:
    said = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
    return " ".join(said.split("\n\n")[0].split()).replace("|", "\\|")


if __name__ == "__main__":
    sys.stdout.write(page())
