"""From what a person types to a moment: a date, a time, or a length from now."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from handrail.cli.exits import Exit, Failure

WHEN = "A date like 2026-12-01, a time like 2026-12-01T18:00, or a length like 5d or 8h."
_LENGTH = re.compile(r"(\d{1,4})([hd])")
_UNITS = {"h": "hours", "d": "days"}


def later(text: str) -> str:
    """The moment, or so long from now."""
    return _moment(text, 1)


def earlier(text: str) -> str:
    """The moment, or so long before now."""
    return _moment(text, -1)


def _moment(text: str, direction: int) -> str:
    length = _LENGTH.fullmatch(text)
    if length:
        return (datetime.now(UTC) + direction * timedelta(**{_UNITS[length[2]]: int(length[1])})).isoformat()
    try:
        return datetime.fromisoformat(text).astimezone().isoformat()
    except ValueError as error:
        raise Failure(Exit.usage, f"{text!r} is not a time. {WHEN}") from error
