"""What a parser says of a file."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol


class Problem(NamedTuple):
    """The first error, and how many there are."""

    line: int
    message: str
    errors: int = 1


class Checker(Protocol):
    def problems(self, sources: Sequence[tuple[str, bytes]]) -> list[Problem | None]:
        """For each (path, content) its problem; None where it parses, or is of no kind that this knows."""
        ...
