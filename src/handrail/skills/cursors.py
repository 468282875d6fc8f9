"""Where one is in a session's story: behind which event, and how far in each message that is being said."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from uuid import UUID

from handrail.core import errors
from handrail.store.chunks import Message

# an event of the log may be told as two: its number twice, and its number twice and one
PARTS = 2
LONGEST = 500
_WRITTEN = re.compile(r"(\d{1,18})((?:-\w{1,64}\.\d{1,9}\.\d{1,9})*)", re.ASCII)


@dataclass(frozen=True, slots=True)
class Cursor:
    """`seq` is that of the last message told, which is `PARTS` times the log's number, or one more."""

    seq: int
    said: Mapping[Message, int] = field(default_factory=dict[Message, int])

    @classmethod
    def behind(cls, number: int, said: Mapping[Message, int]) -> Cursor:
        """Behind all that is told of the log's event of this number."""
        return cls(number * PARTS + PARTS - 1, said)

    @classmethod
    def read(cls, written: str | None, run_id: UUID) -> Cursor:
        """Nothing: at the beginning."""
        found = _WRITTEN.fullmatch(written[:LONGEST]) if written is not None else None
        if written is None:
            return cls(-1)
        if found is None:
            raise errors.BadCursor(f"`{written[:40]}` is not a message `cursor`; start again without it")
        said = [piece.split(".") for piece in found[2].split("-")[1:]]
        return cls(int(found[1]), {Message(run_id, id_, int(attempt)): int(end) for id_, attempt, end in said})

    def __str__(self) -> str:
        said = "".join(f"-{message.message_id}.{message.attempt}.{end}" for message, end in self.said.items())
        return f"{self.seq}{said}"

    @property
    def after(self) -> int:
        """The log's number behind which events are wanted; of the next one a part may have been told already."""
        return max(0, (self.seq + 1) // PARTS - 1)
