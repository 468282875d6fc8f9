"""What people decide by, told apart from what a moved base changes by itself."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from handrail.changes.verifying.conclusion import conclusion

FINDING = {"rule": "uncovered", "path": "a.py", "line": 3, "what": "x", "why": "y", "verdict": "unsure"}
VERIFICATION: dict[str, Any] = {
    "verdict": "unsure",
    "words": "Look at coverage.",
    "checks": [{"name": "coverage", "verdict": "unsure", "words": "50 %", "count": 1, "findings": [FINDING]}],
}
SUITE: dict[str, Any] = {
    **{"tool": "pytest", "folder": "", "verdict": "passed", "fault": "", "tests": 7, "output": "7 passed in 0.1s"},
    **{"broken": (), "still_broken": ("a::b",), "missing": (), "newly_skipped": (), "added": ()},
}
RESULTS: dict[str, Any] = {
    "verdict": "passed",
    "tests": [SUITE],
    "checks": [{"tool": "ruff", "folder": "", "fault": "", "fault_is_new": False, "new": [], "output": ""}],
}


def of(path: str, value: object) -> Any:
    """The conclusion where one value is another."""
    both = {"results": deepcopy(RESULTS), "verification": deepcopy(VERIFICATION)}
    at: Any = both
    *above, last = path.split(".")
    for step in above:
        at = at[int(step) if step.isdigit() else step]
    at[last] = value
    return conclusion(both["results"], both["verification"])


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("results.tests.0.tests", 9),
        ("results.tests.0.output", "9 passed in 0.2s"),
        ("results.tests.0.added", ["c::d"]),
        ("verification.checks.0.words", "51 %"),
        ("verification.checks.0.findings.0.line", 4),
    ],
)
def test_what_moves_with_the_base_is_left_out(path: str, value: object) -> None:
    assert of(path, value) == conclusion(RESULTS, VERIFICATION)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("results.tests.0.verdict", "unsure"),
        ("results.tests.0.fault", "no tests"),
        ("results.tests.0.still_broken", ["a::b", "c::d"]),
        ("results.tests.0.newly_skipped", ["c::d"]),
        ("results.checks.0.fault", "ruff is not installed"),
        ("verification.verdict", "passed"),
        ("verification.checks.0.verdict", "passed"),
        ("verification.checks.0.count", 201),
        ("verification.checks.0.findings.0.path", "b.py"),
        ("verification.checks.0.findings.0.what", "z"),
    ],
)
def test_what_people_decide_by_is_not(path: str, value: object) -> None:
    assert of(path, value) != conclusion(RESULTS, VERIFICATION)
