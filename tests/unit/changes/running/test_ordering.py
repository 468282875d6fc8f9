"""Tests in the order in which they are most likely to break; the whole suite is always last, and the only gate."""

from __future__ import annotations

from handrail.changes.running.ordering import Stage, order


def shape(stages: tuple[Stage, ...]) -> list[tuple[str, int, tuple[str, ...]]]:
    return [(each.reason, each.depth, each.selection.files + each.selection.ids) for each in stages]


def test_plan_then_impact_by_depth_then_imports_then_the_suite() -> None:
    found = order(["t/p.py"], {"t/far.py": 3, "t/near.py": 1, "t/next.py": 1}, ["t/i.py"])
    assert shape(found) == [
        ("plan", 0, ("t/p.py",)),
        ("impact", 1, ("t/near.py", "t/next.py")),
        ("impact", 3, ("t/far.py",)),
        ("imports", 0, ("t/i.py",)),
        ("suite", 0, ()),
    ]


def test_a_test_runs_in_the_first_stage_that_has_it() -> None:
    found = order(["t/a.py"], {"t/a.py": 1, "t/b.py": 2}, ["t/a.py", "t/b.py", "t/c.py"])
    assert shape(found) == [
        ("plan", 0, ("t/a.py",)),
        ("impact", 2, ("t/b.py",)),
        ("imports", 0, ("t/c.py",)),
        ("suite", 0, ()),
    ]


def test_the_suite_is_the_gate_even_where_nothing_is_known() -> None:
    assert order() == (Stage("suite"),)
    assert [stage.is_gate for stage in order(["t/a.py"])] == [False, True]


def test_ids_and_files_are_told_apart() -> None:
    (first, _) = order(["t.a::test_x", "t/b.py"])
    assert (first.selection.files, first.selection.ids) == (("t/b.py",), ("t.a::test_x",))
