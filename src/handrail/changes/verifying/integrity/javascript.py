"""What the nodes of a JavaScript or TypeScript test file mean: jest, vitest, mocha, jasmine, node:test, chai."""

from __future__ import annotations

import re
from collections.abc import Iterator

import tree_sitter

from handrail.changes.verifying.integrity.trees import Mark, Means, Nodes, below

_TESTS = frozenset({"it", "test", "specify", "xit", "xtest", "fit"})
_GROUPS = frozenset({"describe", "suite", "context", "xdescribe", "xcontext", "fdescribe"})
_SKIPPING = frozenset({"skip", "skipIf", "todo", "failing", "fails", "runIf"})
_SKIPPED = frozenset({"xit", "xtest", "xdescribe", "xcontext"})
_FOCUSED = frozenset({"fit", "fdescribe"})
_ASSERTING = frozenset({"expect", "assert", "should", "expectTypeOf", "assertType", "sinon"})
_ALWAYS = re.compile(
    r"expect \( (true|false|null|undefined|[\d.]+|\"[^\"]*\"|'[^']*') \)|assert \( (true|[1-9]\d*) [,)]"
)


def read(node: tree_sitter.Node, nodes: Nodes) -> Iterator[Mark]:
    match node.type:
        case "call_expression":
            yield from _call(node, nodes)
        case "function_declaration":
            yield Mark(Means.helper, nodes.field(node, "name"))
        case "try_statement":
            handler = node.child_by_field_name("handler")
            if handler is not None and not _says(handler, nodes):
                yield Mark(Means.muted)
        case "if_statement":
            if nodes.field(node, "condition").strip("() ") in {"false", "0"}:
                yield Mark(Means.muted)
        case _:
            pass


def _call(node: tree_sitter.Node, nodes: Nodes) -> Iterator[Mark]:
    chain = _chain(node.child_by_field_name("function"), nodes)
    root, members = chain[0], chain[1:]
    if root in _TESTS | _GROUPS and _is_outermost(node):
        yield from _block(node, nodes, root, members)
    elif chain[-1] == "skip" and root in {"this", "t", "ctx", "context"}:
        yield Mark(Means.skips, nodes.plain(node))
    elif (root in _ASSERTING or {"should", "expect"} & set(members)) and _is_outermost(node):
        text = nodes.plain(node)
        if (root != "expect" or members) and not _ALWAYS.match(text):
            yield Mark(Means.asserts, text)


def _block(node: tree_sitter.Node, nodes: Nodes, root: str, members: list[str]) -> Iterator[Mark]:
    arguments = node.child_by_field_name("arguments")
    given = arguments.named_children if arguments is not None else []
    if not given or arguments is None:
        return
    title = nodes.text(given[0])
    yield Mark(Means.test if root in _TESTS else Means.scope, title.strip("\"'`"))
    flags = {nodes.field(pair, "key") for each in given if each.type == "object" for pair in each.named_children}
    if root in _SKIPPED or _SKIPPING & {*members, *flags}:
        yield Mark(Means.skips, f"{'.'.join((root, *members))} {title}")
    if root in _FOCUSED or "only" in {*members, *flags}:
        yield Mark(Means.only, f"{'.'.join((root, *members))} {title}")
    if "each" in members:
        for table in below(node.child_by_field_name("function") or node, "array"):
            yield from (Mark(Means.case, nodes.plain(row)) for row in table.named_children)
            break


def _chain(node: tree_sitter.Node | None, nodes: Nodes) -> list[str]:
    """`it.each([…])` as `it`, `each`; `expect(x).not.toBe` as `expect`, `not`, `toBe`."""
    names: list[str] = []
    while node is not None:
        if node.type == "member_expression":
            names.append(nodes.field(node, "property"))
            node = node.child_by_field_name("object")
        elif node.type == "call_expression":
            node = node.child_by_field_name("function")
        elif node.type in {"await_expression", "parenthesized_expression", "non_null_expression"}:
            node = node.named_child(0)
        else:
            names.append(nodes.text(node) if node.type in {"identifier", "this"} else "?")
            break
    return names[::-1] or ["?"]


def _is_outermost(node: tree_sitter.Node) -> bool:
    """False inside a longer chain: `expect(x)` of `expect(x).toBe(1)`."""
    parent = node.parent
    if parent is None or parent.type not in {"member_expression", "call_expression"}:
        return True
    first = parent.child_by_field_name("object") or parent.child_by_field_name("function")
    return first is None or first.id != node.id


def _says(handler: tree_sitter.Node, nodes: Nodes) -> bool:
    """Whether a `catch` throws again or asserts something itself."""
    if next(below(handler, "throw_statement"), None) is not None:
        return True
    calls = (_chain(call.child_by_field_name("function"), nodes) for call in below(handler, "call_expression"))
    return any(chain[0] in _ASSERTING | {"fail", "done", "reject"} for chain in calls)
