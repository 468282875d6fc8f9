"""What a supervisor tells the processes that it starts."""

from __future__ import annotations

from dataclasses import dataclass

from handrail.settings import Settings

# stop between two steps: the worker stops
DRAIN = b"drain"
# the same, and end what runs in the sandbox: a brake stops the run
BRAKE = "brake"


@dataclass(frozen=True, slots=True)
class Orders:
    """The DSN is that of the embedded server where there is one. `channels` are those by which people can be told."""

    dsn: str
    settings: Settings
    channels: frozenset[str]
    publishes: bool
