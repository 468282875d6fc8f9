"""What a supervisor tells the processes that it starts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from handrail.settings import Settings

# stop between two steps: the worker stops
DRAIN = b"drain"
# the same, and end what runs in the sandbox: a brake stops the run
BRAKE = "brake"


class Kind(StrEnum):
    """Whose code a process runs: workflows that are part of Handrail and need its settings, or all others."""

    ours = "ours"
    theirs = "theirs"


@dataclass(frozen=True, slots=True)
class Orders:
    """The DSN is that of the embedded server where there is one. `channels` are those by which people can be told.

    Orders to a process of theirs hold no secret but a login that can do what a run does. `environment` is what one of
    ours has in addition.
    """

    kind: Kind
    dsn: str
    settings: Settings
    channels: frozenset[str]
    publishes: bool
    environment: Mapping[str, str]
