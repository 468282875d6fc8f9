"""Words for text search: the same when a hold is written as when it is sought."""

from __future__ import annotations


def words(text: str) -> list[str]:
    """Letters and digits between anything else.

    PostgreSQL's own parser reads the end of "order-77" as a negative number, which nobody would find again.
    """
    return "".join(c if c.isalnum() else " " for c in text).split()
