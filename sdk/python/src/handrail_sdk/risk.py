"""How risky a task is, by the rules file alone: for programs that want to know before they ask.

The server assesses again by all of its policy, and its word counts. Here, what no rule matches is low, and rules that
look at more than operation, environment, resource type, finding and cost are left to the server.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, cast

from .errors import Misconfigured
from .workflows import AsyncHITLManager, HITLManager

__all__ = ["AsyncHITLManager", "HITLManager", "RiskAssessor"]

LEVELS = ("low", "medium", "high", "critical")
LOOKED_AT = {"operation", "environment", "resource_type", "security_finding", "cost_over"}
KNOWN: Mapping[str, Mapping[str, Any]] = {
    "security_finding_critical": {"security_finding": "critical"},
    "security_finding_high": {"security_finding": "high"},
    "cost_above_threshold": {"cost_over": 100},
    "data_export": {"operation": ["export", "export_*", "*_export", "data_export"]},
    "modify_infrastructure": {
        "operation": ["configure", "create", "delete", "migrate", "modify", "scale", "update", "write"],
        "resource_type": ["infrastructure", "infrastructure_*"],
    },
}
Json = Mapping[str, Any]


class RiskAssessor:
    """By a rules file in the short form (`risk_levels`, `triggers`) or the long one (`levels`, `rules`)."""

    def __init__(self, path: str | Path = "config/hitl/risk-assessment-rules.yaml") -> None:
        file = Path(path)
        rules = _read(file)
        self._levels: Json = rules.get("risk_levels") or rules.get("levels") or {}
        self._aliases: Json = rules.get("aliases") or {}
        self._rules = [*_triggers(rules.get("triggers")), *_long(rules.get("rules"))]
        beside = file.with_name("interrupt-triggers.yaml")
        if "levels" in rules and beside.exists():
            self._rules += _long(_read(beside).get("triggers"))
        approvals = file.with_name("approval-policies.yaml")
        self._roles: Json = (_read(approvals).get("roles") or {}) if approvals.exists() else {}

    def assess_task(self, task: Mapping[str, object]) -> str:
        """The highest level of all rules that match; low where none does."""
        fired = [level for match, level in self._rules if self._fits(match, task)]
        return max(fired, key=LEVELS.index, default="low")

    def requires_approval(self, risk_level: str) -> bool:
        """Whether the level waits for a person; only low can be without."""
        return not (_level(risk_level) == "low" and self._terms("low").get("auto_approve", True))

    def get_approvers(self, risk_level: str) -> list[str]:
        """The roles of which someone approves this level."""
        named = self._terms(_level(risk_level)).get("approvers")
        if named:
            return [str(role) for role in named]
        may: dict[str, Json] = {role: cast("Json", rights or {}) for role, rights in self._roles.items()}
        return sorted(role for role, rights in may.items() if risk_level in rights.get("may_approve", []))

    def _terms(self, level: str) -> Json:
        return self._levels.get(level) or {}

    def _fits(self, match: Json, task: Mapping[str, object]) -> bool:
        return all(self._one(name, wanted, task) for name, wanted in match.items())

    def _one(self, name: str, wanted: Any, task: Mapping[str, object]) -> bool:
        if name == "security_finding":
            found = _findings(task.get("security_findings"))
            return any(LEVELS.index(one) >= LEVELS.index(wanted) for one in found)
        if name == "cost_over":
            cost = task.get("estimated_cost")
            return isinstance(cost, int | float) and not isinstance(cost, bool) and cost > float(wanted)
        patterns = [str(one).lower() for one in (cast("list[Any]", wanted) if isinstance(wanted, list) else [wanted])]
        value = task.get(name)
        if value is None:
            return "absent" in patterns
        meant = self._meant(name, str(value).strip().lower())
        return any(fnmatchcase(spelling, pattern) for spelling in meant for pattern in patterns)

    def _meant(self, kind: str, value: str) -> set[str]:
        others: Json = self._aliases.get(kind) or {}
        return {value} | {
            name for name, spellings in others.items() if any(fnmatchcase(value, str(one).lower()) for one in spellings)
        }


def _triggers(given: Any) -> Iterator[tuple[Json, str]]:
    for name, level in cast("Json", given or {}).items():
        parts = name.split("_")
        if name not in KNOWN and (len(parts) < 2 or not all(parts)):
            raise Misconfigured(
                f"the trigger {name!r} is none of {', '.join(KNOWN)}, and not <operation>_<environment>"
            )
        matches: list[Json] = [KNOWN[name]] if name in KNOWN else []
        for place in range(1, len(parts) if name not in KNOWN else 0):
            operation, what = "_".join(parts[:place]), "_".join(parts[place:])
            matches += [{"operation": operation, kind: what} for kind in ("environment", "resource_type")]
        yield from ((match, _level(level)) for match in matches)


def _long(given: Any) -> Iterator[tuple[Json, str]]:
    for rule in cast("list[Json]", given or []):
        match = {name: value for name, value in rule.items() if name not in {"id", "level", "description"}}
        if match.keys() <= LOOKED_AT:
            yield match, _level(rule.get("level"))


def _level(given: object) -> str:
    if given not in LEVELS:
        raise Misconfigured(f"{given!r} is no level: there are {', '.join(LEVELS)}")
    return str(given)


def _findings(given: object) -> list[str]:
    """The severities of what was found: of names, of objects with a `severity`, or by number of each."""
    if isinstance(given, Mapping):
        counted = cast("Json", given)
        given = [name for name, number in counted.items() if number]
    listed = cast("list[Any]", given) if isinstance(given, list) else [given]
    named = [cast("Json", one).get("severity") if isinstance(one, Mapping) else one for one in listed]
    return [str(one).lower() for one in named if str(one).lower() in LEVELS]


def _read(file: Path) -> Json:
    try:
        from ruamel.yaml import YAML
        from ruamel.yaml.error import YAMLError
    except ImportError:
        raise Misconfigured("reading rules needs YAML: pip install 'handrail-sdk[risk]'") from None
    try:
        reader = YAML(typ="safe", pure=True)
        found: Any = reader.load(file.read_text("utf-8"))  # pyright: ignore[reportUnknownMemberType] - typed in part
    except (OSError, YAMLError) as error:
        raise Misconfigured(f"{file} cannot be read: {error}") from None
    if not isinstance(found, dict):
        raise Misconfigured(f"{file} must be a mapping with `risk_levels` and `triggers`, or `levels` and `rules`")
    return cast("Json", found)
