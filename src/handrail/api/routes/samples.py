"""Samples over HTTP: what ran unasked and is looked at afterwards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any
from uuid import UUID

from fastapi import Path

from handrail.api import views
from handrail.api.identity import Decider, Reader, guarded_router
from handrail.api.references import HoldInPath
from handrail.api.routes.hindsight import Wanted
from handrail.api.routes.replay import replayed
from handrail.api.schemas.samples import (
    DrawnOut,
    LookAtSample,
    ProposalDetail,
    ProposalOut,
    RaisedOut,
    RateOut,
    SampleList,
    SampleOut,
)
from handrail.api.services import Services, Use
from handrail.core.people import NameCard
from handrail.hindsight import sampled
from handrail.holds import reading, sampling
from handrail.holds.sampling import Proposal
from handrail.policy import differences, load
from handrail.store.samples import Sample

router = guarded_router("holds")


@router.get("/api/samples", summary="List what ran unasked and waits to be looked at")
async def list_samples(caller: Reader, services: Use) -> SampleList:
    """Drawn low actions that ran without asking anybody, the rules that findings propose, for you to apply, and the
    share that is drawn. Not for programs."""
    found = await sampling.listed(services.context, caller.principal)
    return SampleList(
        samples=await _all_shown(services, found.waiting),
        proposals=[ProposalOut(**await _proposed(services, one)) for one in found.proposals],
        raised=[
            RaisedOut(action=one.action, risk=one.level, findings=await _all_shown(services, one.findings))
            for one in found.raised
        ],
        rates=[
            RateOut(entry=one.entry, share=one.share, actions=[DrawnOut(**each._asdict()) for each in one.actions])
            for one in found.rates
        ],
    )


@router.get("/api/samples/rules/{rule_id}", summary="Get the rule that findings propose, with its replay")
async def proposed_rule(
    rule_id: Annotated[str, Path(pattern="^sampled-[a-z0-9-]{0,80}$")], caller: Reader, services: Use, wanted: Wanted
) -> ProposalDetail:
    """For auditors and administrators. An administrator applies it."""
    since, until = wanted
    async with services.figuring:
        found = await sampled.detail(services.context, caller, rule_id, since, until)
    return ProposalDetail(
        **await _proposed(services, found.proposal),
        files=dict(found.files),
        changes=differences(services.policies.current(), load(found.files)),
        replay=await replayed(services, found.replay),
    )


@router.post("/api/holds/{hold_id:hold}/sample", summary="Say what you found in a sample")
async def look_at_sample(hold_id: HoldInPath, body: LookAtSample, caller: Decider, services: Use) -> SampleOut:
    """Your word on what ran: fine, or a finding with its reason. Once, and not by whoever requested it."""
    hold = await reading.get(services.context, caller.principal, hold_id)
    said = await sampling.look(services.context, caller, hold, finding=body.finding, reason=body.reason)
    return await _shown(services, said)


async def _proposed(services: Services, one: Proposal) -> dict[str, Any]:
    findings = await _all_shown(services, one.findings)
    return {"id": one.id, "action": one.action, "rule": one.rule, "findings": findings}


async def _shown(services: Services, sample: Sample) -> SampleOut:
    (shown,) = await _all_shown(services, [sample])
    return shown


async def _all_shown(services: Services, found: Sequence[Sample]) -> list[SampleOut]:
    people = await reading.people_of(services.context, [one.hold for one in found])
    return [_sample(one, people) for one in found]


def _sample(sample: Sample, people: Mapping[UUID, NameCard]) -> SampleOut:
    hold, action = sample.hold, sample.hold.question.action
    assert action is not None, "only actions are drawn"
    return SampleOut(
        hold_id=hold.id,
        short_id=hold.short_id,
        title=hold.question.title,
        action=views.action(action),
        opened_by=views.who(people[hold.opener]),
        opened_at=hold.opened_at,
        drawn_at=sample.drawn_at,
        looked_at=sample.looked_at,
        finding=sample.finding,
        reason=sample.reason,
    )
