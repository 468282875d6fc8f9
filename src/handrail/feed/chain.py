"""Chains and seals one batch of the log."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from typing import NamedTuple

from handrail.core import audit
from handrail.core.audit import FIELDS, SALT_BYTES, PublicKey, Seal, Signer
from handrail.store.feed import Batch, ChainLinks

_TYPE = FIELDS.index("type") - 1


class Link(NamedTuple):
    chained: ChainLinks
    seal: Seal
    next_key_id: str


def until_rotation(batch: Batch, signer: Signer) -> Batch:
    """The batch up to the entry that brings in a new key: the old key seals that entry last."""
    for place, row in enumerate(batch.rows, 1):
        if row[_TYPE] == audit.KEY_ROTATED and _new_key(row, signer) is not None:
            return batch._replace(ids=batch.ids[:place], rows=batch.rows[:place])
    return batch


def forge(batch: Batch, signer: Signer) -> Link:
    """Hashes for every row, the seal on the last of them, and the key that the next batch is sealed with."""
    salts = [os.urandom(SALT_BYTES) for _ in batch.rows]
    data_hashes: list[bytes] = []
    hashes: list[bytes] = []
    previous = batch.hash
    for seq, (row, salt) in enumerate(zip(batch.rows, salts, strict=True), batch.seq + 1):
        data_hashes.append(audit.hash_of_data(salt, row[-1] or ""))
        previous = audit.link(previous, dict(zip(FIELDS, (seq, *row[:-1]), strict=True)), data_hashes[-1])
        hashes.append(previous)
    seal = signer.seal(batch.seals + 1, batch.seq + len(hashes), previous, batch.now)
    last = batch.rows[-1]
    following = _new_key(last, signer) if last[_TYPE] == audit.KEY_ROTATED else None
    return Link(ChainLinks(salts, data_hashes, hashes), seal, (following or signer.public).id)


def _new_key(row: Sequence[str | None], signer: Signer) -> PublicKey | None:
    """The key that a rotation signed by the key in use brings in; anybody can write into the inbox."""
    try:
        data = json.loads(row[-1] or "")
        if audit.stated(audit.KEY_ROTATED, data, [signer.public]) is None:
            return None
        return PublicKey(bytes.fromhex(data["public_key"]))
    except (KeyError, TypeError, ValueError):
        return None
