"""Who sees which event, from the ring and from the database alike, and while roles change."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from uuid import uuid4

from feed_world import (
    ADMIN,
    DEADLINE_SECONDS,
    agent,
    as_now,
    audience,
    commit,
    person,
    sequencing,
    take,
    types,
    until_head,
)

from handrail.core.people import AUDITOR, Principal
from handrail.feed.entries import Entry
from handrail.feed.live import following
from handrail.store import feed as log
from handrail.store.database import Database

ASKER = agent("asker")
STARTER = person("starter")
LEAD = person("lead", "team_lead")
DEVELOPER = person("developer", "developer")
INSPECTOR = person("inspector", AUDITOR)
# a service whose roles, should it have any, give it nothing
ROBOT = replace(agent("robot"), roles=frozenset({"team_lead", AUDITOR}))
EVERYBODY = (ADMIN, ASKER, STARTER, LEAD, DEVELOPER, INSPECTOR, ROBOT)


async def fill(store: Database) -> dict[str, set[Principal]]:
    """One event of each sort, and who may see it."""
    leads = await audience(store, "team_lead", "cto")
    hold = {"hold_id": uuid4(), "audience_id": leads, "opener_id": ASKER.id, "starter_id": STARTER.id}
    alone = {"hold_id": uuid4(), "audience_id": await audience(store), "opener_id": ROBOT.id}
    everything = {ADMIN, INSPECTOR}
    await commit(store, "hold.opened", **hold)
    await commit(store, "hold.reviewed", actor=DEVELOPER.id, **hold)
    await commit(store, "hold.cancelled", **alone)
    await commit(store, "person.changed", actor=ADMIN.id, data={"id": str(LEAD.id)})
    await commit(store, "token.made", actor=ADMIN.id, data={"principal": str(ASKER.id)})
    await commit(store, "session.signed_in", actor=DEVELOPER.id)
    await commit(store, "policy.applied", actor=DEVELOPER.id, data={"id": "not one", "principal": "not one"})
    await commit(store, "brake.set", actor=DEVELOPER.id)
    return {
        "hold.opened": everything | {ASKER, STARTER, LEAD},
        "hold.reviewed": everything | {ASKER, STARTER, LEAD},
        "hold.cancelled": everything | {ROBOT},
        "person.changed": everything,
        "token.made": everything | {ASKER},
        "session.signed_in": everything | {DEVELOPER},
        "policy.applied": everything,
        "brake.set": set(EVERYBODY),
    }


async def test_each_sees_their_own_from_the_database_and_from_the_ring(store: Database) -> None:
    seen_by = await fill(store)
    async with sequencing(store.dsn):
        await until_head(store, len(seen_by))
    for who in EVERYBODY:
        expected = [type_ for type_, people in seen_by.items() if who in people]
        async with store.connection() as conn:
            rows = await log.read(conn, 0, 100)
            mine = await log.read(conn, 0, 100, viewer=who)
        assert [row["type"] for row in mine] == expected, who.name
        assert [row["type"] for row in rows if Entry.of(row).visible_to(who)] == expected, who.name
        async with following(store) as feed:
            stream = feed.follow(who, as_now(who), after=0, heartbeat=0.05)
            assert types(await take(stream, len(expected))) == expected, who.name
            assert await anext(stream) is None
            await stream.aclose()


async def put(store: Database, who: Principal) -> None:
    async with store.transaction() as conn:
        await conn.execute(
            "INSERT INTO principals (id, name, kind, roles, active, created_at) "
            "VALUES (%s, %s, %s, %s, %s, handrail_now()) "
            "ON CONFLICT (id) DO UPDATE SET roles = excluded.roles, active = excluded.active",
            (who.id, who.name, who.kind.value, sorted(who.roles), who.active),
        )


async def test_a_change_of_roles_shows_in_an_open_stream(store: Database) -> None:
    leads = await audience(store, "team_lead")

    async def look() -> Principal | None:
        async with store.connection() as conn:
            row = await (
                await conn.execute("SELECT roles, active FROM principals WHERE id = %s", (LEAD.id,))
            ).fetchone()
        assert row is not None
        return replace(LEAD, roles=frozenset(row["roles"])) if row["active"] else None

    async def change(who: Principal) -> None:
        await put(store, who)
        await commit(store, "person.changed", actor=ADMIN.id, data={"id": str(LEAD.id)})

    await put(store, LEAD)
    async with sequencing(store.dsn), following(store) as feed, asyncio.timeout(DEADLINE_SECONDS):
        stream = feed.follow(LEAD, look, after=feed.head)
        await commit(store, "one", hold_id=uuid4(), audience_id=leads)
        assert types(await take(stream, 1)) == ["one"]

        await change(replace(LEAD, roles=frozenset({"developer"})))
        await commit(store, "two", hold_id=uuid4(), audience_id=leads)
        await commit(store, "mine", hold_id=uuid4(), audience_id=leads, opener_id=LEAD.id)
        assert types(await take(stream, 1)) == ["mine"]

        await change(LEAD)
        await commit(store, "three", hold_id=uuid4(), audience_id=leads)
        assert types(await take(stream, 1)) == ["three"]

        await change(replace(LEAD, active=False))
        await commit(store, "four", hold_id=uuid4(), audience_id=leads)
        assert [entry async for entry in stream] == []
