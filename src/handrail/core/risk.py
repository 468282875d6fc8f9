"""Risk levels, and what an assessment says: which level, why, and who must approve it by when."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import Literal

from .ids import PrincipalId


class Level(StrEnum):
    low = "low"
    medium = "medium"
    high = "high"
    critical = "critical"

    @property
    def rank(self) -> int:
        return _RANKS[self]


_RANKS = {level: rank for rank, level in enumerate(Level)}

ExpiryOutcome = Literal["expire", "reject"]


@dataclass(frozen=True, slots=True)
class Requirements:
    """Thresholds, frozen on the hold when it opens.

    `approvals` different people, each with one of `roles`; and for every group of `required` a person of its own with
    one of the group's roles. `rejections` people reject. With `own_credential`, nobody says yes by a token or
    session that somebody else made; with `passkey`, nobody says yes unless their own authenticator signed it.
    """

    approvals: int
    roles: frozenset[str]
    required: tuple[frozenset[str], ...] = ()
    rejections: int = 1
    justification: bool = False
    own_credential: bool = False
    passkey: bool = False
    requester_may_decide: bool = False
    """The action is one that its requester may decide too; never above medium."""
    stand_ins: bool = False
    """Somebody may decide it for an approver who is away."""
    grants: bool = False
    """A grant may supply the approvals; never of what is critical."""

    def may_decide(self, roles: Iterable[str]) -> bool:
        return not self.roles.isdisjoint(roles)

    def justified_by(self, reason: str | None) -> bool:
        return not self.justification or bool(reason and reason.strip())

    def met_by(self, approvers: Mapping[PrincipalId, frozenset[str]]) -> bool:
        """Whether these people, with the roles each held when saying yes, are enough."""
        counted = {who: roles for who, roles in approvers.items() if self.may_decide(roles)}
        return len(counted) >= self.approvals and _each_group_has_its_own(self.required, counted)


def _each_group_has_its_own(groups: tuple[frozenset[str], ...], people: Mapping[PrincipalId, frozenset[str]]) -> bool:
    """Match every group with a different person (augmenting paths; groups are few)."""
    taken: dict[PrincipalId, int] = {}

    def place(group: int, tried: set[PrincipalId]) -> bool:
        for who, roles in people.items():
            if who not in tried and not groups[group].isdisjoint(roles):
                tried.add(who)
                if who not in taken or place(taken[who], tried):
                    taken[who] = group
                    return True
        return False

    return all(place(group, set()) for group in range(len(groups)))


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that is known of an action, and what it was read from."""

    name: str
    value: str
    source: str


@dataclass(frozen=True, slots=True)
class FiredRule:
    """One rule that matched, with the values that made it fire; `claimed` where only what somebody claims made it."""

    rule: str
    level: Level
    reason: str
    claimed: bool = False


@dataclass(frozen=True, slots=True)
class Assessment:
    level: Level
    requirements: Requirements
    rules: tuple[FiredRule, ...] = ()
    auto_approve: bool = False
    timeout: timedelta | None = None
    on_expiry: ExpiryOutcome = "expire"
    escalate_after: timedelta | None = None
    escalate_to: frozenset[str] = frozenset()
    policy_version: int = 0
    score: int = 0
    facts: tuple[Fact, ...] = ()
