"""Names and the patterns that match them: `deploy`, `payments.*`, `*delete*`."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

WILDCARD = "*"


def normalise(name: str) -> str:
    """The form in which names are compared, so that `Production ` and full-width letters do not slip past a rule."""
    if name.isascii():
        return name.strip().lower()
    return unicodedata.normalize("NFKC", name).strip().casefold()


def literal_prefix(pattern: str) -> str:
    return pattern.split(WILDCARD, 1)[0]


def matches(pattern: str, name: str) -> bool:
    """Whether the normalised name fits. `*` stands for any run of characters; linear in the name's length."""
    first, *rest = pattern.split(WILDCARD)
    if not rest:
        return name == first
    *middle, last = rest
    end = len(name) - len(last)
    if not name.startswith(first) or not name.endswith(last) or end < len(first):
        return False
    at = len(first)
    for part in middle:
        at = name.find(part, at, end)
        if at < 0:
            return False
        at += len(part)
    return True


def matches_any(patterns: Iterable[str], name: str) -> bool:
    return any(matches(pattern, name) for pattern in patterns)
