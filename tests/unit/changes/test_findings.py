"""Which findings are new: what a line says counts, and not where it stands."""

from collections.abc import Sequence

from handrail.changes.results.findings import Lines, new_findings
from handrail.changes.results.model import Finding, Report

BASE = {"a.py": ["import os", "x = 1", "y = eval(x)"]}


def lines_of(files: dict[str, list[str]]) -> Lines:
    def lines(path: str) -> Sequence[str]:
        return files.get(path, [])

    return lines


def found(base: list[Finding], head: list[Finding], files: dict[str, list[str]], **moved: str) -> tuple[Finding, ...]:
    reports = (Report("ruff", findings=tuple(base)), Report("ruff", findings=tuple(head)))
    return new_findings(*reports, lines_of(BASE), lines_of(files), {"b.py": "a.py"} if moved else None)


UNUSED = Finding("F401", "a.py", 1, "`os` is unused")


def test_a_finding_that_moved_with_its_line_is_old() -> None:
    moved = Finding("F401", "a.py", 3, "`os` is unused")
    assert found([UNUSED], [moved], {"a.py": ["# head", "", "    import os  "]}) == ()


def test_the_same_rule_on_another_line_is_new() -> None:
    other = Finding("F401", "a.py", 2, "`sys` is unused")
    assert found([UNUSED], [UNUSED, other], {"a.py": ["import os", "import sys"]}) == (other,)


def test_another_rule_on_the_same_line_is_new() -> None:
    other = Finding("E999", "a.py", 1, "bad")
    assert found([UNUSED], [UNUSED, other], BASE) == (other,)


def test_the_second_of_two_equal_lines_is_new() -> None:
    second = Finding("F401", "a.py", 2, "`os` is unused")
    assert found([UNUSED], [UNUSED, second], {"a.py": ["import os", "import os"]}) == (second,)


def test_a_finding_in_a_file_of_another_name_is_new_unless_the_file_moved() -> None:
    there = Finding("F401", "b.py", 1, "`os` is unused")
    assert found([UNUSED], [there], {"b.py": ["import os"]}) == (there,)
    assert found([UNUSED], [there], {"b.py": ["import os"]}, b="a") == ()


def test_a_finding_about_no_line_goes_by_its_message() -> None:
    whole = Finding("TS18003", "", 0, "No inputs were found")
    assert found([whole], [whole], {}) == ()
    assert found([], [whole], {}) == (whole,)


def test_what_was_mended_is_not_new() -> None:
    assert found([UNUSED], [], {"a.py": ["x = 1"]}) == ()
