"""A call to the world outside is made once, or a person says what became of it."""

from __future__ import annotations

from collections.abc import Generator

import engine_graphs
import pytest
from engine_graphs import Killed
from engine_world import answer, go, holds_of, said, start
from holds_world import shift_clock

from handrail.core.runs import RunStatus
from handrail.engine.driver import Seat
from handrail.store.claims import LEASE_SECONDS
from handrail_sdk.langgraph.effects import HAPPENED, NOT_HAPPENED, STOP


@pytest.fixture(autouse=True)
def nothing_yet() -> Generator[None]:
    engine_graphs.done.clear()
    engine_graphs.deaths.clear()
    yield


def parcels() -> list[str]:
    return [parcel for parcel, _ in engine_graphs.done]


async def test_effects_are_reserved_completed_and_told(seat: Seat) -> None:
    run = await start(seat.context.database, "acting")
    ended = await go(seat, run)
    assert ended.result == {"steps": ["delivered the letter", "delivered the bell"]}
    keys = [key for _, key in engine_graphs.done]
    assert len(set(keys)) == 2 and all(keys)
    kinds = [(kind, data["name"]) for kind, data in await said(seat.context.database, run) if kind.startswith("effect")]
    assert kinds == [
        ("effect.reserved", "deliver"),
        ("effect.completed", "deliver"),
        ("effect.reserved", "ring"),
        ("effect.completed", "ring"),
    ]


@pytest.mark.parametrize(
    ("said_", "made", "status"),
    [
        (HAPPENED, ["the letter", "the bell"], RunStatus.completed),
        (NOT_HAPPENED, ["the letter", "the letter", "the bell"], RunStatus.completed),
        (STOP, ["the letter"], RunStatus.failed),
    ],
)
async def test_a_call_cut_off_in_the_middle_is_asked_about_and_never_repeated_unasked(
    seat: Seat, said_: str, made: list[str], status: RunStatus
) -> None:
    context = seat.context
    engine_graphs.deaths.append("after")
    run = await start(context.database, "acting")
    with pytest.raises(Killed):
        await go(seat, run)
    await shift_clock(context.database, LEASE_SECONDS + 1)
    assert (await go(seat, run)).status is RunStatus.paused
    assert parcels() == ["the letter"]
    (title,) = await holds_of(context, run)
    assert "Did 'deliver' happen?" in title
    await answer(context, run, title, said_)
    assert (await go(seat, run)).status is status
    assert parcels() == made
    assert "effect.unknown" in [kind for kind, _ in await said(context.database, run)]


async def test_a_call_that_may_be_made_twice_is_made_again_with_the_same_key(seat: Seat) -> None:
    engine_graphs.deaths.extend(["after", "not yet"])
    run = await start(seat.context.database, "acting")
    with pytest.raises(Killed):
        await go(seat, run)
    await shift_clock(seat.context.database, LEASE_SECONDS + 1)
    ended = await go(seat, run)
    assert ended.result == {"steps": ["delivered the letter", "delivered the bell"]}
    assert parcels() == ["the letter", "the bell", "the bell"]
    assert engine_graphs.done[1] == engine_graphs.done[2]
