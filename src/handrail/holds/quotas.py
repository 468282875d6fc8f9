"""Admit what a principal adds: within its quota, and while there is room on the disk.

Counts are the database's, so that they hold for all servers together. A look at them is believed for a moment and for
a tenth of the room that it found: far from the limit an opening costs no look, near it each one does.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from time import monotonic
from typing import NamedTuple
from uuid import UUID

from handrail.core import errors
from handrail.core.holds import Hold
from handrail.core.people import Principal
from handrail.core.quotas import Quota
from handrail.core.sizes import MIB
from handrail.store import usage
from handrail.store.database import Connection

BELIEF_SECONDS = 1.0
MOST_BELIEFS = 10_000
# the share of the room that a server may fill on one look: ten servers at once stay within the limit
SHARE = 10
# so near to the limit openings wait for each other: all servers together have fewer under way at once
NEAR = 500
# the largest body of a request
LARGEST_HOLD = MIB
RETRY_SECONDS = 60.0
MINUTE = timedelta(minutes=1)


class Room(NamedTuple):
    holds: int
    large_holds: int


@dataclass(slots=True)
class _Belief:
    openings: int
    until: float

    def take(self) -> bool:
        if self.openings < 1 or monotonic() > self.until:
            return False
        self.openings -= 1
        return True


@dataclass(slots=True)
class Quotas:
    quota: Quota = field(default_factory=Quota)
    _beliefs: dict[UUID, _Belief] = field(default_factory=dict[UUID, _Belief], init=False)

    async def admit_hold(self, conn: Connection, payer: UUID) -> None:
        """In the transaction that opens a hold; `payer` is who started the run, or else the opener."""
        belief = self._beliefs.get(payer)
        if belief is not None and belief.take():
            return
        began = monotonic()
        room = await self._room(conn, payer)
        if room.holds < NEAR:
            await usage.one_at_a_time(conn, payer)
            await self._room(conn, payer)
            return
        if len(self._beliefs) >= MOST_BELIEFS:
            self._beliefs.clear()
        # counting a million takes long: then it is done more seldom
        believed = max(BELIEF_SECONDS, 20 * (monotonic() - began))
        self._beliefs[payer] = _Belief(min(room) // SHARE, monotonic() + believed)

    async def _room(self, conn: Connection, payer: UUID) -> Room:
        """What is left of the quota; refused where nothing is."""
        most, most_bytes = self.quota.open_holds, self.quota.open_bytes
        used = await usage.open_holds(conn, payer, most)
        if used.number >= most:
            raise _exceeded("open_holds", most, f"you have {most:,} open holds, the most allowed")
        if used.bytes >= most_bytes:
            held = f"your open holds take up {used.bytes // MIB:,} MiB, and {most_bytes // MIB:,} MiB are allowed"
            raise _exceeded("open_bytes", most_bytes, held)
        return Room(most - used.number, (most_bytes - used.bytes) // LARGEST_HOLD)

    async def admit_comment(self, conn: Connection, who: Principal, hold: Hold, now: datetime) -> None:
        """In the transaction that comments, which has locked the hold."""
        made = await usage.comments(conn, hold.id, who.id, now - MINUTE)
        most = self.quota.comments_on_hold
        if made.on_hold >= most:
            raise errors.QuotaExceeded(
                f"you have made {most:,} comments on this hold, the most allowed", quota="comments_on_hold", most=most
            )
        most = self.quota.comments_a_minute
        if made.lately >= most:
            raise errors.QuotaExceeded(
                f"you have made {most:,} comments in the last minute, the most allowed; wait before the next one",
                retry_after=RETRY_SECONDS,
                quota="comments_a_minute",
                most=most,
            )


def _exceeded(quota: str, most: int, held: str) -> errors.QuotaExceeded:
    return errors.QuotaExceeded(
        f"{held}: wait until some are decided, or cancel some", retry_after=RETRY_SECONDS, quota=quota, most=most
    )
