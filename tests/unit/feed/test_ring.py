"""The ring holds the newest entries without a gap, and a stream over it and the log loses and repeats nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import cast
from uuid import UUID

import pytest
from feed_world import ADMIN, agent, as_now, person
from hypothesis import given
from hypothesis import strategies as st

from handrail.core.people import Principal
from handrail.feed.entries import Entry, Filter
from handrail.feed.live import Feed
from handrail.feed.log import Log
from handrail.feed.ring import Ring

HOLDS = [UUID(int=n) for n in range(1, 4)]
RUNS = [None, UUID(int=11)]
CASES = [None, "a", "b"]
LEAD = person("lead", "team_lead")
AGENT = agent("agent")


def entry(seq: int, size: int = 0, **more: object) -> Entry:
    plain = Entry(
        seq=seq,
        at=datetime(2026, 1, 1, tzinfo=UTC),
        type="hold.opened",
        actor=None,
        hold_id=None,
        hold_number=None,
        run_id=None,
        run_number=None,
        case_id=None,
        kind=None,
        roles=frozenset(),
        opener_id=None,
        starter_id=None,
        principal_id=None,
        data="x" * size,
    )
    return replace(plain, **more)  # pyright: ignore[reportArgumentType] - the fields of Entry


entries = st.builds(
    entry,
    seq=st.just(0),
    size=st.integers(0, 2000),
    hold_id=st.sampled_from(HOLDS),
    run_id=st.sampled_from(RUNS),
    case_id=st.sampled_from(CASES),
    kind=st.sampled_from(["approval", "input"]),
    roles=st.sampled_from([frozenset[str](), frozenset({"team_lead"})]),
    opener_id=st.sampled_from([None, AGENT.id]),
)
filters = st.builds(
    Filter,
    hold_id=st.sampled_from([None, *HOLDS]),
    run_id=st.sampled_from(RUNS),
    case_id=st.sampled_from(CASES),
    kind=st.sampled_from([None, "approval"]),
)


def numbered(plain: Sequence[Entry], head: int) -> list[Entry]:
    return [replace(one, seq=head + n) for n, one in enumerate(plain, 1)]


@given(
    start=st.integers(0, 50),
    most=st.integers(1, 12),
    most_bytes=st.integers(1, 12_000),
    batches=st.lists(st.lists(entries, min_size=1, max_size=8), max_size=8),
    at_most=st.integers(1, 10),
)
def test_the_ring_is_bounded_and_without_a_gap(
    start: int, most: int, most_bytes: int, batches: list[list[Entry]], at_most: int
) -> None:
    ring = Ring(start, most=most, most_bytes=most_bytes)
    everything: list[Entry] = []
    for batch in batches:
        batch = numbered(batch, ring.head)
        everything += batch
        ring.append(batch)
        held = ring.after(ring.tail, 1000)
        assert held is not None
        assert len(held) <= most
        assert sum(one.bytes for one in held) <= most_bytes
        for cursor in range(start, ring.head + 3):
            expected = [one for one in everything if one.seq > cursor][:at_most]
            assert ring.after(cursor, at_most) == (None if cursor < ring.tail else expected)


def test_the_ring_refuses_an_entry_that_does_not_follow() -> None:
    ring = Ring(5, most=10, most_bytes=10_000)
    with pytest.raises(ValueError, match="7 does not follow 5"):
        ring.append([entry(7)])


@given(entries, filters)
def test_a_filter_takes_only_entries_of_its_topic(one: Entry, where: Filter) -> None:
    """Otherwise a stream would sleep through entries that it wants."""
    if where.takes(one):
        assert where.topic in one.topics


@dataclass
class Written:
    """The database's part: the whole log, read in small pages."""

    entries: list[Entry] = field(default_factory=list[Entry])

    async def head(self) -> int:
        return len(self.entries)

    async def page(self, after: int, where: Filter, viewer: Principal) -> Sequence[Entry]:
        await asyncio.sleep(0)
        return [one for one in self.entries[after:] if where.takes(one) and one.visible_to(viewer)][:3]


@dataclass
class Client:
    """One who reads a stream at its own pace, and comes back with the last number seen when it was cut off."""

    feed: Feed
    who: Principal
    where: Filter
    cursor: int
    got: list[Entry] = field(default_factory=list[Entry])

    def connect(self) -> None:
        self.stream = self.feed.follow(self.who, as_now(self.who), after=self.cursor, where=self.where)
        self.next = asyncio.ensure_future(anext(self.stream))

    async def disconnect(self) -> None:
        self.next.cancel()
        await asyncio.wait({self.next})
        await self.stream.aclose()
        if not self.next.cancelled():
            self.take()

    def take(self) -> None:
        taken = self.next.result()
        if taken is not None:
            self.got.append(taken)
            self.cursor = taken.seq

    async def read(self) -> bool:
        """One more entry, where there is one."""
        for _ in range(30):
            await asyncio.sleep(0)
            if self.next.done():
                self.take()
                self.next = asyncio.ensure_future(anext(self.stream))
                return True
        return False


steps = st.lists(
    st.one_of(
        st.tuples(st.just("publish"), st.lists(entries, min_size=1, max_size=6)),
        st.tuples(st.just("read"), st.integers(0, 2)),
        st.tuples(st.just("reconnect"), st.integers(0, 2)),
    ),
    max_size=30,
)


@given(
    steps=steps,
    wheres=st.tuples(filters, filters, filters),
    most=st.integers(1, 6),
    begin=st.integers(0, 8),
    ahead=st.integers(0, 3),
)
def test_streams_lose_and_repeat_nothing_whatever_happens(
    steps: list[tuple[str, object]], wheres: tuple[Filter, ...], most: int, begin: int, ahead: int
) -> None:
    async def run() -> None:
        # `ahead` entries are in the log and have not reached this process
        written = Written(numbered([entry(0, hold_id=HOLDS[0], opener_id=AGENT.id)] * (begin + ahead), 0))
        feed = Feed(cast(Log, written), Ring(begin, most=most, most_bytes=10_000))
        whos = (ADMIN, LEAD, AGENT)
        starts = (begin // 2, begin, begin + ahead)
        clients = [Client(feed, *each) for each in zip(whos, wheres, starts, strict=True)]
        for client in clients:
            client.connect()
        for what, value in [("read", 0), ("arrive", 0), *steps]:
            if what == "publish":
                batch = numbered(cast("list[Entry]", value), len(written.entries))
                written.entries += batch
                feed.publish(batch)
            elif what == "arrive" and ahead:
                feed.publish(written.entries[begin:])
            elif what == "read":
                await clients[cast(int, value)].read()
            elif what == "reconnect":
                await clients[cast(int, value)].disconnect()
                clients[cast(int, value)].connect()
        for client, start in zip(clients, starts, strict=True):
            while await client.read():
                pass
            await client.disconnect()
            assert client.got == [
                one for one in written.entries[start:] if client.where.takes(one) and one.visible_to(client.who)
            ]
        assert feed.streams == 0

    asyncio.run(run())


async def test_a_change_of_the_caller_that_comes_during_a_look_is_looked_at_again() -> None:
    feed = Feed(cast(Log, Written()), Ring(0, most=10, most_bytes=100_000))
    looks: list[frozenset[str]] = []

    async def look() -> Principal:
        seen = replace(LEAD, roles=frozenset[str]()) if looks else LEAD
        looks.append(seen.roles)
        if len(looks) == 1:
            # committed after this look was read, before it returns
            feed.publish([entry(1, type="person.changed", principal_id=LEAD.id)])
            feed.publish([entry(2, roles=LEAD.roles)])
        return seen

    stream = feed.follow(LEAD, look, after=0, heartbeat=0.01)
    assert await anext(stream) is None
    assert looks == [LEAD.roles, frozenset()]
    await stream.aclose()


async def test_a_change_that_comes_while_a_client_takes_its_time_hides_what_follows() -> None:
    feed = Feed(cast(Log, Written()), Ring(0, most=10, most_bytes=100_000))
    roles = [LEAD.roles]

    async def look() -> Principal:
        return replace(LEAD, roles=roles[-1])

    feed.publish([entry(1, roles=LEAD.roles), entry(2, roles=LEAD.roles), entry(3, opener_id=LEAD.id)])
    stream = feed.follow(LEAD, look, after=0)
    first = await anext(stream)
    assert first is not None and first.seq == 1
    roles.append(frozenset())
    feed.publish([entry(4, type="person.changed", principal_id=LEAD.id)])
    second = await anext(stream)
    assert second is not None and second.seq == 3
    await stream.aclose()
