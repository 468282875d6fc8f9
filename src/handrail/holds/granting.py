"""Make, look at and revoke grants: standing permissions, proposed from a hold and made by a hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import NamedTuple
from uuid import UUID

from handrail.core import authority, bounds, canonical, errors, grant_proposals, grants, ids, transitions
from handrail.core.callers import Caller, Scope
from handrail.core.canonical import Json, JsonObject
from handrail.core.grant_events import GrantEnded, GrantProposed
from handrail.core.grant_terms import Terms, named, sentence, terms
from handrail.core.grants import Grant
from handrail.core.holds import GRANT, Action, Hold, Kind, Question, Verdict
from handrail.core.ids import HoldId
from handrail.core.people import NameCard, Principal, PrincipalKind
from handrail.core.transitions import Step
from handrail.holds import opening
from handrail.holds.context import Context, check_brakes, commit
from handrail.holds.using import assessed_now
from handrail.policy import Policy
from handrail.policy.redaction import BLOT
from handrail.store import brakes, clock, events, holds, names
from handrail.store import grants as rows
from handrail.store.database import Connection

PAST = timedelta(days=30)
LONGEST = timedelta(days=90)
MOST_CALLS = 2000
MOST_LISTED = 200
# of one agent and action, so that opening a hold never has to look at more
MOST_ALIKE = 20


@dataclass(frozen=True, slots=True)
class Wish:
    """The bounds that somebody asks for; those of a grant as it is proposed, where `args` is nothing."""

    args: JsonObject | None = None
    target: Json = None
    amount: Json = None
    uses: int | None = None
    until: datetime | None = None
    this_case: bool = False


@dataclass(frozen=True, slots=True)
class Preview:
    """What a grant would say, and what of the past it would have covered. `refused`: why this person cannot make it."""

    terms: Terms
    sentence: str
    calls: int
    covered: Sequence[Hold] = ()
    refused: errors.Rejected | None = None
    needs: Hold | None = field(default=None, repr=False)


class Listed(NamedTuple):
    grant: Grant
    standing: grants.Standing
    sentence: str


async def preview(context: Context, caller: Caller, like_id: UUID, wish: Wish) -> Preview:
    """Opens nothing and records nothing."""
    who = caller.principal
    async with context.database.connection() as conn:
        like, now = await _like(context, conn, who, like_id), await clock.now(conn)
        action = _action(like)
        calls = await rows.calls(conn, like.opener, action.name, now - PAST, MOST_CALLS)
        known = await names.of(conn, {like.opener})
    seen = [hold for hold in calls if authority.may_see(who, hold)]
    if wish.args is None:
        wish = _as_proposed(wish, grant_proposals.proposed(like, seen, now))
    found = _terms(like, wish, now)
    return Preview(
        found,
        sentence(_blotted(context.policy(), found), known[like.opener].name),
        len(seen),
        grant_proposals.covered(found, seen),
        _refusal(who, like),
        like,
    )


async def propose(
    context: Context, caller: Caller, like_id: UUID, digest: str, wish: Wish, reason: str | None
) -> Listed:
    """A grant for calls like this hold's. It counts once its makers are enough for the level: at once where one person
    is, else when the others have approved the hold that it is.

    The word of the one who proposes it is given with it, unless it must be signed by a passkey: then they review that
    hold like the others.
    """
    caller.require(Scope.decide)
    canonical.check(reason, "reason")
    who = caller.principal
    async with context.database.transaction() as conn:
        await brakes.stand_back(conn)
        like = await _like(context, conn, who, like_id)
        await check_brakes(conn, like.opener, who.id)
        if digest != like.digest:
            raise errors.StaleDigest(digest=like.digest, revision=like.revision)
        refused = _refusal(who, like)
        if refused is not None:
            raise refused
        now = await clock.now(conn)
        found = _terms(like, wish, now)
        if not found.covers(like):
            raise errors.InvalidField("these bounds do not cover the hold that you propose them from", field="args")
        if len(await rows.alike(conn, found.agent, found.action, now)) >= MOST_ALIKE:
            raise errors.Conflict(f"This agent has {MOST_ALIKE} grants for {found.action} already. Revoke one first.")
        known = await names.of(conn, {like.opener})
        said = sentence(_blotted(context.policy(), found), known[like.opener].name)
        step = _made(_asked(like, who, found, known[like.opener], said, now), caller, now, reason)
        await context.quotas.admit_hold(conn, who.id)
        made = await opening.write(context, conn, step, now)
        grant = Grant(made, found)
        await rows.insert(conn, grant)
        about = GrantProposed(actor=who.id, grant=made.id, like=like.id, terms=found.record(), digest=made.digest)
        await events.append(conn, [about], now, await _subject(context, conn, made))
    context.tell(made)
    return Listed(grant, grant.standing(now), said)


async def revoke(context: Context, caller: Caller, grant_id: UUID, reason: str) -> Listed:
    """From the moment this returns it covers nothing, and what it approved and was not used is asked.

    By anyone who may decide such holds, and by administrators, because stopping is safe.
    """
    caller.require(Scope.decide)
    canonical.check(reason, "reason")
    who = caller.principal
    async with context.database.transaction() as conn:
        grant = await rows.lock(conn, grant_id)
        if grant is None or not authority.may_see(who, grant.made):
            raise errors.NotFound(f"There is no grant {grant_id}, or you may not see it.")
        needed = grant.made.assessment.requirements
        if not (caller.administers or who.id == grant.owner or needed.may_decide(who.roles)):
            raise errors.WrongRole("Revoking it needs a role that could have made it.", roles=sorted(needed.roles))
        if grant.ended_at is not None:
            raise errors.Conflict("This grant has already ended.")
        now = await clock.now(conn)
        await rows.end(conn, grant_id, who.id, now)
        ended = GrantEnded(actor=who.id, grant=grant_id, cause="revoked", reason=reason, uses=grant.use.uses)
        made = grant.made
        if made.pending:
            made = await commit(context, conn, made, transitions.cancel(made, who.id, now, reason), now)
        await events.append(conn, [ended], now, await _subject(context, conn, made))
        known = await names.of(conn, {grant.terms.agent})
    context.tell(made)
    over = replace(grant, made=made, ended_at=now, ended_by=who.id, ended_why="revoked")
    return Listed(over, "ended", sentence(_blotted(context.policy(), grant.terms), known[grant.terms.agent].name))


async def page(context: Context, caller: Caller, *, ended: bool) -> list[Listed]:
    who = _person(caller)
    async with context.database.connection() as conn:
        now = await clock.now(conn)
        found = await rows.page(conn, who, now, ended=ended, at_most=MOST_LISTED)
        return await _listed(context, conn, found, now)


async def one(context: Context, caller: Caller, grant_id: UUID) -> Listed:
    who = _person(caller)
    async with context.database.connection() as conn:
        grant = await rows.get(conn, grant_id)
        if grant is None or not authority.may_see(who, grant.made):
            raise errors.NotFound(f"There is no grant {grant_id}, or you may not see it.")
        (listed,) = await _listed(context, conn, [grant], await clock.now(conn))
    return listed


async def _listed(context: Context, conn: Connection, found: Sequence[Grant], now: datetime) -> list[Listed]:
    known = await names.of(conn, {grant.terms.agent for grant in found})
    policy = context.policy()
    return [
        Listed(each, each.standing(now), sentence(_blotted(policy, each.terms), known[each.terms.agent].name))
        for each in found
    ]


async def _like(context: Context, conn: Connection, who: Principal, like_id: UUID) -> Hold:
    """The hold, as the policy in force assesses it now."""
    like = await holds.get(conn, like_id)
    if like is None or not authority.may_see(who, like):
        raise errors.NotFound(f"there is no hold {like_id}, or you may not see it")
    return replace(like, assessment=await assessed_now(context, conn, like))


def _action(like: Hold) -> Action:
    if like.question.action is None:
        raise errors.GrantRefused("This hold has no action, so there is nothing to allow in advance.")
    return like.question.action


def _refusal(who: Principal, like: Hold) -> errors.Rejected | None:
    """Why this person cannot allow calls like this in advance; nothing where they can."""
    if like.run_id is not None:
        return errors.GrantRefused("What a run asks is always asked: a grant covers calls from outside of runs.")
    if like.assessment.auto_approve:
        return errors.GrantRefused("The policy approves this without anyone being asked.")
    if not grants.grantable(like):
        return errors.GrantRefused()
    if who.id in like.requesters:
        return errors.OwnRequest("You requested this, so someone else must allow it in advance.")
    return authority.refusal(who, like)


def _as_proposed(wish: Wish, found: Terms) -> Wish:
    written = found.record()
    args = written["args"]
    assert isinstance(args, dict)
    return replace(wish, args=args, target=written["target"], amount=written["amount"], uses=wish.uses or found.uses)


def _terms(like: Hold, wish: Wish, now: datetime) -> Terms:
    action = _action(like)
    until = wish.until or now + grant_proposals.LASTS
    if not now < until <= now + LONGEST:
        raise errors.InvalidField(f"`until` must be in the future and within {LONGEST.days} days", field="until")
    if wish.this_case and like.case_id is None:
        raise errors.InvalidField("`this_case`: the hold is in no case", field="this_case")
    given: JsonObject = {"args": wish.args, "target": wish.target, "amount": wish.amount, "uses": wish.uses}
    return terms(action.name, like.opener, until, given, like.case_id if wish.this_case else None)


def _asked(like: Hold, who: Principal, found: Terms, agent: NameCard, said: str, now: datetime) -> Hold:
    """The hold that makes the grant: people decide on its terms by the rules of the call that it is like."""
    title = f"Allow {agent.name} to call {named(found.action)} like {like.short_id}, until {found.until:%-d %b %Y}"
    question = Question(Kind.review, title[:500], Action(GRANT, found.record()))
    needed = replace(like.assessment.requirements, stand_ins=False, requester_may_decide=False)
    assessment = replace(
        like.assessment, requirements=needed, timeout=None, escalate_after=None, escalate_to=frozenset(), facts=()
    )
    return Hold(
        id=HoldId(ids.fresh()),
        opener=who.id,
        question=question,
        digest=question.digest(),
        assessment=assessment,
        opened_at=now,
        # a person who asked for that call has no say here
        starter=like.opener if agent.kind is PrincipalKind.person else None,
        description=said,
        case_id=like.case_id,
        origin="grant",
    )


def _made(hold: Hold, caller: Caller, now: datetime, reason: str | None) -> Step:
    opened = transitions.open_(hold)
    if hold.assessment.requirements.passkey:
        return opened
    said = transitions.review(
        opened.hold, caller.principal, Verdict.approve, now, credential=caller.credential, reason=reason
    )
    return Step(said.hold, (*opened.events, *said.events))


async def _subject(context: Context, conn: Connection, made: Hold) -> events.Subject:
    return events.about(made, await context.audiences.id_of(conn, made.assessment.requirements.roles))


def _blotted(policy: Policy, found: Terms) -> Terms:
    """Without what the policy hides, for the sentence."""
    return replace(found, args={name: _blot(policy, name, bound) for name, bound in found.args.items()})


def _blot(policy: Policy, name: str, bound: bounds.Bound) -> bounds.Bound:
    if policy.redaction.hides(name):
        return bounds.Exact(BLOT)
    match bound:
        case bounds.Exact():
            return bounds.Exact(policy.redact(bound.value))
        case bounds.OneOf():
            return bounds.OneOf(tuple(map(policy.redact, bound.values)))
        case _:
            return bound


def _person(caller: Caller) -> Principal:
    if not caller.principal.is_person:
        raise errors.Forbidden("Grants are for people; a program learns of one when a call goes through.")
    return caller.principal
