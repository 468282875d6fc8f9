"""Who sees which signs of fatigue: a person their own, auditors and administrators all; programs none."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from uuid import UUID

from handrail.core import authority, errors
from handrail.core.callers import Caller
from handrail.hindsight import fatigue
from handrail.hindsight.fatigue import Finding
from handrail.hindsight.suggesting import Suggestion, suggested
from handrail.holds.context import Context
from handrail.store import clock, names, reviews

# a person sees what stands out in their own reviews this much earlier than auditors do
FIRST = timedelta(days=3)


@dataclass(frozen=True, slots=True)
class Watch:
    """`fixes` has, for each finding, the changes that would ask less of what it is mostly about."""

    reviews: int
    capped: bool
    findings: Sequence[Finding]
    fixes: Sequence[Sequence[Suggestion]]


async def watch(context: Context, caller: Caller, since: datetime, until: datetime, person: UUID | None) -> Watch:
    who = caller.principal
    if not who.is_person:
        raise errors.Forbidden("How people decide is shown to people, not to programs.")
    if person is not None and person != who.id and not who.reads_all:
        raise errors.Forbidden("You see your own figures; those of others are for auditors and administrators.")
    about = person if who.reads_all else who.id
    async with context.database.connection() as conn:
        # the share of one is measured by what all gave
        said = await reviews.said(conn, since, until)
        people = await reviews.eligible(conn)
        decided = await reviews.decided(conn, since, until)
        now = await clock.now(conn)
        known = await names.of(conn, {hold.opener for hold in decided})
    said = [one for one in said if one.by == who.id or one.at <= now - FIRST or not who.reads_all]
    if not who.reads_all:
        decided = [hold for hold in decided if authority.may_see(who, hold)]
    called = {each: card.name for each, card in known.items()}

    def look() -> Watch:
        found = fatigue.of_people(said, people)
        if about is not None:
            found = [one for one in found if one.person == about]
        if not who.reads_all:
            # who has lost a role no longer sees what they decided with it
            found = [
                replace(one, examples=tuple(h for h in one.examples if authority.may_see(who, h))) for one in found
            ]
        if about is None and who.reads_all:
            found += fatigue.of_rules(decided)
        policy = context.policy()
        made = {one.call: suggested(policy, decided, called, now, one.call) for one in found if one.call}
        fixes = [[fix for fix in made[one.call] if not fix.tightens] if one.call else [] for one in found]
        counted = sum(1 for one in said if about is None or one.by == about)
        return Watch(counted, len(said) == reviews.MOST, found, fixes)

    return await asyncio.to_thread(look)
