"""An edit as lines that stay, go and come."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal, NamedTuple

from handrail.changes.editing.texts import Splice

Sign = Literal[" ", "-", "+"]


class Line(NamedTuple):
    sign: Sign
    text: str


@dataclass(frozen=True)
class Hunk:
    lines: tuple[Line, ...]

    @property
    def old(self) -> tuple[Line, ...]:
        """What must be in the file: context and deleted lines."""
        return tuple(line for line in self.lines if line.sign != "+")

    @property
    def changes(self) -> bool:
        return any(line.sign != " " for line in self.lines)


def hunk_of(old: Sequence[str], new: Sequence[str], *, trim: bool = False) -> Hunk:
    """The lines that both have are context. `trim` takes lines for the same that differ in trailing spaces."""
    keys = [[line.rstrip() if trim else line for line in side] for side in (old, new)]
    lines: list[Line] = []
    for tag, i, j, k, m in SequenceMatcher(None, keys[0], keys[1], autojunk=False).get_opcodes():
        lines.extend(Line(" " if tag == "equal" else "-", line) for line in old[i:j])
        if tag != "equal":
            lines.extend(Line("+", line) for line in new[k:m])
    return Hunk(tuple(lines))


def splices(hunk: Hunk, start: int, came: Sequence[str]) -> list[Splice]:
    """What to do to a file where the hunk's old lines begin at `start`; `came` are its new lines as they fit there.
    Context is not touched: the file keeps its own lines."""
    found: list[Splice] = []
    position, waiting, fresh = start, iter(came), False
    for line in hunk.lines:
        if line.sign == " ":
            position, fresh = position + 1, False
            continue
        if not fresh:
            found.append(Splice(position, position, ()))
            fresh = True
        begin, end, lines = found[-1]
        if line.sign == "-":
            position += 1
            found[-1] = Splice(begin, end + 1, lines)
        else:
            found[-1] = Splice(begin, end, (*lines, next(waiting)))
    return found
