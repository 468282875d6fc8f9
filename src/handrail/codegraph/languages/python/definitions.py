"""The classes, functions and variables that a Python file defines."""

import re
from typing import NamedTuple

from tree_sitter import Node

from handrail.codegraph.facts import MODULE_SCOPE, Ancestor, Definition, Parameter
from handrail.codegraph.languages.language import Capture
from handrail.codegraph.languages.nodes import text_of
from handrail.codegraph.languages.outline import Outline
from handrail.codegraph.languages.python.expressions import expression, type_name
from handrail.codegraph.languages.text import one_line

_DOC_LENGTH = 200
_PROPERTIES = frozenset({"property", "cached_property", "functools.cached_property"})
_ENTITY_BASES = frozenset(
    {
        "models.Model",
        "db.Model",
        "DeclarativeBase",
        "orm.DeclarativeBase",
        "SQLModel",
        "sqlmodel.SQLModel",
        "peewee.Model",
    }
)
"""Bases of the ORMs; what inherits from a class of the repository that has one is found when bases are resolved."""

_PLAIN_HEAD = re.compile(
    rb"(?:async\s+)?def\s+(\w+)\s*(\([^()#\"'\\]*(?:\([^()#\"'\\]*\)[^()#\"'\\]*)*\))"
    rb"\s*(?:->\s*([\w.\[\],|]+(?: [\w.\[\],|]+)*)\s*)?:"
)
_MAYBE_DOC = re.compile(rb"(?:\s*#[^\n]*\n)*\s*[rRuUbB]{0,2}[\"']")
"""Both read a text in one way only: what could be read in two takes for ever on hostile sources."""
_PARAMETERS: dict[bytes, tuple[Parameter, ...]] = {}
_MOST_PARAMETERS = 20_000


class _Head(NamedTuple):
    name: str
    parameters: bytes
    """With their brackets."""
    returns: str
    may_have_doc: bool
    """False where the body surely begins with something else."""


class Definitions(Outline):
    def __init__(self, captured: Capture) -> None:
        classes, functions = captured.of("class"), captured.of("function")
        super().__init__(captured, sorted([*classes, *functions], key=lambda node: node.start_byte))
        self._outer = {_inner_start(node): node for node in captured.of("decorated")}
        starts = {node.start_byte for node in classes}
        self.is_class = [node.start_byte in starts for node in self.nodes]
        for index, node in enumerate(self.nodes):
            self.found.append(self._class(index, node) if self.is_class[index] else self._function(index, node))

    def decorator_nodes(self, index: int) -> list[Node]:
        """The expressions after `@` of one definition."""
        outer = self._outer.get(self.nodes[index].start_byte)
        if outer is None:
            return []
        return [
            child.named_children[0]
            for child in outer.named_children
            if child.type == "decorator" and child.named_children
        ]

    def enclosing_class(self, scope: int) -> int:
        """The class around a scope, through functions nested in its methods; MODULE_SCOPE where there is none."""
        while scope != MODULE_SCOPE and not self.is_class[scope]:
            scope = self.nesting.parents[scope]
        return scope

    def text(self, node: Node | None) -> str:
        return text_of(node, self.source)

    def _start_line(self, node: Node) -> int:
        return self._outer.get(node.start_byte, node).start_point[0] + 1

    def _decorators(self, index: int) -> tuple[str, ...]:
        nodes = self.decorator_nodes(index)
        return tuple(one_line(self.text(node)) for node in nodes) if nodes else ()

    def _class(self, index: int, node: Node) -> Definition:
        name = self.text(node.child_by_field_name("name"))
        parent = self.nesting.parents[index]
        bases = node.child_by_field_name("superclasses")
        ancestors = self._ancestors(bases) if bases is not None else ()
        written = one_line(self.text(bases)) if bases is not None else ""
        return Definition(
            name=name,
            qualname=self.qualname(parent, name),
            kind="enum" if any(a.type.endswith(("Enum", "Flag")) for a in ancestors) else "class",
            parent=parent,
            start_line=self._start_line(node),
            end_line=node.end_point[0] + 1,
            signature=f"class {name}{written}",
            parameters=(),
            returns="",
            return_type="",
            decorators=self._decorators(index),
            visibility=visibility(name),
            is_async=False,
            doc=self._doc(node),
            ancestors=ancestors,
            complexity=self.complexity[index],
            tags=_class_tags(name, ancestors),
        )

    def _function(self, index: int, node: Node) -> Definition:
        parent = self.nesting.parents[index]
        head = self._head(node)
        name, returns = head.name, one_line(head.returns)
        decorators = self._decorators(index)
        is_async = self.source.startswith(b"async", node.start_byte)
        written = one_line(head.parameters.decode("utf-8", "replace")) or "()"
        return Definition(
            name=name,
            qualname=self.qualname(parent, name),
            kind=_function_kind(name, parent != MODULE_SCOPE and self.is_class[parent], decorators),
            parent=parent,
            start_line=self._start_line(node),
            end_line=node.end_point[0] + 1,
            signature=f"{'async ' if is_async else ''}def {name}{written}{f' -> {returns}' if returns else ''}",
            parameters=self._known_parameters(head.parameters, node),
            returns=returns,
            return_type=_return_type(returns) if returns else "",
            decorators=decorators,
            visibility=visibility(name),
            is_async=is_async,
            doc=self._doc(node) if head.may_have_doc else "",
            ancestors=(),
            complexity=self.complexity[index],
            tags=_function_tags(name, decorators),
        )

    def _head(self, node: Node) -> _Head:
        """What stands before a function's body. Three of four are plain enough to be read from the text, in half the
        time that the tree takes."""
        found = _PLAIN_HEAD.match(self.source, node.start_byte)
        if found is not None:
            name, parameters, returns = found.groups(b"")
            return _Head(
                name.decode(), parameters, returns.decode(), _MAYBE_DOC.match(self.source, found.end()) is not None
            )
        parameters = node.child_by_field_name("parameters")
        return _Head(
            self.text(node.child_by_field_name("name")),
            self.source[parameters.start_byte : parameters.end_byte] if parameters is not None else b"",
            self.text(node.child_by_field_name("return_type")),
            True,
        )

    def _ancestors(self, bases: Node) -> tuple[Ancestor, ...]:
        found: list[Ancestor] = []
        for base in bases.named_children:
            if base.type in {"keyword_argument", "comment"}:
                continue
            name = expression(base, self.source).removesuffix("[]")
            if "?" not in name and name not in {"object", "Generic", "typing.Generic"}:
                found.append(Ancestor("implements" if name.rpartition(".")[2] == "Protocol" else "extends", name))
        return tuple(found)

    def _known_parameters(self, text: bytes, function: Node) -> tuple[Parameter, ...]:
        """Lists of parameters repeat: half of Django's are found here."""
        found = _PARAMETERS.get(text)
        if found is None:
            if len(_PARAMETERS) > _MOST_PARAMETERS:
                _PARAMETERS.clear()
            found = _PARAMETERS[text] = self._parameters(function.child_by_field_name("parameters"))
        return found

    def _parameters(self, parameters: Node | None) -> tuple[Parameter, ...]:
        found: list[Parameter] = []
        for child in parameters.named_children if parameters is not None else ():
            kind = child.type
            if kind == "identifier":
                found.append(Parameter(self.text(child), "", "", ""))
            elif kind in {"typed_parameter", "typed_default_parameter", "default_parameter"}:
                found.append(self._parameter(child))
            elif kind in {"list_splat_pattern", "dictionary_splat_pattern"}:
                found.append(Parameter(self.text(child), "", "", ""))
        return tuple(found)

    def _parameter(self, node: Node) -> Parameter:
        name = node.child_by_field_name("name") or node.named_children[0]
        annotation = one_line(self.text(node.child_by_field_name("type")))
        text = self.text(name)
        return Parameter(
            text,
            annotation,
            "" if text.startswith("*") else type_name(annotation),
            one_line(self.text(node.child_by_field_name("value"))),
        )

    def _doc(self, node: Node) -> str:
        body = node.child_by_field_name("body")
        if body is None or body.named_child_count == 0:
            return ""
        statement = body.named_child(0)
        if statement is None or statement.type != "expression_statement" or statement.named_child_count == 0:
            return ""
        text = statement.named_child(0)
        if text is None or text.type != "string":
            return ""
        lines = self.text(text).lstrip("rRuUbB").strip("\"'").strip().splitlines()
        return lines[0].strip()[:_DOC_LENGTH] if lines else ""


def visibility(name: str) -> str:
    if name.startswith("__") and not name.endswith("__"):
        return "private"
    return "protected" if name.startswith("_") and not name.startswith("__") else "public"


def _inner_start(decorated: Node) -> int:
    definition = decorated.child_by_field_name("definition")
    return definition.start_byte if definition is not None else decorated.start_byte


def _return_type(returns: str) -> str:
    return "this" if returns.strip("\"'") in {"Self", "typing.Self"} else type_name(returns)


def _function_kind(name: str, in_class: bool, decorators: tuple[str, ...]) -> str:
    if not in_class:
        return "function"
    if name == "__init__":
        return "constructor"
    is_property = decorators and any(d in _PROPERTIES or d.endswith(".setter") for d in decorators)
    return "property" if is_property else "method"


def _class_tags(name: str, ancestors: tuple[Ancestor, ...]) -> tuple[str, ...]:
    if any(ancestor.type in _ENTITY_BASES for ancestor in ancestors):
        return ("entity",)
    is_test = name.startswith("Test") or any(ancestor.type.endswith("TestCase") for ancestor in ancestors)
    return ("test",) if is_test else ()


def _function_tags(name: str, decorators: tuple[str, ...]) -> tuple[str, ...]:
    if decorators and any(d.startswith(("pytest.fixture", "fixture", "pytest_asyncio.fixture")) for d in decorators):
        return ("fixture",)
    return ("test",) if name.startswith("test_") or name == "test" else ()
