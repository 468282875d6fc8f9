"""The tests of one file, as far as a comparison needs them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple


class Item(NamedTuple):
    text: str
    """In one form, whatever its spaces and comments."""
    line: int


@dataclass
class Test:
    """A test, or another function or class of a test file: what helpers assert counts too."""

    name: str
    line: int
    is_test: bool
    asserts: list[Item] = field(default_factory=list[Item])
    """Those that can fail: not under `if False`, nor where what they raise is caught."""
    skips: list[Item] = field(default_factory=list[Item])
    only: list[Item] = field(default_factory=list[Item])
    cases: list[Item] = field(default_factory=list[Item])
    """The rows of its table."""
    body: str = ""
    """Its steps; for a file, what it does outside of functions. Empty where that is not compared."""

    @property
    def key(self) -> tuple[str, ...]:
        """What it asserts, whatever it is called."""
        return tuple(sorted(item.text for item in (*self.asserts, *self.cases)))


Suite = dict[str, Test]
"""By name; what is outside of every function and class is under the empty name."""


def entry(suite: Suite, name: str, line: int, is_test: bool) -> Test:
    """Of two tests of one name, which a file may have, the second is told apart by a number."""
    number, key = 1, name
    while name and key in suite:
        number += 1
        key = f"{name} #{number}"
    return suite.setdefault(key, Test(key, line, is_test))
