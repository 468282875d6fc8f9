"""README.md says which stories there are, and `make test` shows each number at a desk and on a phone."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

HERE = Path(__file__).parent
MARK = re.compile(r"@pytest\.mark\.story\((\d+), (.+)\)")
ROW = re.compile(r"^\| (\d+) \| .+ \| (`.+`) \|$", re.M)


def test_each_number_has_stories_at_both_sizes_and_in_both_themes() -> None:
    files, looks = defaultdict[str, set[str]](set), defaultdict[str, set[str]](set)
    for file in HERE.glob("test_*.py"):
        for number, named in MARK.findall(file.read_text()):
            files[number].add(file.stem)
            looks[number] |= set(re.findall(r"\w+", named))
    assert dict(files) == {
        number: set(re.findall(r"\w+", where)) for number, where in ROW.findall((HERE / "README.md").read_text())
    }
    assert {number: found for number, found in looks.items() if found != {"desk", "phone", "light", "dark"}} == {}
