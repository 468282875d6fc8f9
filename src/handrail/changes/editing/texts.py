"""A file as lines, and back to the same bytes: byte order mark, line endings and final newline are the file's own."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, repeat
from typing import NamedTuple

from handrail.changes.editing.errors import BadArguments, NotText

MAX_BYTES = 1_000_000
_BOM = b"\xef\xbb\xbf"
_BREAK = re.compile(r"\r?\n")


class Splice(NamedTuple):
    """Lines `start` to `end` (from 0, end excluded) become `lines`."""

    start: int
    end: int
    lines: tuple[str, ...]


@dataclass(frozen=True)
class Text:
    """Lines without their endings. `endings` has one for each line; the last is empty where the file has no final
    newline."""

    lines: tuple[str, ...]
    endings: tuple[str, ...]
    bom: bool = False

    @property
    def ending(self) -> str:
        """What new lines end with: as most of the file's lines do."""
        return max(("\n", "\r\n", "\r"), key=self.endings.count)

    @property
    def source(self) -> bytes:
        """UTF-8 without the mark, as parsers take it."""
        return "".join(chain.from_iterable(zip(self.lines, self.endings, strict=True))).encode()

    @property
    def data(self) -> bytes:
        return (_BOM if self.bom else b"") + self.source

    def spliced(self, splices: Iterable[Splice]) -> Text:
        """With all of them made. They must not overlap; each speaks of this text's lines."""
        lines, endings = list(self.lines), list(self.endings)
        for splice in sorted(splices, reverse=True):
            lines[splice.start : splice.end] = splice.lines
            endings[splice.start : splice.end] = repeat(self.ending, len(splice.lines))
        has_final = not self.endings or self.endings[-1] != ""
        endings = [ending or self.ending for ending in endings]
        if endings and not has_final:
            endings[-1] = ""
        return Text(tuple(lines), tuple(endings), self.bom)


def hash_of(data: bytes) -> str:
    """What a model gives back to say which version it has read."""
    return hashlib.sha256(data).hexdigest()[:16]


def decode(path: str, data: bytes) -> Text:
    """Raises NotText for what is no UTF-8 text of ordinary size."""
    if len(data) > MAX_BYTES:
        raise NotText(f"{path} has {len(data):,} bytes; files over {MAX_BYTES:,} are not edited.")
    if b"\0" in data:
        raise NotText(f"{path} is a binary file (or UTF-16), which these tools do not edit.")
    has_bom = data.startswith(_BOM)
    try:
        text = data[len(_BOM) :].decode() if has_bom else data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise NotText(f"{path} is not UTF-8 (line {line}), and these tools edit no other encoding.") from None
    return _split(text, has_bom)


def _split(text: str, has_bom: bool) -> Text:
    if "\n" not in text and "\r" in text:  # a lone \r ends lines only where nothing else does
        lines, endings = text.split("\r"), ["\r"] * text.count("\r")
    else:
        lines, endings = _BREAK.split(text), _BREAK.findall(text)
    if lines[-1] == "":
        lines.pop()
    else:
        endings.append("")
    return Text(tuple(lines), tuple(endings), has_bom)


def lines_of(argument: str, name: str) -> tuple[str, ...]:
    """The lines of a text that a model gave; one newline at its end says nothing."""
    if "\0" in argument:
        raise BadArguments(f"`{name}` contains a NUL character.")
    if any("\ud800" <= char <= "\udfff" for char in argument):
        raise BadArguments(f"`{name}` contains half a surrogate pair, which no file can hold.")
    if not argument:
        return ()
    lines = _BREAK.split(argument)
    return tuple(lines[:-1] if lines[-1] == "" else lines)


def numbered(lines: Sequence[str], start: int) -> str:
    """Lines with their numbers, `start` being the first's, as models and people read them."""
    return "\n".join(f"{number:>5} | {line}" for number, line in enumerate(lines, start))
