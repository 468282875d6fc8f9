"""Test cases of a policy: actions with what it must say of them. A policy that fails one is not put in force."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pydantic import TypeAdapter

from handrail.core import errors
from handrail.core.canonical import JsonObject
from handrail.core.holds import Action, Kind
from handrail.core.risk import Level
from handrail.policy import Policy, assess

MOST = 200


@dataclass(frozen=True, slots=True)
class Case:
    """`asks` nothing: either will do. `claims` are what an agent would say of the action; they are not trusted."""

    name: str
    action: Action
    level: Level
    asks: bool | None = None
    claims: JsonObject | None = None


@dataclass(frozen=True, slots=True)
class CaseResult:
    case: Case
    level: Level
    asks: bool

    @property
    def passed(self) -> bool:
        return self.level is self.case.level and self.case.asks in (None, self.asks)


_cases: TypeAdapter[tuple[Case, ...]] = TypeAdapter(tuple[Case, ...])


def read(kept: Sequence[Mapping[str, object]]) -> tuple[Case, ...]:
    return _cases.validate_python(kept)


def dump(cases: Sequence[Case]) -> list[JsonObject]:
    return _cases.dump_python(tuple(cases), mode="json")


def tried(policy: Policy, cases: Sequence[Case]) -> list[CaseResult]:
    found = [(one, assess(policy, kind=Kind.approval, action=one.action, claims=one.claims)) for one in cases]
    return [CaseResult(one, said.level, not said.auto_approve) for one, said in found]


def check(policy: Policy, cases: Sequence[Case]) -> None:
    failed = [one for one in tried(policy, cases) if not one.passed]
    if not failed:
        return
    words = "; ".join(f"{one.case.name!r} {_difference(one)}" for one in failed[:10])
    count = f"{len(failed)} of {len(cases)} test cases fail" if len(failed) > 1 else "A test case fails"
    raise errors.PolicyCasesFailed(f"{count}: {words}.", failed=[one.case.name for one in failed])


def _difference(one: CaseResult) -> str:
    if one.level is not one.case.level:
        return f"should be {one.case.level} and is {one.level}"
    return "should ask people and does not" if one.case.asks else "should ask nobody and asks people"


def change(before: Sequence[Case], after: Sequence[Case]) -> list[str]:
    """What becomes of the cases themselves, for the log."""
    if tuple(before) == tuple(after):
        return []
    gone = [one.name for one in before if one not in after]
    new = [one.name for one in after if one not in before]
    parts = [f"{word} {', '.join(map(repr, names))}" for word, names in (("removed", gone), ("added", new)) if names]
    return [f"test cases: {'; '.join(parts) or 'in another order'}"]
