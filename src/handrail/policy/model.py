"""A policy as values: levels, rules, who may approve what, and how people are notified."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta

from handrail.core.canonical import Json
from handrail.core.holds import Action, Origin
from handrail.core.risk import ExpiryOutcome, Level, Requirements
from handrail.core.thresholds import Groups

from .actions import Executor, Registration, Registrations, named
from .conditions import Condition
from .index import Index
from .patterns import Aliases, Names
from .redaction import Redaction
from .schedule import Schedule


@dataclass(frozen=True, slots=True)
class Match:
    """What a rule looks at. Every field that is given must fit; a list fits where one of its entries does."""

    operation: Names | None = None
    action: Names | None = None
    environment: Names | None = None
    resource_type: Names | None = None
    security_finding: Level | None = None
    cost_over: float | None = None
    data_leaves: bool = False
    origin: Origin | None = None
    condition: Condition | None = None

    @property
    def needs(self) -> frozenset[str]:
        """What must be known of an action, besides names, for it to fit."""
        wanted = {"finding": self.security_finding, "cost": self.cost_over, "data_leaves": self.data_leaves or None}
        return frozenset(name for name, value in wanted.items() if value is not None)

    @property
    def identifies(self) -> bool:
        """Whether it says what is done. A rule that does not can raise the level of an unknown action, never lower."""
        return self.operation is not None or self.action is not None


@dataclass(frozen=True, slots=True)
class Rule:
    """Gives what it matches a level."""

    id: str
    level: Level
    match: Match
    description: str = ""


@dataclass(frozen=True, slots=True)
class Approval:
    """Says who must approve what it matches."""

    id: str
    match: Match
    groups: Groups
    justification: bool = False


@dataclass(frozen=True, slots=True)
class LevelTerms:
    """What a level asks for where a hold of kind approval has it."""

    groups: Groups
    requirements: Requirements
    """The same as frozen on a hold, where no approval rule adds to it."""
    auto_approve: bool = False
    notify: tuple[str, ...] = ()
    escalate_after: timedelta | None = None
    escalate_to: frozenset[str] = frozenset()
    timeout: timedelta | None = None
    remind_before: timedelta | None = None
    on_expiry: ExpiryOutcome = "expire"


@dataclass(frozen=True, slots=True)
class Route:
    """Whom to notify and how: channels in order, the next if one fails."""

    channels: tuple[str, ...]
    to: frozenset[str] = frozenset()
    """Roles, or `approvers` for those who may decide the hold, `on_call` for the people on call."""
    cases: Names | None = None
    """Only holds of these cases."""
    teams: frozenset[str] = frozenset()
    """Only holds that need the approval of one of these roles."""


@dataclass(frozen=True, slots=True)
class Policy:
    """Compiled once, immutable. Two policies are equal where their text and version are."""

    source: Mapping[str, str]
    """The text of each file, by name."""
    levels: Mapping[Level, LevelTerms] = field(compare=False, repr=False)
    roles: Mapping[str, frozenset[Level]] = field(compare=False, repr=False)
    """What each role may approve."""
    rules: Index[Rule] = field(compare=False, repr=False)
    approvals: Index[Approval] = field(compare=False, repr=False)
    actions: Registrations = field(compare=False, repr=False)
    executors: Mapping[str, Executor] = field(compare=False, repr=False)
    targets: Mapping[str, tuple[str, ...]] = field(compare=False, repr=False)
    """What depends on each target that the operator declared."""
    aliases: Mapping[str, Aliases] = field(compare=False, repr=False)
    """Of operations, environments and resource types."""
    environments: Names = field(compare=False, repr=False)
    """Those that a rule or an alias names."""
    routes: Mapping[str, Route] = field(compare=False, repr=False)
    redaction: Redaction = field(compare=False, repr=False)
    schedule: Schedule = field(compare=False, repr=False)
    may_approve: Mapping[Level, frozenset[str]] = field(compare=False, repr=False)
    version: int = 0

    @property
    def approver_roles(self) -> frozenset[str]:
        return frozenset(role for role, levels in self.roles.items() if levels)

    def registered(self, action: Action) -> tuple[Registration, ...]:
        """What the operator says about actions of this name, whatever their arguments."""
        return self.actions.about(named(action)).entries

    def redact(self, value: Json) -> Json:
        """The value with sensitive fields redacted, at any depth."""
        return self.redaction.apply(value)

    def redact_text(self, text: str, beside: Json) -> str:
        """A text without the sensitive values of the data that comes with it."""
        return self.redaction.apply_to_text(text, beside)
