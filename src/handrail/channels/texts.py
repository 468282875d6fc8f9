"""Text of agents and people, as it may stand in a message of ours."""

from __future__ import annotations

import re

# control characters, and marks that reverse the direction of text
_UNSEEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]+")


def line(text: str) -> str:
    """On one line: nothing in it can begin a header, or a line that looks like ours."""
    return _UNSEEN.sub(" ", text)


def cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else text[: longest - 1] + "…"
