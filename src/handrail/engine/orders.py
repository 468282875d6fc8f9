"""What a supervisor tells the processes that it starts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from handrail.engine.kinds import Kinds, Owner
from handrail.settings import Settings

# stop between two steps: the worker stops
DRAIN = b"drain"
# the same, and end what runs in the sandbox: a brake stops the run
BRAKE = "brake"


@dataclass(frozen=True, slots=True)
class Orders:
    """The process runs workflows of this owner alone. The DSN is that of the embedded server where there is one;
    `tables` is the one by which LangGraph's tables are made, a task of ours alone. `channels` are those by which people
    can be told.

    Orders to a process of theirs hold no secret but a login that can do what a run does. `environment` is what one of
    ours has in addition: variables that libraries of its workflows read by themselves.
    """

    owner: Owner
    kinds: Kinds
    dsn: str
    tables: str | None
    settings: Settings
    channels: frozenset[str]
    publishes: bool
    environment: Mapping[str, str]
