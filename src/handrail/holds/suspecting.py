"""Two people or one? Warns where one browser, authenticator or linked account stands behind two approvers of a hold.

It refuses nothing: people share a computer for good reasons, and the log says that they did.
"""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from handrail.core.holds import Hold, Review, Verdict
from handrail.core.transitions import Step
from handrail.holds.events import HoldWarned
from handrail.store import hands
from handrail.store.database import Connection
from handrail.store.hands import Hand, Warned


async def noted(conn: Connection, step: Step, by: UUID, now: datetime) -> Step:
    """The step, with a warning for each approver who acts by the same as this one."""
    given = [review for review in step.hold.reviews if review.verdict is Verdict.approve]
    mine = [review for review in given if review.by == by]
    others = [review for review in given if review.by != by]
    if not mine or not others:
        return step
    credentials = [review.credential.id for review in given if review.credential]
    known = await hands.of(conn, credentials, [review.passkey for review in given if review.passkey])
    own, events = _hands(mine[-1], known), list(step.events)
    for other in others:
        for hand in sorted(own & _hands(other, known)):
            people = sorted((by, other.by))
            if await hands.warn(conn, step.hold.id, Warned(hand.sign, people, hand.channel, now)):
                events.append(HoldWarned(sign=hand.sign, people=tuple(people), channel=hand.channel))
    return Step(step.hold, tuple(events))


def _hands(review: Review, known: dict[UUID, Hand]) -> set[Hand]:
    by = (review.credential.id if review.credential else None, review.passkey)
    return {known[id_] for id_ in by if id_ is not None and id_ in known}


async def warnings(conn: Connection, hold: Hold) -> list[Warned]:
    """Those that are about people who approve the hold as it is now."""
    given = {review.by for review in hold.reviews if review.verdict is Verdict.approve}
    return [one for one in await hands.warnings(conn, hold.id) if given.issuperset(one.people)]
