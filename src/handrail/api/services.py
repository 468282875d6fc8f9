"""What the routes work with: made once by whoever starts the server, and handed to `create_app`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends
from starlette.requests import HTTPConnection

from handrail.settings import Settings
from handrail.store.database import Database


def _nothing() -> None: ...


@dataclass(frozen=True, slots=True)
class Services:
    settings: Settings
    database: Database
    # tells the feed that there are events to number; without it they wait for its next look
    poke: Callable[[], None] = _nothing


def services_of(connection: HTTPConnection) -> Services:
    return connection.app.state.services


# the parameter by which a route gets them
Use = Annotated[Services, Depends(services_of)]
