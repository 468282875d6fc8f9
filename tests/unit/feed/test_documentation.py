"""docs/events.md names every event that there is."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[3]
SAID = re.compile(r'[Ee]vent\(\s*"([a-z_]+\.[a-z_]+)"')


def test_every_type_of_event_is_documented() -> None:
    sources = "".join(path.read_text() for path in (ROOT / "src" / "handrail").rglob("*.py"))
    types = set(SAID.findall(sources))
    assert "hold.decided" in types
    documented = (ROOT / "docs" / "events.md").read_text()
    assert {type_ for type_ in types if f"`{type_}`" not in documented} == set()
