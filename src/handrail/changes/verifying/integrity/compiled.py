"""What the nodes of test files in Java, C#, Go and Rust mean, by simple rules."""

from __future__ import annotations

import re
from collections.abc import Iterator

import tree_sitter

from handrail.changes.verifying.integrity.trees import Mark, Means, Nodes, below

_JAVA_TESTS = frozenset({"Test", "ParameterizedTest", "RepeatedTest", "TestFactory", "TestTemplate", "Property"})
_JAVA_SKIP = re.compile(r"Disabled|Ignore|EnabledIf|EnabledOn|DisabledIf|DisabledOn")
_JAVA_ASSERTING = re.compile(r"(assert|verify|expect)\w*|fail|then")
_JAVA_ASSUMING = re.compile(r"assume\w*|abort")
_CSHARP_TESTS = frozenset({"Fact", "Theory", "Test", "TestCase", "TestMethod", "DataTestMethod", "TestCaseSource"})
_CSHARP_ASSERTING = re.compile(
    r"\w*Assert\.|.*\.Should\(|.*\.(Verify|Received|DidNotReceive|ShouldBe\w*)\b|Verify\b", re.S
)
_CSHARP_SKIP = re.compile(r"Assert\.(Ignore|Inconclusive|Skip\w*)|Skip\.(If|Unless)")
_GO_FAILS = re.compile(r"\w+\.(Errorf?|Fatalf?|Fail|FailNow)|(assert|require|is|qt|must|cmp)\.\w+")
_GO_SKIP = re.compile(r"\w+\.(Skip|Skipf|SkipNow)")
_GO_TEST = re.compile(r"(Test|Benchmark|Fuzz|Example)(\W|_|[A-Z0-9]|$)")
_RUST_TEST = re.compile(r"(\w+::)*(test|rstest|test_case|quickcheck|proptest)\b")


def java(node: tree_sitter.Node, nodes: Nodes) -> Iterator[Mark]:
    if node.type in {"method_declaration", "class_declaration"}:
        marks = [each for child in node.children if child.type == "modifiers" for each in child.named_children]
        names = {nodes.field(mark, "name").rpartition(".")[2] for mark in marks}
        is_test = node.type == "method_declaration" and bool(names & _JAVA_TESTS)
        yield Mark(_means(node, is_test), nodes.field(node, "name"))
        yield from (Mark(Means.skips, nodes.plain(m)) for m in marks if _JAVA_SKIP.match(nodes.field(m, "name")))
        for mark in marks:
            if nodes.field(mark, "name") in {"CsvSource", "ValueSource"}:
                rows = below(mark, "string_literal", "decimal_integer_literal")
                yield from (Mark(Means.case, nodes.text(row)) for row in rows)
    elif node.type == "method_invocation" and _is_last(node, "object"):
        names = list(_invoked(node, nodes))
        if any(_JAVA_ASSUMING.fullmatch(name) for name in names):
            yield Mark(Means.skips, nodes.plain(node))
        elif any(_JAVA_ASSERTING.fullmatch(name) for name in names):
            yield Mark(Means.asserts, nodes.plain(node))
    elif node.type == "try_statement" and any(_is_empty(each, nodes) for each in below(node, "catch_clause")):
        yield Mark(Means.muted)


def csharp(node: tree_sitter.Node, nodes: Nodes) -> Iterator[Mark]:
    if node.type in {"method_declaration", "class_declaration"}:
        marks = [each for c in node.children if c.type == "attribute_list" for each in c.named_children]
        names = {nodes.field(mark, "name").rpartition(".")[2].removesuffix("Attribute") for mark in marks}
        is_test = node.type == "method_declaration" and bool(names & _CSHARP_TESTS)
        yield Mark(_means(node, is_test), nodes.field(node, "name"))
        for mark in marks:
            text = nodes.plain(mark)
            if nodes.field(mark, "name") in {"Ignore", "Explicit"} or "Skip =" in text:
                yield Mark(Means.skips, text)
            elif nodes.field(mark, "name") in {"InlineData", "TestCase", "DataRow"}:
                yield Mark(Means.case, text)
    elif node.type == "invocation_expression" and _is_last(node, "expression"):
        text = nodes.text(node)
        if _CSHARP_SKIP.match(text):
            yield Mark(Means.skips, nodes.plain(node))
        elif _CSHARP_ASSERTING.match(text):
            yield Mark(Means.asserts, nodes.plain(node))
    elif node.type == "try_statement" and any(_is_empty(each, nodes) for each in below(node, "catch_clause")):
        yield Mark(Means.muted)


def go(node: tree_sitter.Node, nodes: Nodes) -> Iterator[Mark]:
    if node.type in {"function_declaration", "method_declaration"}:
        name = nodes.field(node, "name")
        yield Mark(_means(node, _GO_TEST.match(name) is not None), name)
    elif node.type == "call_expression":
        called = nodes.field(node, "function")
        if _GO_SKIP.fullmatch(called):
            yield Mark(Means.skips, nodes.plain(node))
        elif _GO_FAILS.fullmatch(called):
            yield Mark(Means.asserts, f"{_conditions(node, nodes)}{nodes.plain(node)}")
        elif called.endswith(".Run"):
            arguments = node.child_by_field_name("arguments")
            first = arguments.named_child(0) if arguments is not None else None
            if first is not None and "string" in first.type:
                yield Mark(Means.test, nodes.text(first).strip('"`'))
    elif node.type == "comment" and nodes.text(node).startswith(("//go:build", "// +build")):
        yield Mark(Means.skips, nodes.text(node))
    elif node.type == "if_statement" and nodes.field(node, "condition") == "false":
        yield Mark(Means.muted)


def rust(node: tree_sitter.Node, nodes: Nodes) -> Iterator[Mark]:
    if node.type == "function_item":
        marks = [nodes.text(mark.named_child(0)) for mark in _attributes(node)]
        is_test = any(_RUST_TEST.match(mark) for mark in marks)
        yield Mark(_means(node, is_test), nodes.field(node, "name"))
        skipping = (mark for mark in marks if mark.startswith(("ignore", "should_panic", "cfg(", "cfg_attr(")))
        yield from (Mark(Means.skips, mark) for mark in skipping)
        yield from (Mark(Means.case, mark) for mark in marks if mark.startswith(("case(", "test_case(")))
    elif node.type == "macro_invocation":
        name = nodes.field(node, "macro").rpartition("::")[2]
        if name.startswith(("assert", "debug_assert", "panic", "prop_assert", "insta")):
            yield Mark(Means.asserts, nodes.plain(node))


def _means(node: tree_sitter.Node, is_test: bool) -> Means:
    return Means.test if is_test else Means.scope if "class" in node.type else Means.helper


def _invoked(node: tree_sitter.Node | None, nodes: Nodes) -> Iterator[str]:
    while node is not None and node.type == "method_invocation":
        yield nodes.field(node, "name")
        node = node.child_by_field_name("object")


def _is_last(node: tree_sitter.Node, owner: str) -> bool:
    """False inside a longer chain: `assertThat(x)` of `assertThat(x).isTrue()`."""
    parent = node.parent
    if parent is not None and parent.type == "member_access_expression":
        return False
    first = parent.child_by_field_name(owner) if parent is not None else None
    return first is None or first.id != node.id


def _is_empty(handler: tree_sitter.Node, nodes: Nodes) -> bool:
    """A `catch` of errors of assertions that neither throws nor fails."""
    text = nodes.text(handler)
    return re.search(r"Throwable|AssertionError|Exception|catch\s*\{", text) is not None and not re.search(
        r"\bthrow\b|fail\(|[Aa]ssert", text.partition("{")[2]
    )


def _conditions(node: tree_sitter.Node, nodes: Nodes) -> str:
    """What has to be true for a Go test to fail here."""
    found: list[str] = []
    around = node.parent
    while around is not None and around.type != "function_declaration":
        if around.type == "if_statement":
            found.append(f"if {nodes.field(around, 'condition')} ")
        around = around.parent
    return "".join(reversed(found))


def _attributes(node: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    before = node.prev_named_sibling
    while before is not None and before.type in {"attribute_item", "line_comment", "block_comment"}:
        if before.type == "attribute_item":
            yield before
        before = before.prev_named_sibling
