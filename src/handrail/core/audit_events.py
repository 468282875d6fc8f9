"""What happens to the log itself. Statements of its key are signed; see `core.audit`."""

from __future__ import annotations

from .audit import ERASED, KEY_ROTATED, PRUNED, RESTORED
from .events import Event, event


@event(KEY_ROTATED)
class AuditKeyRotated(Event):
    """a new key seals the log from here on"""

    key_id: str
    public_key: str
    signed_by: str
    signature: str


@event(PRUNED)
class AuditPruned(Event):
    """the data of entries up to `until` is no longer kept"""

    until: int
    signed_by: str
    signature: str


@event(ERASED)
class AuditErased(Event):
    """a person's texts were erased; `entries`: number → hash of what is left"""

    principal: str
    entries: dict[str, str]
    signed_by: str
    signature: str


@event(RESTORED)
class BackupRestored(Event):
    """the database was restored from a backup that ends with entry `until`; the rest says how many tokens, sign-ins
    and links became void"""

    until: int
    tokens: int
    sessions: int
    links: int
