"""Puts a new key in the place of the one that seals the log."""

from __future__ import annotations

from handrail.core import audit as proof
from handrail.core.audit import PublicKey, Signer
from handrail.core.audit_events import AuditKeyRotated
from handrail.core.errors import Conflict
from handrail.core.events import of
from handrail.store import audit, clock, events
from handrail.store.database import Database
from handrail.store.signing import Keys


async def rotate(database: Database, keys: Keys) -> PublicKey:
    """Brings in a new key by an entry that the old one signs and seals. The leader changes over when it numbers it."""
    async with database.connection() as conn:
        old = keys.signer((await audit.head(conn)).key_id)
    new = keys.prepare_next()
    await _tell(database, old, new)
    return new.public


async def replace_lost(database: Database, keys: Keys) -> PublicKey:
    """Has the log sealed by the key file's key, though the old key does not say so: who verifies must trust it."""
    keys.create()
    new = keys.signer()
    async with database.connection() as conn:
        if (await audit.head(conn)).key_id in (None, new.public.id):
            raise Conflict(f"{keys.path} holds the key that seals the log: nothing is lost. Rotate without --lost.")
    await _tell(database, None, new)
    return new.public


async def _tell(database: Database, old: Signer | None, new: Signer) -> None:
    async with database.transaction() as conn:
        if old is None:
            await audit.seal_with(conn, new.public.id)
        stated = proof.rotation(old, new)
        await events.append(conn, [of(AuditKeyRotated, stated)], await clock.now(conn))


async def has_taken_over(database: Database, key: PublicKey) -> bool:
    async with database.connection() as conn:
        return (await audit.head(conn)).key_id == key.id
