"""The decision pack: what is known about a hold, in parts that each say where they come from, under one hash."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple, cast
from uuid import UUID

from . import amendments, canonical
from .canonical import Json, JsonObject
from .holds import Action, Hold, Status
from .ids import HoldId

VERSION = 1
Name = Literal[
    "effect", "why", "touches", "changed", "evidence", "tests", "rollback", "requester", "precedents", "smaller", "more"
]
"""`more` is what a plug-in adds. What the others are called is what they are for."""
Source = Literal["action", "policy", "history", "handrail", "opener", "plugin"]
"""`handrail`: its own code graph and checks. `opener`: a claim of whoever asks. `plugin`: `by` says which."""
State = Literal["ready", "nothing", "late", "failed"]
"""`late`: it was not there in time. `failed`: it ended with an error, or said what cannot be shown."""

NEAREST = 5
MOST_CHANGES = 20
MOST_SMALLER = 3
# so many values are looked at of one call, and tried in place of others
_MOST_VALUES = 200
_MOST_TRIED = 12
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Part:
    name: Name
    source: Source
    content: Json = None
    state: State = "ready"
    by: str | None = None

    def record(self) -> JsonObject:
        return {
            "name": self.name,
            "source": self.source,
            "content": self.content,
            "state": self.state,
            "by": self.by,
        }


@dataclass(frozen=True, slots=True)
class Pack:
    """What one person was shown beside a revision. Nothing in it depends on the time at which it was put together."""

    hold_id: HoldId
    revision: int
    digest: str
    parts: tuple[Part, ...]

    @property
    def hash(self) -> str:
        """Of all of it, so that a review can say which pack was on the screen."""
        parts: list[Json] = [part.record() for part in self.parts]
        return canonical.sha256(
            {
                "version": VERSION,
                "hold_id": str(self.hold_id),
                "revision": self.revision,
                "digest": self.digest,
                "parts": parts,
            }
        )

    @property
    def words(self) -> int:
        """How many there are to read."""
        return sum(1 for part in self.parts for text in _texts(part.content) for _ in _WORD.finditer(text))


def _texts(content: Json) -> Iterator[str]:
    if isinstance(content, dict):
        for name, inner in content.items():
            yield name
            yield from _texts(inner)
    elif isinstance(content, list):
        for inner in content:
            yield from _texts(inner)
    elif content is not None:
        yield f"{content}"


class Alike(NamedTuple):
    """A past hold of the same action and shape; `distance` is 0 for the same arguments, 1 where nothing is shared."""

    hold: Hold
    distance: float


def alike(like: Hold, past: Sequence[Hold]) -> list[Alike]:
    """The nearest by their arguments first, and of equally near ones the newest."""
    action = like.question.action
    if action is None:
        return []
    values, found = _values(action), list[Alike]()
    for hold in past:
        other = hold.question.action
        if hold.id != like.id and other is not None and _shape(other) == _shape(action):
            found.append(Alike(hold, _distance(values, _values(other))))
    return sorted(found, key=lambda one: (one.distance, -one.hold.opened_at.timestamp()))


def _shape(action: Action) -> tuple[object, ...]:
    return action.name, action.target is None, frozenset(action.args)


def _values(action: Action) -> dict[str, Json]:
    """By their paths, the largest part of a call that is compared."""
    changes = amendments.changes(None, action)[:_MOST_VALUES]
    return {f"{change['path']}": change["to"] for change in changes}


def _distance(one: Mapping[str, Json], other: Mapping[str, Json]) -> float:
    paths = one.keys() | other.keys()
    apart = sum(_apart(one.get(path), other.get(path)) for path in paths)
    return round(apart / len(paths), 4) if paths else 0.0


def _apart(one: Json, other: Json) -> float:
    if one == other:
        return 0.0
    if _is_number(one) and _is_number(other):
        first, second = cast("float", one), cast("float", other)
        return min(1.0, abs(first - second) / max(abs(first), abs(second)))
    if isinstance(one, str) and isinstance(other, str):
        pairs = enumerate(zip(one, other, strict=False))
        shared = next((n for n, (a, b) in pairs if a != b), min(len(one), len(other)))
        return 1 - shared / max(len(one), len(other))
    return 1.0


def _is_number(value: Json) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def precedents(found: Sequence[Alike], names: Mapping[UUID, str]) -> Part:
    """How people decided the same before. What the policy, a grant or the clock let through is no precedent."""
    decided = [one for one in found if _by_people(one.hold)]
    if not decided:
        return Part("precedents", "history", state="nothing")
    outcomes = Counter(one.hold.status.value for one in decided)
    nearest: list[Json] = [_precedent(one, names) for one in decided[:NEAREST]]
    return Part("precedents", "history", {"outcomes": cast("JsonObject", dict(outcomes)), "nearest": nearest})


def _by_people(hold: Hold) -> bool:
    return hold.decision is not None and hold.decision.basis == "people"


def _precedent(one: Alike, names: Mapping[UUID, str]) -> JsonObject:
    hold, made = one.hold, one.hold.decision
    assert made is not None
    said = made.answer if isinstance(made.answer, str) and hold.takes_response else made.reason
    return {
        "hold_id": str(hold.id),
        "short_id": hold.short_id,
        "title": hold.question.title,
        "opened_at": hold.opened_at.isoformat(),
        "outcome": made.outcome.value,
        "by": names.get(made.by) if made.by else None,
        "said": said,
        "distance": one.distance,
    }


def changed(like: Hold, found: Sequence[Alike], names: Mapping[UUID, str]) -> Part:
    """What is different from the last one like it that people approved. One that nobody was asked about could hide a
    change that an agent brought in by it."""
    action = like.question.action
    approved = [one.hold for one in found if one.hold.status is Status.approved and _by_people(one.hold)]
    if action is None or not approved:
        return Part("changed", "history", state="nothing")
    last = max(approved, key=lambda hold: hold.opened_at)
    by = last.decision.by if last.decision else None
    since: JsonObject = {
        "hold_id": str(last.id),
        "short_id": last.short_id,
        "opened_at": last.opened_at.isoformat(),
        "by": names.get(by) if by else None,
    }
    differences = amendments.changes(last.question.action, action)
    shown: list[Json] = [*differences[:MOST_CHANGES]]
    return Part("changed", "history", {"since": since, "changes": shown, "left_out": len(differences) - len(shown)})


def fared(like: Hold, past: Sequence[Hold], everything: Mapping[str, int], days: int, name: str) -> Part:
    """Who asked, and what became of what they asked before: by this name, and of anything."""
    own = [hold for hold in past if hold.opener == like.opener and hold.id != like.id]
    by_outcome = Counter(hold.status.value for hold in own)
    results = Counter(hold.result.outcome for hold in own if hold.result is not None)
    return Part(
        "requester",
        "history",
        {
            "name": name,
            "this_action": cast("JsonObject", dict(by_outcome)),
            "results": cast("JsonObject", dict(results)),
            "anything": cast("JsonObject", dict(everything)),
            "days": days,
        },
    )


def why(hold: Hold) -> Part:
    rules: list[Json] = [
        {
            "rule": rule.rule,
            "level": rule.level.value,
            "reason": rule.reason,
            "from": "claim" if rule.claimed else "fact",
        }
        for rule in hold.assessment.rules
    ]
    return Part("why", "policy", {"level": hold.assessment.level.value, "rules": rules})


def supplied(hold: Hold) -> list[Part]:
    """What came with the hold: its evidence, and of that what it touches, its tests and the way back.

    Handrail's own code changes bring what its code graph and its checks found; everything else is a claim.
    """
    ours = hold.origin == "change"
    source: Source = "handrail" if ours else "opener"
    evidence = hold.question.evidence if isinstance(hold.question.evidence, dict) else {}
    listed: list[Json] = [*evidence]
    given = hold.question.evidence is not None
    parts = [Part("evidence", source, {"of": listed} if evidence else None, "ready" if given else "nothing")]
    known: tuple[tuple[Name, str], ...] = (
        ("touches", "impact"),
        ("tests", "verification" if ours else "tests"),
        ("rollback", "rollback"),
    )
    return parts + [Part(name, source, evidence[field]) for name, field in known if evidence.get(field) is not None]


def reached(target: str, used_by: Mapping[str, Sequence[str]]) -> Part | None:
    """What depends on the target, directly and further on, as the operator declared it."""
    if target not in used_by:
        return None
    direct = list(dict.fromkeys(used_by[target]))
    seen, waiting, further = {target, *direct}, [*direct], list[str]()
    while waiting:
        for name in used_by.get(waiting.pop(0), ()):
            if name not in seen:
                seen.add(name)
                waiting.append(name)
                further.append(name)
    content: JsonObject = {"target": target, "used_by": [*direct], "further": [*further]}
    return Part("touches", "policy", content)


class Smaller(NamedTuple):
    """The action with one value that is less: `path` names it."""

    path: str
    before: Json
    after: Json
    action: Action


def smaller(action: Action, past: Sequence[Hold]) -> list[Smaller]:
    """Versions that do less: numbers halved or as large as approved before, one entry of a list, a target that was
    approved for the same action before."""
    approved = [
        hold.question.action for hold in past if hold.status is Status.approved and hold.question.action is not None
    ]
    found: list[Smaller] = []
    for name, value in [*action.args.items()][:_MOST_VALUES]:
        others = [other.args.get(name) for other in approved]
        for less in _less(value, others):
            found.append(Smaller(f"args.{name}", value, less, replace(action, args={**action.args, name: less})))
    targets = dict.fromkeys(other.target for other in approved if other.target not in (None, action.target))
    if action.target is not None:
        found += [Smaller("target", action.target, each, replace(action, target=each)) for each in targets]
    return found[:_MOST_TRIED]


def _less(value: Json, others: Sequence[Json]) -> list[Json]:
    if isinstance(value, list):
        return [value[:1]] if len(value) > 1 else []
    if isinstance(value, bool) or not isinstance(value, int | float) or value <= 0:
        return []
    below = [each for each in others if _is_number(each) and 0 < cast("float", each) < value]
    half = value // 2 if isinstance(value, int) else value / 2
    tried = [max(below, key=lambda each: cast("float", each))] if below else []
    return [*tried, *([half] if half > 0 and half not in tried else [])]
