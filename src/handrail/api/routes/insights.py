"""How deciding goes, in figures, and the holds behind each of them."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Annotated, Any, Literal
from uuid import UUID
from zoneinfo import available_timezones

from fastapi import Depends, Query

from handrail.api import views
from handrail.api.identity import Reader, guarded_router
from handrail.api.rows import rows
from handrail.api.schemas.fields import Moment
from handrail.api.schemas.insights import Age, AgentOutcomes, InsightHolds, Insights, Load
from handrail.api.services import Use
from handrail.core import errors
from handrail.core.holds import DecisionBasis, Kind, Status
from handrail.core.people import NameCard
from handrail.core.risk import Level
from handrail.store import clock, insights, names
from handrail.store.insights import Asked, Happening, Narrowed

router = guarded_router("insights")

USUAL = timedelta(days=30)
LONGEST = timedelta(days=731)

Seconds = Annotated[float | None, Query(ge=0, le=3_650 * 86_400, allow_inf_nan=False)]


async def narrowed(
    since: Moment | None = None,
    until: Moment | None = None,
    zone: Annotated[str, Query(max_length=60, description="Days and hours are of this time zone.")] = "UTC",
    agent: Annotated[UUID | None, Query(description="Who opened them.")] = None,
    action: Annotated[str | None, Query(min_length=1, max_length=500)] = None,
    rule: Annotated[str | None, Query(min_length=1, max_length=500, description="A rule that fired.")] = None,
    risk: Level | None = None,
    kind: Kind | None = None,
    status: Status | None = None,
    asked: Annotated[Asked | None, Query(description="Whether people were asked, or nobody was.")] = None,
    decided: Annotated[DecisionBasis | None, Query(description="On what the decision rests.")] = None,
    person: Annotated[UUID | None, Query(description="Who reviewed them.")] = None,
    happened: Happening | None = None,
    hour: Annotated[int | None, Query(ge=0, le=23, description="Of a review.")] = None,
    weekday: Annotated[int | None, Query(ge=1, le=7, description="Of a review; Monday is 1.")] = None,
    longer: Annotated[Seconds, Query(description="Seconds to decision, or until now.")] = None,
    shorter: Annotated[Seconds, Query(description="Seconds to decision, or until now.")] = None,
) -> Narrowed:
    if zone not in available_timezones():
        raise errors.InvalidField(f"`zone` {zone!r} is not a time zone such as Europe/Berlin", field="zone")
    return Narrowed(
        since=since,
        until=until,
        zone=zone,
        agent=agent,
        action=action,
        rule=rule,
        level=risk,
        kind=kind,
        status=status,
        asked=asked,
        decided=decided,
        person=person,
        happened=happened,
        hour=hour,
        weekday=weekday,
        longer=longer,
        shorter=shorter,
    )


Wanted = Annotated[Narrowed, Depends(narrowed)]


@router.get("/api/insights", summary="Get figures on how holds are decided")
async def figures(caller: Reader, services: Use, wanted: Wanted) -> Insights:
    """Of the holds that you may see, opened in the period: the last 30 days unless you say otherwise."""
    target = services.settings.decision_target_seconds
    async with services.figuring, services.database.connection() as conn:
        until = wanted.until or await clock.now(conn)
        since = wanted.since or until - USUAL
        if not timedelta(0) < until - since <= LONGEST:
            raise errors.InvalidField(f"the period must be at most {LONGEST.days} days long", field="since")
        asked = replace(wanted, since=since, until=until)
        found = await insights.figures(conn, caller.principal, asked, unit=unit(until - since), target=target)
        people = [UUID(one["name"]) for one in (*found["people"], *found["agents"])]
        known = await names.of(conn, people)
    return shown(found, known, since=since, until=until, zone=wanted.zone, target=target)


@router.get("/api/insights/holds", summary="List the holds behind a figure")
async def holds(
    caller: Reader, services: Use, wanted: Wanted, limit: Annotated[int, Query(ge=1, le=200)] = 100
) -> InsightHolds:
    """Newest first, narrowed as the figures are; without `since` of every time."""
    async with services.figuring, services.database.connection() as conn:
        found = await insights.listed(conn, caller.principal, wanted, limit + 1)
    return InsightHolds(rows=await rows(services, caller, found[:limit]), more=len(found) > limit)


def unit(length: timedelta) -> Literal["hour", "day", "week"]:
    if length <= timedelta(days=3):
        return "hour"
    return "day" if length <= timedelta(days=100) else "week"


def shown(found: dict[str, Any], known: dict[UUID, NameCard], **period: Any) -> Insights:
    ends = [0, *insights.AGES, None]
    ages = [
        Age(at_least=low or 0, below=high, count=count)
        for low, high, count in zip(ends, ends[1:], found["backlog"]["ages"], strict=False)
    ]
    return Insights.model_validate(
        {
            **found,
            **period,
            "capped": found["counted"] == insights.MOST_HOLDS,
            "backlog": {**found["backlog"], "ages": ages},
            "people": [Load(person=views.who(known[UUID(one["name"])]), **one) for one in found["people"]],
            "agents": [AgentOutcomes(agent=views.who(known[UUID(one["name"])]), **one) for one in found["agents"]],
        }
    )
