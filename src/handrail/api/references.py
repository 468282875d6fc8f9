"""Ids as callers give them: the long one, or the short one that people read and type (`H-1042`, `R-77`).

A short id that nobody has, and one whose hold or run the caller may not see, get the same answer.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import Annotated, Any, Literal
from uuid import UUID

from fastapi import Depends, Path, Query
from starlette.convertors import Convertor, register_url_convertor

from handrail.api.schemas.fields import HOLD_ID, RUN_ID
from handrail.api.services import Services, Use
from handrail.core import errors, ids
from handrail.store import holds, people, runs

Kind = Literal["H", "R"]
_FINDERS = {"H": holds.id_of, "R": runs.id_of}
_DESCRIBED: dict[Kind, dict[str, Any]] = {
    "H": {"pattern": f"^({HOLD_ID})$", "description": "The id of a hold, long or short: `H-1042`."},
    "R": {"pattern": f"^({RUN_ID})$", "description": "The id of a run, long or short: `R-77`."},
}


async def resolve(services: Services, kind: Kind, given: str) -> UUID:
    """The long id; of a number that nobody has, one that nobody has either, which leads to the same refusal."""
    number = ids.number_in(kind, given)
    if number is None:
        return UUID(given)
    async with services.database.connection() as conn:
        return await _FINDERS[kind](conn, number) or ids.fresh()


@asynccontextmanager
async def named(services: Services, kind: Kind, given: str) -> AsyncGenerator[UUID]:
    """The long id; where there is nothing to find, the refusal names what the caller gave."""
    found = await resolve(services, kind, given)
    try:
        yield found
    except errors.NotFound as error:
        error.message = error.message.replace(str(found), given)
        raise


async def principal(services: Services, named: str) -> UUID:
    """Whoever has this id or name."""
    async with services.database.connection() as conn:
        try:
            found = await people.get(conn, UUID(named))
        except ValueError:
            found = await people.by_name(conn, named)
    if found is None:
        raise errors.NotFound(f"there is no principal {named!r}")
    return found.principal.id


def check(kind: Kind, given: str, what: str) -> str:
    """The text, if it can be an id at all; for addresses that no converter has checked."""
    if ids.number_in(kind, given) is None:
        try:
            UUID(given)
        except ValueError:
            raise errors.NotFound(f"there is no {what} {given[:40]!r}") from None
    return given


class _Hold(Convertor[str]):
    regex = HOLD_ID

    def convert(self, value: str) -> str:
        return value

    def to_string(self, value: str) -> str:
        return value


class _Run(_Hold):
    regex = RUN_ID


register_url_convertor("hold", _Hold())
register_url_convertor("run", _Run())


def _in_path(kind: Kind, name: str) -> Callable[..., AsyncGenerator[UUID]]:
    async def found(services: Use, given: str = Path(alias=name, **_DESCRIBED[kind])) -> AsyncGenerator[UUID]:
        async with named(services, kind, given) as id_:
            yield id_

    return found


def _in_query(kind: Kind, name: str) -> Any:
    async def found(services: Use, given: str | None = Query(None, alias=name, **_DESCRIBED[kind])) -> UUID | None:
        return None if given is None else await resolve(services, kind, given)

    return found


# in the path: `{hold_id:hold}`, `{run_id:run}` and so on
HoldInPath = Annotated[UUID, Depends(_in_path("H", "hold_id"))]
BatchInPath = Annotated[UUID, Depends(_in_path("H", "batch_id"))]
RequestInPath = Annotated[UUID, Depends(_in_path("H", "request_id"))]
RunInPath = Annotated[UUID, Depends(_in_path("R", "run_id"))]
ChangeInPath = Annotated[UUID, Depends(_in_path("R", "change_id"))]
SessionInPath = Annotated[UUID, Depends(_in_path("R", "session_id"))]
HoldInQuery = Annotated[UUID | None, Depends(_in_query("H", "hold"))]
RunInQuery = Annotated[UUID | None, Depends(_in_query("R", "run"))]
