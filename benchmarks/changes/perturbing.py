"""What models do to the lines they quote."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from .packages import Hunk

_WORD = re.compile(r"[A-Za-z_]{3,}")


def none(hunk: Hunk) -> tuple[str, str]:
    return hunk.old, hunk.new


def dedented(hunk: Hunk) -> tuple[str, str] | None:
    """All indentation that the lines share is lost."""
    lines = [line for line in (*hunk.before, *hunk.gone, *hunk.came, *hunk.after) if line.strip()]
    depth = min((len(line) - len(line.lstrip()) for line in lines), default=0)
    if not depth:
        return None

    def cut(lines: Sequence[str]) -> str:
        return "".join(line[depth:] if line.strip() else line for line in lines)

    return cut(hunk.old.splitlines(keepends=True)), cut(hunk.new.splitlines(keepends=True))


def trailing_spaces(hunk: Hunk) -> tuple[str, str]:
    """Every line gets one."""

    def add(text: str) -> str:
        return "".join(f"{line} \n" for line in text.splitlines())

    return add(hunk.old), add(hunk.new)


def stale_context(hunk: Hunk) -> tuple[str, str] | None:
    """A line that stays is remembered as it once was: the one furthest from the change."""
    before, after = list(hunk.before), list(hunk.after)
    for lines, at in ((before, 0), (after, len(after) - 1)):
        if lines and (stale := _stale(lines[at])):
            lines[at] = stale
            return "".join((*before, *hunk.gone, *after)), "".join((*before, *hunk.came, *after))
    return None


def stale_deleted(hunk: Hunk) -> tuple[str, str] | None:
    """A line that goes is remembered as it once was. There is no right answer: the file holds something else."""
    for at, line in enumerate(hunk.gone):
        if stale := _stale(line):
            gone = (*hunk.gone[:at], stale, *hunk.gone[at + 1 :])
            return "".join((*hunk.before, *gone, *hunk.after)), hunk.new
    return None


def left_out(hunk: Hunk) -> tuple[str, str] | None:
    """A line that stays is left out, next to the change. There is no right answer: it could be meant to go."""
    if len(hunk.before) < 2 or not hunk.before[-1].strip() or not (hunk.gone or hunk.after):
        return None
    before = hunk.before[:-1]
    return "".join((*before, *hunk.gone, *hunk.after)), "".join((*before, *hunk.came, *hunk.after))


def _stale(line: str) -> str | None:
    word = _WORD.search(line)
    return f"{line[: word.start()]}{word[0]}_old{line[word.end() :]}" if word else None


PERTURBATIONS: dict[str, Callable[[Hunk], tuple[str, str] | None]] = {
    "as it is": none,
    "dedented": dedented,
    "trailing spaces": trailing_spaces,
    "stale context line": stale_context,
    "stale deleted line": stale_deleted,
    "left-out line": left_out,
}
