"""What files of languages with declared types, fields and `new` have in common: Java and C#."""

from abc import abstractmethod
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from tree_sitter import Node

from handrail.codegraph.facts import Definition
from handrail.codegraph.languages.source_file import Called, Definitions, SourceFile
from handrail.codegraph.languages.types import type_name

_LONGEST_PATH = 200


class Field(NamedTuple):
    scope: int
    """Its class."""
    name: str
    written: str
    """Its type as written."""
    declarator: Node
    declaration: Node


class TypedFile(SourceFile[Definitions]):
    @abstractmethod
    def read_fields(self) -> list[Field]: ...

    @abstractmethod
    def given(self, declarator: Node) -> Node | None:
        """What a declarator gives to its name."""
        ...

    @abstractmethod
    def field_definitions(self) -> Iterator[Definition]: ...

    @cached_property
    def fields(self) -> list[Field]:
        return self.read_fields()

    def read_constants(self) -> dict[str, str]:
        """String constants by name and by class and name."""
        values: dict[str, str] = {}
        for field in self.fields:
            if field.written in {"String", "string"}:
                value = self.string_value(self.given(field.declarator), values.get)
                if value is not None:
                    values[field.name] = value
                    values[self.definitions.qualname(field.scope, field.name)] = value
        return values

    def paths(self) -> Iterator[tuple[str, str]]:
        return ((n, value) for n, value in self.constants.items() if "." in n and len(value) <= _LONGEST_PATH)

    def all_definitions(self) -> tuple[Definition, ...]:
        return (*self.definitions.found, *self.field_definitions())

    def other_calls(self) -> Iterator[Called]:
        """`new Order()` calls `Order`."""
        for node in self.captured.of("new"):
            name = type_name(self.text(node.child_by_field_name("type")))
            if name:
                yield node, name, self.scope(node)

    def typed(
        self, scope: int, name: str, kind: str, node: Node, written: str, marks: tuple[str, ...], visible: str
    ) -> Definition:
        """A field or constant with its type before its name."""
        signature = f"{written} {name}".strip()
        return self.plain(scope, name, kind, node, signature, written, type_name(written), marks, visible)
