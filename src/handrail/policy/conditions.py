"""Conditions in CEL: compiled once, evaluated on the few values they name; an evaluator's failure is an answer too."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from handrail.core.canonical import Json

from . import syntax
from .evaluator import cel
from .syntax import Path, Refusal

MAX_WEIGHT = 65_536
"""Of all values that conditions read: characters, and 16 for each entry. Beyond it a person is asked instead."""
MAX_WORK = 4_000_000
"""Of all conditions of an assessment, about 50 ms. It is counted, not timed, so that the answer is always the same."""
PATTERN_WORK = 80_000
"""A pattern takes up to 0.8 ms to compile; reading a value 10 ns for each of its weight."""


class Unanswered(Exception):
    """The condition gave no answer for these values."""


@dataclass(slots=True)
class Values:
    """What conditions read, and how much they may still do with it."""

    context: cel.Context
    weight: int
    work_left: int = MAX_WORK


@dataclass(frozen=True, slots=True)
class Condition:
    text: str
    paths: tuple[Path, ...]
    """The values it reads, such as `("task", "rows")`."""
    reads: int
    pattern_work: int
    program: cel.Program = field(compare=False, repr=False)

    def holds(self, values: Values) -> bool:
        """Raises Unanswered where the answer is an error, or neither true nor false."""
        answer = self.value(values)
        if not isinstance(answer, bool):
            raise Unanswered(f"it returned {type(answer).__name__}, not true or false")
        return answer

    def value(self, values: Values) -> str | float | bool | None:
        """Raises Unanswered where the answer is an error, or no plain value."""
        values.work_left -= values.weight * self.reads + self.pattern_work
        if values.work_left < 0:
            raise Unanswered("the conditions take too long on these values")
        try:
            answer: object = self.program.execute(values.context)
        except BaseException as error:  # a panic of the evaluator is not an Exception
            raise Unanswered(_what(error)) from None
        if not isinstance(answer, str | float | int | None):
            raise Unanswered(f"it returned {type(answer).__name__}, not a text, a number, true or false")
        return answer


def compile_condition(text: str) -> Condition:
    """The condition, ready to evaluate; raises Refusal."""
    shape = syntax.check(text)
    try:
        program = cel.compile(text)
    except BaseException as error:
        raise _refusal(text, error) from None
    return Condition(text, shape.paths, shape.reads, shape.patterns * PATTERN_WORK, program)


def paths(conditions: Iterable[Condition]) -> tuple[Path, ...]:
    """Every value that one of them reads, once; what contains another comes first."""
    return in_order(path for condition in conditions for path in condition.paths)


def in_order(paths: Iterable[Path]) -> tuple[Path, ...]:
    return tuple(sorted(set(paths), key=lambda path: (len(path), path_text(path))))


def prepare(values: Mapping[str, Json], wanted: Iterable[Path]) -> Values:
    """What conditions read of the values and nothing else: converting all of a large argument takes 100 ms a MB."""
    shown: dict[str, Any] = {root: {} for root in syntax.ROOTS}
    weight = 0
    for path in wanted:
        weight += _copy(values, shown, path)
        if weight > MAX_WEIGHT:
            raise Unanswered(f"{path_text(path)} is too large for a condition")
    try:
        return Values(cel.Context(shown), weight)
    except BaseException as error:
        raise Unanswered(_what(error)) from None


def lookup(values: Json, path: Path) -> Json:
    """The value at the path, if there is one."""
    for step in path:
        if isinstance(values, dict) and isinstance(step, str):
            values = values.get(step)
        elif isinstance(values, list) and isinstance(step, int) and step < len(values):
            values = values[step]
        else:
            return None
    return values


def path_text(path: Path) -> str:
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).lstrip(".")


def _copy(source: Mapping[str, Json], shown: dict[str, Any], path: Path) -> int:
    """Copy one value to the same place, or as much of the way to it as there is; gives the weight of it."""
    last = len(path) - 1
    for place, step in enumerate(path):
        if not isinstance(step, str) or step not in source:
            return 0
        inner = source[step]
        if place == last or not isinstance(inner, dict) or not isinstance(path[place + 1], str):
            shown[step] = inner
            return _weight(inner)
        if shown.get(step) is inner:
            # the whole of it is there
            return 0
        source, shown = inner, shown.setdefault(step, {})
    return 0


def _weight(value: Json) -> int:
    total = 0
    rest: list[Json] = [value]
    while rest and total <= MAX_WEIGHT:
        item = rest.pop()
        total += 16
        if isinstance(item, str):
            total += len(item)
        elif isinstance(item, dict):
            total += sum(map(len, item))
            rest.extend(item.values())
        elif isinstance(item, list):
            rest.extend(item)
    return total


def _refusal(text: str, error: BaseException) -> Refusal:
    place = re.search(r"<input>:(\d+):(\d+): (.*)", str(error))
    if place is None:
        return Refusal(0, f"this is not a CEL expression: {_what(error)}")
    line, column = int(place[1]), int(place[2])
    offset = sum(len(part) + 1 for part in text.split("\n")[: line - 1]) + column - 1
    return Refusal(offset, f"this is not a CEL expression: {place[3][:200]}")


def _what(error: BaseException) -> str:
    """The evaluator's message, on one line. Interrupts are raised again."""
    if isinstance(error, KeyboardInterrupt | SystemExit):
        raise error
    if isinstance(error, KeyError):
        return f"there is no {error.args[0]!r}"
    return f"{error}".split("\n", 1)[0].split(". ", 1)[0][:200]
