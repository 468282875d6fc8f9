"""Whether a log is whole: reads an export record by record, and names what is wrong and where. Needs no database."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, cast

from handrail.core import audit
from handrail.core.audit import FIELDS, PublicKey, Seal
from handrail.core.canonical import JsonObject
from handrail.core.signed_decisions import SIGNED_TYPES, SignedDecisions
from handrail.core.stood_in import STOOD_IN_TYPES, StoodIn

VERSION = 1
# a log that is broken everywhere is described by its first faults
MOST_FAULTS = 100
_PRUNED_HASH = hashlib.sha256(audit.PRUNED_DATA.encode()).hexdigest()


class Wrong(StrEnum):
    changed = "changed"
    unlinked = "unlinked"
    missing = "missing"
    reordered = "reordered"
    truncated = "truncated"
    partial = "partial"
    restored = "restored"
    inserted = "inserted"
    rewritten = "rewritten"
    unsealed = "unsealed"
    seal_missing = "seal_missing"
    bad_signature = "bad_signature"
    unknown_key = "unknown_key"
    erased = "erased"
    unreadable = "unreadable"
    unsigned = "unsigned"
    not_named = "not_named"


@dataclass(frozen=True, slots=True)
class Fault:
    """`seq` is the entry where it shows."""

    wrong: Wrong
    seq: int
    detail: str


@dataclass(frozen=True, slots=True)
class Restoration:
    """Entry `seq` says that the log was put back from a backup that ended with entry `until`."""

    seq: int
    at: str
    until: int


@dataclass(frozen=True, slots=True)
class Report:
    """`first` to `last` is what was read; nothing is said of entries outside. `proven`: the last entry before the first
    fault that a good seal covers. `erased`: entries whose data was erased by a signed statement. `pruned`: those whose
    data is no longer kept, by another. `waiting`: events that had no number yet, and so no proof, when the export was
    made. `keys`: those that are trusted or that the log brought in; `sealed_by`: those whose good seals it bears."""

    entries: int
    first: int
    last: int
    sealed: int
    proven: int
    erased: int
    pruned: int
    waiting: int
    keys: tuple[str, ...]
    sealed_by: tuple[str, ...]
    restored: tuple[Restoration, ...]
    faults: tuple[Fault, ...]

    @property
    def whole(self) -> bool:
        return not self.faults


def verify(
    lines: Iterable[str | bytes], trusted: Sequence[PublicKey], heads: Iterable[Seal] = (), after: int = 0
) -> Report:
    """The verdict on an export's lines, which must begin after exactly that entry: a header that says something else
    is a fault, because anybody can write one.

    The first seal must be of a trusted key; from there the log itself names the keys that follow. `heads` are seals
    that were kept elsewhere: what they sign must still be there.
    """
    verification = _Verification(trusted, heads, after)
    for number, line in enumerate(lines):
        verification.take(number, line)
    return verification.report()


class _Verification:
    def __init__(self, trusted: Sequence[PublicKey], heads: Iterable[Seal], after: int) -> None:
        self._after = after
        self._trusted = tuple(trusted)
        self._keys = {key.id: key for key in trusted}
        # after a restore there may be two of one entry
        self._heads = {(head.seq, head.hash): head for head in heads}
        self._faults: list[Fault] = []
        self._proven: int | None = None
        self._began = 0
        self._ended = False
        self._waiting = 0
        self._entries = 0
        self._last = 0
        # the hash of the last entry; unknown after a gap
        self._previous: bytes | None = audit.GENESIS
        self._sealed = 0
        # whether something is wrong with the entries since the last seal
        self._blamed = False
        self._seals: int | None = 0
        self._passkeys = SignedDecisions(from_the_start=after == 0)
        self._stood_in = StoodIn(from_the_start=after == 0)
        self._current: PublicKey | None = None
        self._next: PublicKey | None = None
        self._emptied: dict[int, str] = {}
        self._erased = 0
        self._pruned = 0
        self._sealed_by: dict[str, None] = {}
        self._restored: list[Restoration] = []

    def take(self, number: int, line: str | bytes) -> None:
        try:
            record: dict[str, Any] = json.loads(line)
            kind = record["record"]
            if kind == "entry":
                self._entry(record)
            elif kind == "seal":
                self._seal(Seal.of(record))
            elif kind == "header" and number == 0:
                self._header(record)
            elif kind == "end" and not self._ended:
                self._end(record)
            else:
                raise ValueError("it is not an export record, or is out of place")
        except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
            reason = f"line {number + 1} cannot be read ({type(error).__name__}: {error})"
            self._fault(Wrong.unreadable, self._last + 1, reason)

    def _fault(self, wrong: Wrong, seq: int, detail: str) -> None:
        self._blamed = True
        if self._proven is None:
            self._proven = self._sealed
        if len(self._faults) < MOST_FAULTS:
            self._faults.append(Fault(wrong, seq, detail))

    def _header(self, record: Mapping[str, Any]) -> None:
        if record["version"] != VERSION:
            raise ValueError(f"export version {record['version']} is not supported")
        after = record["after"]
        if type(after) is not int or after < 0:
            raise ValueError("`after` is not an entry number")
        if after != self._after:
            detail = (
                f"the export starts after entry {after}, but {self._after} was requested: to verify this part alone, "
            )
            self._fault(Wrong.partial, min(after, self._after) + 1, f"{detail}give --after {after}")
        if after > 0:
            self._began = self._last = self._sealed = after
            self._previous, self._seals = bytes.fromhex(record["hash"]), None
            self._compare_with_head(after, self._previous)

    def _entry(self, record: Mapping[str, Any]) -> None:
        seq: int = record["seq"]
        fields = {name: record[name] for name in FIELDS}
        data: str = record["data"]
        data_hash, hash_ = bytes.fromhex(record["data_hash"]), bytes.fromhex(record["hash"])
        salt = None if record["salt"] is None else bytes.fromhex(record["salt"])
        self._entries += 1
        if seq <= self._last:
            self._fault(Wrong.reordered, seq, f"entry {seq} comes after entry {self._last}")
            return
        self._expect(seq)
        if self._previous is not None and audit.link(self._previous, fields, data_hash) != hash_:
            detail = f"entry {seq} does not follow from the one before it: it was changed, moved or inserted"
            self._fault(Wrong.unlinked, seq, detail)
        if salt is None:
            self._emptied[seq] = hashlib.sha256(data.encode()).hexdigest()
        elif audit.hash_of_data(salt, data) != data_hash:
            self._fault(Wrong.changed, seq, f"the data of entry {seq} is not what was recorded")
        self._last, self._previous = seq, hash_
        self._compare_with_head(seq, hash_)
        if record["type"] == audit.KEY_ROTATED:
            self._rotation(seq, json.loads(data))
        elif record["type"] == audit.ERASED:
            self._erasure(seq, json.loads(data))
        elif record["type"] == audit.PRUNED:
            self._pruning(seq, json.loads(data))
        elif salt is not None and record["type"] in SIGNED_TYPES:
            self._signed(seq, record, json.loads(data))
        elif record["type"] == audit.RESTORED:
            self._restored.append(Restoration(seq, record["at"], int(json.loads(data)["until"])))
            self._stood_in.restored()
        if record["type"] in STOOD_IN_TYPES:
            reason = self._stood_in.take(record, json.loads(data) if salt is not None else None)
            if reason is not None:
                self._fault(Wrong.not_named, seq, f"entry {seq} was given for someone else: {reason}")

    def _signed(self, seq: int, record: Mapping[str, Any], data: Mapping[str, Any]) -> None:
        reason = self._passkeys.take(record, data)
        if reason is not None:
            self._fault(Wrong.unsigned, seq, f"the passkey's signature in entry {seq} proves nothing: {reason}")

    def _expect(self, seq: int) -> None:
        """Everything before `seq` has come."""
        first = self._last + 1
        if seq > first:
            which = f"entry {first} is" if seq == first + 1 else f"entries {first} to {seq - 1} are"
            self._fault(Wrong.missing, first, f"{which} missing")
            self._previous = None

    def _compare_with_head(self, seq: int, hash_: bytes) -> None:
        self._heads.pop((seq, hash_), None)

    def _seal(self, seal: Seal) -> None:
        place = min(self._sealed + 1, seal.seq)
        if self._seals is not None and seal.number != self._seals + 1:
            expected = self._seals + 1
            detail = f"seal {expected} is missing: after entry {self._sealed} comes seal {seal.number}"
            self._fault(Wrong.seal_missing, place, detail)
        self._seals = seal.number
        if not self._is_good(seal, place):
            return
        self._expect(seal.seq + 1)
        if not self._blamed and self._previous != seal.hash:
            detail = f"entries {self._sealed + 1} to {seal.seq} are not those that seal {seal.number} signs"
            self._fault(Wrong.rewritten, place, detail)
        self._last, self._previous = max(self._last, seal.seq), seal.hash
        self._sealed, self._blamed = seal.seq, False
        if self._next is not None:
            self._current, self._next = self._next, None

    def _is_good(self, seal: Seal, place: int) -> bool:
        key = self._keys.get(seal.key_id)
        may = [self._current] if self._current else self._trusted
        if key is None or key not in may:
            why = "was not the key in use at that point" if key else "is neither trusted nor introduced by the log"
            self._fault(Wrong.unknown_key, place, f"the key {seal.key_id} of seal {seal.number} {why}")
        elif not key.signed(seal.signature, seal.message):
            detail = f"the signature of seal {seal.number} (entry {seal.seq}) does not match"
            self._fault(Wrong.bad_signature, place, detail)
        elif seal.seq < self._last:
            self._fault(Wrong.reordered, seal.seq, f"seal {seal.number} of entry {seal.seq} comes too late")
        else:
            self._current = key
            self._sealed_by[key.id] = None
            return True
        return False

    def _rotation(self, seq: int, data: JsonObject) -> None:
        """A new key: brought in by the one in use, or by itself where whoever verifies trusts it anyway."""
        new = PublicKey(bytes.fromhex(str(data["public_key"])))
        may = (self._current,) if self._current else self._trusted
        by_old = audit.stated(audit.KEY_ROTATED, data, may) is not None
        by_itself = new in self._trusted and audit.stated(audit.KEY_ROTATED, data, [new]) is not None
        if not by_old and not by_itself:
            self._fault(Wrong.bad_signature, seq, f"entry {seq} introduces a key that the key in use did not sign")
            return
        self._keys[new.id] = new
        if by_old:
            self._next = new
        else:
            self._current = new

    def _erasure(self, seq: int, data: JsonObject) -> None:
        if audit.stated(audit.ERASED, data, tuple(self._keys.values())) is None:
            self._fault(Wrong.bad_signature, seq, f"entry {seq} records an erasure that no key of this log signed")
            return
        for erased, text_hash in cast("dict[str, str]", data["entries"]).items():
            if self._emptied.get(int(erased)) == text_hash:
                del self._emptied[int(erased)]
                self._erased += 1

    def _pruning(self, seq: int, data: JsonObject) -> None:
        if audit.stated(audit.PRUNED, data, tuple(self._keys.values())) is None:
            self._fault(Wrong.bad_signature, seq, f"entry {seq} records a pruning that no key of this log signed")
            return
        until = int(str(data["until"]))
        gone = [one for one, text in self._emptied.items() if one <= until and text == _PRUNED_HASH]
        for one in gone:
            del self._emptied[one]
        self._pruned += len(gone)

    def _end(self, record: Mapping[str, Any]) -> None:
        self._ended = True
        self._waiting = int(record["waiting"])
        head: int = record["seq"]
        if head > self._last:
            which = f"{self._last + 1} to {head}" if head > self._last + 1 else f"{head}"
            self._fault(Wrong.truncated, self._last + 1, f"the end is cut off: {which} should follow")
        elif head < self._last:
            self._fault(Wrong.inserted, head + 1, f"the log should end with entry {head}, but {head + 1} follows")

    def report(self) -> Report:
        if not self._ended:
            self._fault(Wrong.truncated, self._last + 1, f"the export is cut off after entry {self._last}")
        if self._last > self._sealed:
            detail = f"no seal covers the entries from {self._sealed + 1} on"
            self._fault(Wrong.unsealed, self._sealed + 1, detail)
        for seq in self._emptied:
            self._fault(
                Wrong.erased,
                seq,
                f"the data of entry {seq} is empty, but no erasure or pruning is recorded for it",
            )
        for head in self._heads.values():
            self._check_head(head)
        faults = sorted(self._faults, key=lambda fault: fault.seq)
        proven = self._sealed if self._proven is None else min(self._proven, faults[0].seq - 1)
        return Report(
            entries=self._entries,
            first=self._began + 1,
            last=self._last,
            sealed=self._sealed,
            proven=proven,
            erased=self._erased,
            pruned=self._pruned,
            waiting=self._waiting,
            keys=tuple(self._keys),
            sealed_by=tuple(self._sealed_by),
            restored=tuple(self._restored),
            faults=tuple(faults),
        )

    def _check_head(self, head: Seal) -> None:
        """Of a head that is not met with yet."""
        if head.seq < self._began:
            return
        key = self._keys.get(head.key_id)
        if key is None or not key.signed(head.signature, head.message):
            wrong = Wrong.unknown_key if key is None else Wrong.bad_signature
            self._fault(wrong, head.seq, f"the head of entry {head.seq} is not signed by a key of this log")
        elif (restored := self._restored_after(head)) is not None:
            detail = (
                f"the log was restored at {restored.at} from a backup that ended with entry {restored.until}: a signed "
                f"head of {head.at} proves that there was an entry {head.seq}, which is gone"
            )
            self._fault(Wrong.restored, restored.until + 1, detail)
        elif head.seq > self._last:
            detail = f"the end is cut off: a signed head of {head.at} proves that there was an entry {head.seq}"
            self._fault(Wrong.truncated, self._last + 1, detail)
        else:
            detail = f"entry {head.seq} or one before it is not what a signed head of {head.at} proves"
            self._fault(Wrong.rewritten, head.seq, detail)

    def _restored_after(self, head: Seal) -> Restoration | None:
        """The restore that explains why an entry with this head is no longer there. It is a fault all the same:
        whoever can write the database can also write that it was restored."""
        return next((one for one in self._restored if one.until < head.seq and head.at < one.at), None)
