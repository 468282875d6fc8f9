"""Open a hold: assess, bind, write; once for each idempotency key."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import NamedTuple

from handrail.core import canonical, cases, errors, ids, questions, transitions
from handrail.core.canonical import Json, JsonObject
from handrail.core.holds import Action, Hold, Kind, Origin, Question, Status
from handrail.core.ids import HoldId, PrincipalId, RunId
from handrail.core.people import Principal
from handrail.core.risk import Assessment, ExpiryOutcome
from handrail.core.transitions import Step
from handrail.holds import sampling, using
from handrail.holds.context import Context, claims_trusted, refuse_braked
from handrail.holds.granted import covering
from handrail.holds.notifying import notify
from handrail.policy import Policy, assess
from handrail.store import brakes, events, first_look, holds, refusals
from handrail.store.database import Connection

OPERATION = "open_hold"


@dataclass(frozen=True, slots=True)
class Opening:
    """What the opener says. `hold_id` is given where it is derived from a run, `origin` by the engine alone.

    `recalled`: whether it is counted how often people rejected the same before. Hooks have counted (`refused_before`),
    and a run that asks again after a no does as its workflow says.
    """

    kind: Kind
    title: str
    action: Action | None = None
    description: str | None = None
    case_id: str | None = None
    task: JsonObject | None = None
    items: tuple[JsonObject, ...] = ()
    schema: Json = None
    evidence: Json = None
    context: Json = None
    expires_in: timedelta | None = None
    on_expiry: ExpiryOutcome | None = None
    run_id: RunId | None = None
    starter: PrincipalId | None = None
    hold_id: HoldId | None = None
    origin: Origin | None = None
    takes_response: bool = False
    recalled: bool = False
    refused_before: int = 0


class Use(NamedTuple):
    """The key of the one execution, and the digest of what is about to run: of what is opened, where none is given."""

    key: str
    digest: str | None = None


async def open_hold(
    context: Context, who: Principal, opening: Opening, key: str | None = None, use: Use | None = None
) -> Hold:
    """The new hold; or the one that the same principal opened with this key and the same body.

    With `use`, a hold that is approved is redeemed in the same transaction, as `using.redeem` would. One that asks
    people, or that they amended since, is returned as it is.
    """
    async with context.database.transaction() as conn:
        hold = await open_within(context, conn, who, opening, key, use)
    context.poke()
    return hold


async def attach(context: Context, who: Principal, opening: Opening, key: str, hold: Hold) -> None:
    """Gives a hold of this principal one more key: the same body with that key is this hold from now on."""
    async with context.database.transaction() as conn:
        await holds.claim_key(conn, who.id, OPERATION, key, canonical.sha256(_body(opening)), hold.id)


async def open_within(
    context: Context,
    conn: Connection,
    who: Principal,
    opening: Opening,
    key: str | None = None,
    use: Use | None = None,
) -> Hold:
    """The same in the caller's transaction: the hold is there where that commits. `context.poke()` comes after it."""
    question = _question(opening)
    digest = question.digest()
    if use is not None and use.digest not in (None, digest):
        raise errors.StaleDigest("what is about to run is not what the hold would ask about", digest=digest)
    hold_id = opening.hold_id or HoldId(ids.fresh())
    if key is not None:
        body_hash = canonical.sha256(_body(opening))
        claim = await holds.claim_key(conn, who.id, OPERATION, key, body_hash, hold_id)
        if not claim.fresh:
            if claim.body_hash != body_hash:
                raise errors.IdempotencyConflict(hold_id=str(claim.subject_id))
            existing = await holds.get(conn, claim.subject_id)
            assert existing is not None, "a key and its hold are written together"
            return existing if use is None else await _used(context, conn, who, existing, digest, use.key)
    now, brake_id, version, observing = await first_look.take(conn, who.id, in_run=opening.run_id is not None)
    if brake_id is not None:
        refuse_braked(await brakes.get(conn, brake_id))
    context.database.space.check()
    await context.quotas.admit_hold(conn, opening.starter or who.id)
    policy = await context.policies.of_version(conn, version)
    assessment = await _assessed(policy, conn, who, opening)
    if opening.recalled and not assessment.auto_approve and (refused := await _refused(conn, who, opening, now)):
        opening = replace(opening, refused_before=refused)
        assessment = await _assessed(policy, conn, who, opening)
    hold = Hold(
        id=hold_id,
        opener=who.id,
        question=question,
        digest=digest,
        assessment=assessment,
        opened_at=now,
        starter=opening.starter,
        run_id=opening.run_id,
        case_id=opening.case_id,
        description=opening.description,
        context=opening.context,
        task=opening.task,
        refused_before=opening.refused_before,
        origin=opening.origin,
        takes_response=opening.takes_response,
        on_expiry=opening.on_expiry or assessment.on_expiry,
        asked_expiry=now + opening.expires_in if opening.expires_in is not None else None,
    )
    # looked at only if people would be asked
    observed = observing and not assessment.auto_approve
    grant = None if observed else await covering(conn, hold, now)
    step = transitions.open_(hold, observed=observed, grant=grant)
    if use is not None and step.hold.status is Status.approved:
        # by what this transaction has read: nobody has said a word on it that could have lost its weight
        used = transitions.redeem(
            step.hold,
            who.id,
            digest,
            use.key,
            assessment,
            now,
            roles_now={},
            observed=observed,
            granted=grant is not None,
        )
        step = Step(used.hold, (*step.events, *used.events))
    made = await write(context, conn, step, now)
    await sampling.draw(conn, policy, made, now)
    return made


async def _used(context: Context, conn: Connection, who: Principal, hold: Hold, digest: str, key: str) -> Hold:
    """A hold that was opened before, used now where it is approved as it was opened."""
    if hold.status is not Status.approved or hold.digest != digest:
        return hold
    try:
        return await using.redeem_within(context, conn, who, hold.id, digest, key)
    except errors.AlreadyRedeemed as error:
        # the caller knows the key, and not the hold
        error.data["hold_id"] = str(hold.id)
        raise


async def write(context: Context, conn: Connection, step: Step, now: datetime) -> Hold:
    """A new hold and what happened to it already; those who must decide it are notified."""
    audience_id = await context.audiences.id_of(conn, step.hold.assessment.requirements.roles)
    async with conn.pipeline():
        inserted = await holds.insert(conn, step.hold, audience_id)
        await events.append(conn, step.events, now, events.about(step.hold, audience_id))
    opened = await holds.numbered(inserted, step.hold)
    await notify(conn, context.policy(), context.set_up, opened, "hold.opened", now)
    return opened


async def _refused(conn: Connection, who: Principal, opening: Opening, now: datetime) -> int:
    """How often people rejected exactly this action of the opener."""
    if opening.action is None:
        return 0
    earlier = await refusals.of_case(conn, who.id, opening.action.name, opening.case_id, now)
    return sum(hold.question.action == opening.action for hold in earlier)


async def _assessed(policy: Policy, conn: Connection, who: Principal, opening: Opening) -> Assessment:
    trusted = bool(opening.task or opening.origin) and await claims_trusted(conn, who.id, opening.starter)
    return assess(
        policy,
        kind=opening.kind,
        action=opening.action,
        claims=opening.task,
        trusted=trusted,
        origin=opening.origin,
        refused_before=opening.refused_before,
    )


def _question(opening: Opening) -> Question:
    """What people will be shown, checked: it must be JSON that means the same everywhere."""
    question = Question(opening.kind, opening.title, opening.action, opening.items, opening.schema, opening.evidence)
    questions.check(question)
    if opening.takes_response:
        questions.check_response(question)
    cases.check(opening.case_id)
    for name in ("description", "task", "context"):
        canonical.check(getattr(opening, name), name)
    return question


def _body(opening: Opening) -> JsonObject:
    action = opening.action
    return {
        "kind": opening.kind.value,
        "title": opening.title,
        "action": action and {"name": action.name, "args": action.args, "target": action.target},
        "description": opening.description,
        "case_id": opening.case_id,
        "task": opening.task,
        "items": list(opening.items),
        "schema": opening.schema,
        "evidence": opening.evidence,
        "context": opening.context,
        "expires_in": opening.expires_in.total_seconds() if opening.expires_in is not None else None,
        "on_expiry": opening.on_expiry,
        # left out where it says nothing, so that keys from before it was known still mean the same
        **({"takes_response": True} if opening.takes_response else {}),
    }
