"""Samples over HTTP: what ran unasked and is looked at afterwards."""

from __future__ import annotations

from handrail.api import views
from handrail.api.identity import Decider, Reader, guarded_router
from handrail.api.references import HoldInPath
from handrail.api.schemas.samples import LookAtSample, ProposalOut, SampleList, SampleOut
from handrail.api.services import Services, Use
from handrail.holds import reading, sampling
from handrail.store.samples import Sample

router = guarded_router("holds")


@router.get("/api/samples", summary="List what ran unasked and waits to be looked at")
async def list_samples(caller: Reader, services: Use) -> SampleList:
    """Drawn low actions that ran without asking anybody, and the rules that findings propose, for you to apply."""
    found = await sampling.listed(services.context, caller.principal)
    return SampleList(
        samples=[await _shown(services, one) for one in found.waiting],
        proposals=[
            ProposalOut(
                action=one.action, rule=one.rule, findings=[await _shown(services, each) for each in one.findings]
            )
            for one in found.proposals
        ],
    )


@router.post("/api/holds/{hold_id:hold}/sample", summary="Say what you found in a sample")
async def look_at_sample(hold_id: HoldInPath, body: LookAtSample, caller: Decider, services: Use) -> SampleOut:
    """Your word on what ran: fine, or a finding with its reason. Once, and not by whoever requested it."""
    hold = await reading.get(services.context, caller.principal, hold_id)
    said = await sampling.look(services.context, caller, hold, finding=body.finding, reason=body.reason)
    return await _shown(services, said)


async def _shown(services: Services, sample: Sample) -> SampleOut:
    people = await reading.people_of(services.context, [sample.hold])
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
