"""Policies for tests: the default's texts with some of them replaced."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from handrail.core.canonical import JsonObject
from handrail.core.errors import Misconfigured
from handrail.core.holds import Action, Kind, Origin
from handrail.core.risk import Assessment
from handrail.policy import Policy, assess, default_policy, load
from handrail.policy.loading import ACTIONS, APPROVALS, RULES, TRIGGERS

SOURCE = default_policy().source
LEVELS = SOURCE[RULES].split("\nrules:\n")[0]

SMALL = {
    RULES: "levels: {low: {auto_approve: true}, medium: {}, high: {}, critical: {}}\n",
    TRIGGERS: "",
    APPROVALS: "roles: {cto: {may_approve: [low, medium, high, critical]}}\n",
    ACTIONS: "",
}
"""The least that is a policy: quick to read, for tests that look at one file."""


def files(
    *, rules: str | None = None, triggers: str = "", approvals: str | None = None, actions: str = ""
) -> dict[str, str]:
    """The four files. `rules` and `triggers` are lists in YAML; the default's levels and aliases stay."""
    return {
        RULES: f"{LEVELS}\nrules:\n{rules}" if rules is not None else SOURCE[RULES],
        TRIGGERS: f"triggers:\n{triggers}",
        APPROVALS: SOURCE[APPROVALS] if approvals is None else approvals,
        ACTIONS: actions,
    }


def policy(*, rules: Sequence[str] = (), operations: Sequence[str] | None = None) -> Policy:
    """A policy of these rules alone, each a mapping in YAML on one line."""
    approvals = SOURCE[APPROVALS]
    if operations is not None:
        start, end = approvals.index("\noperations:"), approvals.index("\nroutes:")
        approvals = f"{approvals[:start]}\noperations:\n{_list(operations)}{approvals[end:]}"
    return load(files(rules=_list(rules), approvals=approvals))


def assessed(
    of: Policy,
    task: JsonObject | None = None,
    *,
    name: str = "some_tool",
    args: JsonObject | None = None,
    kind: Kind = Kind.approval,
    target: str | None = None,
    trusted: bool = True,
    origin: Origin | None = None,
) -> Assessment:
    """With claims that are trusted, where nothing else is said: then a task has the level that its rules give it."""
    action = Action(name, args or {}, target)
    return assess(of, kind=kind, action=action, claims=task, trusted=trusted, origin=origin)


def of_task(of: Policy, task: JsonObject, *, trusted: bool = False) -> Assessment:
    """As `/orchestrate` assesses it."""
    environment = task.get("environment")
    action = Action(str(task["operation"]), task, environment if isinstance(environment, str) else None)
    return assess(of, kind=Kind.approval, action=action, trusted=trusted, origin="task")


def problems(texts: dict[str, str]) -> list[str]:
    with pytest.raises(Misconfigured) as refused:
        load(texts)
    return refused.value.message.splitlines()


def _list(entries: Sequence[str]) -> str:
    return "".join(f"  - {entry}\n" for entry in entries)
