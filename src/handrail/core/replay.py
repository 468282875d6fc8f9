"""What a changed policy would have made of a hold of the past."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, NamedTuple
from uuid import UUID

from . import kinds
from .holds import DecisionBasis, Hold, Kind, Status
from .ids import PrincipalId
from .risk import Assessment, Level, Requirements

Change = Literal["slips", "unasked", "weaker", "asked", "stricter", "same"]
"""`slips`: somebody said no or took it back, and nobody would be asked. `unasked`: people were asked, and nobody would
be. `weaker`: people would be asked, and less would do. `asked`: nobody had to be asked, and people would be.
`stricter`: more would be needed."""
CHANGES: tuple[Change, ...] = ("slips", "unasked", "weaker", "asked", "stricter", "same")
LOOSER: frozenset[Change] = frozenset({"slips", "unasked", "weaker"})

# as quickly as people read what they decide on; nobody decides in less time, or reads for longer
WORDS_PER_MINUTE = 200
LEAST_SECONDS, MOST_SECONDS = 20, 600
# of those that would slip through, so many are shown one by one
MOST_SLIPS = 200
_UNASKED: frozenset[DecisionBasis] = frozenset({"policy", "observation", "grant"})


@dataclass(frozen=True, slots=True)
class Replayed:
    """`reviews` are how many people had to say yes; `seconds` is what reading it once takes, by its length."""

    change: Change
    asked: bool
    would_ask: bool
    reviews: int
    would_review: int
    seconds: int
    enough: bool
    """Whether those who approved it would have been enough; true where nobody would be asked."""
    observed: bool
    """People would be asked, and were not because its agent was only observed."""


def replay(hold: Hold, would: Assessment) -> Replayed:
    """The hold as it was opened, with what the changed policy says of it."""
    was, kind = hold.assessment, hold.question.kind
    basis = hold.decision.basis if hold.decision else None
    asked, change = _asks(kind, was) and basis not in _UNASKED, _change(hold, was, would)
    # a grant that supplied what was required supplies the same once more
    would_ask = _asks(kind, would) and not (basis == "grant" and change == "same")
    approved = hold.status is Status.approved and asked
    return Replayed(
        change,
        asked,
        would_ask,
        was.requirements.approvals if asked else 0,
        would.requirements.approvals if would_ask else 0,
        seconds(hold) if asked or would_ask else 0,
        not approved or not would_ask or would.requirements.met_by(hold.approvers),
        would_ask and basis == "observation",
    )


def _asks(kind: Kind, terms: Assessment) -> bool:
    return not (kinds.rules(kind).by_policy and terms.auto_approve)


def _change(hold: Hold, was: Assessment, would: Assessment) -> Change:
    kind = hold.question.kind
    match _asks(kind, was), _asks(kind, would):
        case True, False:
            return "slips" if hold.status in (Status.rejected, Status.cancelled) else "unasked"
        case False, True:
            return "asked"
        case False, False:
            return "same"
        case _:
            # those whom an escalation added were not asked at first
            added = was.escalate_to if hold.escalated_at else frozenset[str]()
            if is_weaker(was.requirements, would.requirements, added):
                return "weaker"
            return "stricter" if is_weaker(would.requirements, was.requirements, would.escalate_to) else "same"


def is_weaker(was: Requirements, would: Requirements, added: frozenset[str] = frozenset()) -> bool:
    """Whether some people could meet `would` who do not meet `was`, as far as can be seen at once. Roles that were
    `added` to `was` do not count as asked for."""
    return (
        would.approvals < was.approvals
        or not would.roles - added <= was.roles
        or any(not any(group <= needed for group in would.required) for needed in was.required)
        or (was.justification and not would.justification)
        or (was.own_credential and not would.own_credential)
        or (was.passkey and not would.passkey)
    )


def seconds(hold: Hold) -> int:
    """An estimate, by the length of what is shown."""
    return min(max(round(60 * words(hold) / WORDS_PER_MINUTE), LEAST_SECONDS), MOST_SECONDS)


def words(hold: Hold) -> int:
    """How many are shown."""
    question = hold.question
    shown = [question.title, hold.description or ""]
    shown += [json.dumps(part, ensure_ascii=False) for part in (question.evidence, hold.context) if part is not None]
    if question.action is not None:
        shown.append(json.dumps(question.action.args, ensure_ascii=False))
    return sum(len(text.split()) for text in shown)


class Group(NamedTuple):
    """Holds of one action whose level and terms change in the same way."""

    change: Change
    action: str
    was: Level
    would: Level


@dataclass(frozen=True, slots=True)
class Shown:
    """As much of a hold as people need to look at it again; `because` is the rule that would decide."""

    id: UUID
    number: int
    title: str
    opened_at: datetime
    outcome: Status
    decided_by: PrincipalId | None
    reason: str | None
    would_approvals: int
    would_roles: tuple[str, ...]
    because: str


@dataclass(slots=True)
class Tally:
    """What a replay adds up: for each group how many there are and the newest, and each one that would slip through."""

    holds: int = 0
    unreadable: int = 0
    asked: int = 0
    would_ask: int = 0
    reviews: int = 0
    would_review: int = 0
    seconds: int = 0
    would_seconds: int = 0
    not_enough: int = 0
    observed: int = 0
    changes: Counter[Change] = field(default_factory=Counter[Change])
    groups: Counter[Group] = field(default_factory=Counter[Group])
    newest: dict[Group, Shown] = field(default_factory=dict[Group, Shown])
    slips: list[Shown] = field(default_factory=list[Shown])

    def add(self, hold: Hold, would: Assessment) -> None:
        found = replay(hold, would)
        self.holds += 1
        self.asked += found.asked
        self.would_ask += found.would_ask
        self.reviews += found.reviews
        self.would_review += found.would_review
        self.seconds += found.reviews * found.seconds
        self.would_seconds += found.would_review * found.seconds
        self.not_enough += not found.enough
        self.observed += found.observed
        self.changes[found.change] += 1
        if found.change != "same" and hold.question.action is not None:
            group = Group(found.change, hold.question.action.name, hold.assessment.level, would.level)
            self.groups[group] += 1
            if self._is_newest(group, hold.opened_at):
                self.newest[group] = _shown(hold, would, found.would_ask)
            if found.change == "slips":
                self.slips = _newest([*self.slips, _shown(hold, would, found.would_ask)])

    def merge(self, other: Tally) -> None:
        for name in _SUMS:
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.changes += other.changes
        self.groups += other.groups
        self.newest |= {g: shown for g, shown in other.newest.items() if self._is_newest(g, shown.opened_at)}
        self.slips = _newest([*self.slips, *other.slips])

    def _is_newest(self, group: Group, opened_at: datetime) -> bool:
        known = self.newest.get(group)
        return known is None or known.opened_at < opened_at

    @property
    def looser(self) -> int:
        return sum(self.changes[change] for change in LOOSER)


_SUMS = (
    "holds",
    "unreadable",
    "asked",
    "would_ask",
    "reviews",
    "would_review",
    "seconds",
    "would_seconds",
    "not_enough",
    "observed",
)


def _shown(hold: Hold, would: Assessment, would_ask: bool) -> Shown:
    made, needed = hold.decision, would.requirements
    return Shown(
        hold.id,
        hold.number,
        hold.question.title,
        hold.opened_at,
        hold.status,
        made.by if made else None,
        made.reason if made else None,
        needed.approvals if would_ask else 0,
        tuple(sorted(needed.roles)) if would_ask else (),
        would.rules[0].rule if would.rules else "",
    )


def _newest(found: list[Shown]) -> list[Shown]:
    return sorted(found, key=lambda one: one.opened_at, reverse=True)[:MOST_SLIPS]
