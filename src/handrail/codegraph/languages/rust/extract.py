"""The facts of one Rust file."""

from collections.abc import Iterable, Iterator

from tree_sitter import Node

from handrail.codegraph.facts import MODULE_SCOPE, Ancestor, Definition, FileFacts, Import, Parameter, Variable
from handrail.codegraph.languages.language import Capture
from handrail.codegraph.languages.nodes import nth, text_of
from handrail.codegraph.languages.outline import Outline, in_order
from handrail.codegraph.languages.plain_file import PlainFile, definition
from handrail.codegraph.languages.rust.expressions import calls_in, dotted, expression, type_name
from handrail.codegraph.languages.rust.uses import names_of
from handrail.codegraph.languages.source_file import Called
from handrail.codegraph.languages.text import one_line

_KINDS = {
    "struct_item": "struct",
    "union_item": "struct",
    "enum_item": "enum",
    "trait_item": "interface",
    "type_item": "type",
    "mod_item": "namespace",
    "macro_definition": "function",
}
_TEST_MARKS = ("test", "rstest", "test_case", "quickcheck", "proptest")


def extract(captured: Capture) -> FileFacts:
    return File(captured).facts("rust")


class Definitions(Outline):
    def __init__(self, captured: Capture) -> None:
        modules = [node for node in captured.of("mod") if node.child_by_field_name("body") is not None]
        names = ("type", "alias", "function", "macro")
        super().__init__(captured, in_order([*modules, *(node for name in names for node in captured.of(name))]))
        self.types: dict[str, int] = {}
        for index, node in enumerate(self.nodes):
            if node.type in _KINDS and _KINDS[node.type] in {"struct", "enum", "interface"}:
                self.types.setdefault(text_of(node.child_by_field_name("name"), self.source), index)
        for index, node in enumerate(self.nodes):
            make = self._item if node.type in _KINDS else self._function
            self.found.append(make(index, node))
        for node in captured.of("impl"):
            self._implements(node)

    def _item(self, index: int, node: Node) -> Definition:
        name = text_of(node.child_by_field_name("name"), self.source)
        bounds = node.child_by_field_name("bounds")
        return definition(
            self,
            index,
            name,
            _KINDS[node.type],
            visibility=_visibility(node, self.source),
            decorators=_marks(node, self.source),
            ancestors=[type_name(text_of(each, self.source)) for each in bounds.named_children] if bounds else (),
        )

    def _function(self, index: int, node: Node) -> Definition:
        name = text_of(node.child_by_field_name("name"), self.source)
        around = self.impl_around(node)
        owner = type_name(text_of(around.child_by_field_name("type"), self.source)) if around is not None else ""
        in_trait = self.nesting.parents[index] != MODULE_SCOPE and self.is_trait(self.nesting.parents[index])
        marks = _marks(node, self.source)
        returns = one_line(text_of(node.child_by_field_name("return_type"), self.source))
        parent = self.types.get(owner)
        return definition(
            self,
            index,
            name,
            "method" if owner or in_trait else "function",
            owner=self.found[parent].qualname if parent is not None and parent < len(self.found) else owner,
            parent=parent,
            parameters=_parameters(node.child_by_field_name("parameters"), self.source),
            returns=returns,
            return_type=type_name(returns) if returns else "",
            decorators=marks,
            visibility="public" if in_trait else _visibility(node, self.source),
            is_async="async" in text_of(node, self.source)[:200].partition("fn ")[0].split(),
            tags=("test",) if any(_is_test(mark) for mark in marks) else (),
        )

    def is_trait(self, index: int) -> bool:
        return self.nodes[index].type == "trait_item"

    def impl_around(self, node: Node) -> Node | None:
        outer = node.parent.parent if node.parent is not None else None
        return outer if outer is not None and outer.type == "impl_item" else None

    def _implements(self, node: Node) -> None:
        """`impl Trait for Type`, where the type is of this file."""
        index = self.types.get(type_name(text_of(node.child_by_field_name("type"), self.source)))
        trait = type_name(text_of(node.child_by_field_name("trait"), self.source))
        if index is not None and trait:
            known = self.found[index]
            self.found[index] = known._replace(ancestors=(*known.ancestors, Ancestor("implements", trait)))


class File(PlainFile):
    def __init__(self, captured: Capture) -> None:
        super().__init__(captured, Definitions(captured))
        nodes = captured.of("call")
        scopes = self.definitions.nesting.scopes(nodes)
        called = [self.expression(node.child_by_field_name("function")) for node in nodes]
        self.call_nodes = list(zip(nodes, called, scopes, strict=True))

    def expression(self, node: Node | None) -> str:
        return expression(node, self.source)

    def imports(self) -> list[Import]:
        found: list[Import] = []
        for node in self.captured.of("mod"):
            if node.child_by_field_name("body") is None:
                name = self.text(node.child_by_field_name("name"))
                target = ".".join(("$self", *self._inside(node), name))
                found.append(Import(target, (("*", name),), node.start_point[0] + 1, MODULE_SCOPE, "mod"))
        for node in self.captured.of("use"):
            line, inside = node.start_point[0] + 1, self._inside(node)
            for path, name, alias in names_of(node.child_by_field_name("argument"), self.source):
                target = self._outwards(path, inside)
                # inside `mod tests`, `super` is this very file, whose names need no import
                if target:
                    found.append(Import(target, ((name, alias),), line, MODULE_SCOPE, "use"))
        return found

    def _inside(self, node: Node) -> list[str]:
        """The inline modules around a node."""
        names: list[str] = []
        scope = self.scope(node)
        while scope != MODULE_SCOPE:
            if self.definitions.found[scope].kind == "namespace":
                names.insert(0, self.definitions.found[scope].name)
            scope = self.definitions.nesting.parents[scope]
        return names

    @staticmethod
    def _outwards(path: str, inside: list[str]) -> str:
        """A path as the file itself would write it."""
        parts = path.split(".")
        depth = len(inside) - 1 if parts[:1] == ["$self"] and inside and len(parts) > 1 else len(inside)
        while depth > 0 and parts[:1] == ["$super"]:
            parts, depth = parts[1:] or ["$self"], depth - 1
            if parts[0] not in {"$super", "$self"} and depth == 0:
                parts = ["$self", *parts]
        return ".".join(parts)

    def exports(self) -> Iterable[tuple[str, str]]:
        return ()

    def other_calls(self) -> Iterator[Called]:
        for node in self.captured.of("new"):
            name = type_name(self.text(node.child_by_field_name("name")))
            if name:
                yield node, name, self.scope(node)
        for node in self.captured.of("invocation"):
            scope = self.scope(node)
            macro = dotted(self.text(node.child_by_field_name("macro")))
            yield node, macro, scope
            for tokens in node.named_children:
                if tokens.type == "token_tree":
                    yield from ((word, callee, scope) for word, callee in calls_in(tokens, self.source))

    def variables(self) -> list[Variable]:
        found: list[Variable] = []
        for node in self.captured.of("field"):
            written = type_name(self.text(node.child_by_field_name("type")))
            self.bind(found, self.scope(node), self.text(node.child_by_field_name("name")), written, None)
        for node in self.captured.of("local"):
            pattern = node.child_by_field_name("pattern")
            if pattern is not None and pattern.type == "identifier":
                written = type_name(self.text(node.child_by_field_name("type")))
                value = node.child_by_field_name("value")
                self.bind(found, self.scope(node), self.text(pattern), written, value)
        return found

    def all_definitions(self) -> tuple[Definition, ...]:
        return (*self.definitions.found, *self._others())

    def _others(self) -> Iterator[Definition]:
        for capture, kind in (("value", "constant"), ("field", "field"), ("variant", "constant")):
            for node in self.captured.of(capture):
                scope, name = self.scope(node), self.text(node.child_by_field_name("name"))
                written = one_line(self.text(node.child_by_field_name("type")))
                if capture == "value" and scope != MODULE_SCOPE and self.definitions.found[scope].kind != "namespace":
                    continue
                signature = f"{name}: {written}" if written else name
                seen = "public" if capture == "variant" else _visibility(node, self.source)
                yield self.plain(scope, name, kind, node, signature, written, type_name(written), visibility=seen)


def _visibility(node: Node, source: bytes) -> str:
    first = next((text_of(child, source) for child in node.children if child.type == "visibility_modifier"), "")
    return "public" if first == "pub" else "internal" if first else "private"


def _marks(node: Node, source: bytes) -> tuple[str, ...]:
    found: list[str] = []
    before = node.prev_named_sibling
    while before is not None and before.type in {"attribute_item", "line_comment", "block_comment"}:
        if before.type == "attribute_item":
            found.insert(0, one_line(text_of(nth(before), source)))
        before = before.prev_named_sibling
    return tuple(found)


def _is_test(mark: str) -> bool:
    return mark.partition("(")[0].rpartition("::")[2].strip() in _TEST_MARKS


def _parameters(node: Node | None, source: bytes) -> Iterator[Parameter]:
    for each in node.named_children if node is not None else ():
        if each.type == "parameter":
            written = one_line(text_of(each.child_by_field_name("type"), source))
            name = text_of(each.child_by_field_name("pattern"), source).removeprefix("mut ")
            yield Parameter(name, written, type_name(written), "")
