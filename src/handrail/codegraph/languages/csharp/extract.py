"""The facts of one C# file."""

from collections.abc import Iterable, Iterator
from typing import ClassVar

from tree_sitter import Node

from handrail.codegraph.facts import MODULE_SCOPE, DatabaseUse, Definition, FileFacts, Import, Variable
from handrail.codegraph.languages import text
from handrail.codegraph.languages.csharp import controllers, databases, minimal
from handrail.codegraph.languages.csharp.definitions import Definitions, attributes
from handrail.codegraph.languages.csharp.expressions import expression, string_value
from handrail.codegraph.languages.expressions import Lookup
from handrail.codegraph.languages.language import Capture
from handrail.codegraph.languages.namespaces import TYPES
from handrail.codegraph.languages.nodes import nth, text_of
from handrail.codegraph.languages.source_file import Web
from handrail.codegraph.languages.typed_file import Field, TypedFile
from handrail.codegraph.languages.types import names_in, type_name


def extract(captured: Capture) -> FileFacts:
    return File(captured).facts("csharp")


class File(TypedFile[Definitions]):
    frameworks: ClassVar = {
        "Microsoft.AspNetCore": "aspnet",
        "Microsoft.EntityFrameworkCore": "entity-framework",
        "Xunit": "xunit",
        "NUnit": "nunit",
        "Dapper": "dapper",
        "MediatR": "mediatr",
    }
    no_callees = frozenset({"?", "nameof"})

    def __init__(self, captured: Capture) -> None:
        source = captured.source
        called = [(node, expression(node.child_by_field_name("function"), source)) for node in captured.of("call")]
        super().__init__(captured, Definitions(captured, minimal.handlers(called, source)))
        self.call_nodes = [(node, callee, self.scope(node)) for node, callee in called]
        self._namespaces = list(self._read_namespaces())
        self.package = self._namespaces[0][2] if self._namespaces else ""

    def expression(self, node: Node | None) -> str:
        return expression(node, self.source)

    def string_value(self, node: Node | None, lookup: Lookup) -> str | None:
        return string_value(node, self.source, lookup)

    def _read_namespaces(self) -> Iterator[tuple[int, int, str]]:
        """(start, end, full name); one without braces holds to the file's end."""
        around: list[tuple[int, int, str]] = []
        for node in self.captured.of("namespace"):
            name = "".join(self.text(node.child_by_field_name("name")).split())
            end = len(self.source) if node.type.startswith("file") else node.end_byte
            outer = [n for s, e, n in around if s <= node.start_byte and node.end_byte <= e]
            full = f"{outer[-1]}.{name}" if outer else name
            around.append((node.start_byte, end, full))
            yield around[-1]

    def exports(self) -> tuple[tuple[str, str], ...]:
        found: list[tuple[str, str]] = []
        for index, definition in enumerate(self.definitions.found):
            if definition.parent == MODULE_SCOPE and self.definitions.is_type(index):
                start = self.definitions.nodes[index].start_byte
                inside = [name for s, e, name in self._namespaces if s <= start < e]
                found.append((f"{inside[-1]}.{definition.name}" if inside else definition.name, definition.name))
        return tuple(found)

    def read_fields(self) -> list[Field]:
        found: list[Field] = []
        for node in self.captured.of("field"):
            declaration = next((child for child in node.named_children if child.type == "variable_declaration"), None)
            written = text.one_line(self.text(_field(declaration, "type")))
            for declarator in declaration.named_children if declaration is not None else ():
                if declarator.type == "variable_declarator":
                    name = self.text(declarator.child_by_field_name("name"))
                    found.append(Field(self.scope(node), name, written, declarator, node))
        return found

    def given(self, declarator: Node) -> Node | None:
        """Its last child, after the name."""
        return nth(declarator, 1)

    def imports(self) -> list[Import]:
        found: list[Import] = []
        for node in self.captured.of("using"):
            words = {child.type for child in node.children}
            alias = self.text(node.child_by_field_name("name"))
            named = [child for child in node.named_children if child.type in {"identifier", "qualified_name"}]
            target = "".join(self.text(named[-1]).split()) if named else ""
            kind = "static" if "static" in words else "global" if "global" in words else "import"
            names = (("", alias),) if alias else (("*", ""),)
            found.append(Import(target, names, node.start_point[0] + 1, MODULE_SCOPE, kind))
        return [*found, *self._used()]

    def _used(self) -> Iterator[Import]:
        """The types that the file names and does not define."""
        written = [written for _, _, written, _, _ in self.fields]
        written += [self.text(node.child_by_field_name("type")) for node in self.captured.of("variable")]
        written += [self.text(node.child_by_field_name("type")) for node in self.captured.of("new")]
        for definition in self.definitions.found:
            written += [definition.returns, *(p.annotation for p in definition.parameters)]
            written += [ancestor.type for ancestor in definition.ancestors]
        written += [callee.partition(".")[0] for _, callee, _ in self.call_nodes if "." in callee]
        for node, _, _ in self.call_nodes:
            written.append(_generic_arguments(node, self.source))
        known = {d.name for index, d in enumerate(self.definitions.found) if self.definitions.is_type(index)}
        names = sorted({name for words in set(written) for name in names_in(words)} - known)
        if names:
            yield Import("", tuple((name, name) for name in names), 1, MODULE_SCOPE, TYPES)

    def variables(self) -> list[Variable]:
        found: list[Variable] = []
        fields = {declarator.start_byte for _, _, _, declarator, _ in self.fields}
        for node in self.captured.of("variable"):
            written = self.text(node.child_by_field_name("type"))
            for declarator in node.named_children:
                if declarator.type == "variable_declarator" and declarator.start_byte not in fields:
                    name = self.text(declarator.child_by_field_name("name"))
                    self.bind(found, self.scope(node), name, type_name(written), self.given(declarator))
        for node in self.captured.of("loop"):
            name, written = self.text(node.child_by_field_name("left")), self.text(node.child_by_field_name("type"))
            self.bind(found, self.scope(node), name, type_name(written), None)
        for index, definition in enumerate(self.definitions.found):
            for parameter in definition.parameters if self.definitions.is_type(index) else ():
                found.append(Variable(index, parameter.name, parameter.type, ""))
        return found

    def field_definitions(self) -> Iterator[Definition]:
        for scope, name, written, declarator, node in self.fields:
            words = {self.text(child) for child in node.named_children if child.type == "modifier"}
            kind = "constant" if "const" in words else "field"
            visible = next((w for w in ("public", "protected", "internal") if w in words), "private")
            marks = tuple(text.one_line(self.text(mark)) for mark in attributes(node))
            yield self.typed(scope, name, kind, declarator, written, marks, visible)
        for node in self.captured.of("constant"):
            name = self.text(node.child_by_field_name("name"))
            yield self.typed(self.scope(node), name, "constant", node, "", (), "public")

    def web(self) -> Web:
        web = minimal.read(self)
        controllers.read(self, web)
        return web

    def database(self) -> Iterable[DatabaseUse]:
        return databases.read(self)

    def packages_of(self, target: str) -> Iterable[str]:
        return target.partition(".")[0], ".".join(target.split(".")[:2])


def _field(node: Node | None, name: str) -> Node | None:
    return node.child_by_field_name(name) if node is not None else None


def _generic_arguments(call: Node, source: bytes) -> str:
    """`Order` in `db.Set<Order>()`."""
    function = call.child_by_field_name("function")
    name = function.child_by_field_name("name") or function if function is not None else None
    return text_of(nth(name, 1), source) if name is not None and name.type == "generic_name" else ""
