"""Sensitive fields, blotted out wherever a value is shown."""

from __future__ import annotations

from dataclasses import dataclass

from handrail.core.canonical import Json

from .patterns import Names, normalise

BLOT = "[redacted]"


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
