"""Terms that a hold suggests, and what given ones would have covered of the past."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import cast

from . import bounds
from .bounds import ENDINGS, Bound, Cap, Exact, OneOf, Prefix, Range
from .canonical import Json
from .grant_terms import Terms, Use
from .grants import grantable
from .holds import Hold, Status

LASTS = timedelta(days=7)
USES = 20
# so many different values are still a list that people read
_FEW = 5
_SHORTEST_PREFIX = 2
# arguments that are money, by their names
_AMOUNTS = ("amount", "total", "price", "cost", "sum", "value")


def proposed(like: Hold, before: Sequence[Hold], now: datetime) -> Terms:
    """As narrow as it can be while it covers this call, and calls of its level with the same arguments that people
    approved: one for staging never proposes production. What went through unasked widens nothing."""
    action = like.question.action
    assert action is not None, "only an action can be allowed"
    approved = [
        other
        for hold in before
        if hold.status is Status.approved and hold.assessment.level is like.assessment.level
        if hold.decision is not None and hold.decision.basis == "people"
        if (other := hold.question.action) is not None
        if other.args.keys() == action.args.keys() and (other.target is None) is (action.target is None)
    ]
    args = {name: _bound(value, [other.args[name] for other in approved]) for name, value in action.args.items()}
    target = None if action.target is None else _bound(action.target, [other.target for other in approved])
    return Terms(action.name, like.opener, now + LASTS, args, target, None, _cap(args, action.args), USES)


def _bound(value: Json, others: Sequence[Json]) -> Bound:
    values = [value, *others]
    different: list[Json] = []
    for each in values:
        if not any(bounds.fits(Exact(known), each) for known in different):
            different.append(each)
    if len(different) == 1:
        return Exact(value)
    if all(bounds.is_number(each) for each in different):
        numbers = cast("list[int | float]", different)
        return Range(min(numbers), max(numbers))
    if len(different) <= _FEW:
        return OneOf(tuple(different))
    return _prefix(different) or Exact(value)


def _prefix(values: Sequence[Json]) -> Prefix | None:
    texts = [each for each in values if isinstance(each, str)]
    if len(texts) < len(values):
        return None
    first, last = min(texts), max(texts)
    shared = next((n for n, pair in enumerate(zip(first, last, strict=False)) if pair[0] != pair[1]), len(first))
    common = first[:shared]
    end = max(common.rfind(ending) for ending in ENDINGS) + 1
    if end < _SHORTEST_PREFIX or ("://" in common[:end] and not bounds.names_host(common[:end])):
        return None
    found = Prefix(common[:end])
    return found if all(bounds.fits(found, text) for text in texts) else None


def _cap(args: dict[str, Bound], given: dict[str, Json]) -> Cap | None:
    named = (name for word in _AMOUNTS for name in args if word in name.lower())
    for name in named:
        value, bound = given[name], args[name]
        most = bound.most if isinstance(bound, Range) else value
        if bounds.is_number(most) and most >= 0:
            return Cap(name, total=most * USES)
    return None


def covered(terms: Terms, before: Sequence[Hold]) -> list[Hold]:
    """Of past calls, the oldest first, those that a grant of these terms would have approved, within its limits."""
    found: list[Hold] = []
    use = Use()
    # by what people would have had to be asked; the time until which it lasts is still to come
    for hold in before:
        if grantable(hold) and not hold.assessment.auto_approve and terms.covers(hold):
            after = use.after(terms, terms.taken(hold), hold.opened_at)
            if after is not None:
                use = after
                found.append(hold)
    return found
