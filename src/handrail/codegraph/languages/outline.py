"""The definitions of one file in the order of the file, and which of them a position lies in."""

from collections.abc import Sequence

from tree_sitter import Node

from handrail.codegraph.facts import MODULE_SCOPE, Definition
from handrail.codegraph.languages.language import Capture
from handrail.codegraph.languages.nesting import Nesting


class Outline:
    """What the definitions of every language are. `nodes` are sorted by start, outer ones first; the language fills
    `found` in their order."""

    def __init__(self, captured: Capture, nodes: Sequence[Node]) -> None:
        self.source = captured.source
        self.nodes = nodes
        self.nesting = Nesting([(node.start_byte, node.end_byte) for node in nodes])
        self.complexity = [1] * len(nodes)
        for scope in self.nesting.scopes(captured.of("branch")):
            if scope != MODULE_SCOPE:
                self.complexity[scope] += 1
        self.found: list[Definition] = []

    def qualname(self, parent: int, name: str) -> str:
        return name if parent == MODULE_SCOPE else f"{self.found[parent].qualname}.{name}"


def in_order(nodes: list[Node]) -> list[Node]:
    return sorted(nodes, key=lambda node: (node.start_byte, -node.end_byte))
