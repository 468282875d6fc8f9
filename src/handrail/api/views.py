"""Domain → wire: what a caller is shown of a hold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from handrail.api.schemas.comments import CommentOut
from handrail.api.schemas.holds import (
    ActionOut,
    Away,
    CredentialOut,
    DecisionOut,
    FactOut,
    HoldEvent,
    HoldOut,
    ItemVerdict,
    MayDecide,
    RedemptionOut,
    RequirementsOut,
    ResultOut,
    ReviewOut,
    RuleOut,
    WarningOut,
)
from handrail.api.schemas.inbox import HoldRow, RowDecision, RowRequirements
from handrail.api.schemas.people import Who
from handrail.api.schemas.triage import AssigneeOut
from handrail.core import authority, errors
from handrail.core.callers import Caller
from handrail.core.credentials import Credential
from handrail.core.holds import Action, Decision, Hold, Review
from handrail.core.people import NameCard
from handrail.core.risk import Assessment, Requirements
from handrail.holds.commenting import Comment
from handrail.store.hands import Warned
from handrail.store.triage import Triage


def hold(shown: Hold, people: Mapping[UUID, NameCard], viewer: Caller) -> HoldOut:
    question, assessment = shown.question, shown.assessment
    return HoldOut(
        id=shown.id,
        short_id=shown.short_id,
        kind=question.kind,
        status=shown.status,
        title=question.title,
        description=shown.description,
        digest=shown.digest,
        revision=shown.revision,
        risk=assessment.level,
        rules=rules(assessment),
        requirements=requirements(assessment.requirements),
        policy_version=assessment.policy_version,
        action=action(question.action) if question.action else None,
        facts=facts(assessment),
        task=shown.task,
        items=list(question.items),
        schema=question.schema,
        evidence=question.evidence,
        context=shown.context,
        case_id=shown.case_id,
        run_id=shown.run_id,
        run_short_id=shown.run_short_id,
        opened_by=who(people[shown.opener]),
        started_by=who(people[shown.starter]) if shown.starter else None,
        opened_at=shown.opened_at,
        expires_at=shown.expires_at,
        on_expiry=shown.on_expiry,
        takes_response=shown.takes_response,
        escalate_at=shown.escalate_at,
        escalated_at=shown.escalated_at,
        reviews=[_review(r, shown, people) for r in shown.reviews],
        decision=_decision(shown.decision, people) if shown.decision else None,
        redeemed=RedemptionOut(by=who(people[shown.redemption.by]), at=shown.redemption.at)
        if shown.redemption
        else None,
        result=ResultOut(outcome=shown.result.outcome, at=shown.result.at, detail=shown.result.detail)
        if shown.result
        else None,
        may_decide=_may_decide(shown, viewer),
    )


def row(shown: Hold, people: Mapping[UUID, NameCard], viewer: Caller, standing: Triage) -> HoldRow:
    question, needed, made = shown.question, shown.assessment.requirements, shown.decision
    asked = question.action
    return HoldRow(
        id=shown.id,
        short_id=shown.short_id,
        kind=question.kind,
        status=shown.status,
        title=question.title,
        digest=shown.digest,
        revision=shown.revision,
        risk=shown.assessment.level,
        requirements=RowRequirements(
            approvals=needed.approvals,
            roles=sorted(needed.roles),
            required=[sorted(group) for group in needed.required],
        ),
        action=ActionOut(name=asked.name, args=asked.args if shown.revision > 1 else {}, target=asked.target)
        if asked
        else None,
        items=len(question.items),
        case_id=shown.case_id,
        run_id=shown.run_id,
        opened_by=who(people[shown.opener]),
        started_by=who(people[shown.starter]) if shown.starter else None,
        opened_at=shown.opened_at,
        expires_at=shown.expires_at,
        on_expiry=shown.on_expiry,
        approvals=len(shown.approvers),
        reviewed=any(review.by == viewer.principal.id for review in shown.reviews),
        decision=RowDecision(
            outcome=made.outcome,
            basis=made.basis,
            by=who(people[made.by]) if made.by else None,
            on_behalf_of=who(people[made.on_behalf_of]) if made.on_behalf_of else None,
            at=made.at,
            reason=made.reason,
        )
        if made
        else None,
        may_decide=_may_decide(shown, viewer).allowed,
        assignee=assignee(standing, people),
        snoozed_until=standing.snoozed_until,
    )


def assignee(standing: Triage, people: Mapping[UUID, NameCard]) -> AssigneeOut | None:
    found = standing.assignee
    return AssigneeOut(person=who(people[found.person]), by=who(people[found.by]), at=found.at) if found else None


def who(named: NameCard) -> Who:
    return Who(id=named.id, name=named.name, kind=named.kind)


def action(asked: Action) -> ActionOut:
    return ActionOut(name=asked.name, args=asked.args, target=asked.target)


def facts(assessment: Assessment) -> list[FactOut]:
    return [FactOut(name=fact.name, value=fact.value, source=fact.source) for fact in assessment.facts]


def requirements(needed: Requirements) -> RequirementsOut:
    return RequirementsOut(
        approvals=needed.approvals,
        roles=sorted(needed.roles),
        required=[sorted(group) for group in needed.required],
        rejections=needed.rejections,
        justification=needed.justification,
        own_credential=needed.own_credential,
        passkey=needed.passkey,
        requester_may_decide=needed.requester_may_decide,
        stand_ins=needed.stand_ins,
        grants=needed.grants,
    )


def rules(assessment: Assessment) -> list[RuleOut]:
    return [
        RuleOut.model_validate(
            {"rule": r.rule, "level": r.level, "reason": r.reason, "from": "claim" if r.claimed else "fact"}
        )
        for r in assessment.rules
    ]


def event(
    row: Mapping[str, Any], actor: NameCard | None, absent: NameCard | None, person: NameCard | None
) -> HoldEvent:
    same = {name: row[name] for name in ("seq", "type", "at")}
    return HoldEvent(
        actor=who(actor) if actor else None,
        on_behalf_of=who(absent) if absent else None,
        person=who(person) if person else None,
        data=row["data"] or {},
        **same,
    )


def comment(said: Comment) -> CommentOut:
    return CommentOut(id=said.id, by=who(said.by), at=said.at, text=said.text, reply_to=said.reply_to)


def warning(warned: Warned, people: Mapping[UUID, NameCard]) -> WarningOut:
    cards = [people[id_] for id_ in warned.people]
    by = {
        "browser": "from the same browser",
        "authenticator": "with passkeys that were registered in the same browser",
        "account": f"by the same {(warned.channel or '').capitalize()} account",
    }[warned.sign]
    text = f"{' and '.join(card.name for card in cards)} approved {by}. They may be one person."
    return WarningOut(sign=warned.sign, people=[who(card) for card in cards], channel=warned.channel, text=text)


def _review(said: Review, on: Hold, people: Mapping[UUID, NameCard]) -> ReviewOut:
    return ReviewOut(
        by=who(people[said.by]),
        on_behalf_of=who(people[said.on_behalf_of]) if said.on_behalf_of else None,
        verdict=said.verdict,
        roles=sorted(said.roles),
        at=said.at,
        reason=said.reason,
        credential=_credential(said.credential, on, people) if said.credential else None,
        signed=said.passkey is not None,
        pack=said.pack,
    )


def _credential(used: Credential, on: Hold, people: Mapping[UUID, NameCard]) -> CredentialOut:
    origin = used.origin
    return CredentialOut(
        kind=used.kind,
        id=used.id,
        scopes=sorted(used.scopes),
        made_by=who(people[origin.made_by]) if origin.made_by else None,
        own_since=origin.own_since,
        lent_by=who(people[origin.lent_by]) if origin.lent_by else None,
        remark=_remark(used, on, people),
    )


def _remark(used: Credential, on: Hold, people: Mapping[UUID, NameCard]) -> str | None:
    """Nothing where the credential was the person's own before the hold was opened."""
    origin = used.origin
    maker, lender = (people[by].name if by else "the operator" for by in (origin.made_by, origin.lent_by))
    if not origin.own:
        return f"by a token that {maker} made" if used.kind == "token" else f"signed in with what {maker} made for them"
    if origin.own_since and origin.own_since > on.opened_at:
        return f"with a password set while this was waiting, through what {lender} made for them"
    return None


def _decision(made: Decision, people: Mapping[UUID, NameCard]) -> DecisionOut:
    return DecisionOut(
        outcome=made.outcome,
        basis=made.basis,
        by=who(people[made.by]) if made.by else None,
        on_behalf_of=who(people[made.on_behalf_of]) if made.on_behalf_of else None,
        at=made.at,
        reason=made.reason,
        answer=made.answer,
        items=[ItemVerdict(item_id=i.item_id, approved=i.approved, reason=i.reason) for i in made.items],
        grant=made.grant,
    )


def _may_decide(shown: Hold, viewer: Caller) -> MayDecide:
    if not shown.pending:
        return MayDecide(allowed=False, code="already_decided", reason=f"The hold is {shown.status}")
    try:
        absent = authority.capacity(viewer.principal, shown)
    except errors.Forbidden as refused:
        return MayDecide(allowed=False, code=refused.code, reason=errors.sentence(refused.message))
    able = [one for one in viewer.principal.stands_in if authority.refusal(viewer.principal, shown, one) is None]
    # several absences of one person, with different scopes, are one person
    away = {one.id: Away(id=one.id, name=one.name, until=one.until) for one in reversed(able)}
    for_whom: dict[str, Any] = {"stands_in_for": [*away.values()], "own_right": absent is None}
    lent = authority.credential_refusal(viewer.credential, shown)
    if lent is not None:
        return MayDecide(allowed=True, reject_only=True, code=lent.code, reason=lent.message, **for_whom)
    return MayDecide(allowed=True, **for_whom)
