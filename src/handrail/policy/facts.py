"""What is known about an action, and what is claimed about it. What cannot be read is noted, and never lowers anything.

Facts follow from the action itself, by the policy's registered actions. Everything else is a claim.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from handrail.core.canonical import Json, JsonObject
from handrail.core.holds import Action, Origin
from handrail.core.risk import Fact, FiredRule, Level

from . import conditions, texts
from .actions import RECORD, About, Registration, Source, at, named
from .conditions import Unanswered, Values
from .derivers import names
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
REFUSED = "refused_before"
COUNTED = "Handrail's own count"

RESERVED = DECLARED, DEFAULT, UNREADABLE, ALTERED, UNCLEAR, UNKNOWN, FLOOR = (
    "declared",
    "default",
    "unreadable",
    "look-alike",
    "unclear",
    "unknown-environment",
    "floor",
)
"""What fires without a rule of the file: a risk that is declared, the level of what no rule matches, a value that
cannot be read, a name that looks like another, a text that cannot be read through, an environment that no rule matches,
and the least that a registered action or an executor counts as."""

_NOTHING: frozenset[str] = frozenset()

Spellings = tuple[str, ...]
"""The names of a thing: the one that an alias means, and the one that was given."""


@dataclass(slots=True)
class View:
    """What rules look at."""

    action: Spellings
    operations: list[Spellings] = field(default_factory=list[Spellings])
    environments: list[Spellings] = field(default_factory=list[Spellings])
    resource_types: list[Spellings] = field(default_factory=list[Spellings])
    cost: float | None = None
    finding: Level | None = None
    declared: Level | None = None
    """The risk that is claimed: it may raise the level."""
    data_leaves: bool = False
    origin: Origin | None = None
    values: dict[str, Json] = field(default_factory=dict[str, Json])

    @property
    def given(self) -> frozenset[str]:
        """By the names of `Match.needs`."""
        if self.cost is None and self.finding is None and not self.data_leaves:
            return _NOTHING
        known = {"finding": self.finding is not None, "cost": self.cost is not None, "data_leaves": self.data_leaves}
        return frozenset(name for name, there in known.items() if there)

    @property
    def operation(self) -> Spellings:
        return flat(self.operations)


def flat(values: Iterable[Spellings]) -> Spellings:
    return tuple(name for value in values for name in value)


@dataclass(slots=True)
class Facts:
    """`known` is what follows from the action; `told` adds what is claimed about it, if anything."""

    known: View
    told: View
    found: list[Fact] = field(default_factory=list[Fact])
    raised: list[FiredRule] = field(default_factory=list[FiredRule])
    """What fires without a rule."""
    requester_may_decide: bool = False


def read(
    policy: Policy, action: Action, claims: JsonObject | None, origin: Origin | None, refused_before: int
) -> Facts:
    return _Reader(policy, action, origin, refused_before).read(claims or {})


def task_of(args: JsonObject) -> JsonObject:
    """What a task of `/orchestrate` says about itself in its action's arguments."""
    return {name: value for name, value in args.items() if name not in ("executor", "payload")}


class _Reader:
    def __init__(self, policy: Policy, action: Action, origin: Origin | None, refused_before: int) -> None:
        self._policy = policy
        self._counted: JsonObject = {REFUSED: refused_before} if refused_before else {}
        self._action = action
        self._name = named(action)
        # what a skill's own tool does stays in its sandbox, whatever it is called
        self._about = policy.actions.about(self._name) if origin != "skill_sandbox" else About((), ())
        given: JsonObject = {"name": action.name, "args": action.args, "target": action.target}
        self._view = View(self._name.spellings, origin=origin, values={"action": given, "task": {}})
        self._facts = Facts(self._view, self._view)
        self._values: Values | None = None

    def read(self, claims: JsonObject) -> Facts:
        self._look_alikes()
        if self._view.origin == "task":
            claims = {**claims, **self._read_task()}
        for entry in self._about.entries:
            if self._applies(entry):
                self._register(entry)
        if self._action.target is not None:
            self._take_environment(self._action.target, "the target", explicit=False)
        self._view.values["task"] = {fact.name: fact.value for fact in self._facts.found} | self._counted
        for name, value in self._counted.items():
            self._note(name, str(value), COUNTED)
        if claims:
            self._facts.told = self._with(claims)
        return self._facts

    def _look_alikes(self) -> None:
        if self._name.altered:
            self._raise(ALTERED, Level.medium, f"the name is not what it looks like: {ascii(self._action.name)[:120]}")
        target = self._action.target
        if target is not None and names.fold(target).changed:
            self._raise(ALTERED, Level.medium, f"the target is not what it looks like: {ascii(target)[:120]}")

    def _read_task(self) -> JsonObject:
        """Name, target and resource type of a task are facts; whatever else it says can only raise the level.

        What is carried out are the arguments, which an amendment may have made differ from name and target.
        """
        said = task_of(self._action.args)
        for operation in (self._action.name, said.get("operation")):
            self._take("operation", operation, "the task")
        for environment in (self._action.target, said.get("environment")):
            self._take("environment", environment, "the task")
        self._take("resource_type", said.get("resource_type"), "the task")
        executor = self._action.args.get("executor", RECORD)
        if executor != RECORD:
            known = self._policy.executors.get(executor) if isinstance(executor, str) else None
            floor = known.floor if known else Level.high
            self._raise(FLOOR, floor, f"the executor {executor!r:.100} is never below {floor}")
        return {name: value for name, value in said.items() if name not in ("operation", "environment")}

    def _applies(self, entry: Registration) -> bool:
        if entry.when is None:
            return True
        try:
            return entry.when.holds(self._ready())
        except Unanswered as error:
            self._raise(UNCLEAR, Level.high, f"the condition of `{entry.id}` returned no answer: {error}")
            return True

    def _register(self, entry: Registration) -> None:
        source = f"the name, registered as `{entry.id}`"
        for fact, said in entry.facts.items():
            for value, where in self._said(entry, said, source):
                self._take(fact, value, where)
        if entry.text is not None:
            self._parse(entry)
        if entry.floor is not None:
            self._raise(FLOOR, entry.floor, f"`{entry.id}` is never below {entry.floor}")
        # a name that only looks like a registered one gets its level, not its privilege
        self._facts.requester_may_decide |= entry.requester_may_decide and not self._name.altered

    def _said(self, entry: Registration, said: Source, source: str) -> Iterator[tuple[Json, str]]:
        for written in said.written:
            yield written, source
        for place in said.places:
            value = at(self._action, place)
            if value is not None:
                yield value, f"`{'.'.join(place)}`"
        if said.expression is not None:
            try:
                value = said.expression.value(self._ready())
            except Unanswered as error:
                self._raise(UNCLEAR, Level.high, f"an expression of `{entry.id}` returned no answer: {error}")
                return
            if value is not None and value != "":
                yield value, f"an expression of `{entry.id}`"

    def _parse(self, entry: Registration) -> None:
        assert entry.text is not None
        for reading in texts.read(self._action, entry.text):
            for operation in sorted(reading.operations):
                self._take("operation", operation, reading.reason)
            for resource in sorted(reading.resources):
                self._take("resource_type", resource, reading.reason)
            if reading.hosts and not reading.is_plain_read:
                self._take("data_leaves", True, reading.reason)
            if reading.unclear is not None:
                self._raise(UNCLEAR, Level.medium, reading.unclear)

    def _take(self, fact: str, value: Json, source: str) -> None:
        """Note one fact of the action."""
        view = self._view
        match fact:
            case "estimated_cost":
                cost = _cost(value)
                if cost is None:
                    self._raise(UNREADABLE, Level.high, f"{source}: the cost is not a number of 0 or more")
                    return
                view.cost = max(view.cost or 0.0, cost)
            case "data_leaves":
                if value is False or value == "false":
                    return
                view.data_leaves, value = True, "yes"
            case "environment":
                if value is not None:
                    self._take_environment(value, source, explicit=True)
                return
            case _:
                spelt = self._spelt(fact, value, source)
                if spelt is None:
                    return
                _add(view.operations if fact == "operation" else view.resource_types, spelt)
                value = spelt[0]
        self._note(fact, f"{value:g}" if isinstance(value, float) else str(value), source)

    def _take_environment(self, value: Json, source: str, *, explicit: bool) -> None:
        """An environment that is named as one counts even where no rule matches it; a target may be anything else."""
        spelt = self._spelt("environment", value, source)
        if spelt is None or (not explicit and not self._policy.environments.fit(spelt)):
            return
        _add(self._view.environments, spelt)
        self._note("environment", spelt[0], source)
        if explicit:
            self._raise_unknown(spelt)

    def _raise_unknown(self, spelt: Spellings) -> None:
        if not self._policy.environments.fit(spelt):
            self._raise(UNKNOWN, Level.medium, f"No rule matches the environment {spelt[-1][:MAX_NAME]!r}")

    def _spelt(self, kind: str, value: Json, source: str) -> Spellings | None:
        if value is None or value == "":
            return None
        if not isinstance(value, str) or len(value) > MAX_NAME:
            self._raise(UNREADABLE, Level.high, f"{kind} of {source} is not text of at most {MAX_NAME} characters")
            return None
        return self._policy.aliases[kind].spellings(value)

    def _with(self, claims: JsonObject) -> View:
        """The view with the claims added to what is known."""
        view = self._view
        told = replace(
            view,
            operations=[*view.operations],
            environments=[*view.environments],
            resource_types=[*view.resource_types],
            values={**view.values, "task": {**self._known_as_task(), **claims, **self._counted}},
        )
        if (operation := self._spelt("operation", claims.get("operation"), "the claims")) is not None:
            _add(told.operations, operation)
        if (environment := self._spelt("environment", claims.get("environment"), "the claims")) is not None:
            _add(told.environments, environment)
            self._raise_unknown(environment)
        if (resource := self._spelt("resource_type", claims.get("resource_type"), "the claims")) is not None:
            _add(told.resource_types, resource)
        if (claimed := claims.get("estimated_cost")) is not None:
            cost = _cost(claimed)
            if cost is None:
                self._raise(UNREADABLE, Level.high, "estimated_cost is not a number of 0 or more")
            else:
                told.cost = max(view.cost or 0.0, cost)
        told.finding = self._finding(claims.get("security_findings"))
        told.declared = self._declared(claims.get("risk"))
        return told

    def _known_as_task(self) -> JsonObject:
        known = self._view.values["task"]
        return known if isinstance(known, dict) else {}

    def _finding(self, findings: Json) -> Level | None:
        """The highest severity of the findings."""
        highest: Level | None = None
        for severity in _severities(findings):
            level = _SEVERITIES.get(normalise(severity)) if isinstance(severity, str) else None
            if level is None:
                self._raise(UNREADABLE, Level.high, "security_findings has a finding without a known severity")
            elif highest is None or level.rank > highest.rank:
                highest = level
        return highest

    def _declared(self, risk: Json) -> Level | None:
        if risk is None:
            return None
        level = _SEVERITIES.get(normalise(risk)) if isinstance(risk, str) else None
        if level is None:
            self._raise(UNREADABLE, Level.high, f"risk is not one of {', '.join(Level)}")
        return level

    def _note(self, name: str, value: str, source: str) -> None:
        fact = Fact(name, value, source)
        if fact not in self._facts.found:
            self._facts.found.append(fact)

    def _raise(self, rule: str, level: Level, reason: str) -> None:
        fired = FiredRule(rule, level, reason)
        if fired not in self._facts.raised:
            self._facts.raised.append(fired)

    def _ready(self) -> Values:
        if self._values is None:
            self._values = conditions.prepare(self._view.values, self._about.paths)
        return self._values


def _add(values: list[Spellings], value: Spellings) -> None:
    if value not in values:
        values.append(value)


def _cost(value: Json) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= sys.float_info.max:
        return None
    return float(value)


def _severities(findings: Json) -> list[Json]:
    """Of a list of findings, `{severity: …}` each or just the word; of one such; or of counts by severity."""
    if findings is None:
        return []
    if isinstance(findings, dict) and "severity" not in findings:
        return [severity for severity, count in findings.items() if count != 0]
    several = findings if isinstance(findings, list) else [findings]
    return [finding.get("severity") if isinstance(finding, dict) else finding for finding in several]
