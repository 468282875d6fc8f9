"""How long to wait between attempts."""

from __future__ import annotations

import random

FIRST_PAUSE_SECONDS = 2.0
LONGEST_PAUSE_SECONDS = 300.0


def pause(attempts: int) -> float:
    """Doubles with each attempt; the jitter keeps many from coming back at the same moment."""
    longest = min(LONGEST_PAUSE_SECONDS, FIRST_PAUSE_SECONDS * 2 ** (attempts - 1))
    return longest * random.uniform(0.5, 1.0)  # noqa: S311 - not a secret


def asked_for(retry_after: str | None) -> float:
    """The seconds of a `Retry-After`, as far as we wait for anybody."""
    text = (retry_after or "").strip()
    seconds = float(text) if text.isdecimal() and len(text) < 10 else FIRST_PAUSE_SECONDS
    return min(max(seconds, 1.0), LONGEST_PAUSE_SECONDS)
