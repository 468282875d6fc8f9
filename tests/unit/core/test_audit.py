"""Any change of an exported log is found and placed; an honest one is proved, through rotations and erasures."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest
from audit_world import AT, KEY, Log, Record, entry, lines, log_of, new_signer
from hypothesis import given
from hypothesis import strategies as st

from handrail.core import audit, canonical
from handrail.core.audit import FIELDS, Seal, Signer
from handrail.core.verification import Report, Wrong, verify

OTHER = new_signer()
BATCHES = st.lists(st.integers(1, 5), min_size=1, max_size=6)


def check(records: list[Record], *heads: Seal, key: Signer = KEY) -> Report:
    return verify(lines(records), [key.public], heads)


def seal_of(record: Record) -> Seal:
    return Seal.of(record)


def seals(records: list[Record]) -> list[Record]:
    return [record for record in records if record["record"] == "seal"]


def batch_of(batches: list[int], seq: int) -> range:
    """The entries that are sealed together with this one."""
    first = 1
    for size in batches:
        if seq < first + size:
            return range(first, first + size)
        first += size
    raise AssertionError(seq)


@given(BATCHES)
def test_an_honest_log_is_whole(batches: list[int]) -> None:
    report = check(log_of(batches).export())
    assert report.whole
    assert report.entries == report.last == report.sealed == report.proven == sum(batches)


@given(BATCHES, st.data())
def test_a_changed_field_is_found_at_its_entry(batches: list[int], data: st.DataObject) -> None:
    records = log_of(batches).export()
    seq = data.draw(st.integers(1, sum(batches)))
    field = data.draw(st.sampled_from([*FIELDS[1:], "data", "salt", "data_hash"]))
    changed = entry(records, seq)
    changed[field] = "00" * 16 if field in {"salt", "data_hash"} else f"{changed[field]}x"
    report = check(records)
    assert report.faults[0].seq == seq
    assert report.faults[0].wrong in {Wrong.changed, Wrong.unlinked}
    assert report.proven < seq


@given(BATCHES, st.data())
def test_a_change_with_all_hashes_made_to_fit_is_found_by_the_seal_of_its_batch(
    batches: list[int], data: st.DataObject
) -> None:
    """Hashing needs no key: whoever can write the table can do it."""
    records = log_of(batches).export()
    seq = data.draw(st.integers(1, sum(batches)))
    entry(records, seq)["type"] = "hold.rejected"
    previous = audit.GENESIS
    for record in records:
        if record["record"] == "entry":
            fields = {name: record[name] for name in FIELDS}
            previous = audit.link(previous, fields, bytes.fromhex(record["data_hash"]))
            record["hash"] = previous.hex()
        if record["record"] == "seal":
            record["hash"] = previous.hex()
    records[-1]["hash"] = previous.hex()
    report = check(records)
    assert report.faults[0].wrong is Wrong.bad_signature
    assert report.faults[0].seq in batch_of(batches, seq)
    assert report.proven == batch_of(batches, seq)[0] - 1


@given(BATCHES, st.data())
def test_a_removed_entry_is_named(batches: list[int], data: st.DataObject) -> None:
    records = log_of(batches).export()
    seq = data.draw(st.integers(1, sum(batches)))
    records.remove(entry(records, seq))
    report = check(records)
    assert (report.faults[0].wrong, report.faults[0].seq) == (Wrong.missing, seq)
    assert len(report.faults) == 1, "what a seal vouches for again is not blamed"


@given(st.lists(st.integers(1, 5), min_size=2, max_size=6), st.data())
def test_swapped_entries_are_found_at_the_first_of_them(batches: list[int], data: st.DataObject) -> None:
    records = log_of(batches).export()
    both = st.tuples(st.integers(1, sum(batches)), st.integers(1, sum(batches)))
    one, two = sorted(data.draw(both.filter(lambda pair: pair[0] != pair[1])))
    first, second = entry(records, one), entry(records, two)
    a, b = records.index(first), records.index(second)
    if data.draw(st.booleans()):
        # as in the database: the contents change places, the numbers stay
        first["seq"], second["seq"] = two, one
    records[a], records[b] = second, first
    report = check(records)
    assert report.faults[0].seq == one
    assert report.proven < one


@given(BATCHES, st.data())
def test_an_entry_put_in_is_found(batches: list[int], data: st.DataObject) -> None:
    """Put in with fitting hashes, and all that follow get new numbers."""
    records = log_of(batches).export()
    seq = data.draw(st.integers(1, sum(batches)))
    place = records.index(entry(records, seq))
    forged = {**entry(records, seq), "data": '{"forged": true}'}
    previous = entry(records, seq - 1)["hash"] if seq > 1 else audit.GENESIS.hex()
    data_hash = audit.hash_of_data(bytes.fromhex(forged["salt"]), forged["data"])
    fields = {name: forged[name] for name in FIELDS}
    forged |= {"data_hash": data_hash.hex(), "hash": audit.link(bytes.fromhex(previous), fields, data_hash).hex()}
    for record in records[place:]:
        record["seq"] += 1
    report = check([*records[:place], forged, *records[place:]])
    batch = batch_of(batches, seq)
    assert report.faults[0].seq in range(batch[0], batch[-1] + 2)
    assert report.proven == batch[0] - 1


@given(BATCHES, st.data())
def test_a_log_that_was_cut_off_shows_against_its_head_a_signed_head_or_its_seals(
    batches: list[int], data: st.DataObject
) -> None:
    log = log_of(batches)
    records = log.export()
    newest = seal_of(seals(records)[-1])
    keep = data.draw(st.integers(0, log.seq - 1))
    cut = [r for r in records if r["record"] in {"header", "end"} or r["seq"] <= keep]
    assert (check(cut).faults[0].wrong, check(cut).faults[0].seq) in {
        (Wrong.truncated, keep + 1),
        (Wrong.unsealed, max((s["seq"] for s in seals(cut)), default=0) + 1),
    }
    # whoever cuts at a seal and turns the head back as well leaves a log that is whole, but for the head kept elsewhere
    kept = max((s["seq"] for s in seals(cut)), default=0)
    forged: list[Record] = [r for r in cut if r["record"] == "header" or (r["record"] != "end" and r["seq"] <= kept)]
    hash_ = entry(records, kept)["hash"] if kept else audit.GENESIS.hex()
    forged.append({"record": "end", "seq": kept, "hash": hash_, "waiting": 0})
    assert check(forged).whole
    report = check(forged, newest)
    assert (report.faults[0].wrong, report.faults[0].seq) == (Wrong.truncated, kept + 1)
    assert str(log.seq) in report.faults[0].detail


@given(st.lists(st.integers(1, 5), min_size=2, max_size=6), st.data())
def test_a_removed_or_changed_seal_is_found(batches: list[int], data: st.DataObject) -> None:
    records = log_of(batches).export()
    seal = data.draw(st.sampled_from(seals(records)))
    field = data.draw(st.sampled_from(["", "number", "seq", "hash", "at", "key_id", "signature"]))
    if field == "":
        records.remove(seal)
    elif field in {"number", "seq"}:
        seal[field] += 1
    else:
        seal[field] = ("0" if seal[field][0] != "0" else "1") + seal[field][1:]
    report = check(records)
    batch = batch_of(batches, seal["seq"] - (field == "seq"))
    # a seal that is not there is missed at the next one
    assert report.faults[0].seq in range(batch[0], batch[-1] + 2)
    assert report.proven < batch[0]


def test_an_export_that_breaks_off_is_not_taken_for_a_whole_one() -> None:
    report = check(log_of([2, 2]).export()[:-1])
    assert [fault.wrong for fault in report.faults] == [Wrong.truncated]


def test_entries_at_the_end_without_a_seal_are_not_proved() -> None:
    log = log_of([2, 2])
    log.add("hold.decided", {"forged": True})
    report = check(log.export())
    assert [(fault.wrong, fault.seq) for fault in report.faults] == [(Wrong.unsealed, 5)]
    assert report.proven == 4


def test_a_log_sealed_anew_by_another_key_is_not_of_this_one() -> None:
    report = check(log_of([2, 2], OTHER).export())
    assert (report.faults[0].wrong, report.faults[0].seq) == (Wrong.unknown_key, 1)


def test_a_log_that_the_keys_owner_rewrote_shows_against_a_head_kept_elsewhere() -> None:
    honest = log_of([2, 2]).export()
    forged = Log()
    for n in range(4):
        forged.add("hold.decided", {"forged": n})
    forged.seal()
    report = check(forged.export(), seal_of(seals(honest)[0]))
    assert [(fault.wrong, fault.seq) for fault in report.faults] == [(Wrong.rewritten, 2)]


def test_a_forged_head_is_named_and_not_the_log() -> None:
    honest = log_of([2, 2])
    forged = OTHER.seal(9, 40, bytes(32), AT)
    [fault] = check(honest.export(), forged).faults
    assert (fault.wrong, fault.seq) == (Wrong.unknown_key, 40)


@pytest.mark.parametrize("line", ["", "null", "[]", "{}", '{"record": "entry"}', '{"record": "end", "seq": "x"}', "{"])
def test_a_line_that_is_no_record_is_named(line: str) -> None:
    good = lines(log_of([2]).export())
    report = verify([*good[:2], line, *good[2:]], [KEY.public])
    assert report.faults[0].wrong is Wrong.unreadable
    assert "line 3" in report.faults[0].detail


def rotated(old: Signer, new: Signer, statement: dict[str, Any]) -> Log:
    log = log_of([2, 2], old)
    log.add(audit.KEY_ROTATED, statement)
    log.seal()
    log.signer = new
    log.add("hold.decided", {})
    log.seal()
    return log


def test_the_first_public_key_is_enough_after_rotations() -> None:
    log = rotated(KEY, OTHER, audit.rotation(KEY, OTHER))
    assert check(log.export()).whole
    assert check(log.export(), seal_of(seals(log.export())[-1])).whole, "a head of the new key"


def test_the_old_key_seals_nothing_after_a_rotation() -> None:
    report = check(rotated(KEY, KEY, audit.rotation(KEY, OTHER)).export())
    assert (report.faults[0].wrong, report.faults[0].seq) == (Wrong.unknown_key, 6)


def test_a_key_that_the_old_one_did_not_sign_is_not_followed() -> None:
    """Whoever can write the inbox can have any entry sealed, and still not bring in a key."""
    for statement in (audit.rotation(None, OTHER), {**audit.rotation(KEY, OTHER), "public_key": "00" * 32}):
        report = check(rotated(KEY, OTHER, statement).export())
        assert (report.faults[0].wrong, report.faults[0].seq) == (Wrong.bad_signature, 5)


def test_a_key_that_replaces_a_lost_one_counts_for_those_who_trust_it() -> None:
    log = log_of([2, 2])
    log.signer = OTHER
    log.add(audit.KEY_ROTATED, audit.rotation(None, OTHER))
    log.seal()
    assert verify(lines(log.export()), [KEY.public, OTHER.public]).whole
    assert not verify(lines(log.export()), [KEY.public]).whole


def erased(statement_of: dict[int, str], signer: Signer = KEY) -> list[Record]:
    """A log in which the data of entry 2 was emptied; with an erasure that tells of these."""
    log = log_of([2, 2])
    emptied = entry(log.records, 2)
    emptied |= {"salt": None, "data": '{"reason": null}'}
    log.add(audit.ERASED, dict(audit.erasure(signer, "a-person", statement_of)))
    log.seal()
    return log.export()


def test_an_erasure_keeps_the_proof() -> None:
    report = check(erased({2: '{"reason": null}'}))
    assert report.whole
    assert report.erased == 1


@pytest.mark.parametrize(
    ("statement_of", "signer", "seq"),
    [
        ({}, KEY, 2),
        ({3: '{"reason": null}'}, KEY, 2),
        ({2: '{"other": 1}'}, KEY, 2),
        ({2: '{"reason": null}'}, OTHER, 2),
    ],
)
def test_emptied_data_without_its_erasure_is_found(statement_of: dict[int, str], signer: Signer, seq: int) -> None:
    report = check(erased(statement_of, signer))
    assert report.faults[0].wrong is Wrong.erased
    assert report.faults[0].seq == seq


def test_a_part_of_the_log_verifies_by_itself() -> None:
    records = log_of([2, 2, 2]).export()
    header = {"record": "header", "version": 1, "after": 3, "hash": entry(records, 3)["hash"]}
    part = [header, *(r for r in records if r["record"] == "end" or r.get("seq", 0) > 3)]
    report = verify(lines(part), [KEY.public], after=3)
    assert (report.whole, report.first, report.last, report.entries) == (True, 4, 6, 3)
    entry(part, 4)["type"] = "x"
    assert verify(lines(part), [KEY.public], after=3).faults[0].seq == 4


@pytest.mark.parametrize(("said", "asked"), [(3, 0), (3, 2), (0, 3)])
def test_a_log_that_does_not_begin_where_it_was_asked_to_is_not_whole(said: int, asked: int) -> None:
    """Anybody can cut off the beginning and write a header that fits what is left."""
    records = log_of([2, 2, 2]).export()
    hash_ = entry(records, said)["hash"] if said else audit.GENESIS.hex()
    header = {"record": "header", "version": 1, "after": said, "hash": hash_}
    part = [header, *(r for r in records if r["record"] == "end" or r.get("seq", 0) > said)]
    report = verify(lines(part), [KEY.public], after=asked)
    assert (report.faults[0].wrong, report.faults[0].seq) == (Wrong.partial, min(said, asked) + 1)
    assert report.proven < report.first


@pytest.mark.parametrize("after", [-1, 1.0, True, "3", None])
def test_a_header_that_names_no_entry_is_not_followed(after: object) -> None:
    records = log_of([2]).export()
    records[0]["after"] = after
    assert [fault.wrong for fault in check(records).faults] == [Wrong.unreadable]


def test_a_part_that_follows_on_another_beginning_than_a_kept_head_is_found() -> None:
    honest, other = log_of([2, 2]).export(), log_of([3, 1]).export()
    part = [{**other[0], "after": 2, "hash": entry(other, 2)["hash"][::-1]}, *(r for r in other if r.get("seq", 0) > 2)]
    found = verify(lines(part), [KEY.public], [seal_of(seals(honest)[0])], after=2).faults
    assert (found[0].wrong, found[0].seq) == (Wrong.rewritten, 2)


def restored(until: int, entries: int) -> list[Record]:
    """A log of six that was put back to an earlier entry, and then grew."""
    log = log_of([until])
    log.add(audit.RESTORED, {"until": until})
    log.records[-1]["at"] = "2026-11-16T00:00:00.000000Z"
    fields = {name: log.records[-1][name] for name in FIELDS}
    data_hash = bytes.fromhex(log.records[-1]["data_hash"])
    log.hash = audit.link(bytes.fromhex(entry(log.records, until)["hash"]), fields, data_hash)
    log.records[-1]["hash"] = log.hash.hex()
    for _ in range(entries):
        log.add("hold.opened", {})
    log.seal()
    return log.export()


def test_a_restored_log_says_so_and_is_whole_from_there() -> None:
    report = check(restored(2, 1))
    assert report.whole
    assert [(one.seq, one.until) for one in report.restored] == [(3, 2)]


@pytest.mark.parametrize("entries", [1, 9])
def test_a_head_from_before_a_restore_shows_that_the_log_was_put_back_and_what_is_gone(entries: int) -> None:
    """Also where other entries have taken the numbers meanwhile."""
    before = seal_of(seals(log_of([2, 4]).export())[-1])
    report = check(restored(2, entries), before)
    assert [(fault.wrong, fault.seq) for fault in report.faults] == [(Wrong.restored, 3)]
    assert "a backup that ended with entry 2" in report.faults[0].detail
    assert "there was an entry 6" in report.faults[0].detail


def test_heads_from_after_a_restore_are_met_as_ever() -> None:
    records = restored(2, 3)
    assert check(records, seal_of(seals(records)[-1])).whole


@given(st.fixed_dictionaries({name: st.none() | st.text() for name in FIELDS[1:]} | {"seq": st.integers(1, 2**53 - 1)}))
def test_entries_are_hashed_in_the_canonical_form_that_others_can_make(fields: dict[str, Any]) -> None:
    previous, data_hash = bytes(32), bytes(range(32))
    made = hashlib.sha256(previous + canonical.encode(fields) + data_hash).digest()
    assert audit.link(previous, fields, data_hash) == made


def test_a_signature_of_one_kind_is_not_one_of_another() -> None:
    seal = KEY.seal(1, 1, bytes(32), AT)
    data = {
        "signed_by": KEY.public.id,
        "signature": seal.signature.hex(),
        **json.loads(seal.message.split(b"\n", 1)[1]),
    }
    assert audit.stated(audit.ERASED, data, [KEY.public]) is None
