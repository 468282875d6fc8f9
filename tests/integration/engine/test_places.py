"""A decision claims the run that it wakes for the worker of its own process, and hands it over with the hold."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from engine_world import GRAPHS, answer, confirm, go, holds_of, look, principal, said, start
from holds_world import shift_clock
from langgraph.runtime import RunControl

from handrail.core.callers import Caller, Scope
from handrail.core.holds import Verdict
from handrail.core.runs import Run, RunStatus
from handrail.core.sealing import Sealer
from handrail.engine.driver import Seat, drive
from handrail.holds import braking, deciding
from handrail.holds.context import Context
from handrail.holds.places import Offer, Place, Places, Taken
from handrail.store import claims, runs, sealed
from handrail.store.claims import LEASE_SECONDS


class Room:
    """A worker with room for so many runs; keeps what it is given."""

    def __init__(self, rooms: int = 1) -> None:
        self.rooms = rooms
        self.given: list[Taken] = []

    def keep(self) -> Offer | None:
        if not self.rooms:
            return None
        self.rooms -= 1
        return Offer("here", GRAPHS)

    def settle(self, taken: Taken | None) -> None:
        if taken is None:
            self.rooms += 1
        else:
            self.given.append(taken)


def beside(seat: Seat, room: Room, wake: Callable[[], None] = lambda: None) -> Seat:
    return replace(seat, context=replace(seat.context, places=Places(room), wake=wake))


async def paused(seat: Seat, workflow: str) -> Run:
    run = await start(seat.context.database, workflow)
    assert (await go(seat, run)).status is RunStatus.paused
    return run


async def test_the_decision_takes_the_run_and_nobody_else_is_told(seat: Seat) -> None:
    room = Room()
    woken: list[int] = []
    seat = beside(seat, room, lambda: woken.append(1))
    run = await paused(seat, "asking")
    await answer(seat.context, run, "staging?", "yes")
    (taken,) = room.given
    row = await look(seat.context.database, run)
    assert (row.status, row.worker, row.epoch, row.attempts) == (RunStatus.running, "here", 2, 0)
    assert (taken.run.epoch, taken.boxes, woken) == (2, [], [])
    async with seat.context.database.transaction() as conn:
        assert await claims.claim(conn, "elsewhere", GRAPHS) == []


async def test_the_run_resumes_with_the_hold_that_came_with_it(seat: Seat, monkeypatch: pytest.MonkeyPatch) -> None:
    room = Room()
    seat = beside(seat, room)
    run = await paused(seat, "asking")
    before = await holds_of(seat.context, run)
    await answer(seat.context, run, "staging?", "yes")
    (taken,) = room.given
    assert taken.run.woken_by is not None
    async with seat.context.database.connection() as conn:
        known, names = await claims.holds_of(conn, [before["staging?"].id])
    # what came with it is what it would read
    assert (taken.run.woken_by.hold, taken.run.woken_by.names) == (known[before["staging?"].id], names)
    looked_for: list[Any] = []
    read = claims.holds_of

    async def noted(conn: Any, hold_ids: Any) -> Any:
        looked_for.append(list(hold_ids))
        return await read(conn, hold_ids)

    monkeypatch.setattr(claims, "holds_of", noted)
    await drive(seat, taken.run, RunControl())
    # the second question is another's
    assert [before["staging?"].id] not in looked_for
    await answer(seat.context, run, "production?", "no")
    ended = await go(seat, run)
    assert ended.result == {"steps": ["ask: staging? yes", "ask: production? no", "act"]}
    kinds = [kind for kind, _ in await said(seat.context.database, run) if kind.startswith("run.")]
    assert kinds[:4] == ["run.paused", "run.resumed", "run.paused", "run.resumed"]


async def test_a_run_that_waits_for_more_than_this_reads_all_of_it(seat: Seat) -> None:
    room = Room(2)
    seat = beside(seat, room)
    run = await paused(seat, "parallel")
    await answer(seat.context, run, "b?", "B")
    await drive(seat, room.given[0].run, RunControl())
    assert set(await holds_of(seat.context, run)) == {"a?"}
    await answer(seat.context, run, "a?", "A")
    await drive(seat, room.given[1].run, RunControl())
    result: Any = (await look(seat.context.database, run)).result
    assert sorted(result["steps"]) == ["a: a? A", "b: b? B", "c", "join"]


async def test_an_approval_that_was_withdrawn_on_the_way_is_not_acted_on(seat: Seat) -> None:
    room = Room()
    seat = beside(seat, room)
    run = await paused(seat, "gating")
    (title,) = await holds_of(seat.context, run)
    await confirm(seat.context, run, title)
    (taken,) = room.given
    assert taken.run.woken_by is not None
    mara = await principal(seat.context.database, "mara", "team_lead")
    await deciding.withdraw(seat.context, mara, taken.run.woken_by.hold.id, "not yet")
    await drive(seat, taken.run, RunControl())
    assert (await look(seat.context.database, run)).status is RunStatus.paused
    assert set(await holds_of(seat.context, run)) == {title}


async def test_a_server_that_dies_with_the_run_it_took_loses_it_to_the_next_worker(seat: Seat) -> None:
    room = Room()
    run = await paused(seat, "asking")
    await answer(beside(seat, room).context, run, "staging?", "yes")
    (taken,) = room.given
    # nobody drives it: its server was killed after the commit
    await shift_clock(seat.context.database, LEASE_SECONDS + 1)
    assert (await go(seat, run)).status is RunStatus.paused
    assert set(await holds_of(seat.context, run)) == {"production?"}
    assert not await drive(seat, taken.run, RunControl())


async def test_without_room_the_run_waits_for_any_worker(seat: Seat) -> None:
    woken: list[int] = []
    seat = beside(seat, Room(0), lambda: woken.append(1))
    run = await paused(seat, "asking")
    await answer(seat.context, run, "staging?", "yes")
    assert (await look(seat.context.database, run)).status is RunStatus.queued
    assert woken == [1]
    assert (await go(seat, run)).status is RunStatus.paused


async def test_a_no_wakes_the_run_for_any_worker(seat: Seat) -> None:
    room = Room()
    seat = beside(seat, room)
    run = await paused(seat, "gating")
    (title,) = await holds_of(seat.context, run)
    await confirm(seat.context, run, title, Verdict.reject)
    assert (room.given, room.rooms) == ([], 1)
    assert (await look(seat.context.database, run)).status is RunStatus.queued


async def test_a_run_that_a_brake_stops_is_not_taken(seat: Seat) -> None:
    room, context = Room(), seat.context
    run = await paused(seat, "asking")
    boss = Caller(await principal(context.database, "boss", "administrator", "cto"), frozenset(Scope))
    # the hold is the workflow's, and may be decided; the run is also its starter's
    await braking.set_brake(context, boss, run.starter, "freeze", "fire")
    await answer(beside(seat, room).context, run, "staging?", "yes")
    assert (room.given, room.rooms) == ([], 1)
    assert (await look(context.database, run)).status is RunStatus.queued


async def test_what_is_not_committed_is_not_handed_over(context: Context, seat: Seat) -> None:
    room = Room()
    run = await paused(seat, "asking")
    with pytest.raises(ZeroDivisionError), Place(room) as place:
        async with context.database.transaction() as conn:
            await runs.wake(conn, run.id)
            await place.claim(conn, run.id)
            assert room.rooms == 0
            raise ZeroDivisionError
    assert (room.given, room.rooms) == ([], 1)
    assert (await look(context.database, run)).status is RunStatus.paused


async def test_a_secret_answer_comes_with_the_run_that_its_decision_takes(seat: Seat) -> None:
    room, sealer = Room(), Sealer(bytes(32))
    seat = beside(replace(seat, context=replace(seat.context, sealer=sealer)), room)
    run = await paused(seat, "signing")
    await answer(seat.context, run, "The password?", "open sesame")
    (taken,) = room.given
    assert taken.run.woken_by is not None
    assert "sesame" not in repr(taken.run.woken_by)
    answers = {box.hold_id: sealer.open(box.hold_id, box.box, box.schema) for box in taken.boxes}
    await drive(seat, replace(taken.run, answers=answers), RunControl())
    assert (await look(seat.context.database, run)).status is RunStatus.completed
    async with seat.context.database.transaction() as conn:
        assert await sealed.delete_used(conn) == 1
