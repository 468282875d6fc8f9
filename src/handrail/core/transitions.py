"""Commands on a hold as pure functions: (hold, command, now) → (hold, events), or a Rejected that changes nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple, TypedDict
from uuid import UUID

from . import amendments, answers, authority, errors, kinds, questions, sealing, skills
from .absences import StandIn
from .canonical import Json
from .credentials import Credential
from .events import Event
from .hold_events import (
    Cause,
    HoldAmended,
    HoldDecided,
    HoldEscalated,
    HoldOpened,
    HoldRedeemed,
    HoldReopened,
    HoldResulted,
    HoldReviewed,
    HoldWithdrawn,
)
from .holds import (
    Action,
    Decision,
    DecisionBasis,
    Hold,
    ItemDecision,
    Redemption,
    Result,
    Review,
    Status,
    Verdict,
)
from .ids import PrincipalId
from .passkeys import Signature
from .people import Principal
from .risk import Assessment, Level

# as long as a reason or a comment may be
LONGEST_RESPONSE = 20_000


class Step(NamedTuple):
    hold: Hold
    events: tuple[Event, ...]


def open_(hold: Hold, *, observed: bool = False, grant: UUID | None = None) -> Step:
    """The hold as it opens, its question checked before. A low approval is approved at once, by policy; and any of an
    agent that is only `observed`, or for which a `grant` supplies what people would have to say."""
    _check_one_person_decides_a_batch(hold)
    opened = HoldOpened(actor=hold.opener, digest=hold.digest, **_assessed(hold))
    basis = _without_people(hold, hold.assessment, observed=observed, granted=grant is not None)
    if basis is None:
        return Step(hold.with_deadlines(hold.opened_at), (opened,))
    used = grant if basis == "grant" else None
    step = _decide(hold, Decision(Status.approved, basis, hold.opened_at, grant=used))
    return Step(step.hold, (opened, *step.events))


def _without_people(hold: Hold, terms: Assessment, *, observed: bool, granted: bool) -> DecisionBasis | None:
    if not kinds.rules(hold.question.kind).by_policy:
        return None
    if terms.auto_approve:
        return "policy"
    if observed:
        return "observation"
    return "grant" if granted else None


def _check_one_person_decides_a_batch(hold: Hold) -> None:
    """One request decides a batch, so one that needs several people would go past its thresholds."""
    requirements = hold.assessment.requirements
    if hold.question.items and (requirements.approvals > 1 or len(requirements.required) > 1):
        raise errors.InvalidField("this action needs several people: open a hold for each item", field="items")


def review(
    hold: Hold,
    who: Principal,
    verdict: Verdict,
    now: datetime,
    *,
    credential: Credential | None = None,
    digest: str | None = None,
    reason: str | None = None,
    answer: Json = None,
    items: Sequence[ItemDecision] = (),
    salt: bytes = b"",
    signature: Signature | None = None,
    on_behalf_of: PrincipalId | None = None,
    pack: str | None = None,
) -> Step:
    """One person's approve, reject, answer or respond; the decision too, where the thresholds are met by it.

    It is given in their own right, or for `on_behalf_of`, who is away; without either it is for the one for whom it
    can be.

    Without a digest the current revision is meant, which is refused once the hold was amended. Of an answer's secrets
    only the hashes are recorded, with this salt. `signature` was checked before: it signs this verdict on it. So was
    `pack`: it was on this person's screen.
    The same say again, with the same roles, changes nothing; unless it settles what an amendment left open.
    """
    absent = _check_may_review(hold, who, digest, now, on_behalf_of)
    _check_verdict(hold, verdict)
    if verdict is Verdict.amend:
        raise errors.MissingField("an amendment needs the action as amended", field="amended_action")
    say = replace(_say(who, absent, verdict, now, reason, credential, signature), pack=pack)
    if verdict is Verdict.answer:
        return _answer(hold, say, answer, tuple(items), salt, signature)
    if verdict is Verdict.respond:
        say, answer = replace(say, reason=_response(answer, reason)), None
    if answer is not None or items:
        raise errors.InvalidField(f"`answer` and `items` cannot be combined with the verdict {verdict}", field="answer")
    if verdict is Verdict.approve:
        _check_yes(hold, say)
    others = (r for r in hold.reviews if r.by != say.by and r.authority != say.authority)
    said = replace(hold, reviews=(*others, say))
    outcome = _settled(said, verdict)
    if outcome is not None:
        step = _decide(said, _made(outcome, say))
        return Step(step.hold, (_reviewed(said, say, signature), *step.events))
    if any(_is_same(r, say) for r in hold.reviews):
        return Step(hold, ())
    return Step(said, (_reviewed(said, say, signature),))


def _is_same(one: Review, other: Review) -> bool:
    names = ("by", "on_behalf_of", "roles", "verdict")
    said = other.verdict is not Verdict.respond or one.reason == other.reason
    return said and all(getattr(one, name) == getattr(other, name) for name in names)


def _response(answer: Json, reason: str | None) -> str:
    """The words for the agent, which are all that a response says."""
    if reason is not None:
        raise errors.InvalidField("a response has no `reason`: it is what `answer` says", field="reason")
    if not isinstance(answer, str) or not answer.strip():
        raise errors.AnswerMismatch("the response must be non-empty text, in `answer`")
    if len(answer) > LONGEST_RESPONSE:
        raise errors.AnswerMismatch(f"the response is longer than {LONGEST_RESPONSE:,} characters")
    return answer


def _made(outcome: Status, say: Review) -> Decision:
    """The words of a response are what it answers; those of any other say are its reason."""
    made = Decision(outcome, "people", say.at, say.by, say.reason, on_behalf_of=say.on_behalf_of)
    return replace(made, reason=None, answer=say.reason) if outcome is Status.answered else made


def _say(
    who: Principal,
    absent: StandIn | None,
    verdict: Verdict,
    now: datetime,
    reason: str | None,
    credential: Credential | None,
    signature: Signature | None = None,
) -> Review:
    """With the person's own roles, or with those of the one who is away; never with both."""
    return Review(
        who.id,
        absent.roles if absent else who.roles,
        verdict,
        now,
        reason,
        credential,
        signature.passkey if signature else None,
        absent.id if absent else None,
    )


def _settled(hold: Hold, verdict: Verdict) -> Status | None:
    """The outcome where the thresholds are met, looking only at the side that just spoke."""
    requirements = hold.assessment.requirements
    if verdict is Verdict.approve:
        return Status.approved if requirements.met_by(hold.approvers) else None
    # to respond is to refuse with words: it takes as many people as a rejection does
    refusals = sum(r.verdict in (Verdict.reject, Verdict.respond) for r in hold.reviews)
    if refusals < requirements.rejections:
        return None
    return Status.answered if verdict is Verdict.respond else Status.rejected


def _answer(
    hold: Hold,
    say: Review,
    answer: Json,
    items: tuple[ItemDecision, ...],
    salt: bytes,
    signature: Signature | None,
) -> Step:
    if hold.question.items:
        if answer is not None:
            raise errors.InvalidField("a batch must be answered with `items` only", field="answer")
        _check_items(hold, items)
        if any(item.approved for item in items):
            _check_yes(hold, say)
    elif items:
        raise errors.InvalidField("`items` is only for batches", field="items")
    else:
        answers.check_answer(hold.question.schema, answer)
        answer = sealing.recorded(hold.question.schema, answer, salt)
        _check_credential(hold, say.credential)
        _check_signed(hold, say)
    hold = replace(hold, reviews=(*hold.reviews, say))
    made = Decision(Status.answered, "people", say.at, say.by, say.reason, answer, items, say.on_behalf_of)
    step = _decide(hold, made)
    return Step(step.hold, (_reviewed(hold, say, signature), *step.events))


def _check_items(hold: Hold, items: tuple[ItemDecision, ...]) -> None:
    asked = hold.question.item_ids
    given = [item.item_id for item in items]
    unknown = sorted(set(given) - set(asked))
    if unknown:
        raise errors.InvalidField(f"this batch has no item {unknown[0]!r}", field="items", unknown=unknown)
    if len(given) != len(set(given)):
        raise errors.InvalidField("an item is decided twice", field="items")
    missing = sorted(set(asked) - set(given))
    if missing:
        raise errors.PartialBatch(
            f"every item needs a decision; these have none: {', '.join(missing[:5])}", missing=missing
        )


def recounted(hold: Hold, roles_now: Mapping[PrincipalId, frozenset[str]]) -> Hold:
    """The hold with approvals counted by the roles that their givers still have; without those who have none left.

    Who is not among `roles_now` is no longer active. One given for somebody counts by that person's roles, while both
    are active. A rejection stands: a no is always safe.
    """
    reviews: list[Review] = []
    for review in hold.reviews:
        if review.verdict is not Verdict.approve:
            reviews.append(review)
        elif review.by in roles_now:
            left = review.roles & roles_now.get(review.authority, frozenset())
            if hold.assessment.requirements.may_decide(left):
                reviews.append(replace(review, roles=left))
    return replace(hold, reviews=tuple(reviews))


def amend(
    hold: Hold,
    who: Principal,
    action: Action,
    assessment: Assessment,
    now: datetime,
    *,
    credential: Credential | None = None,
    digest: str | None = None,
    reason: str | None = None,
    on_behalf_of: PrincipalId | None = None,
    pack: str | None = None,
) -> Step:
    """The next revision, with the action as amended. It clears earlier approvals and never decides by itself.

    `assessment` is that of the action as amended; the revision's terms are at least as strict as those of every
    earlier one. It counts as the amender's approval, unless level or requirements rose or do not take the amender.
    Deadlines count again from the amendment.
    """
    absent = _check_may_review(hold, who, digest, now, on_behalf_of)
    _check_verdict(hold, Verdict.amend)
    _check_credential(hold, credential)
    questions.check_action(action)
    if action == hold.question.action:
        raise errors.Unchanged()
    terms = amendments.strictest(hold.assessment, assessment)
    _check_justified(terms, reason)
    question = replace(hold.question, action=action)
    amended = replace(
        hold,
        question=question,
        digest=question.digest(),
        assessment=terms,
        revision=hold.revision + 1,
        reviews=(),
    ).with_deadlines(now)
    # nobody has signed what it has become
    refused = (
        authority.refusal(who, amended, absent)
        or authority.credential_refusal(credential, amended)
        or authority.signature_refusal(None, amended)
    )
    if not amendments.rose(hold.assessment, terms) and refused is None:
        yes = replace(_say(who, absent, Verdict.approve, now, reason, credential), pack=pack)
        amended = replace(amended, reviews=(yes,))
    said = HoldAmended(
        actor=who.id,
        revision=amended.revision,
        digest=amended.digest,
        previous_digest=hold.digest,
        changes=amendments.changes(hold.question.action, action),
        reason=reason,
        counts_as_approval=bool(amended.reviews),
        on_behalf_of=absent.id if absent else None,
        credential=credential.record if credential else None,
        pack=pack,
        **_assessed(amended),
    )
    return Step(amended, (said,))


def withdraw(hold: Hold, who: Principal, now: datetime, reason: str | None = None) -> Step:
    """Take one's own approval back, or what a stand-in gave for oneself, until it is redeemed. An approved hold is
    pending again.

    It is pending even where the approvals left would do: the decision was made on all of them.
    """
    if hold.redemption is not None:
        raise errors.AlreadyRedeemed("the approval has already been redeemed and can no longer be withdrawn")
    taken = [r for r in hold.reviews if r.verdict is Verdict.approve and who.id in (r.by, r.authority)]
    if hold.status not in (Status.pending, Status.approved) or not taken:
        raise errors.NothingToWithdraw()
    left = replace(hold, reviews=tuple(r for r in hold.reviews if r not in taken))
    withdrawn = tuple(
        HoldWithdrawn(actor=who.id, digest=hold.digest, reason=reason, given_by=r.by if r.by != who.id else None)
        for r in taken
    )
    if hold.pending:
        return Step(left, withdrawn)
    left = replace(left, status=Status.pending, decision=None)
    return Step(left, (*withdrawn, HoldReopened(actor=who.id, cause="withdrawn", digest=hold.digest)))


def redeem(
    hold: Hold,
    who: PrincipalId,
    digest: str,
    key: str,
    current: Assessment,
    now: datetime,
    *,
    roles_now: Mapping[PrincipalId, frozenset[str]],
    observed: bool = False,
    granted: bool = False,
) -> Step:
    """Turn the approval into its one execution.

    The same key again changes nothing. `current` is what the policy in force says of the action, `roles_now` what the
    approvers are now, `observed` whether the agent still is, `granted` whether the grant it was approved by still
    supplies that. Where the reviews that still count are less than is asked for, by the policy or by an earlier
    revision, the approval is void and the hold comes back pending under those terms, with the reviews that they take.
    """
    if hold.redemption is not None and hold.redemption.key == key and digest == hold.digest:
        return Step(hold, ())
    if hold.question.action is None or hold.origin == "grant":
        raise errors.NothingToRedeem()
    if digest != hold.digest:
        raise _stale(hold)
    if hold.redemption is not None:
        raise errors.AlreadyRedeemed(redeemed_at=hold.redemption.at.isoformat())
    if hold.status is not Status.approved:
        raise errors.NotApproved(f"the hold is {hold.status}, not approved", status=hold.status.value)
    terms = amendments.strictest(hold.assessment, current) if hold.revision > 1 else current
    renewed = replace(hold, assessment=_escalated(terms) if hold.escalated_at else terms)
    renewed = replace(renewed, reviews=tuple(r for r in hold.reviews if authority.still_counts(r, renewed)))
    needed, standing = renewed.assessment.requirements, recounted(renewed, roles_now)
    basis = _without_people(hold, terms, observed=observed and hold.unasked, granted=granted and hold.grant is not None)
    if basis is None and not needed.met_by(standing.approvers):
        short: Cause = "standing" if needed.met_by(renewed.approvers) else "policy"
        cause: Cause = "enforced" if hold.unasked else "grant" if hold.grant else short
        reopened = replace(standing, status=Status.pending, decision=None, assessment=terms).with_deadlines(now)
        return Step(reopened, (HoldReopened(cause=cause, digest=hold.digest, **_assessed(reopened)),))
    redeemed = HoldRedeemed(actor=who, digest=hold.digest)
    return Step(replace(hold, redemption=Redemption(key, who, now)), (redeemed,))


def reopen(hold: Hold, cause: Cause, now: datetime, why: Sequence[str] = ()) -> Step:
    """Everything that was said and done since it opened is void: people are asked again about the present revision."""
    reopened = replace(hold, status=Status.pending, decision=None, redemption=None, result=None, reviews=())
    said = HoldReopened(cause=cause, digest=hold.digest, why=tuple(why), **_assessed(hold))
    return Step(reopened.with_deadlines(now), (said,))


def approved_until(hold: Hold, moment: datetime) -> bool:
    """Whether the hold was approved until then, and not used."""
    decision = hold.decision
    return hold.status is Status.approved and hold.redemption is None and decision is not None and decision.at <= moment


def approved_since(hold: Hold, moment: datetime) -> Hold:
    """The hold without approvals that were given until then. A rejection stands: a no is always safe."""
    return replace(hold, reviews=tuple(r for r in hold.reviews if r.verdict is not Verdict.approve or r.at > moment))


def record_result(hold: Hold, who: PrincipalId, result: Result) -> Step:
    """What happened when the action ran. The same result again changes nothing."""
    if hold.redemption is None:
        raise errors.NotRedeemed()
    if hold.result is not None:
        if (hold.result.outcome, hold.result.detail) == (result.outcome, result.detail):
            return Step(hold, ())
        raise errors.ResultRecorded()
    said = HoldResulted(actor=who, outcome=result.outcome, detail=result.detail, digest=hold.digest)
    return Step(replace(hold, result=result), (said,))


def cancel(hold: Hold, who: PrincipalId, now: datetime, reason: str | None = None) -> Step:
    """The requester no longer asks."""
    _check_pending(hold, now)
    return _decide(hold, Decision(Status.cancelled, "requester", now, who, reason))


def deny(hold: Hold, who: PrincipalId, now: datetime, reason: str) -> Step:
    """Rejected by the emergency brake that this person set."""
    _check_undecided(hold)
    return _decide(hold, Decision(Status.rejected, "brake", now, who, reason))


def escalate(hold: Hold, now: datetime) -> Step:
    """The deadline for escalation passed: more approvers are added, told, and given their time.

    A second time changes nothing.
    """
    _check_undecided(hold)
    if hold.escalated_at is not None:
        return Step(hold, ())
    added = hold.assessment.escalate_to - hold.assessment.requirements.roles
    expires_at = hold.expiry_after_escalation(now)
    escalated = replace(hold, assessment=_escalated(hold.assessment), escalated_at=now, expires_at=expires_at)
    said = HoldEscalated(
        added_roles=tuple(sorted(added)),
        digest=hold.digest,
        expires_at=expires_at.isoformat() if expires_at else None,
    )
    return Step(escalated, (said,))


def _escalated(assessment: Assessment) -> Assessment:
    requirements = assessment.requirements
    return replace(assessment, requirements=replace(requirements, roles=requirements.roles | assessment.escalate_to))


def expire(hold: Hold, now: datetime) -> Step:
    """The deadline passed without a decision, or the hold's run expired."""
    _check_undecided(hold)
    return _decide(hold, _expiry(hold, now))


def _expiry(hold: Hold, at: datetime) -> Decision:
    outcome = Status.rejected if hold.on_expiry == "reject" else Status.expired
    return Decision(outcome, "expiry", at, reason="nobody decided in time")


def _decide(hold: Hold, decision: Decision) -> Step:
    said = HoldDecided(
        actor=decision.by,
        outcome=decision.outcome,
        basis=decision.basis,
        digest=hold.digest,
        revision=hold.revision,
        reason=decision.reason,
        answer=decision.answer,
        items=decision.items,
        approvers=tuple(hold.approvers),
        on_behalf_of=decision.on_behalf_of,
        grant=decision.grant,
    )
    return Step(replace(hold, status=decision.outcome, decision=decision), (said,))


def _check_may_review(
    hold: Hold, who: Principal, digest: str | None, now: datetime, on_behalf_of: PrincipalId | None
) -> StandIn | None:
    """For whom it is given, where it is not in their own right."""
    absent = authority.capacity(who, hold, on_behalf_of)
    _check_pending(hold, now)
    if digest is None and hold.revision > 1:
        raise errors.DigestRequired(digest=hold.digest, revision=hold.revision)
    if digest is not None and digest != hold.digest:
        raise _stale(hold)
    return absent


def _check_pending(hold: Hold, now: datetime) -> None:
    """Undecided and in time. A hold whose time is up counts as expired before the sweep has come to it.

    One whose escalation is overdue is in time: the sweep will escalate it, and give it more.
    """
    _check_undecided(hold)
    if hold.due(now) == "expire":
        raise _already(_expiry(hold, hold.expires_at or now))


def _check_undecided(hold: Hold) -> None:
    if hold.decision is not None:
        raise _already(hold.decision)


def _already(decision: Decision) -> errors.AlreadyDecided:
    return errors.AlreadyDecided(
        f"the hold is already {decision.outcome}",
        outcome=decision.outcome.value,
        decided_at=decision.at.isoformat(),
        decided_by=str(decision.by) if decision.by else None,
        basis=decision.basis,
        **({"on_behalf_of": str(decision.on_behalf_of)} if decision.on_behalf_of else {}),
    )


def _check_yes(hold: Hold, say: Review) -> None:
    _check_credential(hold, say.credential)
    _check_justified(hold.assessment, say.reason)
    _check_signed(hold, say)


def _check_credential(hold: Hold, credential: Credential | None) -> None:
    refused = authority.credential_refusal(credential, hold)
    if refused is not None:
        raise refused


def _check_signed(hold: Hold, say: Review) -> None:
    refused = authority.signature_refusal(say.passkey, hold)
    if refused is not None:
        raise refused


def _check_justified(assessment: Assessment, reason: str | None) -> None:
    if not assessment.requirements.justified_by(reason):
        raise errors.JustificationRequired()


def _check_verdict(hold: Hold, verdict: Verdict) -> None:
    kind = hold.question.kind
    if hold.question.items or kinds.rules(kind).answered:
        allowed = {Verdict.answer}
    elif hold.question.action is None or hold.origin == "grant" or skills.is_registration(hold.question.action):
        # the content of a registration is in the skill's own files, which an amendment cannot change; other terms are
        # another grant
        allowed = {Verdict.approve, Verdict.reject}
    else:
        allowed = {Verdict.approve, Verdict.reject, Verdict.amend}
    if hold.takes_response:
        allowed |= {Verdict.respond}
    if verdict not in allowed:
        what = "a batch" if hold.question.items else f"a hold of kind {kind}"
        raise errors.WrongVerdict(
            f"{what} accepts {', '.join(sorted(allowed))}, not {verdict}", allowed=sorted(allowed)
        )


def _stale(hold: Hold) -> errors.StaleDigest:
    return errors.StaleDigest(digest=hold.digest, revision=hold.revision)


def _reviewed(hold: Hold, say: Review, signature: Signature | None) -> HoldReviewed:
    return HoldReviewed(
        actor=say.by,
        verdict=say.verdict,
        reason=say.reason,
        roles=tuple(sorted(say.roles)),
        on_behalf_of=say.on_behalf_of,
        credential=say.credential.record if say.credential else None,
        signature=signature,
        digest=hold.digest,
        revision=hold.revision,
        approvals=len(hold.approvers),
        approvals_needed=hold.assessment.requirements.approvals,
        pack=say.pack,
    )


class _Assessed(TypedDict):
    risk: Level
    rules: tuple[str, ...]
    policy_version: int


def _assessed(hold: Hold) -> _Assessed:
    """What events say of an assessment."""
    assessment = hold.assessment
    rules = tuple(rule.rule for rule in assessment.rules)
    return {"risk": assessment.level, "rules": rules, "policy_version": assessment.policy_version}
