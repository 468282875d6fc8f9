"""Whether a rule fits what is assessed, and the values that made it fit."""

from __future__ import annotations

import json
from collections.abc import Iterable

from handrail.core.risk import Level

from . import conditions
from .conditions import Condition, Unanswered, Values
from .facts import Facts
from .model import Match
from .redaction import BLOT, Redaction
from .syntax import Path

SHOWN = 80
"""Characters of a value that a reason quotes."""


class Judge:
    """One assessment's look at rules. The values are made ready for conditions once, at the first that needs them."""

    def __init__(self, facts: Facts, redaction: Redaction, candidates: Iterable[Match]) -> None:
        self._facts = facts
        self._redaction = redaction
        self._candidates = candidates
        self._values: Values | None = None
        self._failure: Unanswered | None = None

    def fits(self, match: Match) -> bool:
        """Raises Unanswered where the rule's condition gives no answer."""
        facts = self._facts
        return (
            (match.operation is None or match.operation.fit(facts.operation))
            and (match.action is None or match.action.fit(facts.action))
            and (match.environment is None or match.environment.fit(facts.environment))
            and (match.resource_type is None or match.resource_type.fit(facts.resource_type))
            and (match.cost_over is None or (facts.cost is not None and facts.cost > match.cost_over))
            and (match.security_finding is None or _at_least(facts.finding, match.security_finding))
            and (match.condition is None or match.condition.holds(self._values or self._ready()))
        )

    def reason(self, match: Match) -> str:
        """The values that made the match fit."""
        facts = self._facts
        parts = [
            f"{name} is {', given as '.join(values)[:SHOWN]}"
            for name, looked_at, values in (
                ("operation", match.operation, facts.operation),
                ("action", match.action, facts.action),
                ("environment", match.environment, facts.environment),
                ("resource_type", match.resource_type, facts.resource_type),
                ("highest security finding", match.security_finding, (facts.finding or "",)),
            )
            if looked_at
        ]
        if match.cost_over is not None and facts.cost is not None:
            parts.append(f"estimated_cost {facts.cost:g} is over {match.cost_over:g}")
        if match.condition is not None:
            parts.append(self.explain(match.condition))
        return ", ".join(parts)

    def explain(self, condition: Condition) -> str:
        values = [value for path in condition.paths if (value := self._value(path))]
        text = f"`{condition.text.strip()}`"
        return f"{text} with {', '.join(values)}" if values else text

    def _value(self, path: Path) -> str | None:
        value = conditions.lookup(self._facts.values, path)
        if value is None:
            return None
        hidden = any(self._redaction.hides(step) for step in path if isinstance(step, str))
        shown = BLOT if hidden else json.dumps(self._redaction.apply(value), ensure_ascii=False)
        return f"{conditions.path_text(path)} = {shown if len(shown) <= SHOWN else shown[:SHOWN] + '…'}"

    def _ready(self) -> Values:
        if self._failure is None:
            wanted = [match.condition for match in self._candidates if match.condition]
            try:
                self._values = conditions.prepare(self._facts.values, wanted)
                return self._values
            except Unanswered as error:
                self._failure = error
        raise self._failure


def _at_least(found: Level | None, wanted: Level) -> bool:
    return found is not None and found.rank >= wanted.rank
