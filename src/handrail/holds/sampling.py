"""Sampling after the fact: people look at some of the low actions that ran unasked, and a finding proposes a rule."""

from __future__ import annotations

import hashlib
import json
import re
from collections import defaultdict
from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from random import SystemRandom
from typing import NamedTuple

from handrail.core import authority, canonical, errors
from handrail.core.callers import Caller, Scope
from handrail.core.holds import Action, Hold
from handrail.core.people import Principal
from handrail.core.risk import Level
from handrail.holds.context import Context
from handrail.holds.events import HoldSampled
from handrail.holds.replaying import judged
from handrail.policy import Policy
from handrail.store import clock, events, samples
from handrail.store.database import Connection
from handrail.store.samples import Counted, Sample

DAYS = 90
MOST = 500
LONGEST_NAME = 100
LONGEST_ID = 80
_PLAIN = re.compile(r"[a-z0-9_]{1,60}")

# nobody can tell beforehand what will be looked at, least of all the agent
_random = SystemRandom()


class Proposal(NamedTuple):
    """A rule that would have people asked, for a person to apply; nothing applies it by itself."""

    id: str
    action: str
    findings: Sequence[Sample]
    rule: str


class Raised(NamedTuple):
    """An action with findings that the policy in force asks about."""

    action: str
    level: Level
    findings: Sequence[Sample]


class Rate(NamedTuple):
    """What the policy draws of the actions of one entry, and what became of them."""

    entry: str
    share: float
    actions: Sequence[Counted]


class Samples(NamedTuple):
    waiting: Sequence[Sample]
    proposals: Sequence[Proposal]
    raised: Sequence[Raised]
    rates: Sequence[Rate]


async def draw(conn: Connection, policy: Policy, hold: Hold, now: datetime) -> None:
    """Of a hold that the policy has just approved without anybody, by the highest share that the policy registers.

    Not of a run's: the process that opens its holds runs the graph's own code, which could leave the draw out.
    """
    if hold.run_id is not None:
        return
    action, decision = hold.question.action, hold.decision
    if action is None or decision is None or decision.basis != "policy" or hold.assessment.level is not Level.low:
        return
    share = max((entry.sample for entry in policy.registered(action)), default=0.0)
    if share and _random.random() < share:
        await samples.draw(conn, hold.id, now)


async def listed(context: Context, who: Principal) -> Samples:
    """What this person may look at, and the rules that findings propose."""
    if not who.is_person:
        raise errors.NotAPerson("Samples are for people.")
    async with context.database.connection() as conn:
        since = await clock.now(conn) - timedelta(days=DAYS)
        waiting, found = await samples.waiting(conn, who, MOST), await samples.found(conn, since, MOST)
        drawn = await samples.counted(conn, who, since)
    mine = [each for each in waiting if refusal(who, each.hold) is None]
    policy = context.policy()
    proposed, raised = consequences(policy, [each for each in found if authority.may_see(who, each.hold)])
    return Samples(mine, proposed, raised, rates(policy, drawn))


async def look(context: Context, caller: Caller, hold: Hold, *, finding: bool, reason: str | None) -> Sample:
    """One person's word on what ran, once. A finding says why."""
    caller.require(Scope.decide)
    canonical.check(reason, "reason")
    if finding and not (reason or "").strip():
        raise errors.MissingField("a finding needs a `reason`", field="reason")
    who = caller.principal
    async with context.database.transaction() as conn:
        sample = await samples.lock(conn, hold.id)
        if sample is None or not _ran(sample.hold) or not authority.may_see(who, sample.hold):
            raise errors.NotFound(f"hold {hold.id} is not in the sample")
        refused = refusal(who, sample.hold)
        if refused is not None:
            raise refused
        if sample.looked_at is not None:
            raise errors.Conflict("Somebody has looked at it already.")
        now = await clock.now(conn)
        await samples.look(conn, hold.id, who.id, now, finding=finding, reason=reason)
        said = HoldSampled(actor=who.id, finding=finding, reason=reason, digest=sample.hold.digest)
        audience = await context.audiences.id_of(conn, sample.hold.assessment.requirements.roles)
        await events.append(conn, [said], now, events.about(sample.hold, audience))
    context.poke()
    return sample._replace(looked_at=now, looked_by=who.id, finding=finding, reason=reason)


def refusal(who: Principal, hold: Hold) -> errors.Forbidden | None:
    """Why this person may not look at it for others: whoever asked for it does not judge it, at any level."""
    if who.id in hold.requesters:
        return errors.OwnRequest("you requested this, so someone else must look at it")
    return authority.refusal(who, hold)


def rates(policy: Policy, drawn: Sequence[Counted]) -> list[Rate]:
    """One for each entry with a share; an action counts for the entry with the highest, by which it is drawn."""
    by_entry: defaultdict[str, list[Counted]] = defaultdict(list)
    for each in drawn:
        entries = policy.registered(Action(each.action, {}))
        if entries:
            by_entry[max(entries, key=lambda entry: entry.sample).id].append(each)
    return [Rate(entry.id, entry.sample, by_entry[entry.id]) for entry in policy.actions if entry.sample]


def consequences(policy: Policy, found: Sequence[Sample]) -> tuple[list[Proposal], list[Raised]]:
    """For each action with a finding the rule that would have people asked, or that they are asked now; those with most
    findings first."""
    by_action: defaultdict[str, list[Sample]] = defaultdict(list)
    for each in found:
        if each.hold.question.action is not None:
            by_action[each.hold.question.action.name].append(each)
    known = {rule.id for rule in policy.rules}
    proposed: list[Proposal] = []
    raised: list[Raised] = []
    for name, several in sorted(by_action.items(), key=lambda each: -len(each[1])):
        now = [judged(policy, each.hold, trusted=False) for each in several]
        if any(each.auto_approve for each in now):
            proposed.append(Proposal(rule_id(name, known), name, several, rule(name, several, known)))
        else:
            raised.append(Raised(name, min((each.level for each in now), key=lambda level: level.rank), several))
    return proposed, raised


def rule_id(action: str, known: Collection[str]) -> str:
    """Its name in the policy, unlike those that the policy has: names that differ in little get ids that differ."""
    plain = f"sampled-{re.sub('[^a-z0-9]+', '-', action.lower()).strip('-')}"[:LONGEST_ID]
    if _PLAIN.fullmatch(action) and plain not in known:
        return plain
    return f"{plain[: LONGEST_ID - 9]}-{hashlib.sha256(action.encode()).hexdigest()[:8]}"


def rule(action: str, findings: Sequence[Sample], known: Collection[str]) -> str:
    """An entry for `rules` of risk-assessment-rules.yaml: from then on a person is asked."""
    count = f"{len(findings)} finding{'s' * (len(findings) > 1)} in samples"
    # a name in a policy has no spaces and is not long; the rest is left open, which asks about more and never less
    pattern = re.sub(r"[\s\x00-\x1f\x7f]+", "*", action)
    pattern = pattern if len(pattern) <= LONGEST_NAME else f"{pattern[: LONGEST_NAME - 1]}*"
    name = json.dumps(pattern, ensure_ascii=False)
    return f"- id: {rule_id(action, known)}\n  level: medium\n  action: {name}\n  description: {count}\n"


def _ran(hold: Hold) -> bool:
    return hold.redemption is not None
