"""The chain in a real database: whatever is done to its rows, verification names the place."""

from __future__ import annotations

from pathlib import Path

import pytest
from feed_world import audit_folder, commit, key_file, number_all, say

from handrail.core import audit as proof
from handrail.core.verification import Report, verify
from handrail.feed.sequencer import Sequencer
from handrail.store import audit, feed
from handrail.store.audit_files import HeadFile, KeyFile, read_heads
from handrail.store.database import Database

ENTRIES, BATCH = 12, 3


@pytest.fixture
async def log(store: Database) -> Database:
    """Twelve entries in four batches."""
    for n in range(ENTRIES):
        await commit(store, f"e{n + 1}", data={"reason": f"r{n}"}, kind="approval", case_id='a "case"')
    await number_all(store, BATCH)
    return store


async def check(store: Database, after: int = 0, keys: KeyFile | None = None, heads: Path | None = None) -> Report:
    lines = b"".join([page async for page in audit.export(store, after)]).splitlines()
    return verify(lines, (keys or key_file(audit_folder())).publics(), read_heads(heads) if heads else (), after)


async def run(store: Database, statement: str, *values: object) -> None:
    async with store.connection() as conn:
        await conn.execute(statement.encode(), values)


@pytest.mark.parametrize("after", [0, 1, 3, 7, ENTRIES])
async def test_an_honest_log_verifies_from_any_place(log: Database, after: int) -> None:
    report = await check(log, after)
    assert report.faults == ()
    assert (report.entries, report.sealed, report.waiting) == (ENTRIES - after, ENTRIES, 0)


async def test_events_without_a_number_are_told_as_waiting(log: Database) -> None:
    await commit(log, "late")
    report = await check(log)
    assert report.whole
    assert report.waiting == 1


COLUMNS = {
    "at": "at + interval '1 microsecond'",
    "type": "'forged'",
    "actor_id": "gen_random_uuid()",
    "hold_id": "gen_random_uuid()",
    "run_id": "gen_random_uuid()",
    "case_id": "NULL",
    "kind": "'input'",
    "opener_id": "gen_random_uuid()",
    "starter_id": "gen_random_uuid()",
    "data": """'{"reason":"r5"}'""",
    "salt": "'\\x00'",
    "data_hash": "sha256('')",
    "hash": "sha256('')",
}


@pytest.mark.parametrize("column", COLUMNS)
@pytest.mark.parametrize("seq", [1, 6, 7, ENTRIES])
async def test_a_changed_column_is_named(log: Database, column: str, seq: int) -> None:
    await run(log, f"UPDATE events SET {column} = {COLUMNS[column]} WHERE seq = %s", seq)
    assert (await check(log)).faults[0].seq == seq


@pytest.mark.parametrize("seq", range(1, ENTRIES + 1))
async def test_a_deleted_entry_is_named(log: Database, seq: int) -> None:
    await run(log, "DELETE FROM events WHERE seq = %s", seq)
    [fault] = (await check(log)).faults
    assert (fault.wrong, fault.seq) == ("missing", seq)


@pytest.mark.parametrize(("one", "two"), [(1, 2), (3, 4), (1, 12), (5, 11)])
async def test_swapped_entries_are_named(log: Database, one: int, two: int) -> None:
    await run(log, "UPDATE events SET seq = -seq WHERE seq IN (%s, %s)", one, two)
    await run(log, "UPDATE events SET seq = %s WHERE seq = %s", one, -two)
    await run(log, "UPDATE events SET seq = %s WHERE seq = %s", two, -one)
    report = await check(log)
    assert report.faults[0].seq == one
    assert two in {fault.seq for fault in report.faults}


@pytest.mark.parametrize("seq", [2, 7, ENTRIES + 1])
async def test_an_entry_put_in_with_fitting_hashes_is_placed(log: Database, seq: int) -> None:
    """All that follow make room, seals too."""
    for table in ("events", "audit_seals"):
        await run(log, f"UPDATE {table} SET seq = -seq - 1 WHERE seq >= %s", seq)
        await run(log, f"UPDATE {table} SET seq = -seq WHERE seq < 0")
    async with log.connection() as conn:
        rows = await conn.execute("SELECT hash FROM events WHERE seq = %s", (seq - 1,))
        before = await rows.fetchone()
        assert before is not None
        await conn.execute(
            """
            INSERT INTO events (seq, at, type, data, salt, data_hash, hash)
            VALUES (%s, '2026-11-15T09:30:00Z', 'forged', '{}', %s, %s, %s)
            """,
            (seq, *forged(seq, before["hash"])),
        )
        await conn.execute("UPDATE feed_head SET seq = seq + 1")
    report = await check(log)
    first = (seq - 1) // BATCH * BATCH
    assert first < report.faults[0].seq <= seq + BATCH
    assert report.proven == first


def forged(seq: int, before: bytes) -> tuple[bytes, bytes, bytes]:
    fields = dict.fromkeys(proof.FIELDS) | {
        "seq": seq,
        "at": "2026-11-15T09:30:00.000000Z",
        "type": "forged",
    }
    data_hash = proof.hash_of_data(b"salt", "{}")
    return b"salt", data_hash, proof.link(before, fields, data_hash)


@pytest.mark.parametrize("keep", [0, 1, 6, 11])
async def test_a_cut_off_end_is_named(log: Database, keep: int) -> None:
    await run(log, "DELETE FROM events WHERE seq > %s", keep)
    report = await check(log)
    assert report.faults[0].seq == keep + 1


@pytest.mark.parametrize("seal", [0, 2])
async def test_an_end_that_is_cut_off_at_a_seal_with_the_head_turned_back_shows_in_the_head_file(
    log: Database, seal: int, tmp_path: Path
) -> None:
    heads = HeadFile(tmp_path / "heads.jsonl")
    async with log.connection() as conn:
        heads.note(await audit.newest_seal(conn))
    for table in ("events", "audit_seals"):
        await run(log, f"DELETE FROM {table} WHERE seq > %s", seal * BATCH)
    await run(
        log,
        "UPDATE feed_head SET seq = %s, seals = %s, "
        "hash = coalesce((SELECT hash FROM audit_seals WHERE seq = %s), hash)",
        seal * BATCH,
        seal,
        seal * BATCH,
    )
    assert (await check(log)).whole
    report = await check(log, heads=heads.path)
    assert (report.faults[0].wrong, report.faults[0].seq) == ("truncated", seal * BATCH + 1)


SEALS = {
    "number": "number + 100",
    "seq": "seq - 1",
    "hash": "sha256('')",
    "at": "at + interval '1 microsecond'",
    "key_id": "'0'",
    "signature": "sha256('') || sha256('')",
}


@pytest.mark.parametrize("column", SEALS)
@pytest.mark.parametrize("number", [1, 2, 4])
async def test_a_changed_seal_is_placed(log: Database, column: str, number: int) -> None:
    await run(log, f"UPDATE audit_seals SET {column} = {SEALS[column]} WHERE number = %s", number)
    report = await check(log)
    assert (number - 1) * BATCH < report.faults[0].seq <= number * BATCH
    assert report.proven == (number - 1) * BATCH


@pytest.mark.parametrize("number", [1, 2, 4])
async def test_a_deleted_seal_is_placed(log: Database, number: int) -> None:
    await run(log, "DELETE FROM audit_seals WHERE number = %s", number)
    report = await check(log)
    assert report.faults[0].seq == (number - 1) * BATCH + 1


async def test_a_row_that_anybody_wrote_into_the_inbox_brings_in_no_key(log: Database, tmp_path: Path) -> None:
    thief = key_file(tmp_path)
    await commit(log, proof.KEY_ROTATED, data=dict(proof.rotation(None, thief.signer())))
    await commit(log, proof.KEY_ROTATED, data={"public_key": "rubbish"})
    await number_all(log)
    async with log.connection() as conn:
        assert (await audit.head(conn)).key_id == key_file(audit_folder()).signer().public.id
    assert (await check(log)).faults[0].seq == ENTRIES + 1


async def test_a_rotation_is_sealed_by_the_old_key_and_followed_from_the_first(store: Database, tmp_path: Path) -> None:
    keys = key_file(tmp_path)
    first = keys.signer().public
    sequencer = Sequencer(keys, HeadFile(tmp_path / "heads.jsonl"))
    for _ in range(3):
        following = keys.prepare_next()
        async with store.transaction() as conn:
            await say(conn, "before")
            await say(conn, proof.KEY_ROTATED, data=dict(proof.rotation(keys.signer(), following)))
            await say(conn, "after")
        async with feed.connection(store.dsn) as conn:
            while (await sequencer.move(conn))[0]:
                pass
        assert keys.signer().public == following.public, "the new key is in its place"
    lines = b"".join([page async for page in audit.export(store)]).splitlines()
    report = verify(lines, [first])
    assert report.faults == ()
    assert len(report.keys) == 4
    assert [key.id for key in keys.publics()] == list(report.keys)
    assert not verify(lines, [keys.signer().public]).whole, "the newest key alone proves nothing of the beginning"
