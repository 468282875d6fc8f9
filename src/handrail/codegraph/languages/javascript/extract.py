"""The facts of one JavaScript or TypeScript file."""

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import ClassVar

from tree_sitter import Node

from handrail.codegraph.facts import MODULE_SCOPE, DatabaseUse, Definition, FileFacts, Import, Variable
from handrail.codegraph.languages import text
from handrail.codegraph.languages.expressions import Lookup
from handrail.codegraph.languages.javascript import callbacks, databases, routes
from handrail.codegraph.languages.javascript.definitions import Definitions
from handrail.codegraph.languages.javascript.expressions import expression, string_value, type_name
from handrail.codegraph.languages.javascript.imports import Links
from handrail.codegraph.languages.javascript.members import field_name
from handrail.codegraph.languages.language import Capture
from handrail.codegraph.languages.nodes import nth
from handrail.codegraph.languages.source_file import Called, SourceFile, Web

_MEMBER_FIELDS = frozenset({"public_field_definition", "field_definition", "property_signature"})
_LONGEST_PATH = 200
_STRINGS = frozenset({"string", "template_string", "binary_expression"})


def extract_as(language: str, captured: Capture) -> FileFacts:
    """The facts of a file; the two languages differ in their grammars alone."""
    return File(captured).facts(language)


class File(SourceFile[Definitions]):
    frameworks: ClassVar = {
        "express": "express",
        "@nestjs/common": "nestjs",
        "@nestjs/core": "nestjs",
        "next": "next",
        "react": "react",
        "vue": "vue",
        "@angular/core": "angular",
        "svelte": "svelte",
        "typeorm": "typeorm",
        "@prisma/client": "prisma",
        "knex": "knex",
        "mongoose": "mongoose",
        "sequelize": "sequelize",
        "@jest/globals": "jest",
        "vitest": "vitest",
    }
    no_callees = frozenset({"?", "super", "require", "import"})

    def __init__(self, captured: Capture) -> None:
        source = captured.source
        called = [(node, expression(node.child_by_field_name("function"), source)) for node in captured.of("call")]
        super().__init__(captured, Definitions(captured, callbacks.find(called, source)))
        self.path = captured.path
        self.call_nodes = [(node, callee, self.scope(node)) for node, callee in called]
        self.links = Links(captured, self.call_nodes)
        self.declarators = [
            (self.scope_of_declarator(node), name, node)
            for node in captured.of("declarator")
            if node.start_byte not in self.links.declarators and (name := node.child_by_field_name("name")) is not None
        ]

    def scope_of_declarator(self, node: Node) -> int:
        """The scope that a declaration binds its name in; where its value is a function, the one around that."""
        scope = self.scope(node)
        if scope != MODULE_SCOPE and self.definitions.places[scope].node.start_byte == node.start_byte:
            return self.definitions.nesting.parents[scope]
        return scope

    def expression(self, node: Node | None) -> str:
        return expression(node, self.source)

    def string_value(self, node: Node | None, lookup: Lookup) -> str | None:
        return string_value(node, self.source, lookup)

    def web(self) -> Web:
        return routes.read(self)

    def database(self) -> Iterable[DatabaseUse]:
        return databases.read(self)

    def imports(self) -> list[Import]:
        return self.links.imports

    def exports(self) -> Iterable[tuple[str, str]]:
        return self.links.exports.items()

    def packages_of(self, target: str) -> Iterable[str]:
        parts = target.split("/")
        return ("/".join(parts[:2]) if target.startswith("@") else parts[0],)

    def read_constants(self) -> dict[str, str]:
        """String constants of the module, those of an object with its name before."""
        values: dict[str, str] = {}
        for scope, name, node in self.declarators:
            value = node.child_by_field_name("value")
            if scope != MODULE_SCOPE or value is None:
                continue
            if value.type in _STRINGS:
                self._constant(values, self.text(name), value)
            while value is not None and value.type == "as_expression":
                value = nth(value)
            for pair in value.named_children if value is not None and value.type == "object" else ():
                key = self.text(pair.child_by_field_name("key"))
                self._constant(values, f"{self.text(name)}.{key}", pair.child_by_field_name("value"))
        return values

    def _constant(self, values: dict[str, str], name: str, node: Node | None) -> None:
        value = string_value(node, self.source, values.get)
        if value is not None:
            values[name] = value

    def paths(self) -> Iterator[tuple[str, str]]:
        short = ((name, text) for name, text in self.constants.items() if 0 < len(text) <= _LONGEST_PATH)
        return ((name, text) for name, text in short if " " not in text and "\n" not in text)

    def other_calls(self) -> Iterator[Called]:
        for node in self.captured.of("new"):
            yield node, self.expression(node.child_by_field_name("constructor")), self.scope(node)
        for node in self.captured.of("jsx"):
            name = self.expression(node.child_by_field_name("name"))
            if name[:1].isupper() or "." in name:
                yield node, name, self.scope(node)

    def variables(self) -> list[Variable]:
        found = list(self.links.variables)
        for scope, name, node in self.declarators:
            if name.type == "identifier":
                value = node.child_by_field_name("value")
                self._variable(found, scope, self.text(name), node.child_by_field_name("type"), value)
        for node in self.captured.of("assignment"):
            left = self.expression(node.child_by_field_name("left"))
            if left.startswith("this.") and left.count(".") == 1:
                self._variable(found, self.scope(node), left, None, node.child_by_field_name("right"))
        for index, field in self.fields:
            self._variable(
                found,
                index,
                field_name(field, self.source),
                field.child_by_field_name("type"),
                field.child_by_field_name("value"),
            )
        found += self._parameter_properties()
        return found

    def _variable(
        self, found: list[Variable], scope: int, name: str, annotation: Node | None, value: Node | None
    ) -> None:
        declared = type_name(self.text(annotation)) if annotation is not None else ""
        if value is not None and value.type == "as_expression":
            declared = declared or type_name(self.text(nth(value, 1)))
        self.bind(found, scope, name, declared, value)

    def value_of(self, node: Node) -> str:
        given = self.expression(node)
        if given == "inject()":  # Angular: an instance of the class that is asked for
            arguments = node.child_by_field_name("arguments")
            return f"{self.expression(nth(arguments))}()" if arguments is not None else given
        return given

    def _parameter_properties(self) -> list[Variable]:
        """`constructor(private readonly users: Users)`."""
        found: list[Variable] = []
        for index, definition in enumerate(self.definitions.found):
            for node in self.definitions.parameter_nodes(index) if definition.kind == "constructor" else ():
                if any(child.type in {"accessibility_modifier", "readonly"} for child in node.children):
                    name = self.text(node.child_by_field_name("pattern"))
                    self._variable(found, index, f"this.{name}", node.child_by_field_name("type"), None)
        return found

    @cached_property
    def fields(self) -> list[tuple[int, Node]]:
        """(class, field) for fields that hold no function."""
        known = {place.node.start_byte for place in self.definitions.places}
        found: list[tuple[int, Node]] = []
        for index, place in enumerate(self.definitions.places):
            if self.definitions.found[index].kind in {"class", "interface"} and place.body is not None:
                body = place.body.child_by_field_name("body")
                for child in body.named_children if body is not None else ():
                    if child.type in _MEMBER_FIELDS and child.start_byte not in known:
                        found.append((index, child))
        return found

    def all_definitions(self) -> tuple[Definition, ...]:
        found = [*self.definitions.found]
        seen = {(d.parent, d.name) for d in found}
        models = databases.models(self)
        for scope, name, node in self.declarators:
            if scope == MODULE_SCOPE and name.type == "identifier" and (scope, self.text(name)) not in seen:
                kind = "constant" if self.text(name).isupper() else "variable"
                seen.add((scope, self.text(name)))
                found.append(self._member(scope, self.text(name), kind, node, node.start_byte in models))
        for index, field in self.fields:
            found.append(self._member(index, field_name(field, self.source), "field", field))
        for node in self.captured.of("type_alias"):
            if self.scope(node) == MODULE_SCOPE:
                found.append(self._member(MODULE_SCOPE, self.text(node.child_by_field_name("name")), "type", node))
        if not self.links.exports and not self.links.imports:
            return tuple(found)
        shown = set(self.links.exports.values())
        return tuple(
            d._replace(visibility="internal") if d.parent == MODULE_SCOPE and d.name not in shown else d for d in found
        )

    def _member(self, scope: int, name: str, kind: str, node: Node, is_model: bool = False) -> Definition:
        annotation = text.one_line(self.text(node.child_by_field_name("type"))).removeprefix(":").strip()
        decorators = node.children_by_field_name("decorator")
        return self.plain(
            scope,
            name,
            "class" if is_model else kind,
            node,
            f"{name}: {annotation}" if annotation else name,
            annotation,
            type_name(annotation) if annotation else "",
            tuple(text.one_line(self.text(d))[1:] for d in decorators),
            "private" if name.startswith("#") or b"private" in (node.text or b"")[:40] else "public",
            ("entity",) if is_model else (),
        )
