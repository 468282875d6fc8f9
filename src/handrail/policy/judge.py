"""Whether a rule fits what is assessed, and the values that made it fit."""

from __future__ import annotations

import json
from collections.abc import Sequence

from handrail.core.risk import Level

from . import conditions
from .conditions import Condition, Unanswered, Values
from .facts import Spellings, View, flat
from .model import Match
from .patterns import Names
from .redaction import BLOT, Redaction
from .syntax import Path

ABSENT = ("absent", "")
"""The names of a missing value: `absent` and `*` fit it."""
SHOWN = 80
"""Characters of a value that a reason quotes."""


class Judge:
    """One assessment's look at rules. The values are made ready for conditions once, at the first that needs them."""

    def __init__(self, view: View, redaction: Redaction, paths: Sequence[Path]) -> None:
        """`paths` are the values that conditions may read."""
        self._view = view
        self._redaction = redaction
        self._paths = paths
        self._operation = view.operation
        self._environments = named(view.environments)
        self._resource_types = named(view.resource_types)
        self._values: Values | None = None
        self._failure: Unanswered | None = None

    def fits(self, match: Match, *, every: bool = False) -> bool:
        """Whether one of the values of each kind fits, or `every` one of them. Raises Unanswered where the rule's
        condition gives no answer."""
        view = self._view
        return (
            (match.operation is None or match.operation.fit(self._operation))
            and (match.action is None or match.action.fit(view.action))
            and (match.environment is None or match.environment.fit(self._environments))
            and (match.resource_type is None or match.resource_type.fit(self._resource_types))
            and (not every or _every(match.environment, view.environments))
            and (not every or _every(match.resource_type, view.resource_types))
            and (match.cost_over is None or (view.cost is not None and view.cost > match.cost_over))
            and (not match.data_leaves or view.data_leaves)
            and (match.origin is None or match.origin == view.origin)
            and (match.security_finding is None or _at_least(view.finding, match.security_finding))
            and (match.condition is None or match.condition.holds(self._values or self._ready()))
        )

    def reason(self, match: Match) -> str:
        """The values that made the match fit."""
        view = self._view
        parts = [
            f"{name} is {_named(looked_at, values)}"
            for name, looked_at, values in (
                ("operation", match.operation, view.operations),
                ("environment", match.environment, view.environments),
                ("resource_type", match.resource_type, view.resource_types),
            )
            if looked_at
        ]
        if match.action is not None:
            parts.append(f"action is {view.action[0][:SHOWN]}")
        if match.security_finding is not None:
            parts.append(f"highest security finding is {view.finding or ''}")
        if match.data_leaves:
            parts.append("data leaves")
        if match.origin is not None:
            parts.append(f"origin is {match.origin}")
        if match.cost_over is not None and view.cost is not None:
            parts.append(f"estimated_cost {view.cost:g} is over {match.cost_over:g}")
        if match.condition is not None:
            parts.append(self.explain(match.condition))
        return ", ".join(parts)

    def explain(self, condition: Condition) -> str:
        values = [value for path in condition.paths if (value := self._value(path))]
        text = f"`{condition.text.strip()}`"
        return f"{text} with {', '.join(values)}" if values else text

    def _value(self, path: Path) -> str | None:
        value = conditions.lookup(self._view.values, path)
        if value is None:
            return None
        hidden = any(self._redaction.hides(step) for step in path if isinstance(step, str))
        shown = BLOT if hidden else json.dumps(self._redaction.apply(value), ensure_ascii=False)
        return f"{conditions.path_text(path)} = {shown if len(shown) <= SHOWN else shown[:SHOWN] + '…'}"

    def _ready(self) -> Values:
        if self._failure is None:
            try:
                self._values = conditions.prepare(self._view.values, self._paths)
                return self._values
            except Unanswered as error:
                self._failure = error
        raise self._failure


def named(values: Sequence[Spellings]) -> Spellings:
    return flat(values) or ABSENT


def _every(wanted: Names | None, values: Sequence[Spellings]) -> bool:
    return wanted is None or all(wanted.fit(value) for value in values)


def _named(wanted: Names, values: Sequence[Spellings]) -> str:
    """The value that fits, with how it was given."""
    return next((", given as ".join(value)[:SHOWN] for value in values if wanted.fit(value)), ABSENT[0])


def _at_least(found: Level | None, wanted: Level) -> bool:
    return found is not None and found.rank >= wanted.rank
