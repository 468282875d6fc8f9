"""What callers group their confirmations by. A case is part of addresses, so its name must survive in one."""

from __future__ import annotations

import unicodedata

from . import canonical, errors

LONGEST = 200


def check(case_id: str | None) -> None:
    """Refuses a name that no address carries: clients and proxies drop dot segments and join empty ones."""
    if case_id is None:
        return
    canonical.check(case_id, "case_id")
    reason = _unusable(case_id)
    if reason is not None:
        raise errors.InvalidField(f"`case_id` {reason}: confirmations could not be found by it", field="case_id")


def _unusable(case_id: str) -> str | None:
    if not 1 <= len(case_id) <= LONGEST:
        return f"must have 1 to {LONGEST} characters, not {len(case_id)}"
    if any(unicodedata.category(character) == "Cc" for character in case_id):
        return "must not contain control characters"
    parts = case_id.split("/")
    if "" in parts:
        return "must not begin or end with a slash, or have two in a row"
    if not {".", ".."}.isdisjoint(parts):
        return "must not be, or have between slashes, `.` or `..`"
    return None
