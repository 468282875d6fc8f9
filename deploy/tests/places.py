"""Where things are: the checkout, and the tools that `make ship-test` brings."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[2]
TOOLS = ROOT / ".tools"
