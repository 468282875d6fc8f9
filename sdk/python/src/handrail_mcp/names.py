"""Names of tools and prompts of several servers as one list: `SERVER__NAME`. A server's name has no `__`, so no two
servers can have the same."""

from __future__ import annotations

import hashlib

LONGEST = 64
"""What providers of models take."""


def joined(server: str, name: str) -> str:
    """Longer ones are cut, and told apart by a mark of the whole."""
    whole = f"{server}__{name}"
    if len(whole) <= LONGEST:
        return whole
    return f"{whole[: LONGEST - 9]}_{hashlib.sha256(whole.encode()).hexdigest()[:8]}"
