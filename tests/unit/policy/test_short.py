"""The short form of a policy: accepted as people have it, in one file; what it does not say is the default's."""

from __future__ import annotations

from datetime import timedelta

import pytest
from policy_world import of_task

from handrail.core.canonical import JsonObject
from handrail.core.errors import Misconfigured
from handrail.core.risk import Level
from handrail.policy import FILES, default_policy, load

RULES = "risk-assessment-rules.yaml"
# as it stands in projects that people bring along
SHORT = """
risk_levels:
  low:
    auto_approve: true
    notify: false
  medium:
    auto_approve: false
    notify: true
    approvers: [team_lead, tech_lead, cto]
  high:
    auto_approve: false
    notify: true
    approvers: [tech_lead, cto]
    escalate_after: 30m
  critical:
    auto_approve: false
    notify: true
    approvers: [cto]
    escalate_after: 15m
    require_justification: true

triggers:
  delete_production: critical
  deploy_production: high
  modify_infrastructure: high
  security_finding_critical: critical
  security_finding_high: high
  cost_above_threshold: medium
  data_export: high
"""
low, medium, high, critical = Level
DELETED: JsonObject = {"operation": "delete", "environment": "production"}
FOUND: JsonObject = {"operation": "read", "environment": "development", "security_findings": [{"severity": "critical"}]}
TASKS: list[tuple[JsonObject, Level]] = [
    (DELETED, critical),
    ({"operation": "deploy", "environment": "prod"}, high),
    ({"operation": "modify", "environment": "development", "resource_type": "infrastructure"}, high),
    ({"operation": "scale", "environment": "development", "resource_type": "infrastructure_network"}, high),
    (FOUND, critical),
    ({"operation": "read", "environment": "development", "security_findings": [{"severity": "high"}]}, high),
    ({"operation": "read", "environment": "development", "estimated_cost": 101}, medium),
    ({"operation": "read", "environment": "development", "estimated_cost": 100}, low),
    ({"operation": "export", "environment": "development"}, high),
    ({"operation": "read", "environment": "development"}, low),
]


def problems_of(text: str) -> str:
    with pytest.raises(Misconfigured) as refused:
        load({RULES: text})
    return refused.value.message


@pytest.mark.parametrize(("task", "level"), TASKS, ids=str)
def test_its_triggers_are_in_force_and_in_the_default_policy_too(task: JsonObject, level: Level) -> None:
    assert of_task(load({RULES: SHORT}), task).level is level
    assert of_task(default_policy(), task).level is level


def test_its_levels_are_in_force_and_the_rest_is_the_defaults() -> None:
    policy, usual = load({RULES: SHORT}), default_policy()
    assert policy.levels[medium].requirements.roles == {"team_lead", "tech_lead", "cto"}
    assert policy.levels[high].requirements.roles == {"tech_lead", "cto"}
    assert (policy.levels[high].escalate_after, policy.levels[high].timeout) == (
        timedelta(minutes=30),
        usual.levels[high].timeout,
    )
    assert policy.levels[critical].requirements.justification
    assert policy.levels[critical].requirements.own_credential
    assert [policy.levels[level].auto_approve for level in Level] == [True, False, False, False]
    assert policy.levels[low].notify == ()
    assert policy.roles == usual.roles
    assert {action.id for action in policy.actions} == {action.id for action in usual.actions}


def test_its_approvers_are_any_of_those_named_and_what_an_operation_needs_stays() -> None:
    policy, usual = load({RULES: SHORT}), default_policy()
    found = of_task(policy, FOUND).requirements
    assert (found.approvals, found.roles, found.required) == (1, {"cto"}, ())
    assert found.justification
    assert of_task(usual, FOUND).requirements.approvals == 2
    # the default policy wants a tech lead and a CTO for deleting in production
    assert of_task(policy, DELETED).requirements == of_task(usual, DELETED).requirements
    unnamed = load({RULES: "risk_levels: {critical: {notify: false}}"})
    assert unnamed.levels[critical].requirements == usual.levels[critical].requirements


def test_notify_false_tells_nobody() -> None:
    policy = load({RULES: "risk_levels: {high: {notify: false}}"})
    assert policy.levels[high].notify == ()
    assert policy.levels[critical].notify == default_policy().levels[critical].notify


@pytest.mark.parametrize(
    ("trigger", "task"),
    [
        ("restart_staging", {"operation": "restart", "environment": "staging"}),
        ("rotate_key_production", {"operation": "rotate_key", "environment": "production"}),
        ("read_customer_list", {"operation": "read", "environment": "staging", "resource_type": "customer_list"}),
    ],
)
def test_a_trigger_of_ones_own_is_an_operation_and_an_environment_or_a_resource(trigger: str, task: JsonObject) -> None:
    found = of_task(load({RULES: f"triggers: {{{trigger}: critical}}"}), task)
    assert found.level is critical
    assert of_task(default_policy(), task).level is not critical


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("triggers: {sometimes: high}", "sometimes: is none of security_finding_critical"),
        ("triggers: {delete_: high}", "delete_: is none of"),
        ("triggers: {deploy_production: dreadful}", "must be one of low, medium, high, critical"),
        ("risk_levels: {medium: {auto_approve: true}}", "only low can be approved without a person"),
        ("risk_levels: {medium: {approvers: [auditor]}}", "auditor may not approve medium"),
        ("risk_levels: {medium: {approvers: [boss]}}", "there is no role 'boss'"),
        ("risk_levels: {medium: {notify: maybe}}", "must be true or false"),
        ("risk_levels: {medium: {colour: red}}", "unknown field"),
        ("risk_levels: {severe: {auto_approve: false}}", "unknown field"),
        ("risk_levels: {high: {escalate_after: 30h}}", "must be shorter than `timeout`"),
        ("risk_levels: {}\nrules: []", "unknown field"),
    ],
)
def test_anything_else_is_misconfigured_and_named_with_its_place(text: str, says: str) -> None:
    said = problems_of(text)
    assert says in said
    assert said.startswith(f"{RULES}:1:") or "\n" in text


def test_what_it_made_is_kept_and_loads_again_as_it_is() -> None:
    policy = load({RULES: SHORT})
    assert set(policy.source) == set(FILES)
    assert policy.source[RULES] == SHORT
    again = load(policy.source)
    assert again == policy
    assert again.levels == policy.levels
