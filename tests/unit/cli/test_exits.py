"""Exit codes are an interface: scripts read them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from handrail.cli import exits
from handrail.cli.exits import Exit

DOCS = Path(__file__).parents[3] / "docs" / "cli.md"


@pytest.mark.parametrize(
    ("status", "code"),
    [
        (400, Exit.refused),
        (401, Exit.not_allowed),
        (403, Exit.not_allowed),
        (404, Exit.not_found),
        (409, Exit.conflict),
        (413, Exit.refused),
        (422, Exit.refused),
        (429, Exit.refused),
        (500, Exit.refused),
        (503, Exit.unreachable),
    ],
)
def test_the_exit_code_of_an_answer(status: int, code: Exit):
    assert exits.of_status(status) is code


def test_the_numbers_stay():
    assert {code.name: code.value for code in Exit} == {
        "ok": 0,
        "refused": 1,
        "usage": 2,
        "not_found": 3,
        "not_allowed": 4,
        "conflict": 5,
        "unreachable": 6,
    }


def test_every_exit_code_is_documented():
    rows = dict(re.findall(r"^\| (\d) \| (.+?) \|", DOCS.read_text(), flags=re.MULTILINE))

    assert rows == {str(code.value): meaning for code, meaning in exits.MEANINGS.items()}
