"""Somebody is away, and somebody else decides for them: for a time, within a scope, with the absent person's roles."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from uuid import UUID

from .holds import Hold
from .ids import PrincipalId
from .risk import Level

End = Literal["returned", "declined", "administrator", "deactivated"]
"""Why one ended before its time: the person is back, the stand-in declined, an administrator ended it, or the person or
the stand-in was deactivated."""


@dataclass(frozen=True, slots=True)
class Scope:
    """What a stand-in decides. Each part narrows; an empty one leaves everything in. `actions` may have `*`."""

    levels: frozenset[Level] = frozenset()
    actions: tuple[str, ...] = ()
    cases: tuple[str, ...] = ()

    def covers(self, hold: Hold) -> bool:
        action = hold.question.action
        return self.fits(hold.assessment.level, action.name if action else None, hold.case_id)

    def fits(self, level: Level, action: str | None, case_id: str | None) -> bool:
        """The same by what lists and the log know of a hold."""
        return (
            (not self.levels or level in self.levels)
            and (not self.actions or (action is not None and any(_fits(each, action) for each in self.actions)))
            and (not self.cases or case_id in self.cases)
        )


def _fits(pattern: str, name: str) -> bool:
    """Part by part from the left: an expression with many `*` could take for ever over a name that an agent chose."""
    first, *parts = pattern.split("*")
    if not parts:
        return pattern == name
    *parts, last = parts
    at, end = len(first), len(name) - len(last)
    if at > end or not (name.startswith(first) and name.endswith(last)):
        return False
    for part in parts:
        found = name.find(part, at, end)
        if found < 0:
            return False
        at = found + len(part)
    return True


@dataclass(frozen=True, slots=True)
class Absence:
    """`person` is away from `starts_at` until `ends_at`, unless it ended before. It is not passed on: who stands in for
    a stand-in decides with the stand-in's own roles alone."""

    id: UUID
    person: PrincipalId
    stand_in: PrincipalId
    starts_at: datetime
    ends_at: datetime
    scope: Scope
    set_by: PrincipalId
    set_at: datetime
    reason: str | None = None
    ended_at: datetime | None = None
    ended_by: PrincipalId | None = None

    def in_force(self, now: datetime) -> bool:
        return self.ended_at is None and self.starts_at <= now < self.ends_at


@dataclass(frozen=True, slots=True)
class StandIn:
    """Somebody who is away now, with the roles that they have now, as the person sees it who stands in for them."""

    id: PrincipalId
    name: str
    roles: frozenset[str]
    scope: Scope
    until: datetime
    own: bool = True
    """Whether the absent person named the stand-in; else an administrator did."""
