"""The facts of one Java file."""

from collections.abc import Iterable, Iterator
from typing import ClassVar

from tree_sitter import Node

from handrail.codegraph.facts import MODULE_SCOPE, DatabaseUse, Definition, FileFacts, Import, Variable
from handrail.codegraph.languages import text
from handrail.codegraph.languages.expressions import Lookup
from handrail.codegraph.languages.java import databases, routes
from handrail.codegraph.languages.java.definitions import Definitions, annotations, visibility
from handrail.codegraph.languages.java.expressions import callee, expression, string_value
from handrail.codegraph.languages.language import Capture
from handrail.codegraph.languages.namespaces import TYPES
from handrail.codegraph.languages.nodes import nth
from handrail.codegraph.languages.source_file import Called, Web
from handrail.codegraph.languages.typed_file import Field, TypedFile
from handrail.codegraph.languages.types import type_name


def extract(captured: Capture) -> FileFacts:
    return File(captured).facts("java")


class File(TypedFile[Definitions]):
    frameworks: ClassVar = {
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

    def __init__(self, captured: Capture) -> None:
        super().__init__(captured, Definitions(captured))
        self.package = next((self.text(nth(node)) for node in captured.of("package")), "")
        nodes = captured.of("call")
        scopes = self.definitions.nesting.scopes(nodes)
        self.call_nodes = [(n, callee(n, self.source), scope) for n, scope in zip(nodes, scopes, strict=True)]

    def expression(self, node: Node | None) -> str:
        return expression(node, self.source)

    def string_value(self, node: Node | None, lookup: Lookup) -> str | None:
        return string_value(node, self.source, lookup)

    def read_fields(self) -> list[Field]:
        found: list[Field] = []
        for node in self.captured.of("field"):
            written = text.one_line(self.text(node.child_by_field_name("type")))
            for declarator in node.children_by_field_name("declarator"):
                name = self.text(declarator.child_by_field_name("name"))
                found.append(Field(self.scope(node), name, written, declarator, node))
        return found

    def given(self, declarator: Node) -> Node | None:
        return declarator.child_by_field_name("value")

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

    def other_calls(self) -> Iterator[Called]:
        yield from super().other_calls()
        for node in self.captured.of("reference"):
            owner, name = self.expression(nth(node)), self.text(node.children[-1])
            yield node, owner if name == "new" else f"{owner}.{name}", self.scope(node)

    def variables(self) -> list[Variable]:
        found: list[Variable] = []
        for node in self.captured.of("local"):
            written = self.text(node.child_by_field_name("type"))
            for declarator in node.children_by_field_name("declarator"):
                name = self.text(declarator.child_by_field_name("name"))
                value = declarator.child_by_field_name("value")
                self.bind(found, self.scope(node), name, type_name(written), value)
        for node in self.captured.of("bound"):
            written = self.text(node.child_by_field_name("type"))
            name, value = self.text(node.child_by_field_name("name")), node.child_by_field_name("value")
            is_loop = node.type == "enhanced_for_statement"
            self.bind(found, self.scope(node), name, type_name(written), None if is_loop else value)
        for index, definition in enumerate(self.definitions.found):
            for parameter in definition.parameters if definition.kind == "record" else ():
                found.append(Variable(index, parameter.name, parameter.type, ""))
        return found

    def field_definitions(self) -> Iterator[Definition]:
        for scope, name, written, declarator, node in self.fields:
            is_constant = any(c.type == "final" for c in node.children[0].children) and name.isupper()
            marks = tuple(text.one_line(self.text(mark))[1:] for mark in annotations(node))
            kind, visible = "constant" if is_constant else "field", visibility(node, self.source, False)
            made = self.typed(scope, name, kind, declarator, written, marks, visible)
            yield made._replace(start_line=node.start_point[0] + 1)
        for node in self.captured.of("constant"):
            name = self.text(node.child_by_field_name("name"))
            yield self.typed(self.scope(node), name, "constant", node, "", (), visibility(node, self.source, True))

    def web(self) -> Web:
        return routes.read(self)

    def database(self) -> Iterable[DatabaseUse]:
        return databases.read(self)

    def packages_of(self, target: str) -> Iterable[str]:
        return (".".join(target.split(".")[:2]),)
