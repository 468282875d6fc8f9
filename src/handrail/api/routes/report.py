"""The oversight report: what ran and was held in a period, who decided, and where the proof of it stands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from importlib.metadata import version
from typing import Any
from uuid import UUID

from fastapi import Request, Response

from handrail.api import views
from handrail.api.identity import Reader, guarded_router
from handrail.api.routes import audit as audits
from handrail.api.routes import grants as granted
from handrail.api.routes import insights as figures
from handrail.api.routes import policy as versions
from handrail.api.routes.hindsight import Wanted
from handrail.api.schemas.report import LogStretch, Noted, NotedEntry, Report, ReportPerson
from handrail.api.services import Services, Use
from handrail.core import errors, ids
from handrail.core.callers import Caller
from handrail.core.people import NameCard
from handrail.hindsight import document, entries
from handrail.store import clock, insights, names, oversight
from handrail.store.insights import Narrowed

router = guarded_router("hindsight")


@router.get("/api/report", summary="Get the oversight report")
async def report(request: Request, caller: Reader, services: Use, wanted: Wanted) -> Report:
    """Of the last 30 days, unless you say otherwise. For administrators and auditors."""
    return await _report(request, caller, services, *wanted)


@router.get(
    "/api/report.html",
    summary="Get the oversight report as a document",
    response_class=Response,
    responses={200: {"content": {"text/html": {}}}},
)
async def as_document(request: Request, caller: Reader, services: Use, wanted: Wanted) -> Response:
    """One HTML file without scripts, to keep and to print. It says how to verify the log; it cannot prove it."""
    made = await _report(request, caller, services, *wanted)
    text = document.html(made.model_dump(mode="json"))
    name = f"oversight-{made.since:%Y-%m-%d}-{made.until:%Y-%m-%d}.html"
    headers = {
        "Content-Security-Policy": f"default-src 'none'; style-src '{document.STYLE_HASH}'; frame-ancestors 'none'",
        "Content-Disposition": f'attachment; filename="{name}"',
    }
    return Response(text, media_type="text/html", headers=headers)


async def _report(request: Request, caller: Caller, services: Services, since: datetime, until: datetime) -> Report:
    if not caller.principal.reads_all:
        raise errors.Forbidden("The oversight report is for auditors and administrators.")
    target = services.settings.decision_target_seconds
    async with services.figuring, services.database.connection() as conn:
        now = await clock.now(conn)
        narrowed = Narrowed(since=since, until=until)
        found = await insights.figures(
            conn, caller.principal, narrowed, unit=figures.unit(until - since), target=target
        )
        exceptions = await oversight.exceptions(conn, since, until)
        steering = await oversight.steering(conn, since, until)
        stretch = await oversight.stretch(conn, since, until)
        verdicts = await oversight.verdicts(conn, since, until)
        people = {UUID(one["name"]) for one in (*found["people"], *found["agents"])}
        listed = (*exceptions[1], *steering[1])
        people |= {who for one in listed for who in (one.actor_id, entries.whom(one)) if who}
        known = await names.of(conn, people | {caller.principal.id})
    shown = figures.shown(found, known, since=since, until=until, zone="UTC", target=target)
    grants = (await granted.list_grants(caller, services, ended=True)).grants
    kept = (await versions.history(caller, services)).versions
    return Report(
        **shown.model_dump(include={"since", "until", "capped", "target", "outcomes", "happened", "times"}),
        by_risk=shown.by_risk,
        risks=shown.risks,
        agents=shown.agents,
        actions=shown.actions,
        made_at=now,
        made_by=views.who(known[caller.principal.id]),
        version=version("handrail"),
        address=str(request.base_url).rstrip("/"),
        people=[_person(one, verdicts.get(one.person.id, {})) for one in shown.people],
        exceptions=_noted(exceptions, known),
        steering=_noted(steering, known),
        grants=[one for one in grants if one.made_at < until and (one.ended_at or one.terms.until) >= since],
        policies=[
            one
            for one, later in zip(kept, [None, *kept], strict=False)
            if one.applied_at < until and (later is None or later.applied_at >= since)
        ],
        log=LogStretch(
            first=stretch.first,
            last=stretch.last,
            entries=stretch.entries,
            types=stretch.types,
            head=await audits.head(caller, services),
        ),
    )


def _person(one: Any, said: Mapping[str, int]) -> ReportPerson:
    return ReportPerson(
        person=one.person,
        reviews=one.reviews,
        approved=said.get("approve", 0),
        rejected=said.get("reject", 0),
        answered=said.get("answer", 0),
        amended=said.get("amend", 0),
        withdrawn=one.withdrawn,
        p50=one.p50,
    )


def _noted(found: tuple[int, Sequence[oversight.Noted]], known: Mapping[UUID, NameCard]) -> Noted:
    total, rows = found
    return Noted(
        total=total,
        entries=[
            NotedEntry(
                seq=one.seq,
                at=one.at,
                type=one.type,
                by=views.who(known[one.actor_id]) if one.actor_id and one.actor_id in known else None,
                what=entries.what(one, known),
                hold_id=one.hold_id,
                short_id=ids.short("H", one.number) if one.number else None,
                title=one.title,
            )
            for one in rows
        ],
    )
