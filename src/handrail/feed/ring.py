"""The newest entries of the log in memory, without a gap, bounded in number and bytes."""

from __future__ import annotations

from collections.abc import Sequence

from handrail.feed.entries import Entry


class Ring:
    """Holds every entry after `tail` up to `head`."""

    def __init__(self, head: int, *, most: int, most_bytes: int) -> None:
        self.head = self.tail = head
        self._most = most
        self._most_bytes = most_bytes
        self._bytes = 0
        self._entries: dict[int, Entry] = {}

    def append(self, entries: Sequence[Entry]) -> None:
        for entry in entries:
            if entry.seq != self.head + 1:
                raise ValueError(f"entry {entry.seq} does not follow {self.head}")
            self._entries[entry.seq] = entry
            self._bytes += entry.bytes
            self.head = entry.seq
        while len(self._entries) > self._most or self._bytes > self._most_bytes:
            self.tail += 1
            self._bytes -= self._entries.pop(self.tail).bytes

    def after(self, cursor: int, at_most: int) -> list[Entry] | None:
        """The next entries after a cursor; nothing at all where some of them have left the ring."""
        if cursor < self.tail:
            return None
        return [self._entries[seq] for seq in range(cursor + 1, min(cursor + at_most, self.head) + 1)]
