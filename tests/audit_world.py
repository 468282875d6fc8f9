"""An audit log made in memory, as exports write it, for tests of the proof."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from handrail.core import audit
from handrail.core.audit import FIELDS, GENESIS, Signer

AT = "2026-11-15T09:30:00.000125Z"
Record = dict[str, Any]


def new_signer() -> Signer:
    return Signer.of(Ed25519PrivateKey.generate())


KEY = new_signer()


class Log:
    """Grows by batches, as the sequencer's does."""

    def __init__(self, signer: Signer = KEY) -> None:
        self.signer = signer
        self.records: list[Record] = [{"record": "header", "version": 1, "after": 0, "hash": GENESIS.hex()}]
        self.seq = self.seals = 0
        self.hash = GENESIS

    def add(self, type_: str, data: dict[str, Any]) -> None:
        self.seq += 1
        text = json.dumps(data)
        salt = bytes([self.seq % 256]) * audit.SALT_BYTES
        values = (self.seq, AT, type_, None, "a-hold", None, f"case {self.seq % 3}", "approval", "an-agent", None)
        fields = dict(zip(FIELDS, values, strict=True))
        data_hash = audit.hash_of_data(salt, text)
        self.hash = audit.link(self.hash, fields, data_hash)
        hexed = {"salt": salt.hex(), "data_hash": data_hash.hex(), "hash": self.hash.hex()}
        self.records.append({"record": "entry", **fields, "data": text, **hexed})

    def seal(self) -> None:
        self.seals += 1
        self.records.append(self.signer.seal(self.seals, self.seq, self.hash, AT).document())

    def export(self) -> list[Record]:
        end = {"record": "end", "seq": self.seq, "hash": self.hash.hex(), "waiting": 0}
        return [*(dict(record) for record in self.records), end]


def log_of(batches: Sequence[int], signer: Signer = KEY) -> Log:
    """One with so many entries in each batch."""
    log = Log(signer)
    for size in batches:
        for _ in range(size):
            log.add("hold.decided", {"outcome": "approved", "reason": f"reason {log.seq}", "n": log.seq})
        log.seal()
    return log


def lines(records: Sequence[Record]) -> list[str]:
    return [json.dumps(record) for record in records]


def entry(records: Sequence[Record], seq: int) -> Record:
    return next(record for record in records if record["record"] == "entry" and record["seq"] == seq)
