"""When a request is sent again, and after how long.

A request that surely was not carried out (no connection, 429) is always sent again. One that may have been is sent
again only where repeating it does no harm: a hold opened without an idempotency key could otherwise open twice.
"""

from __future__ import annotations

import logging
import secrets
import time
from typing import Any

from .exchange import Flow, Lost, Outcome, Pause, Request, Response
from .problems import error_of, retry_after

log = logging.getLogger("handrail_sdk")

FIRST_DELAY = 0.2
LONGEST_DELAY = 5.0
_random = secrets.SystemRandom()


def backoff(attempt: int) -> float:
    """Seconds before attempt number `attempt` + 1: doubling from 0.2 to 5 s, half of it by chance.

    The chance spreads out programs that lost the same server at the same moment.
    """
    whole = min(LONGEST_DELAY, FIRST_DELAY * 2 ** min(attempt, 16))
    return whole / 2 + _random.uniform(0, whole / 2)


def delay(request: Request, outcome: Outcome, attempt: int) -> float | None:
    """Seconds until the request is sent again; nothing where it must not be, or it would not help."""
    if isinstance(outcome, Lost):
        return backoff(attempt) if request.repeatable or not outcome.sent else None
    if outcome.status == 429 or (outcome.status >= 500 and request.repeatable):
        return (retry_after(outcome) or 0.0) + backoff(attempt)
    return None


def send(request: Request, retry_for: float) -> Flow[Any]:
    """The JSON of the answer. Sends again for `retry_for` seconds where that is right, then raises what came last."""
    deadline = time.monotonic() + retry_for
    attempt = 0
    while True:
        outcome = yield request
        assert isinstance(outcome, Response | Lost)
        if isinstance(outcome, Response) and outcome.succeeded:
            return outcome.json() if outcome.content else None
        error = error_of(request, outcome)
        seconds = delay(request, outcome, attempt)
        if seconds is None or time.monotonic() + seconds > deadline:
            raise error
        log.info("%s; trying again in %.1f s", error, seconds)
        yield Pause(seconds)
        attempt += 1
