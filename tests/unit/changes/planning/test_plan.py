"""A plan: checked against the repository before people see it, and a bound on what the tools may touch after."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from handrail.changes.editing.desk import Edit
from handrail.changes.editing.trees import File
from handrail.changes.planning.plan import OutsidePlan, Plan, Task, faults

THERE = {"cart.py", "tests/test_cart.py"}


def plan(*tasks: Task, **more: Any) -> Plan:
    return Plan(kind="fix", title="round totals", tasks=tasks, **more)


def found(made: Plan) -> list[str]:
    return faults(made, THERE.__contains__)


def test_a_plan_on_files_that_are_there_has_no_faults() -> None:
    made = plan(
        Task(task="Round the total", files=("cart.py",), tests=("tests/test_cart.py::test_total",)),
        Task(task="Cover it", new_files=("tests/test_rounding.py",), tests=("tests/test_rounding.py",)),
        Task(task="Tidy the new test", files=("tests/test_rounding.py",)),
    )
    assert found(made) == []


@pytest.mark.parametrize(
    ("task", "says"),
    [
        (Task(task="Edit", files=("gone.py",)), "there is no file gone.py"),
        (Task(task="Make", new_files=("cart.py",)), "cart.py exists already"),
        (Task(task="Nothing"), "names no file"),
        (Task(task="Test", files=("cart.py",), tests=("tests/none.py::test_a",)), "no test file tests/none.py"),
        (Task(task="Leave", files=("../secrets",)), "`..`"),
        (Task(task="Leave", new_files=("/etc/passwd",)), "absolute"),
        (Task(task="Weaken", files=("cart.py",), weakens=("tests/test_cart.py",)), "not under `files`"),
        (Task(task="Hook", new_files=(".git/hooks/pre-push",)), "git's own"),
    ],
)
def test_what_cannot_be_carried_out_is_named(task: Task, says: str) -> None:
    [fault] = found(plan(task))
    assert fault.startswith("Task 1") and says in fault


def test_only_files_of_the_plan_may_be_edited() -> None:
    made = plan(Task(task="Round", files=("cart.py",), new_files=("rounding.py",)))
    made.allow(Edit("cart.py", File(b"a"), File(b"b")))
    made.allow(Edit("rounding.py", None, File(b"b")))
    with pytest.raises(OutsidePlan, match="widen_plan"):
        made.allow(Edit("shop.py", File(b"a"), None))


def test_a_widened_plan_allows_more_and_has_another_digest() -> None:
    made = plan(Task(task="Round", files=("cart.py",)))
    more = made.widened(("shop.py",), (), "the shop rounds, too")
    more.allow(Edit("shop.py", File(b"a"), File(b"b")))
    assert more.digest != made.digest
    assert more.tasks[0] == made.tasks[0]


@given(st.sampled_from(["kind", "title", "summary", "tasks", "criteria", "rollback"]))
def test_the_digest_covers_every_part(part: str) -> None:
    made = plan(Task(task="Round", files=("cart.py",)))
    other: dict[str, Any] = {
        "kind": "feat",
        "title": "other",
        "summary": "other",
        "tasks": (Task(task="Other", files=("cart.py",)),),
        "criteria": ("other",),
        "rollback": "other",
    }
    assert made.model_copy(update={part: other[part]}).digest != made.digest


def test_a_title_of_several_lines_is_refused() -> None:
    with pytest.raises(ValidationError):
        Plan(kind="fix", title="round\n\nBREAKING CHANGE: all", tasks=(Task(task="Round", files=("cart.py",)),))
