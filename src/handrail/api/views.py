"""Domain → wire: what a caller is shown of a hold."""

from __future__ import annotations

from collections.abc import Mapping
from uuid import UUID

from handrail.api.schemas.comments import CommentOut
from handrail.api.schemas.holds import (
    ActionOut,
    DecisionOut,
    HoldOut,
    ItemVerdict,
    MayDecide,
    RedemptionOut,
    RequirementsOut,
    ResultOut,
    ReviewOut,
    RuleOut,
)
from handrail.api.schemas.people import Who
from handrail.core import authority
from handrail.core.holds import Decision, Hold, Question, Review
from handrail.core.people import Principal
from handrail.core.risk import Assessment, Requirements
from handrail.holds.commenting import Comment
from handrail.holds.reading import Named


def hold(shown: Hold, people: Mapping[UUID, Named], viewer: Principal) -> HoldOut:
    question, assessment = shown.question, shown.assessment
    return HoldOut(
        id=shown.id,
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
        action=action(question),
        task=shown.task,
        items=list(question.items),
        schema=question.schema,
        evidence=question.evidence,
        context=shown.context,
        case_id=shown.case_id,
        run_id=shown.run_id,
        opened_by=who(people[shown.opener]),
        started_by=who(people[shown.starter]) if shown.starter else None,
        opened_at=shown.opened_at,
        expires_at=shown.expires_at,
        on_expiry=shown.on_expiry,
        escalate_at=shown.escalate_at,
        escalated_at=shown.escalated_at,
        reviews=[_review(r, people) for r in shown.reviews],
        decision=_decision(shown.decision, people) if shown.decision else None,
        redeemed=RedemptionOut(by=who(people[shown.redemption.by]), at=shown.redemption.at)
        if shown.redemption
        else None,
        result=ResultOut(outcome=shown.result.outcome, at=shown.result.at, detail=shown.result.detail)
        if shown.result
        else None,
        may_decide=_may_decide(shown, viewer),
    )


def who(named: Named) -> Who:
    return Who(id=named.id, name=named.name, kind=named.kind)


def action(question: Question) -> ActionOut:
    return ActionOut(name=question.action.name, args=question.action.args, target=question.action.target)


def requirements(needed: Requirements) -> RequirementsOut:
    return RequirementsOut(
        approvals=needed.approvals,
        roles=sorted(needed.roles),
        required=[sorted(group) for group in needed.required],
        rejections=needed.rejections,
        justification=needed.justification,
    )


def rules(assessment: Assessment) -> list[RuleOut]:
    return [RuleOut(rule=r.rule, level=r.level, reason=r.reason) for r in assessment.rules]


def comment(said: Comment) -> CommentOut:
    return CommentOut(id=said.id, by=who(said.by), at=said.at, text=said.text, reply_to=said.reply_to)


def _review(said: Review, people: Mapping[UUID, Named]) -> ReviewOut:
    return ReviewOut(
        by=who(people[said.by]), verdict=said.verdict, roles=sorted(said.roles), at=said.at, reason=said.reason
    )


def _decision(made: Decision, people: Mapping[UUID, Named]) -> DecisionOut:
    return DecisionOut(
        outcome=made.outcome,
        basis=made.basis,
        by=who(people[made.by]) if made.by else None,
        at=made.at,
        reason=made.reason,
        answer=made.answer,
        items=[ItemVerdict(item_id=i.item_id, approved=i.approved, reason=i.reason) for i in made.items],
    )


def _may_decide(shown: Hold, viewer: Principal) -> MayDecide:
    if not shown.pending:
        return MayDecide(allowed=False, code="already_decided", reason=f"the hold is {shown.status}")
    refused = authority.refusal(viewer, shown)
    if refused is None:
        return MayDecide(allowed=True)
    return MayDecide(allowed=False, code=refused.code, reason=refused.message)
