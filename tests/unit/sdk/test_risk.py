"""Assessing a task by a rules file alone: in the short form that people have, and in the default policy's long one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from handrail_sdk import errors
from handrail_sdk.risk import RiskAssessor

SHORT = """
risk_levels:
  low: {auto_approve: true, notify: false}
  medium: {auto_approve: false, notify: true, approvers: [team_lead, tech_lead, cto]}
  high: {auto_approve: false, notify: true, approvers: [tech_lead, cto], escalate_after: 30m}
  critical: {auto_approve: false, notify: true, approvers: [cto], require_justification: true}
triggers:
  delete_production: critical
  deploy_production: high
  modify_infrastructure: high
  security_finding_critical: critical
  security_finding_high: high
  cost_above_threshold: medium
  data_export: high
"""
DEFAULT = Path(__file__).parents[3] / "config" / "hitl" / "risk-assessment-rules.yaml"
TASKS: list[tuple[dict[str, Any], str]] = [
    ({"operation": "delete", "environment": "production"}, "critical"),
    ({"operation": "Deploy", "environment": "production"}, "high"),
    ({"operation": "modify", "resource_type": "infrastructure"}, "high"),
    ({"operation": "scale", "resource_type": "infrastructure_network"}, "high"),
    ({"operation": "read", "environment": "development", "security_findings": [{"severity": "critical"}]}, "critical"),
    ({"operation": "read", "environment": "development", "security_findings": ["HIGH"]}, "high"),
    ({"operation": "read", "environment": "development", "estimated_cost": 101}, "medium"),
    ({"operation": "read", "environment": "development", "estimated_cost": 100}, "low"),
    ({"operation": "export", "environment": "development"}, "high"),
    ({"operation": "knit"}, "low"),
]


@pytest.fixture
def short(tmp_path: Path) -> RiskAssessor:
    file = tmp_path / "risk-assessment-rules.yaml"
    file.write_text(SHORT)
    return RiskAssessor(file)


@pytest.mark.parametrize(("task", "level"), TASKS, ids=str)
def test_a_task_has_its_level_in_both_forms(short: RiskAssessor, task: dict[str, Any], level: str) -> None:
    assert short.assess_task(task) == level
    assert RiskAssessor(DEFAULT).assess_task(task) == level


def test_who_must_approve(short: RiskAssessor) -> None:
    assert [short.requires_approval(level) for level in ("low", "medium", "high", "critical")] == [
        False,
        True,
        True,
        True,
    ]
    assert short.get_approvers("medium") == ["team_lead", "tech_lead", "cto"]
    assert short.get_approvers("critical") == ["cto"]
    assert RiskAssessor(DEFAULT).get_approvers("critical") == ["cto", "security_team", "tech_lead"]
    assert RiskAssessor(DEFAULT).assess_task({"operation": "destroy", "environment": "prod"}) == "critical"


@pytest.mark.parametrize(
    "text", ["triggers: {sometimes: high}", "triggers: {deploy_production: dreadful}", "- a", "a: ["]
)
def test_a_file_that_says_something_else_is_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "rules.yaml"
    file.write_text(text)
    with pytest.raises(errors.Misconfigured):
        RiskAssessor(file)
    with pytest.raises(errors.Misconfigured, match="cannot be read"):
        RiskAssessor(tmp_path / "nowhere.yaml")
