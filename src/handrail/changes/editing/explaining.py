"""What a model needs to hear when its text has no place, or several."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher, get_close_matches

from handrail.changes.editing.errors import Ambiguous, NoMatch
from handrail.changes.editing.matching import Place, shift_of
from handrail.changes.editing.symbols import enclosing, shown, symbols_of
from handrail.changes.editing.texts import Text, numbered

_AROUND = 3
_LONG = 160
_MOST = 30
"""Lines of the file that are shown."""


def ambiguous(path: str, text: Text, found: Sequence[Place], length: int) -> Ambiguous:
    """Raised where the text is found more than once: the places, each with the symbol around it."""
    symbols = symbols_of(path, text)
    listed: list[str] = []
    for place in found:
        around = enclosing(symbols, place.start)
        where = shown(range(place.start, place.start + length))
        listed.append(f"- {where}" + (f" in `{around.name}`" if around else ""))
    return Ambiguous(
        f"The old text is in {path} {len(found)} times or more:\n" + "\n".join(listed) + "\n"
        "Say which by `within` (a symbol, or lines such as `10-40`), or quote more lines around it."
    )


def no_match(path: str, text: Text, old: Sequence[str], region: range) -> NoMatch:
    """Raised where the text is not found: the nearest region, and the first line that differs there."""
    if len(old) == 1 and (part := _part_of_line(text, old[0], region)):
        return NoMatch(f"{path}: {part}")
    start = _nearest(text.lines, old, region)
    if start is None:
        lines = (
            f"in lines {region.start + 1}-{region.stop} of {path}" if len(region) < len(text.lines) else f"in {path}"
        )
        return NoMatch(f"Nothing like the old text is {lines}. Read the file again and quote it as it is.")
    stop = min(region.stop, start + min(len(old), _MOST) + _AROUND)
    first = max(region.start, start - _AROUND)
    here = numbered([_cut(line) for line in text.lines[first:stop]], first + 1)
    return NoMatch(
        f"The old text is not in {path}. {_divergence(text.lines, old, start, region)}\nNearest place:\n{here}"
    )


def _divergence(lines: Sequence[str], old: Sequence[str], start: int, region: range) -> str:
    shifts = {
        shift_of(mine, its)
        for mine, its in zip(old, lines[start : region.stop], strict=False)
        if mine.strip() and mine.strip() == its.strip()
    }
    for index, mine in enumerate(old):
        position = start + index
        if position >= region.stop:
            return f"It goes on after the last line ({region.stop}) of what was searched."
        its = lines[position]
        if mine.strip() == its.strip():
            continue
        if (out := _left_out(lines, mine, position)) is not None:
            some = "a line" if len(out) == 1 else f"{len(out)} lines"
            return f"It leaves out {some}: {_quoted(lines[out.start])} (line {out.start + 1})."
        return f"Its line {index + 1} is {_quoted(mine)}, but line {position + 1} of the file is {_quoted(its)}."
    if len(shifts) > 1 or None in shifts:
        tabs = any(line.startswith("\t") for line in lines[start : start + len(old)])
        return f"Only the indentation differs, unevenly; the file indents with {'tabs' if tabs else 'spaces'} here."
    return "Some of its lines are there more than once or not together."


def _left_out(lines: Sequence[str], mine: str, position: int) -> range | None:
    """The lines between a line's place and where the file has it, a few lines later or earlier."""
    for distance in range(1, _AROUND + 3):
        if mine.strip() and position + distance < len(lines) and lines[position + distance].strip() == mine.strip():
            return range(position, position + distance)
        if mine.strip() and position >= distance and lines[position - distance].strip() == mine.strip():
            return range(position - distance + 1, position + 1)
    return None


def _nearest(lines: Sequence[str], old: Sequence[str], region: range) -> int | None:
    """Where most of its lines would be in place; else where a line is most like its first ones."""
    positions: dict[str, list[int]] = {}
    for position in region:
        positions.setdefault(lines[position].strip(), []).append(position)
    votes: Counter[int] = Counter()
    for index, line in enumerate(old):
        spots = positions.get(line.strip(), []) if line.strip() else []
        for spot in spots if len(spots) <= _MOST else []:
            votes[max(region.start, spot - index)] += 1
    if votes:
        most = max(votes.values())
        return min(start for start, count in votes.items() if count == most)
    for index, line in enumerate(old[:5]):
        close = get_close_matches(line.strip(), list(positions)[:5_000], n=1, cutoff=0.6) if line.strip() else []
        if close:
            return max(region.start, positions[close[0]][0] - index)
    return None


def _part_of_line(text: Text, old: str, region: range) -> str | None:
    """Models quote a part of a line; only whole lines are replaced, for a part may be what a line used to be."""
    holding = [position for position in region if old.strip() and old.strip() in text.lines[position]]
    if not holding:
        return None
    best = max(holding[:50], key=lambda position: SequenceMatcher(None, old, text.lines[position]).quick_ratio())
    return (
        f"{_quoted(old)} is only a part of line {best + 1}. Quote whole lines, in `old` and in `new`:\n"
        f"{numbered([_cut(text.lines[best])], best + 1)}"
    )


def _quoted(line: str) -> str:
    return f"`{_cut(line.strip())}`" if line.strip() else "empty"


def _cut(line: str) -> str:
    return line if len(line) <= _LONG else f"{line[:_LONG]}…"
