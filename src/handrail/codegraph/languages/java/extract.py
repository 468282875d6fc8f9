"""The facts of one Java file."""

from collections.abc import Iterator
from functools import cached_property

from tree_sitter import Node

from handrail.codegraph.facts import MODULE_SCOPE, CallSite, Definition, FileFacts, Import, Variable
from handrail.codegraph.languages import text
from handrail.codegraph.languages.java import databases, routes
from handrail.codegraph.languages.java.definitions import Definitions, annotations, visibility
from handrail.codegraph.languages.java.expressions import callee, expression, string_value
from handrail.codegraph.languages.language import Captured
from handrail.codegraph.languages.namespaces import TYPES
from handrail.codegraph.languages.nodes import nth, text_of
from handrail.codegraph.languages.types import type_name

_FRAMEWORKS = {
    "org.springframework": "spring",
    "org.junit": "junit",
    "org.testng": "testng",
    "jakarta.persistence": "jpa",
    "javax.persistence": "jpa",
    "org.hibernate": "hibernate",
    "io.quarkus": "quarkus",
    "io.micronaut": "micronaut",
    "org.mockito": "mockito",
}


def extract(captured: Captured) -> FileFacts:
    file = File(captured)
    imports = file.imports()
    web = routes.read(file)
    return FileFacts(
        language="java",
        loc=text.lines_of_code(captured.source),
        definitions=(*file.definitions.found, *file.field_definitions()),
        imports=tuple(imports),
        exports=file.exports(),
        calls=tuple(file.calls()),
        variables=tuple(file.variables()),
        routers=tuple(web.routers),
        mounts=(),
        routes=tuple(web.routes),
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
        self.definitions = Definitions(captured)
        self.package = next((self.text(nth(node)) for node in captured.of("package")), "")
        self.call_nodes = [(n, callee(n, self.source), self.scope(n)) for n in captured.of("call")]

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

    @cached_property
    def fields(self) -> list[tuple[int, str, str, Node, Node]]:
        """(class, name, type, declarator, declaration)."""
        found: list[tuple[int, str, str, Node, Node]] = []
        for node in self.captured.of("field"):
            written = text.one_line(self.text(node.child_by_field_name("type")))
            for declarator in node.children_by_field_name("declarator"):
                name = self.text(declarator.child_by_field_name("name"))
                found.append((self.scope(node), name, written, declarator, node))
        return found

    @cached_property
    def constants(self) -> dict[str, str]:
        """String constants by name and by class and name."""
        values: dict[str, str] = {}
        for scope, name, written, declarator, _ in self.fields:
            if written == "String":
                value = string_value(declarator.child_by_field_name("value"), self.source, values.get)
                if value is not None:
                    values[name] = value
                    values[self.definitions.qualname(scope, name)] = value
        return values

    def imports(self) -> list[Import]:
        found: list[Import] = []
        for node in self.captured.of("import"):
            target = "".join(self.text(nth(node)).split())
            is_static = any(child.type == "static" for child in node.children)
            names: tuple[tuple[str, str], ...] = (("", target.rpartition(".")[2]),)
            if any(child.type == "asterisk" for child in node.named_children):
                names = (("*", ""),)
            elif is_static:
                target, _, member = target.rpartition(".")
                names = ((member, member),)
            kind = "static" if is_static else "import"
            found.append(Import(target, names, node.start_point[0] + 1, MODULE_SCOPE, kind))
        return [*found, *self._used(found)]

    def _used(self, imports: list[Import]) -> Iterator[Import]:
        """The types that the file names and neither defines nor imports one by one."""
        known = {alias for statement in imports for _, alias in statement.names}
        known |= {d.name for index, d in enumerate(self.definitions.found) if self.definitions.is_type(index)}
        used = {self.text(node) for node in self.captured.of("type")}
        used |= {name.partition(".")[0] for _, name, _ in self.call_nodes if "." in name and name[:1].isupper()}
        names = sorted(used - known)
        if names:
            yield Import("", tuple((name, name) for name in names), 1, MODULE_SCOPE, TYPES)

    def exports(self) -> tuple[tuple[str, str], ...]:
        tops = [d.name for d in self.definitions.found if d.parent == MODULE_SCOPE]
        return tuple((f"{self.package}.{name}" if self.package else name, name) for name in tops)

    def calls(self) -> list[CallSite]:
        """One call site for each callee of a scope: the first."""
        seen: dict[tuple[int, str], Node] = {}
        for node, name, scope in self.call_nodes:
            seen.setdefault((scope, name), node)
        for node in self.captured.of("new"):
            name = type_name(self.text(node.child_by_field_name("type")))
            if name:
                seen.setdefault((self.scope(node), name), node)
        for node in self.captured.of("reference"):
            owner, name = self.expression(nth(node)), self.text(node.children[-1])
            seen.setdefault((self.scope(node), owner if name == "new" else f"{owner}.{name}"), node)
        return [CallSite(name, node.start_point[0] + 1, scope) for (scope, name), node in seen.items() if name != "?"]

    def variables(self) -> list[Variable]:
        found: list[Variable] = []
        for node in self.captured.of("local"):
            written = self.text(node.child_by_field_name("type"))
            for declarator in node.children_by_field_name("declarator"):
                name = self.text(declarator.child_by_field_name("name"))
                self._variable(found, self.scope(node), name, written, declarator.child_by_field_name("value"))
        for node in self.captured.of("bound"):
            written = self.text(node.child_by_field_name("type"))
            name, value = self.text(node.child_by_field_name("name")), node.child_by_field_name("value")
            is_loop = node.type == "enhanced_for_statement"
            self._variable(found, self.scope(node), name, written, None if is_loop else value)
        for index, definition in enumerate(self.definitions.found):
            for parameter in definition.parameters if definition.kind == "record" else ():
                found.append(Variable(index, parameter.name, parameter.type, ""))
        return found

    def _variable(self, found: list[Variable], scope: int, name: str, written: str, value: Node | None) -> None:
        declared = type_name(written)
        given = "" if declared or value is None else self.expression(value)
        if declared or (given and "?" not in given):
            found.append(Variable(scope, name, declared, given))

    def field_definitions(self) -> Iterator[Definition]:
        for scope, name, written, declarator, node in self.fields:
            is_constant = any(c.type == "final" for c in node.children[0].children) and name.isupper()
            marks = tuple(text.one_line(self.text(mark))[1:] for mark in annotations(node))
            yield self._field(scope, name, written, declarator, "constant" if is_constant else "field", marks, node)
        for node in self.captured.of("constant"):
            yield self._field(
                self.scope(node), self.text(node.child_by_field_name("name")), "", node, "constant", (), node
            )

    def _field(
        self, scope: int, name: str, written: str, node: Node, kind: str, marks: tuple[str, ...], whole: Node
    ) -> Definition:
        return Definition(
            name=name,
            qualname=self.definitions.qualname(scope, name),
            kind=kind,
            parent=scope,
            start_line=whole.start_point[0] + 1,
            end_line=node.end_point[0] + 1,
            signature=f"{written} {name}".strip(),
            parameters=(),
            returns=written,
            return_type=type_name(written) if written else "",
            decorators=marks,
            visibility=visibility(whole, self.source, kind == "constant" and not written),
            is_async=False,
            doc="",
            ancestors=(),
            complexity=0,
            tags=(),
        )


def _frameworks(imports: list[Import]) -> tuple[str, ...]:
    roots = {".".join(statement.target.split(".")[:2]) for statement in imports}
    return tuple(sorted(_FRAMEWORKS[root] for root in roots if root in _FRAMEWORKS))
