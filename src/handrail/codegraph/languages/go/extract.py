"""The facts of one Go file."""

import re
from collections.abc import Iterable, Iterator

from tree_sitter import Node

from handrail.codegraph.facts import MODULE_SCOPE, Definition, FileFacts, Import, Parameter, Variable
from handrail.codegraph.languages.go.expressions import expression, type_name
from handrail.codegraph.languages.language import Capture
from handrail.codegraph.languages.nodes import nth, text_of
from handrail.codegraph.languages.outline import Outline, in_order
from handrail.codegraph.languages.plain_file import TYPES, PlainFile, definition
from handrail.codegraph.languages.source_file import Called
from handrail.codegraph.languages.text import one_line

_TEST = re.compile(r"(Test|Benchmark|Fuzz|Example)([^a-z].*)?\Z")
_VERSION = re.compile(r"v\d+\Z|\.v\d+\Z")
_KINDS = {"struct_type": "struct", "interface_type": "interface"}


def extract(captured: Capture) -> FileFacts:
    return File(captured).facts("go")


class Definitions(Outline):
    def __init__(self, captured: Capture) -> None:
        super().__init__(captured, in_order([*captured.of("type"), *captured.of("function")]))
        self.is_test = captured.path.endswith("_test.go")
        self.types = {
            text_of(node.child_by_field_name("name"), self.source): index
            for index, node in enumerate(self.nodes)
            if node.type in {"type_spec", "type_alias"}
        }
        self.with_methods = {self.receiver(node)[1] for node in captured.of("function")}
        for index, node in enumerate(self.nodes):
            make = self._type if node.type in {"type_spec", "type_alias"} else self._function
            self.found.append(make(index, node))

    def _type(self, index: int, node: Node) -> Definition:
        name = text_of(node.child_by_field_name("name"), self.source)
        written = node.child_by_field_name("type")
        # a named type with methods is used as a struct is, whatever it is made of
        other = "struct" if name in self.with_methods else "type"
        kind = _KINDS.get(written.type, other) if written is not None else other
        return definition(
            self, index, name, kind, visibility=_visibility(name), ancestors=_embedded(written, self.source)
        )

    def _function(self, index: int, node: Node) -> Definition:
        name = text_of(node.child_by_field_name("name"), self.source)
        receiver = self.receiver(node)
        results = _results(node.child_by_field_name("result"), self.source)
        is_test = self.is_test and node.type == "function_declaration" and _TEST.match(name)
        return definition(
            self,
            index,
            name,
            "function" if node.type == "function_declaration" else "method",
            owner=receiver[1],
            parent=self.types.get(receiver[1]),
            parameters=_parameters(node.child_by_field_name("parameters"), self.source),
            returns=one_line(text_of(node.child_by_field_name("result"), self.source)),
            return_type=type_name(results[0]) if results else "",
            visibility=_visibility(name),
            tags=("test",) if is_test else (),
        )

    def receiver(self, node: Node) -> tuple[str, str]:
        """(name, type) of what a method is called on."""
        given = nth(node.child_by_field_name("receiver"))
        if given is None:
            return "", ""
        written = type_name(text_of(given.child_by_field_name("type"), self.source))
        return text_of(given.child_by_field_name("name"), self.source), written


class File(PlainFile):
    def __init__(self, captured: Capture) -> None:
        self.outline = Definitions(captured)
        super().__init__(captured, self.outline)
        self.package = next((self.text(node) for node in captured.of("package")), "")
        nodes = captured.of("call")
        scopes = self.definitions.nesting.scopes(nodes)
        called = [self.expression(node.child_by_field_name("function")) for node in nodes]
        self.call_nodes = list(zip(nodes, called, scopes, strict=True))

    def expression(self, node: Node | None) -> str:
        return expression(node, self.source)

    def imports(self) -> list[Import]:
        used = self._used()
        found: list[Import] = []
        for node in self.captured.of("import"):
            target = self.text(node.child_by_field_name("path")).strip('"`')
            alias = self.text(node.child_by_field_name("name")) or package_name(target)
            names: tuple[tuple[str, str], ...] = (("*", ""),)
            if alias not in {"_", "."}:
                names = (("*", alias), *((name, "") for name in sorted(used.get(alias, ()))))
            kind = "blank" if alias == "_" else "import"
            found.append(Import(target, names, node.start_point[0] + 1, MODULE_SCOPE, kind))
        own = {d.name for d in self.definitions.found}
        plain = {self.text(node) for node in self.captured.of("used")}
        plain |= {callee for _, callee, _ in self.call_nodes if callee.isidentifier()}
        names = tuple((name, name) for name in sorted(plain - own))
        return [*found, Import("", names, 1, MODULE_SCOPE, TYPES)] if names else found

    def _used(self) -> dict[str, set[str]]:
        """Names of other packages, by the name of the package."""
        found: dict[str, set[str]] = {}
        for node in (*self.captured.of("selector"), *self.captured.of("qualified")):
            owner = node.child_by_field_name("operand") or node.child_by_field_name("package")
            name = node.child_by_field_name("field") or node.child_by_field_name("name")
            if owner is not None and owner.type in {"identifier", "package_identifier"}:
                found.setdefault(self.text(owner), set()).add(self.text(name))
        return found

    def exports(self) -> Iterable[tuple[str, str]]:
        return ((d.name, d.name) for d in self.all_definitions() if d.parent == MODULE_SCOPE and "." not in d.name)

    def other_calls(self) -> Iterator[Called]:
        for node in (*self.captured.of("new"), *self.captured.of("conversion")):
            name = type_name(self.text(node.child_by_field_name("type")))
            if name:
                yield node, name, self.scope(node)

    def variables(self) -> list[Variable]:
        found: list[Variable] = []
        for index, node in enumerate(self.definitions.nodes):
            name, written = self.outline.receiver(node)
            if name and written:
                found.append(Variable(index, name, written, ""))
        for node in self.captured.of("field"):
            written = type_name(self.text(node.child_by_field_name("type")))
            names = _names(node) or [node.child_by_field_name("type")]
            for name in names if written else ():
                found.append(Variable(self.scope(node), type_name(self.text(name)).rpartition(".")[2], written, ""))
        for node in (*self.captured.of("value"), *self.captured.of("short")):
            self._bind(found, node)
        return found

    def _bind(self, found: list[Variable], node: Node) -> None:
        written = type_name(self.text(node.child_by_field_name("type")))
        left = node.child_by_field_name("left")
        names = left.named_children if left is not None else _names(node)
        right = node.child_by_field_name("right") or node.child_by_field_name("value")
        values = right.named_children if right is not None else []
        for place, name in enumerate(names):
            # of what a call answers, the first counts: the others are mostly errors
            value = values[place] if len(values) == len(names) else values[0] if values and place == 0 else None
            self.bind(found, self.scope(node), self.text(name), written, value)

    def all_definitions(self) -> tuple[Definition, ...]:
        return (*self.definitions.found, *self._values(), *self._fields())

    def _values(self) -> Iterator[Definition]:
        for node in self.captured.of("value"):
            if self.scope(node) == MODULE_SCOPE:
                kind = "constant" if node.type == "const_spec" else "variable"
                written = one_line(self.text(node.child_by_field_name("type")))
                for each in _names(node):
                    name = self.text(each)
                    signature = f"{'const' if kind == 'constant' else 'var'} {name} {written}".strip()
                    seen = _visibility(name)
                    yield self.plain(
                        MODULE_SCOPE, name, kind, node, signature, written, type_name(written), visibility=seen
                    )

    def _fields(self) -> Iterator[Definition]:
        for node in self.captured.of("field"):
            scope = self.scope(node)
            written = one_line(self.text(node.child_by_field_name("type")))
            if scope == MODULE_SCOPE or self.definitions.found[scope].kind != "struct":
                continue
            for each in _names(node):
                name = self.text(each)
                seen = _visibility(name)
                yield self.plain(
                    scope, name, "field", node, f"{name} {written}", written, type_name(written), visibility=seen
                )


def package_name(target: str) -> str:
    """What a package is most likely called, by its path: `yaml` for `gopkg.in/yaml.v3`, `chi` for `x/chi/v5`."""
    parts = target.split("/")
    last = parts[-2] if _VERSION.match(parts[-1]) and len(parts) > 1 else parts[-1]
    return _VERSION.sub("", last).removeprefix("go-").removesuffix("-go").replace("-", "_")


def _names(node: Node) -> list[Node]:
    """The names that it declares; the field has the commas between them too."""
    return [name for name in node.children_by_field_name("name") if name.is_named]


def _visibility(name: str) -> str:
    return "public" if name[:1].isupper() else "internal"


def _embedded(written: Node | None, source: bytes) -> list[str]:
    """What a struct or interface has without a name: its members are its own."""
    if written is None:
        return []
    listed = written.named_children
    if written.type == "struct_type":
        fields = [field for body in listed for field in body.named_children if field.type == "field_declaration"]
        bare = [field for field in fields if field.child_by_field_name("name") is None]
        return [type_name(text_of(field.child_by_field_name("type"), source)) for field in bare]
    return [type_name(text_of(each, source)) for each in listed if each.type == "type_elem"]


def _results(node: Node | None, source: bytes) -> list[str]:
    if node is None:
        return []
    if node.type != "parameter_list":
        return [text_of(node, source)]
    return [text_of(each.child_by_field_name("type"), source) for each in node.named_children]


def _parameters(node: Node | None, source: bytes) -> Iterator[Parameter]:
    for each in node.named_children if node is not None else ():
        written = one_line(text_of(each.child_by_field_name("type"), source))
        kind = "" if each.type == "variadic_parameter_declaration" else type_name(written)
        for name in _names(each):
            yield Parameter(text_of(name, source), written, kind, "")
