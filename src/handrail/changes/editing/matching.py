"""Where a hunk belongs: exact, then right-trimmed, then trimmed, and at each rung the place must be the only one.

Models dedent what they quote, add or lose trailing spaces, and remember a line near by as it was before. All of that
is understood; what would have to be guessed is not. A deleted line must be in the file as it was quoted, because
deleting something else than was seen is the error that nobody notices. Of the lines that stay, one may be out of date.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from handrail.changes.editing.errors import BadArguments
from handrail.changes.editing.hunks import Hunk, splices
from handrail.changes.editing.texts import Splice

ENOUGH = 6
"""Places that are looked for; more would help nobody to choose."""
_NEAR = 10
_ANCHORS = 2
"""Lines without a blank one that must match where another is out of date."""


class Shift(NamedTuple):
    """How far the file's indentation differs from the hunk's, on all lines alike."""

    add: str = ""
    remove: str = ""


class Place(NamedTuple):
    start: int
    shift: Shift
    stale: int | None
    """Index, among the old lines, of a context line that the file has otherwise."""


def places(lines: Sequence[str], hunk: Hunk, region: range, *, exact: bool = False) -> list[Place]:
    """All places of the first rung that has any, but no more than ENOUGH. `exact` goes no further than the first."""
    old = [line.text for line in hunk.old]
    if not old:
        return []
    for key in (_same,) if exact else (_same, str.rstrip):
        found = [Place(start, Shift(), None) for start in _windows(lines, old, region, key)]
        if found:
            return found[:ENOUGH]
    return [] if exact else _shifted(lines, old, region) or _with_stale(lines, hunk, region)


def fitted(hunk: Hunk, place: Place, lines: Sequence[str]) -> list[Splice]:
    """What the hunk does at that place: new lines take the file's indentation, and lose trailing spaces that the hunk's
    other lines have and the file's have not. Raises BadArguments for a line that cannot be moved so far left."""
    old = [line.text for line in hunk.old]
    there = lines[place.start : place.start + len(old)]
    tidy = any(mine != its == mine.rstrip() for mine, its in _trailing(old, there))
    came = [line.text.rstrip() if tidy else line.text for line in hunk.lines if line.sign == "+"]
    return splices(hunk, place.start, [moved(line, place.shift) for line in came])


def moved(line: str, shift: Shift) -> str:
    if not line.strip():
        return line
    if not line.startswith(shift.remove):
        raise BadArguments(
            f"The new line {line.strip()!r} is indented less than the lines around it in the same edit, which are all "
            f"{len(shift.remove)} characters deeper than in the file. Quote the file's own indentation."
        )
    return shift.add + line[len(shift.remove) :]


def shift_of(mine: str, its: str) -> Shift | None:
    """How `mine` must move to stand where `its` stands; None where they mix tabs and spaces differently."""
    here, there = _indent(mine), _indent(its)
    if there.endswith(here):
        return Shift(add=there[: len(there) - len(here)])
    if here.endswith(there):
        return Shift(remove=here[: len(here) - len(there)])
    return None


def _windows(lines: Sequence[str], old: Sequence[str], region: range, key: Callable[[str], str]) -> Iterator[int]:
    """Where all lines are the same by `key`, looked for at the rarest of them."""
    wanted = [key(line) for line in old]
    keys = [key(line) for line in lines]
    for start in _candidates(keys, wanted, region, anchors=1):
        if keys[start : start + len(wanted)] == wanted:
            yield start


def _shifted(lines: Sequence[str], old: Sequence[str], region: range) -> list[Place]:
    found: list[Place] = []
    for start in _windows(lines, old, region, str.strip):
        shifts = {shift_of(mine, its) for mine, its in zip(old, lines[start:], strict=False) if mine.strip()}
        if len(shifts) == 1 and (shift := shifts.pop()) is not None:
            found.append(Place(start, shift, None))
        if len(found) == ENOUGH:
            break
    return found


def _with_stale(lines: Sequence[str], hunk: Hunk, region: range) -> list[Place]:
    keys = [line.strip() for line in lines]
    wanted = [line.text.strip() for line in hunk.old]
    found: list[Place] = []
    for start in _candidates(keys, wanted, region, anchors=_ANCHORS):
        place = _almost(lines, keys, hunk, start)
        if place is not None:
            found.append(place)
        if len(found) == ENOUGH:
            break
    return found


def _almost(lines: Sequence[str], keys: Sequence[str], hunk: Hunk, start: int) -> Place | None:
    """A place where everything matches but for one context line, which is nowhere near: else a line was left out."""
    by_shift: defaultdict[Shift | None, list[int]] = defaultdict(list)
    for index, line in enumerate(hunk.old):
        its = lines[start + index]
        if line.text.strip() or its.strip():
            same = line.text.strip() == its.strip()
            by_shift[shift_of(line.text, its) if same else None].append(index)
    stale = by_shift.pop(None, [])
    if not by_shift:
        return None
    shift, fit = max(by_shift.items(), key=lambda item: len(item[1]))
    stale += [index for other, indexes in by_shift.items() if other != shift for index in indexes]
    if shift is None or len(stale) != 1 or len(fit) < _ANCHORS or hunk.old[stale[0]].sign != " ":
        return None
    wanted, position = hunk.old[stale[0]].text.strip(), start + stale[0]
    near = [*keys[max(0, position - _NEAR) : position], *keys[position + 1 : position + _NEAR + 1]]
    if not wanted or not keys[position] or wanted in near:
        return None
    return Place(start, shift, stale[0])


def _candidates(keys: Sequence[str], wanted: Sequence[str], region: range, anchors: int) -> list[int]:
    """Starts that fit the region and have one of the rarest wanted lines in its place. All that match are among them,
    and so are those where fewer than `anchors` lines differ."""
    spots: defaultdict[str, list[int]] = defaultdict(list)
    for position in region:
        spots[keys[position]].append(position)
    rare = sorted(range(len(wanted)), key=lambda index: len(spots.get(wanted[index], ())))[:anchors]
    starts = {spot - index for index in rare for spot in spots.get(wanted[index], ())}
    return sorted(start for start in starts if region.start <= start and start + len(wanted) <= region.stop)


def _trailing(old: Sequence[str], there: Sequence[str]) -> Iterator[tuple[str, str]]:
    for mine, its in zip(old, there, strict=True):
        if mine.strip() and mine.strip() == its.strip():
            yield mine.lstrip(), its.lstrip()


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]


def _same(line: str) -> str:
    return line
