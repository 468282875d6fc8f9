"""Which definition a position of the file lies in."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence

from tree_sitter import Node

from handrail.codegraph.facts import MODULE_SCOPE


class Nesting:
    """Spans of definitions (start byte, end byte), sorted by start and properly nested, as a tree."""

    def __init__(self, spans: Sequence[tuple[int, int]]) -> None:
        self._starts = [start for start, _ in spans]
        self._ends = [end for _, end in spans]
        self.parents: list[int] = []
        stack: list[int] = []
        for index, (start, _) in enumerate(spans):
            while stack and self._ends[stack[-1]] <= start:
                stack.pop()
            self.parents.append(stack[-1] if stack else MODULE_SCOPE)
            stack.append(index)

    def innermost(self, position: int) -> int:
        """The index of the smallest span around `position`, or MODULE_SCOPE."""
        index = bisect_right(self._starts, position) - 1
        while index >= 0 and self._ends[index] <= position:
            index = self.parents[index]
        return index

    def scopes(self, nodes: Iterable[Node]) -> list[int]:
        """`innermost` of where each node starts: a call for each would take twice the time."""
        starts, ends, parents = self._starts, self._ends, self.parents
        found: list[int] = []
        for node in nodes:
            position = node.start_byte
            index = bisect_right(starts, position) - 1
            while index >= 0 and ends[index] <= position:
                index = parents[index]
            found.append(index)
        return found
