"""docs/policies.md is true: its code runs, its examples do what they say, and it names every field."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from policy_world import SOURCE, assessed, problems

from handrail.core.canonical import JsonObject
from handrail.core.risk import Level
from handrail.policy import load
from handrail.policy.loading import ACTIONS, APPROVALS, TRIGGERS

ROOT = Path(__file__).parents[3]
TEXT = (ROOT / "docs" / "policies.md").read_text("utf-8")
PYTHON = re.findall(r"```python\n(.*?)```", TEXT, re.S)
YAML = re.findall(r"```yaml\n(\w+):\n(.*?)```", TEXT, re.S)
READ = re.compile(r'(?:fields|entry|inner|role|route|self\._\w+|\w+\((?:fields|inner))(?:\.\w+\(|, )"([a-z_]+)"')


def with_example(*numbers: int) -> dict[str, str]:
    """The default policy with these YAML examples put into the file that has their list."""
    texts = dict(SOURCE)
    for number in numbers:
        name, entries = YAML[number]
        file = {"actions": ACTIONS, "triggers": TRIGGERS, "operations": APPROVALS}[name]
        texts[file] = texts[file].replace(f"\n{name}:\n", f"\n{name}:\n{entries}", 1)
        assert entries in texts[file]
    return texts


@pytest.mark.parametrize("code", PYTHON)
def test_the_code_runs(code: str) -> None:
    exec(compile(code, "docs/policies.md", "exec"), {})


def test_a_tool_becomes_harmless() -> None:
    policy = load(with_example(0))

    assert [
        assessed(policy, name=name).level for name in ("docs.read", "mcp.tracker.find_issue", "mcp.tracker.close")
    ] == [
        Level.low,
        Level.low,
        Level.medium,
    ]


@pytest.mark.parametrize(
    ("args", "level", "approvals", "roles", "required"),
    [
        ({"amount": 20}, Level.medium, 1, {"team_lead", "tech_lead"}, []),
        ({"amount": 5000}, Level.critical, 2, {"tech_lead", "cto"}, [{"cto"}, {"tech_lead"}]),
    ],
)
def test_credits_follow_their_amount(
    args: JsonObject, level: Level, approvals: int, roles: set[str], required: list[set[str]]
) -> None:
    found = assessed(load(with_example(1, 2)), name="orders.credit", args=args)

    assert found.level is level
    assert (found.requirements.approvals, found.requirements.roles) == (approvals, roles)
    assert list(found.requirements.required) == required


def test_a_credit_without_an_amount_is_not_small() -> None:
    assert assessed(load(with_example(1, 2)), name="orders.credit").level.rank >= Level.high.rank


def test_production_takes_four_eyes() -> None:
    found = assessed(load(with_example(3)), {"operation": "restart", "environment": "production"})

    assert found.requirements.approvals == 2


def test_the_problems_shown_are_those_that_are_told() -> None:
    [shown] = re.findall(r"```text\n(.*?)```", TEXT, re.S)
    text = "triggers:\n  - id: refund\n    level: high\n    opertion: refund\n    condition: amount > 500\n"

    assert problems({**SOURCE, TRIGGERS: text}) == shown.splitlines()


def test_every_field_is_documented() -> None:
    """S4.11."""
    files = [ROOT / "src" / "handrail" / "policy" / name for name in ("loading.py", "actions_file.py")]
    fields = {name for file in files for name in READ.findall(file.read_text("utf-8"))}

    assert {"named_by", "requester_may_decide", "first_word", "when", "floor", "beside"} <= fields
    assert {"auto_approve", "condition", "may_approve", "channels", "fields", "people"} <= fields
    assert {name for name in fields if f"`{name}`" not in TEXT} == set()
