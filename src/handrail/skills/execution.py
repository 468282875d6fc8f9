"""A run of a skill, as its nodes and tools see it."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass

from handrail.core.errors import Braked, Misconfigured, NotFound, Rejected
from handrail.core.runs import Run
from handrail.core.sessions import Mode
from handrail.core.skills import Files, Manifest, Version
from handrail.engine.failures import Failed
from handrail.engine.port import Port, here
from handrail.holds.context import Context
from handrail.settings import Settings
from handrail.store import skills as rows


@dataclass(frozen=True, slots=True)
class Execution:
    """`files` are the skill's, of exactly this version."""

    here: Port
    version: Version
    files: Files

    @property
    def context(self) -> Context:
        return self.here.context

    @property
    def settings(self) -> Settings:
        return self.here.settings

    @property
    def run(self) -> Run:
        return self.here.run

    @property
    def manifest(self) -> Manifest:
        return self.version.manifest

    @property
    def asks(self) -> bool:
        """Whether it may wait for people. What is simple, or runs by itself, never does."""
        return Mode.read(self.run.mode) is Mode.hitl and self.manifest.complexity == "complex"


async def begin(name: str, number: int | None) -> Execution:
    """Of the run that is at work here, with the skill's version in force, or that of a number; approved in any case."""
    at = here()
    async with at.context.database.connection() as conn:
        version = await rows.get(conn, name, number)
        if version is None:
            which = f"no version {number} of the skill {name!r}" if number else f"no skill {name!r}"
            raise NotFound(f"there is {which} that people have approved")
        files = await rows.files(conn, version.content_hash)
    return Execution(at, version, files)


@contextmanager
def told() -> Generator[None]:
    """What cannot be done as it was asked for becomes the run's failure, in the same words."""
    try:
        yield
    except Braked:
        raise
    except (Rejected, Misconfigured) as error:
        raise Failed(error.code, error.message) from error
