"""Each attack in the index has its test."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
INDEX = ROOT / "tests" / "acceptance" / "attacks" / "README.md"


def test_every_test_that_the_index_names_is_there() -> None:
    named = set(re.findall(r"`(test_\w+)`", INDEX.read_text()))
    files = [*ROOT.glob("tests/**/*.py"), *ROOT.glob("web/e2e/*.py")]
    there = {
        name for file in files for name in re.findall(r"^(?:async )?def (test_\w+)", file.read_text(), re.MULTILINE)
    }
    assert named - there == set()
