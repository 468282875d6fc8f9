"""Events: what happened, in the past tense. Everything streamed is an encoding of one."""

from __future__ import annotations

from dataclasses import dataclass, field

from .canonical import Json, JsonObject
from .ids import PrincipalId


@dataclass(frozen=True, slots=True)
class Event:
    """`actor` is who did it; nobody where policy or the clock did."""

    type: str
    actor: PrincipalId | None = None
    data: JsonObject = field(default_factory=dict[str, Json])
