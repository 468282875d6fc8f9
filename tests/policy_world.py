"""Policies for tests: the default's texts with some of them replaced."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from handrail.core.canonical import JsonObject
from handrail.core.errors import Misconfigured
from handrail.core.holds import Action, Kind
from handrail.core.risk import Assessment, Level
from handrail.policy import Policy, assess, default_policy, load
from handrail.policy.loading import APPROVALS, RULES, TRIGGERS

SOURCE = default_policy().source
LEVELS = SOURCE[RULES].split("\nrules:\n")[0]

SMALL = {
    RULES: "levels: {low: {auto_approve: true}, medium: {}, high: {}, critical: {}}\n",
    TRIGGERS: "",
    APPROVALS: "roles: {cto: {may_approve: [low, medium, high, critical]}}\n",
}
"""The least that is a policy: quick to read, for tests that look at one file."""


def files(*, rules: str | None = None, triggers: str = "", approvals: str | None = None) -> dict[str, str]:
    """The three files. `rules` and `triggers` are lists in YAML; the default's levels and aliases stay."""
    return {
        RULES: f"{LEVELS}\nrules:\n{rules}" if rules is not None else SOURCE[RULES],
        TRIGGERS: f"triggers:\n{triggers}",
        APPROVALS: SOURCE[APPROVALS] if approvals is None else approvals,
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
    default: Level = Level.medium,
) -> Assessment:
    return assess(of, kind=kind, action=Action(name, args or {}), task=task, default=default)


def problems(texts: dict[str, str]) -> list[str]:
    with pytest.raises(Misconfigured) as refused:
        load(texts)
    return refused.value.message.splitlines()


def _list(entries: Sequence[str]) -> str:
    return "".join(f"  - {entry}\n" for entry in entries)
