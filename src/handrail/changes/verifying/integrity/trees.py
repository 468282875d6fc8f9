"""The tests of a file in a language that tree-sitter parses: one walk, and what each node means by its language."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

import tree_sitter

from handrail.changes.verifying.integrity.suite import Item, Suite, Test, entry


class Means(StrEnum):
    scope = "scope"
    """A class or group of tests."""
    helper = "helper"
    """A function that is no test."""
    test = "test"
    asserts = "asserts"
    skips = "skips"
    only = "only"
    case = "case"
    muted = "muted"
    """What is inside cannot fail a test."""


class Mark(NamedTuple):
    means: Means
    text: str = ""


@dataclass(frozen=True)
class Nodes:
    """Text of nodes, in one form: comments and spaces do not count."""

    source: bytes

    def text(self, node: tree_sitter.Node | None) -> str:
        return "" if node is None else self.source[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def plain(self, node: tree_sitter.Node) -> str:
        return " ".join(self.text(leaf) for leaf in leaves(node))

    def field(self, node: tree_sitter.Node, name: str) -> str:
        return self.text(node.child_by_field_name(name))


Dialect = Callable[[tree_sitter.Node, Nodes], Iterator[Mark]]


def read(root: tree_sitter.Node, source: bytes, dialect: Dialect) -> Suite:
    suite: Suite = {}
    nodes = Nodes(source)
    whole = entry(suite, "", 1, False)
    waiting: list[tuple[tree_sitter.Node, Test, tuple[str, ...], bool]] = [(root, whole, (), False)]
    while waiting:
        node, here, names, muted = waiting.pop()
        inside = True
        for mark in dialect(node, nodes):
            item = Item(mark.text, node.start_point[0] + 1)
            match mark.means:
                case Means.scope | Means.helper | Means.test:
                    names = (*names, mark.text)
                    here = entry(suite, " > ".join(names), item.line, mark.means is Means.test)
                    here.body = "" if mark.means is Means.scope else nodes.plain(node)
                case Means.asserts:
                    inside = False
                    if not muted:
                        here.asserts.append(item)
                case Means.skips:
                    here.skips.append(item)
                case Means.only:
                    here.only.append(item)
                case Means.case:
                    here.cases.append(item)
                case Means.muted:
                    muted = True
        if inside:
            waiting.extend((child, here, names, muted) for child in reversed(node.children))
    return suite


def leaves(node: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    waiting = [node]
    while waiting:
        here = waiting.pop()
        if "comment" in here.type:
            continue
        if here.child_count == 0 or here.type in {"string", "string_literal", "template_string"}:
            yield here
        else:
            waiting.extend(reversed(here.children))


def below(node: tree_sitter.Node, *types: str) -> Iterator[tree_sitter.Node]:
    waiting = [node]
    while waiting:
        here = waiting.pop()
        if here.type in types:
            yield here
        waiting.extend(reversed(here.children))
