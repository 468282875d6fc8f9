"""What the engine knows about a workflow: each system describes its own, and whoever starts the engine hands them over.

Light to import: a server lists the workflows before any worker has started.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import Any

from handrail.core import errors
from handrail.core.canonical import Json
from handrail.core.holds import Origin
from handrail.core.people import Principal
from handrail.core.risk import Level
from handrail.engine.schemas import schema_of
from handrail.policy import Policy
from handrail.settings import Settings
from handrail.store import workflows
from handrail.store.database import Database
from handrail.store.workflows import WorkflowListing


class Owner(StrEnum):
    """Whose code a workflow is. Executors are the users' code too, so the workflow that calls them is not ours."""

    ours = "ours"
    theirs = "theirs"


@dataclass(frozen=True, slots=True)
class Admission:
    """How many runs may be active at once: on one database, and of one starter. `refusal` is the next one's error,
    `noun` what people call the runs."""

    refusal: type[errors.RateLimited]
    noun: str
    most: int | None = None
    each: int | None = None


@dataclass(frozen=True, slots=True)
class Submission:
    """What a run is to be started with, and by whom. `trusted`: their claims count as facts."""

    input: Json
    who: Principal
    trusted: bool


def _anywhere(_action: str) -> None:
    return None


def _no_variables(_settings: Settings) -> Iterable[str]:
    return ()


@dataclass(frozen=True, slots=True)
class Kind:
    """A workflow, and the rules for its runs. Functions are named ones of a module: processes get them by reference.

    `graph` makes a LangGraph graph, or a function that returns one; it imports what is slow when it is called.
    `input` is a TypedDict of what a run is started with; none: what the graph says. `example` is an input that works.
    `idle` ends a run in which nothing happens for so long; `seconds` is how long one may work, where that is not as
    for any other. `risk` is the level of a run when it starts; it may refuse.
    `final` is the error of a retry; none: a failed run may be retried. `origin` is where an action of a run comes from.
    `secrets` are the secret settings that a run gets with all that are not secret; `variables` those of the environment
    that a graph of theirs reads.
    """

    name: str
    graph: Callable[[Settings], Any]
    description: str | None = None
    example: Json = None
    input: type[Any] | None = None
    owner: Owner = Owner.theirs
    admission: Admission | None = None
    idle: timedelta | None = None
    seconds: float | None = None
    risk: Callable[[Submission, Policy], Level | None] | None = None
    final: type[errors.Conflict] | None = None
    origin: Callable[[str], Origin | None] = _anywhere
    secrets: Collection[str] = ()
    variables: Callable[[Settings], Iterable[str]] = _no_variables

    def settings(self, of: Settings) -> Settings:
        """Those that a run gets."""
        return of.with_secrets(self.secrets)


def _elsewhere(_settings: Settings) -> Any:
    raise LookupError("only workers that serve it have its graph")


@dataclass(frozen=True, slots=True)
class Kinds:
    """Those that were handed over; of the users' workflows there are none."""

    all: tuple[Kind, ...] = ()

    def __post_init__(self) -> None:
        names = [kind.name for kind in self.all]
        if len(set(names)) < len(names):
            raise ValueError(f"two workflows have one name: {sorted(names)}")

    def __iter__(self) -> Iterator[Kind]:
        return iter(self.all)

    def of(self, workflow: str) -> Kind:
        """The workflow's own; one that is not described has no rules beyond those for any run."""
        return next((kind for kind in self.all if kind.name == workflow), Kind(workflow, _elsewhere))

    def secrets(self) -> frozenset[str]:
        """All that any of them gets."""
        return frozenset(name for kind in self.all for name in kind.secrets)


async def announce(database: Database, kinds: Kinds) -> None:
    """From a server's first answer on they can be started; their runs wait for the first worker."""
    known = [
        WorkflowListing(
            kind.name, kind.description, input_schema=kind.input and schema_of(kind.input), example=kind.example
        )
        for kind in kinds
    ]
    async with database.transaction() as conn:
        await workflows.announce(conn, known)
