"""Turns at the readers, without any reader."""

from __future__ import annotations

import asyncio
from uuid import UUID, uuid4

import pytest

from handrail.core.errors import RateLimited
from handrail.documents.lanes import MOST_WAITING, Lane

ANN, BOB, MALLORY = uuid4(), uuid4(), uuid4()


async def settled() -> None:
    """Everybody has come as far as they can."""
    for _ in range(20):
        await asyncio.sleep(0)


class Visit:
    """A document in a lane that stays until it is told to leave."""

    def __init__(self, lane: Lane, who: UUID) -> None:
        self.inside, self.leave = asyncio.Event(), asyncio.Event()
        self.task = asyncio.create_task(self._visit(lane, who))

    async def _visit(self, lane: Lane, who: UUID) -> None:
        async with lane.place(who):
            self.inside.set()
            await self.leave.wait()


async def test_a_principal_has_one_place_and_the_others_take_turns() -> None:
    lane = Lane(2)
    hers = [Visit(lane, MALLORY) for _ in range(5)]
    await settled()
    assert [visit.inside.is_set() for visit in hers] == [True, False, False, False, False]
    ann, bob = Visit(lane, ANN), Visit(lane, BOB)
    await settled()
    assert (ann.inside.is_set(), bob.inside.is_set()) == (True, False)
    hers[0].leave.set()
    await settled()
    assert (bob.inside.is_set(), hers[1].inside.is_set()) == (True, False), "who waited longest is next"
    ann.leave.set()
    await settled()
    assert hers[1].inside.is_set()
    for visit in (*hers, ann, bob):
        visit.leave.set()
    await asyncio.gather(*(visit.task for visit in (*hers, ann, bob)))


async def test_too_many_that_wait_are_refused_and_one_that_gave_up_waiting_counts_no_more() -> None:
    lane = Lane(1)
    waiting = [Visit(lane, MALLORY) for _ in range(MOST_WAITING + 1)]
    await settled()
    with pytest.raises(RateLimited, match="waiting to be read") as refused:
        await Visit(lane, MALLORY).task
    assert refused.value.retry_after > 0
    waiting[-1].task.cancel()
    await settled()
    another = Visit(lane, MALLORY)
    for visit in (*waiting, another):
        visit.leave.set()
    await asyncio.gather(*(visit.task for visit in waiting[:-1]), another.task)
    assert another.inside.is_set()
