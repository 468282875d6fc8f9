"""The contract's default roles and levels, and the table of S4.2."""

from __future__ import annotations

import pytest

from handrail.core.canonical import JsonObject
from handrail.core.holds import Action, Kind
from handrail.core.risk import Level
from handrail.policy import assess, default_policy

TASKS: list[tuple[JsonObject, Level]] = [
    ({"operation": "read", "environment": "development"}, Level.low),
    ({"operation": "deploy", "environment": "staging"}, Level.medium),
    ({"operation": "deploy", "environment": "production"}, Level.high),
    ({"operation": "delete", "environment": "production"}, Level.critical),
]


@pytest.mark.parametrize(("task", "level"), TASKS)
def test_the_default_gives_each_task_its_level(task: JsonObject, level: Level) -> None:
    found = assess(default_policy(), kind=Kind.approval, action=Action("run", {}), task=task)

    assert found.level is level
