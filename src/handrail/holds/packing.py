"""Put a decision pack together: from the hold, the policy, what the viewer may see of the past, and plug-ins."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

import structlog

from handrail.core import authority, errors, packs
from handrail.core.canonical import Json, JsonObject
from handrail.core.holds import Action, Hold
from handrail.core.packs import Name, Pack, Part, Source
from handrail.core.people import Principal
from handrail.holds import reading
from handrail.holds.context import Context
from handrail.holds.providers import Plugin
from handrail.policy import Policy, assess_again
from handrail.store import clock, names
from handrail.store import packs as rows
from handrail_sdk.holds import Action as Shown
from handrail_sdk.wording import title_of

DAYS = 30
MOST_ALIKE = 100
MOST_ASKED = 1000

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Packer:
    """`seconds` is how long each source of a pack may take; all of them are asked at once."""

    plugins: Sequence[Plugin] = ()
    seconds: float = 1.0


async def pack(context: Context, packer: Packer, who: Principal, hold_id: UUID) -> Pack:
    """What is known about the hold, as this person may see it. That it was shown is kept where they may decide.

    For people alone: what a smaller version would be asked for tells an agent what to ask for instead.
    """
    if not who.is_person:
        raise errors.NotAPerson("Decision packs are for people.")
    hold = await reading.get(context, who, hold_id)
    policy = context.policy()
    asked = _asked(hold, policy)
    past, more = await asyncio.gather(
        _in_time("precedents", "history", packer.seconds, lambda: _past(context, who, hold, policy)),
        asyncio.gather(*(plugin.part(asked, packer.seconds) for plugin in packer.plugins)),
    )
    parts = [_effect(hold), packs.why(hold), *_declared(hold, policy), *packs.supplied(hold), *past, *more]
    made = Pack(hold.id, hold.revision, hold.digest, tuple(parts))
    if hold.pending and authority.decides(who, hold):
        async with context.database.transaction() as conn:
            await rows.show(conn, made, who.id, await clock.now(conn))
    return made


async def _in_time(name: Name, source: Source, seconds: float, work: Callable[[], Awaitable[list[Part]]]) -> list[Part]:
    try:
        return await asyncio.wait_for(work(), seconds)
    except TimeoutError:
        log.warning("pack was late", part=name, seconds=seconds)
        return [Part(name, source, state="late")]


def _effect(hold: Hold) -> Part:
    action = hold.question.action
    if action is None:
        return Part("effect", "action", state="nothing")
    return Part("effect", "action", title_of(Shown(action.name, action.args, action.target)))


def _declared(hold: Hold, policy: Policy) -> list[Part]:
    """What the operator says about the action and its target."""
    action = hold.question.action
    if action is None:
        return []
    touches = packs.reached(action.target, policy.targets) if action.target else None
    words: list[Json] = [entry.rollback for entry in policy.registered(action) if entry.rollback]
    back = Part("rollback", "policy", words) if words else None
    return [part for part in (touches, back) if part is not None]


async def _past(context: Context, who: Principal, hold: Hold, policy: Policy) -> list[Part]:
    action = hold.question.action
    async with context.database.connection() as conn:
        since = await clock.now(conn) - timedelta(days=DAYS)
        found = await rows.alike(conn, action.name, MOST_ALIKE) if action else list[Hold]()
        # nothing of what others may not see, not even how many there are
        seen = [each for each in found if authority.may_see(who, each)]
        asked = await rows.outcomes(conn, who, hold.opener, since, MOST_ASKED)
        people = {each.decision.by for each in seen if each.decision and each.decision.by}
        cards = await names.of(conn, {hold.opener, *people})
    known = {id_: card.name for id_, card in cards.items()}
    like = packs.alike(hold, seen)
    return [
        packs.changed(hold, like, known),
        packs.fared(hold, seen, asked, DAYS, known[hold.opener]),
        packs.precedents(like, known),
        _smaller(hold, policy, [each.hold for each in like]),
    ]


def _smaller(hold: Hold, policy: Policy, like: Sequence[Hold]) -> Part:
    """What the policy in force would say if it did less."""
    action, now = hold.question.action, hold.assessment
    if action is None or hold.origin == "grant":
        return Part("smaller", "policy", state="nothing")
    found: list[Json] = []
    for less in packs.smaller(action, like):
        terms = assess_again(policy, hold, less.action)
        needed = terms.requirements
        asks = (terms.level.rank, needed.approvals) < (now.level.rank, now.requirements.approvals)
        if asks or (terms.auto_approve and not now.auto_approve):
            outcome: JsonObject = {
                "level": terms.level.value,
                "approvals": 0 if terms.auto_approve else needed.approvals,
            }
            found.append({"path": less.path, "from": less.before, "to": less.after, **outcome})
    return Part("smaller", "policy", found[: packs.MOST_SMALLER], "ready" if found else "nothing")


def _asked(hold: Hold, policy: Policy) -> JsonObject:
    """What plug-ins are told: the question without what the policy calls sensitive."""
    action: Action | None = hold.question.action
    return {
        "hold_id": str(hold.id),
        "kind": hold.question.kind.value,
        "title": hold.question.title,
        "action": None
        if action is None
        else {"name": action.name, "args": policy.redact(action.args), "target": action.target},
        "risk": hold.assessment.level.value,
        "case_id": hold.case_id,
        "run_id": str(hold.run_id) if hold.run_id else None,
        "revision": hold.revision,
        "digest": hold.digest,
    }
