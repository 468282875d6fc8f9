"""Retention: old data goes, the proof stays, and tampering is still named."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path

import pytest
from feed_world import audit_folder, commit, key_file, number_all
from holds_world import Add, opening, shift_clock

from handrail.core import audit as proof
from handrail.core.agreement import Agreement
from handrail.core.holds import Verdict
from handrail.core.people import PrincipalKind
from handrail.core.verification import Report, verify
from handrail.feed import retention
from handrail.holds import deciding, using
from handrail.holds.context import Context
from handrail.holds.deciding import Say
from handrail.holds.opening import open_hold
from handrail.store import audit, records
from handrail.store import retention as rows
from handrail.store.audit_files import HeadFile, read_heads
from handrail.store.database import Database

OLD, NEW = 6, 3
MONTH = timedelta(days=30)


async def lines(store: Database) -> list[bytes]:
    return b"".join([page async for page in audit.export(store)]).splitlines()


async def check(store: Database) -> Report:
    return verify(await lines(store), key_file(audit_folder()).publics())


async def run(store: Database, statement: str) -> None:
    async with store.connection() as conn:
        await conn.execute(statement.encode())


async def prune(store: Database) -> None:
    while await retention.prune(store, key_file(audit_folder()), MONTH):
        pass
    await number_all(store)


@pytest.fixture
async def log(store: Database, monkeypatch: pytest.MonkeyPatch) -> Database:
    """Six entries that are forty days old, three that are new; pruned in batches of four."""
    monkeypatch.setattr(rows, "BATCH", 4)
    for n in range(OLD):
        await commit(store, "hold.decided", data={"reason": f"secret {n}"})
    await number_all(store, 2)
    await shift_clock(store, 40 * 86400)
    for n in range(NEW):
        async with store.transaction() as conn:
            await conn.execute(
                "INSERT INTO event_inbox (at, type, data) VALUES (handrail_now(), 'hold.decided', %s)",
                (json.dumps({"reason": f"fresh {n}"}),),
            )
    await number_all(store, 2)
    await prune(store)
    return store


async def test_old_data_is_gone_and_the_log_is_whole(log: Database) -> None:
    report = await check(log)
    assert report.faults == ()
    assert (report.pruned, report.erased) == (OLD, 0)
    text = b"".join(await lines(log)).decode()
    assert "secret" not in text
    assert text.count("fresh") == NEW
    await prune(log)
    assert (await check(log)).last == report.last, "there is nothing to do twice"


async def test_an_export_from_before_still_verifies_with_its_data(store: Database) -> None:
    await commit(store, "hold.decided", data={"reason": "secret"})
    await number_all(store)
    before = await lines(store)
    await shift_clock(store, 40 * 86400)
    await prune(store)
    assert verify(before, key_file(audit_folder()).publics()).whole
    assert b"secret" in b"".join(before)


TAMPERING = {
    "a pruned entry gets other data": ('UPDATE events SET data = \'{"reason": "forged"}\' WHERE seq = 2', 2),
    "a pruned entry is deleted": ("DELETE FROM events WHERE seq = 3", 3),
    "a pruned entry gets another actor": ("UPDATE events SET actor_id = gen_random_uuid() WHERE seq = 4", 4),
    "an entry that is to be kept is emptied": ("UPDATE events SET data = '{}', salt = NULL WHERE seq = 8", 8),
    "its data is changed": ('UPDATE events SET data = \'{"reason": "forged"}\' WHERE seq = 8', 8),
    "a statement is emptied": ("UPDATE events SET data = '{}', salt = NULL WHERE type = 'audit.pruned'", 1),
}


@pytest.mark.parametrize("what", TAMPERING)
async def test_tampering_is_named_after_pruning(log: Database, what: str) -> None:
    statement, seq = TAMPERING[what]
    await run(log, statement)
    assert (await check(log)).faults[0].seq == seq


async def test_a_statement_that_the_key_did_not_sign_covers_nothing(store: Database, tmp_path: Path) -> None:
    await commit(store, "hold.decided", data={"reason": "secret"})
    await commit(store, proof.PRUNED, data=dict(proof.pruning(key_file(tmp_path).signer(), 1)))
    await number_all(store)
    await run(store, "UPDATE events SET data = '{}', salt = NULL WHERE seq = 1")
    assert [(fault.wrong, fault.seq) for fault in (await check(store)).faults] == [("erased", 1), ("bad_signature", 2)]


async def test_delivered_notices_are_deleted_and_others_stay(store: Database) -> None:
    await run(
        store,
        """
        ALTER TABLE deliveries DROP CONSTRAINT deliveries_hold_id_fkey;
        INSERT INTO deliveries (id, hold_id, event, route, channels, people, body, status, queued_at, next_at,
          delivered_at)
        SELECT gen_random_uuid(), gen_random_uuid(), 'hold.opened', 'r', '{email}', '{}', '{}', status, at, at,
          CASE status WHEN 'delivered' THEN at END
        FROM (VALUES ('delivered', handrail_now() - interval '40 days'), ('dead', handrail_now() - interval '40 days'),
          ('queued', handrail_now() - interval '40 days'), ('delivered', handrail_now())) AS old (status, at)
        """,
    )
    while await retention.clear_delivered(store, MONTH):
        pass
    async with store.connection() as conn:
        left = await (await conn.execute("SELECT status FROM deliveries ORDER BY status")).fetchall()
    assert [row["status"] for row in left] == ["dead", "delivered", "queued"]


def test_heads_are_thinned_out_to_one_an_hour_and_the_newest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("handrail.store.audit_files.NEWEST_HEADS", 5)
    heads = HeadFile(tmp_path / "heads.jsonl", thin_bytes=10_000)
    signer = key_file(tmp_path).signer()
    for n in range(100):
        heads.note(signer.seal(n + 1, n + 1, proof.GENESIS, f"2026-11-15T{n // 10:02}:{n % 10:02}:00.000000Z"))
        heads.write()
    kept = [head.seq for head in read_heads(heads.path)]
    assert kept[-5:] == [96, 97, 98, 99, 100]
    assert {10, 20, 30} <= set(kept), "the last of each hour"
    assert heads.path.stat().st_size < 20_000
    assert kept == sorted(set(kept))


async def test_entries_of_holds_that_wait_are_spared_until_they_no_longer_do(context: Context, add: Add) -> None:
    store = context.database
    agent, lead = await add("agent", kind=PrincipalKind.agent), await add("lead", "team_lead")
    waits, unused, done = [await open_hold(context, agent, opening()) for _ in range(3)]
    await shift_clock(store, 40 * 86400)
    for hold in (unused, done):
        await deciding.review(context, lead, hold.id, Say(Verdict.approve, hold.digest))
    await using.redeem(context, agent, done.id, done.digest, "k")
    await number_all(store)
    await prune(store)
    report = await check(store)
    assert (report.faults, report.pruned) == ((), 1)
    compared = {one.hold_id: one.agreement for one in await records.compare_page(store, None)}
    assert (compared[waits.id], compared[unused.id]) == (Agreement(), Agreement())
    assert not compared[done.id].known
    # decided, and never used for longer than data is kept
    await deciding.review(context, lead, waits.id, Say(Verdict.reject, waits.digest))
    await number_all(store)
    await shift_clock(store, 40 * 86400)
    await prune(store)
    report = await check(store)
    assert report.faults == ()
    assert not any(one.agreement.known for one in await records.compare_page(store, None))
    async with store.connection() as conn:
        left = await (await conn.execute("SELECT count(*) AS n FROM spared_entries")).fetchone()
    assert left == {"n": 0}
