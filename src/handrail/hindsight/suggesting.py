"""Rules and grants that the past suggests, so that people are asked less, or for more where they mostly refuse:
proposed here, applied by people alone.

Only what was asked often is looked at. A rule is proposed for medium calls that were never refused, or that were mostly
rejected; a grant for calls that people approved, with bounds that cover nearly nothing that they refused: those are
named first.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal, NamedTuple
from uuid import UUID

from handrail.core import errors, grant_proposals
from handrail.core.callers import Caller
from handrail.core.grant_terms import Terms, sentence
from handrail.core.holds import Hold, Status
from handrail.core.replay import seconds
from handrail.core.risk import Level
from handrail.hindsight.fatigue import Call
from handrail.hindsight.loosening import Unchangeable, loosened, tightened
from handrail.holds.context import Context
from handrail.holds.granting import MOST_CALLS
from handrail.holds.replaying import Replay, judged, replay
from handrail.policy import Policy, load
from handrail.store import clock, names, reviews

# so often asked that it is worth a change
OFTEN = 10
# of the calls that a grant would have covered, at most so many may have been stopped
MOST_STOPPED = 0.05
# of the calls that people were asked about, so many were rejected that one person's yes seems too little
MOSTLY_REJECTED = 0.5
MOST = 12
_STOPPED = (Status.rejected, Status.cancelled, Status.expired)


@dataclass(frozen=True, slots=True)
class Suggestion:
    """`asked` and `stopped` are of the calls it is about; `covered` are those that it would have decided, the `slips`
    that somebody stopped first. `minutes` is an estimate of what reading them took."""

    id: str
    kind: Literal["rule", "grant"]
    call: Call
    level: Level
    words: str
    asked: int
    stopped: int
    covered: tuple[Hold, ...]
    slips: int
    minutes: float
    like: Hold
    """The newest of them that was approved: a grant is proposed from it."""
    terms: Terms | None = None
    files: Mapping[str, str] | None = None
    tightens: bool = False
    """It asks for more."""


class Detail(NamedTuple):
    suggestion: Suggestion
    replay: Replay | None


async def suggestions(context: Context, caller: Caller, since: datetime, until: datetime) -> list[Suggestion]:
    """The most useful first. For those who read everything."""
    if not caller.principal.reads_all:
        raise errors.Forbidden("Suggestions are for auditors and administrators.")
    async with context.database.connection() as conn:
        decided = await reviews.decided(conn, since, until)
        now = await clock.now(conn)
        known = await names.of(conn, {hold.opener for hold in decided})
    called = {who: card.name for who, card in known.items()}
    return await asyncio.to_thread(suggested, context.policy(), decided, called, now)


async def detail(context: Context, caller: Caller, wanted: str, since: datetime, until: datetime) -> Detail:
    """One of them; a rule with its replay."""
    for one in await suggestions(context, caller, since, until):
        if one.id == wanted:
            return Detail(one, await replay(context, caller, one.files, since, until) if one.files else None)
    raise errors.NotFound(f"There is no suggestion {wanted} for this period.")


def suggested(
    policy: Policy, decided: Sequence[Hold], called: Mapping[UUID, str], now: datetime, only: Call | None = None
) -> list[Suggestion]:
    found: list[Suggestion] = []
    # a rule knows no agents: what anybody's was stopped counts
    refused = {(_name(hold), _environment(hold)) for hold in decided if hold.status in _STOPPED and _asked(hold)}
    for call, holds in _by_call(decided).items():
        if only is None or call == only:
            found += _rules(policy, call, holds, refused)
            found += _raises(policy, call, holds)
            found += _grants(call, holds, called.get(call.agent, "the agent"), now)
    # what asks for more comes first; of two that save as much, the one that is bounded and ends by itself
    return sorted(found, key=lambda one: (not one.tightens, -one.minutes, one.kind, one.id))[:MOST]


def _by_call(decided: Sequence[Hold]) -> dict[Call, list[Hold]]:
    found: defaultdict[Call, list[Hold]] = defaultdict(list)
    for hold in decided:
        if hold.question.action is not None and hold.decision is not None and _asked(hold):
            found[Call(hold.opener, hold.question.action.name)].append(hold)
    return {call: holds for call, holds in found.items() if len(holds) >= OFTEN}


def _asked(hold: Hold) -> bool:
    return hold.decision is not None and hold.decision.basis in ("people", "expiry", "requester", "brake")


def _rules(
    policy: Policy, call: Call, holds: Sequence[Hold], refused: Collection[tuple[str, str | None]]
) -> Iterator[Suggestion]:
    """One for each environment in which such medium calls were asked and never stopped."""
    for environment, these in _by_environment(holds).items():
        if len(these) < OFTEN or (call.action, environment) in refused:
            continue
        if any(hold.assessment.level is not Level.medium for hold in these):
            continue
        newest = these[-1]
        # under the rules as they are now
        fired = judged(policy, newest, trusted=False).rules
        note = f"asked {len(these)} times and never refused"
        where = f" in {environment}" if environment else ""
        try:
            stopping = {rule.rule for rule in fired if rule.level is not Level.low}
            files = loosened(policy.source, stopping, call.action, environment, note)
            would = judged(load(files), newest, trusted=False)
        except (Unchangeable, errors.Misconfigured):
            continue
        if would.auto_approve:
            words = f"Stop asking about {call.action}{where}, whoever calls it with whatever arguments: {note}."
            yield _made("rule", call, words, these, these, newest, files=files)


def _raises(policy: Policy, call: Call, holds: Sequence[Hold]) -> Iterator[Suggestion]:
    """One for each environment in which people rejected most of such medium calls."""
    for environment, these in _by_environment(holds).items():
        rejected = sum(hold.status is Status.rejected for hold in these)
        if len(these) < OFTEN or rejected < MOSTLY_REJECTED * len(these):
            continue
        if any(hold.assessment.level is not Level.medium for hold in these):
            continue
        newest, note = these[-1], f"{rejected} of {len(these)} were rejected"
        where = f" in {environment}" if environment else ""
        try:
            files = tightened(policy.source, Level.high, call.action, environment, note)
            would = judged(load(files), newest, trusted=False)
        except (Unchangeable, errors.Misconfigured):
            continue
        # under the rules as they are now
        if would.level is Level.high and judged(policy, newest, trusted=False).level is Level.medium:
            words = f"Treat {call.action}{where} as high, whoever calls it: {note}."
            yield _made("rule", call, words, these, (), newest, files=files, tightens=True)


def _by_environment(holds: Sequence[Hold]) -> dict[str | None, list[Hold]]:
    by: defaultdict[str | None, list[Hold]] = defaultdict(list)
    for hold in holds:
        by[_environment(hold)].append(hold)
    return by


def _name(hold: Hold) -> str:
    return hold.question.action.name if hold.question.action else ""


def _environment(hold: Hold) -> str | None:
    return next((fact.value for fact in hold.assessment.facts if fact.name == "environment"), None)


def _grants(call: Call, holds: Sequence[Hold], agent: str, now: datetime) -> Iterator[Suggestion]:
    """For the newest approved call of each level, with the bounds that are proposed for it."""
    for level in (Level.medium, Level.high):
        approved = [hold for hold in holds if hold.status is Status.approved and hold.assessment.level is level]
        if len(approved) < OFTEN:
            continue
        like = approved[-1]
        if not like.assessment.requirements.grants:
            continue
        terms = grant_proposals.proposed(like, holds[-MOST_CALLS:], now)
        # by its bounds alone: how often and how much is up to whoever makes it
        unlimited = replace(terms, uses=None, amount=None)
        covered = grant_proposals.covered(unlimited, holds[-MOST_CALLS:])
        stopped = sum(hold.status in _STOPPED for hold in covered)
        if len(covered) < OFTEN or stopped > MOST_STOPPED * len(covered):
            continue
        yield _made("grant", call, sentence(terms, agent), holds, covered, like, terms=terms)


def _made(
    kind: Literal["rule", "grant"],
    call: Call,
    words: str,
    holds: Sequence[Hold],
    covered: Sequence[Hold],
    like: Hold,
    *,
    terms: Terms | None = None,
    files: Mapping[str, str] | None = None,
    tightens: bool = False,
) -> Suggestion:
    level = like.assessment.level
    key = "\n".join((kind, str(call.agent), call.action, level, _environment(like) or "", *(["raise"] * tightens)))
    read = sum(seconds(hold) * hold.assessment.requirements.approvals for hold in covered)
    return Suggestion(
        hashlib.sha256(key.encode()).hexdigest()[:12],
        kind,
        call,
        level,
        words,
        len(holds),
        sum(hold.status in _STOPPED for hold in holds),
        tuple(sorted(covered, key=lambda hold: hold.status not in _STOPPED)),
        sum(hold.status in _STOPPED for hold in covered),
        round(read / 60, 1),
        like,
        terms,
        files,
        tightens,
    )
