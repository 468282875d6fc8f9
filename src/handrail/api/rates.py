"""Rate limits, counted in memory by each process; what agents open is counted by the database, for all of them."""

from __future__ import annotations

import asyncio
import time
from collections import defaultdict
from dataclasses import dataclass, field
from datetime import timedelta
from uuid import UUID

import limits
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter

from handrail.core.errors import RateLimited
from handrail.core.people import Principal, PrincipalKind
from handrail.settings import Settings
from handrail.store import openings
from handrail.store.database import Database

# of one address: a whole office may be behind it
SSO_STARTS = "300/minute"


class Limit:
    """So many hits for each key in each window."""

    def __init__(self, name: str, rate: str, message: str, limiter: MovingWindowRateLimiter) -> None:
        self._name = name
        self._rate = limits.parse(rate)
        self._message = message
        self._limiter = limiter

    def hit(self, key: str) -> None:
        """Counts one; `RateLimited` with the time to wait where that is one too many."""
        if not self._limiter.hit(self._rate, self._name, key):
            reset = self._limiter.get_window_stats(self._rate, self._name, key).reset_time
            raise RateLimited(self._message, retry_after=max(1.0, reset - time.time()))


@dataclass(slots=True)
class _Left:
    openings: int = 0
    until: float = 0.0
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)


class Openings:
    """What each agent may open in a window, for all servers together.

    A server takes a twentieth of it at a time, so that few openings ask the database; what it does not use of that is
    lost to the others until the window ends.
    """

    SHARE = 20

    def __init__(self, database: Database, rate: str) -> None:
        parsed = limits.parse(rate)
        self._database = database
        self._most = parsed.amount
        self._window = timedelta(seconds=parsed.get_expiry())
        self._left: defaultdict[UUID, _Left] = defaultdict(_Left)

    async def hit(self, who: UUID) -> None:
        """Counts one; `RateLimited` with the time to wait where that is one too many."""
        left = self._left[who]
        # who comes meanwhile uses what this one takes
        async with left.lock:
            if not left.openings or time.monotonic() >= left.until:
                await self._lease(who, left)
            left.openings -= 1

    async def _lease(self, who: UUID, left: _Left) -> None:
        wanted = max(1, self._most // self.SHARE)
        async with self._database.transaction() as conn:
            lease = await openings.lease(conn, who, self._most, self._window, wanted)
        if not lease.openings:
            message = "This agent is opening holds or starting runs too fast; wait before the next one."
            raise RateLimited(message, retry_after=max(1.0, lease.seconds))
        left.openings, left.until = lease.openings, time.monotonic() + lease.seconds


class Rates:
    def __init__(self, settings: Settings, database: Database) -> None:
        limiter = MovingWindowRateLimiter(MemoryStorage())
        bad = "Too many invalid tokens or links from this address."
        self.token_failure = Limit("token-failure", settings.token_failures_per_address, bad, limiter)
        self.sso_start = Limit("sso-start", SSO_STARTS, "Too many sign-ins were begun from this address.", limiter)
        self.chat_handshake = Limit(
            "chat-handshake",
            settings.chat_handshakes_per_address,
            "Too many chat connections from this address; wait before the next one.",
            limiter,
        )
        self.chat_message = Limit(
            "chat-message", settings.chat_messages_per_principal, "You are sending messages too fast.", limiter
        )
        # counted apart: whoever floods can still stop what they started
        self.chat_cancel = Limit(
            "chat-cancel", settings.chat_messages_per_principal, "You are sending cancellations too fast.", limiter
        )
        self._opening = Openings(database, settings.openings_per_agent)

    async def opening(self, who: Principal) -> None:
        """Counts a hold that an agent opens or a run that it starts; people and services may as often as they like."""
        if who.kind is PrincipalKind.agent:
            await self._opening.hit(who.id)
