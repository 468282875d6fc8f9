"""What the routes work with: made once by whoever starts the server, and handed to `create_app`."""

from __future__ import annotations

from asyncio import Semaphore
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

from fastapi import Depends
from starlette.requests import HTTPConnection

from handrail.documents.library import Library
from handrail.engine.context import Engine
from handrail.feed.chunks import Chunks
from handrail.feed.live import Feed
from handrail.holds.context import Context
from handrail.holds.packing import Packer
from handrail.holds.policies import Policies
from handrail.holds.reading import Counts
from handrail.settings import Settings
from handrail.store.database import Database
from handrail.store.signing import Keys
from handrail.telemetry import Sink


@dataclass(frozen=True, slots=True)
class Services:
    settings: Settings
    database: Database
    engine: Engine
    feed: Feed
    chunks: Chunks
    policies: Policies
    keys: Keys
    traces: Sink | None = None
    counts: Counts = field(default_factory=Counts)
    library: Library = field(default_factory=Library)
    # figures that take long keep neither the database nor this process from their work
    figuring: Semaphore = field(default_factory=lambda: Semaphore(2))

    packer: Packer = field(default_factory=Packer)
    # where processes that answer on one socket keep their figures; none where this one answers alone
    shared: Path | None = None

    @property
    def context(self) -> Context:
        return self.engine.context


def services_of(connection: HTTPConnection) -> Services:
    return connection.app.state.services


async def _services(connection: HTTPConnection) -> Services:
    """Async, as every dependency here: FastAPI runs others in a thread, two hops a request."""
    return services_of(connection)


# the parameter by which a route gets them
Use = Annotated[Services, Depends(_services)]
