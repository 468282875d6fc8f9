"""Rate limits, counted in memory by each process."""

from __future__ import annotations

import time

import limits
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter

from handrail.core.errors import RateLimited
from handrail.core.people import Principal, PrincipalKind
from handrail.settings import Settings


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


class Rates:
    def __init__(self, settings: Settings) -> None:
        limiter = MovingWindowRateLimiter(MemoryStorage())
        bad = "Too many bad tokens or links from this address."
        self.token_failure = Limit("token-failure", settings.token_failures_per_address, bad, limiter)
        self._opening = Limit(
            "opening",
            settings.openings_per_agent,
            "This agent opens holds or starts runs too fast; wait before the next.",
            limiter,
        )

    def opening(self, who: Principal) -> None:
        """Counts a hold that an agent opens or a run that it starts; people and services may as often as they like."""
        if who.kind is PrincipalKind.agent:
            self._opening.hit(str(who.id))
