"""What a deriver says about a text."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

MAX_BYTES = 64 * 1024
"""Longer texts are not read at all."""

READ = frozenset({"read"})
UNKNOWN = frozenset({"execute"})
"""What unreadable text counts as doing."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a text does, as far as its form shows."""

    operations: frozenset[str]
    """Of: read, write, delete, execute, configure, deploy, send, fetch, export, migrate, grant."""
    reason: str
    """One short clause for people. It names commands, tables and hosts, never values: those may be secrets."""
    hosts: frozenset[str] = frozenset()
    """Where data may go or come from: lower case, without port."""
    resources: frozenset[str] = frozenset()
    """Of: file, database, credential, internal, container, cluster, package, repository, cloud, …"""
    unclear: str | None = None
    """Why it could not be fully read; it is then at least medium."""

    @property
    def is_plain_read(self) -> bool:
        return self.operations == READ and self.unclear is None


def too_long(text: str) -> bool:
    """Whether a text is longer than what is read; characters are counted first, as encoding takes time too."""
    return len(text) > MAX_BYTES or len(text.encode("utf-8", "surrogatepass")) > MAX_BYTES


def unreadable(why: str, operations: Iterable[str] = UNKNOWN, resources: Iterable[str] = ()) -> Reading:
    return Reading(frozenset(operations), why, resources=frozenset(resources), unclear=why)
