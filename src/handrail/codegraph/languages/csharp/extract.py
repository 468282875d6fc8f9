"""The facts of one C# file."""

from collections.abc import Iterator
from functools import cached_property

from tree_sitter import Node

from handrail.codegraph.facts import MODULE_SCOPE, CallSite, Definition, FileFacts, Import, Variable
from handrail.codegraph.languages import text
from handrail.codegraph.languages.csharp import controllers, databases, minimal
from handrail.codegraph.languages.csharp.definitions import Definitions, attributes
from handrail.codegraph.languages.csharp.expressions import expression, string_value
from handrail.codegraph.languages.language import Captured
from handrail.codegraph.languages.namespaces import TYPES
from handrail.codegraph.languages.nodes import nth, text_of
from handrail.codegraph.languages.types import names_in, type_name

_FRAMEWORKS = {
    "Microsoft.AspNetCore": "aspnet",
    "Microsoft.EntityFrameworkCore": "entity-framework",
    "Xunit": "xunit",
    "NUnit": "nunit",
    "Dapper": "dapper",
    "MediatR": "mediatr",
}


def extract(captured: Captured) -> FileFacts:
    file = File(captured)
    imports = file.imports()
    routes = minimal.read(file)
    controllers.read(file, routes.routers, routes.routes)
    return FileFacts(
        language="csharp",
        loc=text.lines_of_code(captured.source),
        definitions=(*file.definitions.found, *file.field_definitions()),
        imports=tuple(imports),
        exports=file.exports(),
        calls=tuple(file.calls()),
        variables=tuple(file.variables()),
        routers=tuple(routes.routers),
        mounts=tuple(routes.mounts),
        routes=tuple(routes.routes),
        database=databases.read(file),
        tags=(),
        package=file.package,
        frameworks=_frameworks(imports),
        has_errors=captured.root.has_error,
        paths=tuple((name, value) for name, value in file.constants.items() if "." in name and len(value) <= 200),
    )


class File:
    """One file's captures, read subject by subject. Definitions come first: other facts belong to one of them."""

    def __init__(self, captured: Captured) -> None:
        self.captured = captured
        self.source = captured.source
        called = [(node, self.expression(node.child_by_field_name("function"))) for node in captured.of("call")]
        self.definitions = Definitions(captured, minimal.handlers(called, self.source))
        self.call_nodes = [(node, callee, self.scope(node)) for node, callee in called]
        self._namespaces = list(self._read_namespaces())
        self.package = self._namespaces[0][2] if self._namespaces else ""

    def scope(self, node: Node) -> int:
        return self.definitions.nesting.innermost(node.start_byte)

    def text(self, node: Node | None) -> str:
        return text_of(node, self.source)

    def expression(self, node: Node | None) -> str:
        return expression(node, self.source)

    def path(self, node: Node | None) -> str:
        """A route's path; names of other files stay open as `{=name}`, what is no string is `?`."""
        found = string_value(node, self.source, lambda name: self.constants.get(name, f"{{={name}}}"))
        return "?" if found is None else found

    def string(self, node: Node | None) -> str:
        return string_value(node, self.source, self.constants.get) or ""

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

    @cached_property
    def fields(self) -> list[tuple[int, str, str, Node, Node]]:
        """(class, name, type, declarator, declaration)."""
        found: list[tuple[int, str, str, Node, Node]] = []
        for node in self.captured.of("field"):
            declaration = next((child for child in node.named_children if child.type == "variable_declaration"), None)
            written = text.one_line(self.text(_field(declaration, "type")))
            for declarator in declaration.named_children if declaration is not None else ():
                if declarator.type == "variable_declarator":
                    name = self.text(declarator.child_by_field_name("name"))
                    found.append((self.scope(node), name, written, declarator, node))
        return found

    @cached_property
    def constants(self) -> dict[str, str]:
        """String constants by name and by class and name."""
        values: dict[str, str] = {}
        for scope, name, written, declarator, _ in self.fields:
            if written in {"string", "String"}:
                value = string_value(_value(declarator), self.source, values.get)
                if value is not None:
                    values[name] = value
                    values[self.definitions.qualname(scope, name)] = value
        return values

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

    def calls(self) -> list[CallSite]:
        """One call site for each callee of a scope: the first."""
        seen: dict[tuple[int, str], Node] = {}
        for node, callee, scope in self.call_nodes:
            if callee not in {"?", "nameof"}:
                seen.setdefault((scope, callee), node)
        for node in self.captured.of("new"):
            name = type_name(self.text(node.child_by_field_name("type")))
            if name:
                seen.setdefault((self.scope(node), name), node)
        return [CallSite(callee, node.start_point[0] + 1, scope) for (scope, callee), node in seen.items()]

    def variables(self) -> list[Variable]:
        found: list[Variable] = []
        fields = {declarator.start_byte for _, _, _, declarator, _ in self.fields}
        for node in self.captured.of("variable"):
            written = self.text(node.child_by_field_name("type"))
            for declarator in node.named_children:
                if declarator.type == "variable_declarator" and declarator.start_byte not in fields:
                    name = self.text(declarator.child_by_field_name("name"))
                    self._variable(found, self.scope(node), name, written, _value(declarator))
        for node in self.captured.of("loop"):
            name, written = self.text(node.child_by_field_name("left")), self.text(node.child_by_field_name("type"))
            self._variable(found, self.scope(node), name, written, None)
        for index, definition in enumerate(self.definitions.found):
            for parameter in definition.parameters if self.definitions.is_type(index) else ():
                found.append(Variable(index, parameter.name, parameter.type, ""))
        return found

    def _variable(self, found: list[Variable], scope: int, name: str, written: str, value: Node | None) -> None:
        declared = type_name(written)
        given = "" if declared or value is None else self.expression(value)
        if declared or (given and "?" not in given):
            found.append(Variable(scope, name, declared, given))

    def field_definitions(self) -> Iterator[Definition]:
        for scope, name, written, declarator, node in self.fields:
            words = {self.text(child) for child in node.named_children if child.type == "modifier"}
            kind = "constant" if "const" in words else "field"
            visible = next((w for w in ("public", "protected", "internal") if w in words), "private")
            marks = tuple(text.one_line(self.text(mark)) for mark in attributes(node))
            yield self._plain(scope, name, written, kind, visible, marks, declarator)
        for node in self.captured.of("constant"):
            name = self.text(node.child_by_field_name("name"))
            yield self._plain(self.scope(node), name, "", "constant", "public", (), node)

    def _plain(
        self, scope: int, name: str, written: str, kind: str, visible: str, marks: tuple[str, ...], node: Node
    ) -> Definition:
        return Definition(
            name=name,
            qualname=self.definitions.qualname(scope, name),
            kind=kind,
            parent=scope,
            start_line=node.start_point[0] + 1,
            end_line=node.end_point[0] + 1,
            signature=f"{written} {name}".strip(),
            parameters=(),
            returns=written,
            return_type=type_name(written) if written else "",
            decorators=marks,
            visibility=visible,
            is_async=False,
            doc="",
            ancestors=(),
            complexity=0,
            tags=(),
        )


def _field(node: Node | None, name: str) -> Node | None:
    return node.child_by_field_name(name) if node is not None else None


def _value(declarator: Node) -> Node | None:
    """What a declarator is given: its last child after the name."""
    return nth(declarator, 1)


def _generic_arguments(call: Node, source: bytes) -> str:
    """`Order` in `db.Set<Order>()`."""
    function = call.child_by_field_name("function")
    name = function.child_by_field_name("name") or function if function is not None else None
    return text_of(nth(name, 1), source) if name is not None and name.type == "generic_name" else ""


def _frameworks(imports: list[Import]) -> tuple[str, ...]:
    targets = {part for i in imports for part in (i.target.partition(".")[0], ".".join(i.target.split(".")[:2]))}
    return tuple(sorted(_FRAMEWORKS[target] for target in targets if target in _FRAMEWORKS))
