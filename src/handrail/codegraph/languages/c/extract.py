"""The facts of one file in C or C++.

Namespaces are seen through: what stands in one is found under its own name by whoever includes the file. A function of
a class that is defined outside of it is called `Class::name`; where the class only declares it, the declaration leads
to `$of.Class::name`, which the resolver finds."""

import re
from collections.abc import Iterable, Iterator

from tree_sitter import Node

from handrail.codegraph.facts import MODULE_SCOPE, Definition, FileFacts, Import, Variable
from handrail.codegraph.languages.c.declarators import function_in, name_in, parameters_of
from handrail.codegraph.languages.c.expressions import expression, type_name
from handrail.codegraph.languages.language import Capture
from handrail.codegraph.languages.nodes import text_of
from handrail.codegraph.languages.outline import Outline, in_order
from handrail.codegraph.languages.plain_file import PlainFile, definition
from handrail.codegraph.languages.source_file import Called
from handrail.codegraph.languages.text import one_line

_KINDS = {
    "struct_specifier": "struct",
    "union_specifier": "struct",
    "enum_specifier": "enum",
    "class_specifier": "class",
    "type_definition": "type",
    "alias_declaration": "type",
    "preproc_def": "constant",
    "preproc_function_def": "function",
}
_TEST_MACROS = frozenset({"TEST", "TEST_F", "TEST_P", "TYPED_TEST", "BOOST_AUTO_TEST_CASE", "CTEST", "Test"})
_TEST_NAME = re.compile(r"(?i)tests?_\w+|\w+_tests?\Z")
_TEST_PATH = re.compile(r"(^|/)tests?/|(^|/)test_|_tests?\.\w+$|unittest")
DEFINED = "$of"


def extract(captured: Capture) -> FileFacts:
    return File(captured).facts("c")


def extract_cpp(captured: Capture) -> FileFacts:
    return File(captured).facts("cpp")


class Definitions(Outline):
    def __init__(self, captured: Capture) -> None:
        aliases = [node for node in captured.of("alias") if not _names_a_body(node)]
        declared = [node for node in (*captured.of("field"), *captured.of("declaration")) if _declares_method(node)]
        nodes = [*captured.of("type"), *aliases, *captured.of("function"), *captured.of("macro"), *declared]
        super().__init__(captured, in_order(nodes))
        self.is_test = _TEST_PATH.search(captured.path) is not None
        self.types: dict[str, int] = {}
        for index, node in enumerate(self.nodes):
            self.found.append(self._item(index, node) if node.type in _KINDS else self._function(index, node))

    def is_type(self, index: int) -> bool:
        return index != MODULE_SCOPE and self.found[index].kind in {"struct", "class", "enum"}

    def _item(self, index: int, node: Node) -> Definition:
        named = node.child_by_field_name("name")
        name = text_of(named, self.source) if named is not None else name_in(_declarator(node), self.source)
        if not name and node.parent is not None and node.parent.type == "type_definition":
            name = name_in(node.parent.child_by_field_name("declarator"), self.source)
        kind = _KINDS[node.type]
        self.types.setdefault(name, index)
        bases = [child for child in node.named_children if child.type == "base_class_clause"]
        listed = [each for base in bases for each in base.named_children if each.type != "access_specifier"]
        return definition(
            self, index, name or "?", kind, ancestors=[type_name(text_of(each, self.source)) for each in listed]
        )

    def _function(self, index: int, node: Node) -> Definition:
        function = function_in(_declarator(node))
        written = name_in(function, self.source) or name_in(_declarator(node), self.source) or "?"
        owner, _, name = written.replace(" ", "").rpartition("::")
        returns = one_line(text_of(node.child_by_field_name("type"), self.source))
        if written in _TEST_MACROS and function is not None:
            return definition(self, index, _title(function, self.source), "function", tags=("test",))
        around = self.nesting.parents[index]
        in_type = self.is_type(around)
        owner = owner.rpartition("::")[2] if owner.rpartition("::")[2] else ""
        parent = self.types.get(owner)
        is_static = any(text_of(child, self.source) == "static" for child in node.children)
        kind = "method" if in_type or owner else "function"
        class_name = self.found[around].name if in_type else owner
        if kind == "method" and name == class_name:
            name, kind = "constructor", "constructor"
        is_test = self.is_test and kind == "function" and _TEST_NAME.match(name)
        made = definition(
            self,
            index,
            name,
            kind,
            owner=owner,
            parent=parent,
            parameters=tuple(parameters_of(function, self.source)) if function is not None else (),
            returns=returns,
            return_type=type_name(returns),
            visibility="private" if is_static and not in_type else "public",
            tags=("test",) if is_test else (),
        )
        return made._replace(name=f"{owner}::{name}") if owner and parent is None else made


class File(PlainFile):
    def __init__(self, captured: Capture) -> None:
        self.outline = Definitions(captured)
        super().__init__(captured, self.outline)
        spaces = (self.text(node.child_by_field_name("name")) for node in captured.of("namespace"))
        self.package = " ".join(sorted({part for space in spaces for part in space.split("::") if part}))
        nodes = captured.of("call")
        scopes = self.definitions.nesting.scopes(nodes)
        called = [self._owned(self.expression(node.child_by_field_name("function")), scope)
                  for node, scope in zip(nodes, scopes, strict=True)]  # fmt: skip
        self.call_nodes = list(zip(nodes, called, scopes, strict=True))

    def expression(self, node: Node | None) -> str:
        return expression(node, self.source)

    def _owned(self, callee: str, scope: int) -> str:
        """In a function that stands outside of its class, `this` has the class as its declared type."""
        return f"${callee}" if callee.startswith("this.") and self._stands_apart(scope) else callee

    def _stands_apart(self, scope: int) -> str:
        """The class of a function that stands outside of it, in another file."""
        name = self.definitions.found[scope].name if scope != MODULE_SCOPE else ""
        return name.rpartition("::")[0]

    def imports(self) -> list[Import]:
        found: list[Import] = []
        for node in self.captured.of("include"):
            path = node.child_by_field_name("path")
            kind = "system" if path is not None and path.type == "system_lib_string" else "include"
            target = self.text(path).strip('<>" ')
            if target and path is not None and path.type in {"string_literal", "system_lib_string"}:
                found.append(Import(target, (("*", ""),), node.start_point[0] + 1, MODULE_SCOPE, kind))
        return found

    def exports(self) -> Iterable[tuple[str, str]]:
        """What other files can link to."""
        found = self.definitions.found
        return ((d.name, d.name) for d in found if d.parent == MODULE_SCOPE and d.visibility == "public")

    def other_calls(self) -> Iterator[Called]:
        for node in self.captured.of("new"):
            name = type_name(self.text(node.child_by_field_name("type")))
            if name:
                yield node, name, self.scope(node)
        for index, node in enumerate(self.definitions.nodes):
            made = self.definitions.found[index]
            if node.type in {"field_declaration", "declaration"} and made.kind in {"method", "constructor"}:
                owner = self.definitions.found[made.parent].name if made.parent != MODULE_SCOPE else ""
                yield node, f"{DEFINED}.{owner}::{made.name}", index

    def variables(self) -> list[Variable]:
        found: list[Variable] = []
        for index in range(len(self.definitions.nodes)):
            owner = self._stands_apart(index)
            if owner:
                found.append(Variable(index, "$this", owner, ""))
        for scope, names in self._members_used().items():
            found.extend(Variable(scope, name, "", f"$this.{name}") for name in names)
        for node in (*self.captured.of("field"), *self.captured.of("declaration")):
            if _declares_method(node):
                continue
            written = type_name(self.text(node.child_by_field_name("type")))
            for each in node.children_by_field_name("declarator"):
                name = name_in(each, self.source)
                value = each.child_by_field_name("value") if each.type == "init_declarator" else None
                if name and _is_data(each):
                    self.bind(found, self.scope(node), name, written, value)
        return found

    def _members_used(self) -> dict[int, list[str]]:
        """Names of objects in functions that stand apart from their class: what is not a function's own is the class's.
        By function."""
        own: dict[int, set[str]] = {}
        for node in self.captured.of("declaration"):
            names = (name_in(each, self.source) for each in node.children_by_field_name("declarator"))
            own.setdefault(self.scope(node), set()).update(names)
        found: dict[int, set[str]] = {}
        for _, callee, scope in self.call_nodes:
            head, dot, _ = callee.partition(".")
            if dot and head.isidentifier() and self._stands_apart(scope) and head not in own.get(scope, ()):
                found.setdefault(scope, set()).add(head)
        spaces = {"std", "this", *self.package.split()}
        parameters = {scope: {p.name for p in self.definitions.found[scope].parameters} for scope in found}
        return {scope: sorted(names - spaces - parameters[scope]) for scope, names in found.items()}

    def all_definitions(self) -> tuple[Definition, ...]:
        return (*self.definitions.found, *self._fields(), *self._constants(), *self._globals())

    def _fields(self) -> Iterator[Definition]:
        for node in self.captured.of("field"):
            written = one_line(self.text(node.child_by_field_name("type")))
            for each in node.children_by_field_name("declarator"):
                name, scope = name_in(each, self.source), self.scope(node)
                if name and _is_data(each) and self.outline.is_type(scope):
                    yield self.plain(scope, name, "field", node, f"{written} {name}", written, type_name(written))

    def _constants(self) -> Iterator[Definition]:
        for node in self.captured.of("constant"):
            name = self.text(node.child_by_field_name("name"))
            yield self.plain(self.scope(node), name, "constant", node, name)

    def _globals(self) -> Iterator[Definition]:
        for node in self.captured.of("declaration"):
            if self.scope(node) != MODULE_SCOPE or self.text(node).startswith("extern"):
                continue
            written = one_line(self.text(node.child_by_field_name("type")))
            for each in node.children_by_field_name("declarator"):
                name = name_in(each, self.source)
                if name.isidentifier() and _is_data(each):
                    signature, kind = f"{written} {name}", type_name(written)
                    yield self.plain(MODULE_SCOPE, name, "variable", node, signature, written, kind)


def _declarator(node: Node) -> Node | None:
    return node.child_by_field_name("declarator")


def _declares_method(node: Node) -> bool:
    """`int total() const;` in a class."""
    in_class = node.parent is not None and node.parent.type == "field_declaration_list"
    return in_class and not _is_data(_declarator(node))


def _is_data(declarator: Node | None) -> bool:
    """True for what is no function; `int (*callback)(int)` is a pointer."""
    function = function_in(declarator)
    inner = function.child_by_field_name("declarator") if function is not None else None
    return function is None or (inner is not None and inner.type == "parenthesized_declarator")


def _names_a_body(node: Node) -> bool:
    """`typedef struct { … } Cart;`: the struct itself is the definition."""
    written = node.child_by_field_name("type")
    return node.type == "type_definition" and written is not None and written.child_by_field_name("body") is not None


def _title(function: Node, source: bytes) -> str:
    """`Cart.Adds` of `TEST(Cart, Adds)`."""
    listed = function.child_by_field_name("parameters")
    parts = [one_line(text_of(each, source)) for each in listed.named_children] if listed is not None else []
    return ".".join(parts) or "test"
