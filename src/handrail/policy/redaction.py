"""Sensitive fields, redacted wherever a value is shown."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from handrail.core.canonical import Json

from .patterns import Names, normalise

BLOT = "[redacted]"
SHORTEST = 4


@dataclass(frozen=True, slots=True)
class Redaction:
    """Field names (patterns) whose values are never shown, at any depth."""

    fields: Names

    def hides(self, name: str) -> bool:
        return normalise(name) in self.fields

    def apply(self, value: Json) -> Json:
        if isinstance(value, dict):
            return {name: BLOT if self.hides(name) else self.apply(inner) for name, inner in value.items()}
        if isinstance(value, list):
            return [self.apply(inner) for inner in value]
        return value

    def apply_to_text(self, text: str, beside: Json) -> str:
        """The text without the sensitive values of what it stands beside, where it repeats them.

        A value of fewer than four characters is left: blotting it out would tear words apart, and show what it is.
        """
        for value in sorted(self._sensitive(beside), key=len, reverse=True):
            text = text.replace(value, BLOT)
        return text

    def _sensitive(self, value: Json, hidden: bool = False) -> Iterator[str]:
        if isinstance(value, dict):
            for name, inner in value.items():
                yield from self._sensitive(inner, hidden or self.hides(name))
        elif isinstance(value, list):
            for inner in value:
                yield from self._sensitive(inner, hidden)
        elif hidden and value is not None and not isinstance(value, bool) and len(str(value)) >= SHORTEST:
            yield str(value)
