"""A plan without some of its tasks: what people may leave out at the result."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from handrail.changes.planning.plan import Plan
from handrail.changes.stages.approve import NotLeftOut, Part, without_tasks

PLAN = Plan.model_validate(
    {
        "kind": "fix",
        "title": "round",
        "tasks": [
            {"task": "One", "files": ["a.py"]},
            {"task": "Two", "new_files": ["b.py"]},
            {"task": "Three", "files": ["a.py", "c.py"]},
        ],
    }
)


def test_a_task_goes_with_the_files_that_only_it_has() -> None:
    left = without_tasks(PLAN, {2})
    assert [task.task for task in left.tasks] == ["One", "Three"]
    assert PLAN.paths - left.paths == {"b.py"}


def test_tasks_that_share_a_file_go_together() -> None:
    assert [task.task for task in without_tasks(PLAN, {1, 3}).tasks] == ["Two"]


@pytest.mark.parametrize(
    ("numbers", "why"),
    [
        ({3}, "Other tasks than task 3 change a.py too: name its hunks instead."),
        ({4}, "The plan has no task 4: it has 3."),
        ({1, 2, 3}, "These are all tasks of the plan. To publish nothing, reject it."),
    ],
)
def test_what_cannot_be_left_out_says_why(numbers: set[int], why: str) -> None:
    with pytest.raises(NotLeftOut) as refused:
        without_tasks(PLAN, numbers)
    assert str(refused.value) == why


@pytest.mark.parametrize(
    "said", [{}, {"task": 0}, {"task": 1, "path": "a.py"}, {"task": 1, "hunks": ["x"]}, {"path": "a.py", "lines": [1]}]
)
def test_a_part_is_a_file_or_a_task(said: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        Part.model_validate(said)
