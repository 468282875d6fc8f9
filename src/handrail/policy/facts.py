"""What the rules look at, read from an action and its task. What cannot be read is noted, and never lowers anything."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field

from handrail.core.canonical import Json, JsonObject
from handrail.core.holds import Action
from handrail.core.risk import Level

from .model import Policy
from .patterns import normalise

_SEVERITIES: Mapping[str, Level] = {
    **{level.value: level for level in Level},
    "none": Level.low,
    "info": Level.low,
    "informational": Level.low,
    "moderate": Level.medium,
}

MAX_NAME = 200

RESERVED = DECLARED, DEFAULT, UNREADABLE = ("declared", "default", "unreadable")
"""What fires without a rule: a risk that the task declares, the level of the unknown, a value that cannot be read."""


@dataclass(slots=True)
class Facts:
    """The first four are the names a thing goes by: what an alias means, and what stood there."""

    action: tuple[str, ...]
    operation: tuple[str, ...]
    """The task's; of a bare tool call, its name."""
    environment: tuple[str, ...]
    resource_type: tuple[str, ...]
    cost: float | None = None
    finding: Level | None = None
    declared: Level | None = None
    """The risk that the task itself claims: it may raise the level."""
    unreadable: set[str] = field(default_factory=set[str])
    values: dict[str, Json] = field(default_factory=dict[str, Json])


def read(policy: Policy, action: Action, task: JsonObject | None) -> Facts:
    given: JsonObject = task or {}
    unreadable: set[str] = set()
    name = normalise(action.name)
    facts = Facts(
        action=(name,),
        operation=_names(policy, "operation", given, unreadable) or _meant(policy, "operation", name),
        environment=_names(policy, "environment", given, unreadable) or ("",),
        resource_type=_names(policy, "resource_type", given, unreadable) or ("",),
        unreadable=unreadable,
        values={"task": given, "action": {"name": action.name, "args": action.args, "target": action.target}},
    )
    _read_cost(facts, given.get("estimated_cost"))
    _read_findings(facts, given.get("security_findings"))
    _read_declared(facts, given.get("risk"))
    return facts


def _names(policy: Policy, kind: str, task: JsonObject, unreadable: set[str]) -> tuple[str, ...]:
    value = task.get(kind)
    if value is None:
        return ()
    if not isinstance(value, str) or len(value) > MAX_NAME:
        unreadable.add(f"{kind} is not text of at most {MAX_NAME} characters")
        return ()
    return _meant(policy, kind, normalise(value))


def _meant(policy: Policy, kind: str, name: str) -> tuple[str, ...]:
    meant = policy.aliases[kind].meant(name)
    return (name,) if meant == name else (meant, name)


def _read_cost(facts: Facts, cost: Json) -> None:
    if cost is None:
        return
    if isinstance(cost, bool) or not isinstance(cost, int | float) or not 0 <= cost <= sys.float_info.max:
        facts.unreadable.add("estimated_cost is not a number from 0 up")
    else:
        facts.cost = float(cost)


def _read_findings(facts: Facts, findings: Json) -> None:
    """The highest severity of the findings."""
    for severity in _severities(findings):
        level = _SEVERITIES.get(normalise(severity)) if isinstance(severity, str) else None
        if level is None:
            facts.unreadable.add("security_findings has one without a known severity")
        elif facts.finding is None or level.rank > facts.finding.rank:
            facts.finding = level


def _severities(findings: Json) -> list[Json]:
    """Of a list of findings, `{severity: …}` each or just the word; of one such; or of counts by severity."""
    if findings is None:
        return []
    if isinstance(findings, dict) and "severity" not in findings:
        return [severity for severity, count in findings.items() if count != 0]
    several = findings if isinstance(findings, list) else [findings]
    return [finding.get("severity") if isinstance(finding, dict) else finding for finding in several]


def _read_declared(facts: Facts, risk: Json) -> None:
    if risk is None:
        return
    level = _SEVERITIES.get(normalise(risk)) if isinstance(risk, str) else None
    if level is None:
        facts.unreadable.add(f"risk is not one of {', '.join(Level)}")
    else:
        facts.declared = level
