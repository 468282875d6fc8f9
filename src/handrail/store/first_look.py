"""What an opening depends on, in one round trip: the brake, the clock, the policy in force, who is only observed."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from handrail.store.database import Connection
from handrail.store.locks import Lock


class FirstLook(NamedTuple):
    """`brake_id`: the brake that stops the opener."""

    now: datetime
    brake_id: UUID | None
    policy_version: int
    observed: bool


async def take(conn: Connection, opener: UUID, *, in_run: bool) -> FirstLook:
    """Stands back from brakes first: whoever sets one waits until this transaction ends."""
    found = await conn.execute("SELECT * FROM handrail_first_look(%s, %s, %s)", (opener, Lock.brake, in_run))
    row = await found.fetchone()
    assert row is not None
    return FirstLook(**row)
