"""What a list of holds is narrowed to, as every route that lists or counts them reads it from its query."""

from __future__ import annotations

from typing import Annotated, Literal
from uuid import UUID

from fastapi import Depends, Query

from handrail.api.identity import AnyCaller
from handrail.api.references import RunInQuery, check, principal, resolve
from handrail.api.schemas.fields import Moment
from handrail.api.services import Services, Use
from handrail.core import errors
from handrail.core.holds import Kind, Status
from handrail.core.risk import Level
from handrail.store.needing import View
from handrail.store.pages import Filters

MOST_IDS = 200
# a comma and a long id for each
IDS_LENGTH = MOST_IDS * 37


async def filters(
    caller: AnyCaller,
    services: Use,
    view: Annotated[
        View | None,
        Query(
            description="`needs_me`: you may decide it and have not. `waiting`: pending, and it waits for others. "
            "`mine`: you opened it, or started its run. `done`: decided. `snoozed`: by you."
        ),
    ] = None,
    status: Annotated[
        Status | Literal["all"] | None, Query(description="`pending`, if neither this nor `view` is given.")
    ] = None,
    kind: Kind | None = None,
    risk: Level | None = None,
    case: Annotated[str | None, Query(min_length=1, max_length=200)] = None,
    run: RunInQuery = None,
    agent: Annotated[
        str | None, Query(min_length=1, max_length=500, description="Id or name of who opened it.")
    ] = None,
    action: Annotated[
        str | None, Query(min_length=1, max_length=200, description="The action's name, with `*` for anything.")
    ] = None,
    opened_after: Moment | None = None,
    opened_before: Moment | None = None,
    assignee: Annotated[
        str | None,
        Query(min_length=1, max_length=500, description="Who looks at it: `me`, `nobody`, or an id or name."),
    ] = None,
    mine: Annotated[bool, Query(description="Only holds that you opened, or whose run you started.")] = False,
    text: Annotated[str | None, Query(max_length=500)] = None,
    ids: Annotated[
        str | None,
        Query(
            min_length=1,
            max_length=IDS_LENGTH,
            # other signs would take up to twelve places each in an address, which may have 64 KiB
            pattern="^[0-9A-Za-z,-]+$",
            description=f"Only these, at most {MOST_IDS}, with commas between.",
        ),
    ] = None,
) -> Filters:
    return Filters(
        status=_status(view, status),
        kind=kind,
        level=risk,
        case_id=case,
        run_id=run,
        mine=mine,
        text=text,
        ids=None if ids is None else tuple([await _long(services, one) for one in ids.split(",")]),
        view=view,
        opener=None if agent is None else await _who(services, agent),
        action=action,
        opened_after=opened_after,
        opened_before=opened_before,
        assignee=await _assignee(services, caller.principal.id, assignee),
    )


def _status(view: View | None, status: Status | Literal["all"] | None) -> Status | None:
    if status is None:
        return Status.pending if view is None else None
    if status == "all":
        return None
    if view is not None and status not in view.statuses:
        raise errors.InvalidField(f"`status`: the view `{view}` has no holds that are {status}", field="status")
    return status


async def _assignee(services: Services, me: UUID, given: str | None) -> UUID | Literal["nobody"] | None:
    match given:
        case None | "nobody":
            return given
        case "me":
            return me
        case _:
            return await _who(services, given)


async def _who(services: Services, given: str) -> UUID:
    """A name that nobody has is no error of a filter: it finds nothing, as one of somebody who asks nothing does."""
    try:
        return await principal(services, given)
    except errors.NotFound:
        return UUID(int=0)


async def _long(services: Use, given: str) -> UUID:
    return await resolve(services, "H", check("H", given, "hold"))


Listed = Annotated[Filters, Depends(filters)]
