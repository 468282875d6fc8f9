"""What the past says of deciding: signs of fatigue, and rules and grants that would mend them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from typing import Annotated, Any
from uuid import UUID

from fastapi import Depends, Path, Query

from handrail.api import views
from handrail.api.identity import Reader, guarded_router
from handrail.api.routes.grants import covered_call, terms_out
from handrail.api.routes.replay import replayed
from handrail.api.schemas.fields import Moment
from handrail.api.schemas.hindsight import (
    Fatigue,
    FatigueSign,
    SeenHold,
    SuggestionDetail,
    SuggestionList,
    SuggestionOut,
)
from handrail.api.services import Services, Use
from handrail.core import errors
from handrail.core.holds import Hold
from handrail.core.people import NameCard
from handrail.hindsight import suggesting, watching, wording
from handrail.hindsight.suggesting import Suggestion
from handrail.policy import differences, load
from handrail.store import clock, names

router = guarded_router("hindsight")

USUAL = timedelta(days=30)
LONGEST = timedelta(days=366)
MOST_CALLS = 200

Period = tuple[datetime, datetime]


async def period(services: Use, since: Moment | None = None, until: Moment | None = None) -> Period:
    """The last 30 days, unless the caller says otherwise."""
    async with services.database.connection() as conn:
        end = until or await clock.now(conn)
    begin = since or end - USUAL
    if not timedelta(0) < end - begin <= LONGEST:
        raise errors.InvalidField(f"the period must be at most {LONGEST.days} days long", field="since")
    return begin, end


Wanted = Annotated[Period, Depends(period)]


@router.get("/api/fatigue", summary="Look for signs that people no longer read what they decide")
async def fatigue(
    caller: Reader,
    services: Use,
    wanted: Wanted,
    person: Annotated[
        UUID | None, Query(description="Only of this person; you see others only if you read all.")
    ] = None,
) -> Fatigue:
    """Your own; for administrators and auditors everybody's, and rules that ask and are never refused. Each comes with
    the rule or the grant that would ask less. Not for programs."""
    since, until = wanted
    async with services.figuring:
        found = await watching.watch(services.context, caller, since, until, person)
    ids = {one.person for one in found.findings if one.person}
    ids |= {fix.call.agent for fixes in found.fixes for fix in fixes}
    known = await _known(services, ids)
    return Fatigue(
        since=since,
        until=until,
        reviews=found.reviews,
        capped=found.capped,
        findings=[
            FatigueSign(
                sign=one.sign,
                person=views.who(known[one.person]) if one.person else None,
                rule=one.rule,
                text=one.text,
                count=one.count,
                of=one.of,
                figure=round(one.figure, 3),
                words=wording.words(one, _name(one.person, caller.principal.id, known)),
                examples=[_seen(hold) for hold in one.examples],
                fixes=[SuggestionOut(**_shared(fix, known)) for fix in fixes],
            )
            for one, fixes in zip(found.findings, found.fixes, strict=True)
        ],
    )


@router.get("/api/suggestions", summary="List rules and grants that the past suggests")
async def suggestions(caller: Reader, services: Use, wanted: Wanted) -> SuggestionList:
    """From the past alone, the most useful first. For administrators and auditors. Nothing is applied: rules by an
    administrator, grants by the people who may decide such calls."""
    since, until = wanted
    async with services.figuring:
        found = await suggesting.suggestions(services.context, caller, since, until)
    known = await _known(services, {one.call.agent for one in found})
    return SuggestionList(since=since, until=until, suggestions=[SuggestionOut(**_shared(one, known)) for one in found])


@router.get("/api/suggestions/{suggestion_id}", summary="Get a suggestion with its replay")
async def suggestion(
    suggestion_id: Annotated[str, Path(pattern="^[0-9a-f]{12}$")], caller: Reader, services: Use, wanted: Wanted
) -> SuggestionDetail:
    since, until = wanted
    async with services.figuring:
        one, replay = await suggesting.detail(services.context, caller, suggestion_id, since, until)
    known = await _known(services, {one.call.agent})
    current = services.policies.current()
    return SuggestionDetail(
        **_shared(one, known),
        calls=[covered_call(hold) for hold in one.covered[:MOST_CALLS]],
        terms=terms_out(one.terms, known) if one.terms else None,
        files=dict(one.files) if one.files else None,
        changes=differences(current, load(one.files)) if one.files else None,
        replay=await replayed(services, replay) if replay else None,
    )


async def _known(services: Services, ids: Collection[UUID]) -> dict[UUID, NameCard]:
    async with services.database.connection() as conn:
        return await names.of(conn, ids)


def _name(person: UUID | None, caller: UUID, known: Mapping[UUID, NameCard]) -> str:
    if person is None or person == caller:
        return "You"
    return known[person].name


def _seen(hold: Hold) -> SeenHold:
    return SeenHold(id=hold.id, short_id=hold.short_id, title=hold.question.title, opened_at=hold.opened_at)


def _shared(one: Suggestion, known: Mapping[UUID, NameCard]) -> dict[str, Any]:
    return {
        "id": one.id,
        "kind": one.kind,
        "tightens": one.tightens,
        "words": one.words,
        "agent": views.who(known[one.call.agent]),
        "action": one.call.action,
        "risk": one.level,
        "asked": one.asked,
        "stopped": one.stopped,
        "covered": len(one.covered),
        "slips": one.slips,
        "minutes": one.minutes,
        "like": _seen(one.like),
    }
