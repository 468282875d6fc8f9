"""The contract's default roles and levels, and the table of S4.2."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from policy_world import assessed, of_task

from handrail.core.canonical import JsonObject
from handrail.core.people import DEFAULT_ROLES
from handrail.core.risk import Level
from handrail.policy import FILES, default_policy, load

low, medium, high, critical = Level

LEVELS: list[tuple[JsonObject, Level]] = [
    # operation × environment
    ({"operation": "read", "environment": "development"}, low),
    ({"operation": "deploy", "environment": "staging"}, medium),
    ({"operation": "deploy", "environment": "production"}, high),
    ({"operation": "delete", "environment": "production"}, critical),
    ({"operation": "delete", "environment": "development"}, medium),
    ({"operation": "delete", "environment": "staging"}, high),
    ({"operation": "migrate", "environment": "production"}, high),
    ({"operation": "update", "environment": "staging"}, medium),
    # the same by other names
    ({"operation": "Deploy", "environment": "PROD"}, high),
    ({"operation": " release ", "environment": "eu-west-prod"}, high),
    ({"operation": "destroy", "environment": "live"}, critical),
    ({"operation": "ｄeploy", "environment": "ｐroduction"}, high),
    ({"operation": "get", "environment": "dev"}, low),
    # security operations
    ({"operation": "security_change", "environment": "development"}, high),
    ({"operation": "rotate_secret"}, high),
    ({"operation": "grant_access", "environment": "production"}, high),
    # resource type
    ({"operation": "read", "environment": "development", "resource_type": "customer_data"}, high),
    ({"operation": "read", "environment": "development", "resource_type": "payment"}, high),
    ({"operation": "read", "environment": "development", "resource_type": "iam_role"}, high),
    ({"operation": "update", "environment": "development", "resource_type": "database"}, medium),
    ({"operation": "read", "environment": "development", "resource_type": "database"}, low),
    # the highest security finding
    ({"operation": "read", "environment": "development", "security_findings": []}, low),
    ({"operation": "read", "environment": "development", "security_findings": [{"severity": "low"}]}, low),
    ({"operation": "read", "environment": "development", "security_findings": ["medium", "low"]}, medium),
    ({"operation": "read", "environment": "development", "security_findings": ["low", {"severity": "HIGH"}]}, high),
    ({"operation": "read", "environment": "development", "security_findings": ["critical", "high"]}, critical),
    ({"operation": "read", "environment": "development", "security_findings": {"critical": 1, "low": 4}}, critical),
    ({"operation": "read", "environment": "development", "security_findings": {"critical": 0, "low": 4}}, low),
    ({"operation": "read", "environment": "development", "security_findings": "critical"}, critical),
    # estimated cost
    ({"operation": "read", "environment": "development", "estimated_cost": 100}, low),
    ({"operation": "read", "environment": "development", "estimated_cost": 100.01}, medium),
    ({"operation": "read", "environment": "development", "estimated_cost": 1000}, medium),
    ({"operation": "read", "environment": "development", "estimated_cost": 1001}, high),
    # declared triggers
    ({"operation": "export", "environment": "development"}, high),
    ({"operation": "data_export"}, high),
    ({"operation": "read", "environment": "development", "affected_records": 1000}, low),
    ({"operation": "read", "environment": "development", "affected_records": 1001}, high),
    # the highest wins
    ({"operation": "deploy", "environment": "staging", "estimated_cost": 5000}, high),
    ({"operation": "deploy", "environment": "staging", "security_findings": ["critical"]}, critical),
    # what the task claims of itself raises, and never lowers
    ({"operation": "delete", "environment": "production", "risk": "low"}, critical),
    ({"operation": "read", "environment": "development", "risk": "high"}, high),
    # what cannot be read counts as high
    ({"operation": "read", "environment": "development", "estimated_cost": "plenty"}, high),
    ({"operation": "read", "environment": "development", "estimated_cost": -1}, high),
    ({"operation": "read", "environment": "development", "estimated_cost": True}, high),
    ({"operation": "read", "environment": "development", "estimated_cost": 10**400}, high),
    ({"operation": "read", "environment": "development", "estimated_cost": float("inf")}, high),
    ({"operation": "read", "environment": "development", "security_findings": ["dreadful"]}, high),
    ({"operation": "read", "environment": "development", "security_findings": [{"cwe": 79}]}, high),
    ({"operation": "read", "environment": ["development"]}, high),
    ({"operation": "read", "environment": "development", "resource_type": "x" * 201}, high),
    ({"operation": "read", "environment": "development", "risk": "who knows"}, high),
    ({"operation": "read", "environment": "development", "affected_records": "many"}, high),
    # unknown
    ({"operation": "frobnicate", "environment": "development"}, medium),
    ({"operation": "read", "environment": "the moon"}, medium),
    ({}, medium),
]


@pytest.mark.parametrize(("task", "level"), LEVELS, ids=lambda value: str(value))
def test_a_task_has_its_level(task: JsonObject, level: Level) -> None:
    assert assessed(default_policy(), task).level is level


WHO: list[tuple[JsonObject, int, set[str], list[set[str]], bool]] = [
    ({"operation": "deploy", "environment": "staging"}, 1, {"team_lead"}, [], False),
    (
        {"operation": "deploy", "environment": "production"},
        2,
        {"team_lead", "tech_lead", "cto"},
        [{"tech_lead", "cto"}],
        False,
    ),
    ({"operation": "delete", "environment": "production"}, 2, {"tech_lead", "cto"}, [{"tech_lead"}, {"cto"}], True),
    ({"operation": "security_change"}, 1, {"security_team"}, [{"security_team"}], False),
    (
        {"operation": "deploy", "environment": "production", "resource_type": "firewall"},
        3,
        {"team_lead", "tech_lead", "cto", "security_team"},
        [{"security_team"}, {"tech_lead", "cto"}, {"team_lead", "tech_lead", "cto"}],
        False,
    ),
    # no rule says who
    ({"operation": "frobnicate"}, 1, {"team_lead", "tech_lead", "cto"}, [], False),
    ({"operation": "frobnicate", "risk": "high"}, 1, {"team_lead", "tech_lead", "cto", "security_team"}, [], False),
    ({"operation": "frobnicate", "risk": "critical"}, 2, {"tech_lead", "cto", "security_team"}, [], True),
    # a role that may not approve the level it rose to no longer counts
    (
        {"operation": "deploy", "environment": "staging", "risk": "critical"},
        2,
        {"tech_lead", "cto", "security_team"},
        [],
        True,
    ),
]


# named by the task alone: sets have no order, and workers must collect the same names
@pytest.mark.parametrize(("task", "approvals", "roles", "required", "justification"), WHO, ids=[str(w[0]) for w in WHO])
def test_a_task_needs_its_people(
    task: JsonObject, approvals: int, roles: set[str], required: list[set[str]], justification: bool
) -> None:
    needed = assessed(default_policy(), task).requirements

    assert needed.approvals == approvals
    assert needed.roles == roles
    assert sorted(map(sorted, needed.required)) == sorted(map(sorted, required))
    assert needed.justification is justification
    assert needed.rejections == 1


@pytest.mark.parametrize(
    ("level", "escalate_after", "escalate_to"),
    [
        (low, None, set[str]()),
        (medium, timedelta(hours=4), {"tech_lead", "cto"}),
        (high, timedelta(minutes=30), {"cto"}),
        (critical, timedelta(minutes=15), {"cto"}),
    ],
)
def test_a_level_escalates_in_time(level: Level, escalate_after: timedelta | None, escalate_to: set[str]) -> None:
    found = of_task(default_policy(), {"operation": "any", "environment": "development", "risk": level.value})

    assert found.level is level
    assert found.escalate_after == escalate_after
    assert found.escalate_to == escalate_to
    assert level is low or (found.timeout is not None and found.timeout > (escalate_after or found.timeout))


def test_only_low_goes_on_without_a_person() -> None:
    task: JsonObject = {"operation": "any", "environment": "development"}
    automatic = {level: of_task(default_policy(), {**task, "risk": level.value}).auto_approve for level in Level}

    assert automatic == {low: True, medium: False, high: False, critical: False}


def test_the_default_roles_are_those_of_the_contract_and_a_developer_approves_low_alone() -> None:
    policy = default_policy()

    assert set(policy.roles) == set(DEFAULT_ROLES)
    assert policy.roles["developer"] == {low}
    assert policy.approver_roles == {"developer", "team_lead", "tech_lead", "cto", "security_team"}


def test_a_task_that_nothing_carries_out_is_low_where_no_rule_matches() -> None:
    found = of_task(default_policy(), {"operation": "frobnicate", "environment": "development"})

    assert (found.level, found.auto_approve) == (low, True)
    assert [(rule.rule, rule.reason) for rule in found.rules] == [("default", "No rule matches 'frobnicate'")]


@pytest.mark.parametrize(
    ("name", "args", "level"),
    [
        ("send_email", {}, medium),
        ("delete_database", {}, high),
        ("db.drop_table", {}, high),
        ("delete", {}, medium),
        ("grant_access", {}, high),
        ("run_command", {"command": "ls"}, low),
        ("run_command", {"command": "make"}, medium),
        ("run_command", {"command": "rm -rf /"}, high),
        ("bash", {"command": "git push --force"}, high),
        ("run_command", {"command": ["rm", "-rf", "/"]}, high),
    ],
)
def test_a_bare_tool_call_is_known_by_its_name(name: str, args: JsonObject, level: Level) -> None:
    assert assessed(default_policy(), None, name=name, args=args).level is level


def test_a_harmless_task_does_not_hide_a_destructive_tool() -> None:
    claimed: JsonObject = {"operation": "read", "environment": "development"}

    found = assessed(default_policy(), claimed, name="delete_everything")

    assert (found.level, found.auto_approve) == (high, False)


def test_the_checkout_shows_the_files_that_the_package_carries() -> None:
    folder = Path(__file__).parents[3] / "config" / "hitl"

    shown = {path.name: path.read_text("utf-8") for path in folder.iterdir()}

    assert set(shown) == set(FILES)
    assert load(shown) == default_policy()
