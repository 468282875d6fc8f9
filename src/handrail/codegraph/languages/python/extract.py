"""The facts of one Python file."""

import re
from collections.abc import Iterable, Iterator
from typing import ClassVar, NamedTuple

from tree_sitter import Node

from handrail.codegraph.facts import MODULE_SCOPE, DatabaseUse, Definition, FileFacts, Import, Variable
from handrail.codegraph.languages.expressions import Lookup
from handrail.codegraph.languages.language import Capture
from handrail.codegraph.languages.nodes import nth
from handrail.codegraph.languages.python import databases, routes
from handrail.codegraph.languages.python.definitions import Definitions, visibility
from handrail.codegraph.languages.python.expressions import called, expression, name_of, string_value, type_name
from handrail.codegraph.languages.source_file import Called, SourceFile, Web

_STRINGS = frozenset({"string", "concatenated_string", "binary_operator", "parenthesized_expression"})
_PATH = re.compile(r"/[^\s]{0,200}")
_CALLEE = re.compile(rb"[A-Za-z_]\w*(?:\.\w+)*(?=\()")
_TARGET = re.compile(rb"([A-Za-z_]\w*(?:\.\w+)*)\s*=(?!=)\s*")
_NAMES = frozenset({"identifier", "attribute"})
_NO_START = -1
_PLAIN = frozenset(
    {"staticmethod", "classmethod", "abstractmethod", "abc.abstractmethod", "overload", "typing.overload"}
)
"""Decorators that add nothing to a call."""


def extract(captured: Capture) -> FileFacts:
    return File(captured).facts("python")


class Assignment(NamedTuple):
    scope: int
    name: str
    """What is assigned to as a canonical expression, empty where it is no chain of names."""
    node: Node
    start: int
    """Where the value begins; it ends with the node. -1 where the text alone does not tell."""

    @property
    def value(self) -> Node | None:
        return self.node.child_by_field_name("right")


class File(SourceFile[Definitions]):
    frameworks: ClassVar = {
        "fastapi": "fastapi",
        "flask": "flask",
        "django": "django",
        "rest_framework": "django-rest-framework",
        "starlette": "starlette",
        "sqlalchemy": "sqlalchemy",
        "pydantic": "pydantic",
        "pytest": "pytest",
        "unittest": "unittest",
        "celery": "celery",
        "typer": "typer",
        "click": "click",
        "langgraph": "langgraph",
        "langchain": "langchain",
    }
    no_callees = frozenset({"?", "super"})

    def __init__(self, captured: Capture) -> None:
        super().__init__(captured, Definitions(captured))
        self._callees: dict[tuple[int, int], str] = {}
        self._read_calls()
        nodes = captured.of("assignment")
        self.assignments = [
            self._assignment(node, scope)
            for node, scope in zip(nodes, self.definitions.nesting.scopes(nodes), strict=True)
        ]

    def _read_calls(self) -> None:
        """Most callees are names right before a bracket: their text saves a node, which is half the time. Of calls that
        start at one place (`a(b)(c)`) the innermost comes first, and it alone may be read so."""
        source, last = self.source, _NO_START
        nodes = self.captured.of("call")
        for node, scope in zip(nodes, self.definitions.nesting.scopes(nodes), strict=True):
            start = node.start_byte
            found = _CALLEE.match(source, start) if start != last else None
            callee = name_of(found.group()) if found is not None else None
            if callee is None:
                callee = expression(node.child_by_field_name("function"), source)
            last = start
            self.call_nodes.append((node, callee, scope))
            self._callees[start, node.end_byte] = callee

    def _assignment(self, node: Node, scope: int) -> Assignment:
        found = _TARGET.match(self.source, node.start_byte)
        if found is not None:
            return Assignment(scope, name_of(found.group(1)) or "", node, found.end())
        left = node.child_by_field_name("left")
        name = self.expression(left) if left is not None and left.type in _NAMES else ""
        return Assignment(scope, name, node, _NO_START)

    def expression(self, node: Node | None) -> str:
        return expression(node, self.source)

    def string_value(self, node: Node | None, lookup: Lookup) -> str | None:
        return string_value(node, self.source, lookup)

    def read_constants(self) -> dict[str, str]:
        """String constants by name, those of classes with the class's name before."""
        values: dict[str, str] = {}
        for assignment in self._members():
            right = assignment.value
            if right is not None and right.type in _STRINGS:
                value = string_value(right, self.source, values.get)
                if value is not None:
                    values[self.definitions.qualname(assignment.scope, assignment.name)] = value
        return values

    def _members(self) -> Iterator[Assignment]:
        """The assignments to names at the top of the module or of a class."""
        is_class = self.definitions.is_class
        for assignment in self.assignments:
            scope, name = assignment.scope, assignment.name
            if name and "." not in name and (scope == MODULE_SCOPE or is_class[scope]):
                yield assignment

    def paths(self) -> Iterator[tuple[str, str]]:
        return ((name, text) for name, text in self.constants.items() if _PATH.fullmatch(text))

    def web(self) -> Web:
        return routes.read(self)

    def database(self) -> Iterable[DatabaseUse]:
        return databases.read(self)

    def packages_of(self, target: str) -> Iterable[str]:
        return (target.partition(".")[0],)

    def other_calls(self) -> Iterator[Called]:
        """Decorators are called where they stand, and whoever calls what is decorated goes through them. A function
        inside another is what the outer one gives out or calls."""
        for index, definition in enumerate(self.definitions.found):
            for node in self.definitions.decorator_nodes(index) if definition.decorators else ():
                decorator = node.child_by_field_name("function") if node.type == "call" else node
                callee = self.expression(decorator) if decorator is not None else ""
                if node.type != "call":
                    yield node, callee, definition.parent
                if callee and definition.kind != "property" and callee not in _PLAIN:
                    yield node, callee, index
            if definition.kind == "function" and definition.parent != MODULE_SCOPE:
                yield self.definitions.nodes[index], definition.name, definition.parent

    def imports(self) -> list[Import]:
        found: list[Import] = []
        for node in self.captured.of("import"):
            line, scope = node.start_point[0] + 1, self.scope(node)
            for child in node.children_by_field_name("name"):
                target, alias = self._aliased(child)
                found.append(Import(target, (("*", alias),) if alias else (), line, scope, "import"))
        for node in self.captured.of("import_from"):
            target = "".join(self.text(node.child_by_field_name("module_name")).split())
            names = [self._aliased(child) for child in node.children_by_field_name("name")]
            pairs = [(name, alias or name) for name, alias in names]
            if not pairs and any(child.type == "wildcard_import" for child in node.named_children):
                pairs = [("*", "")]
            found.append(Import(target, tuple(pairs), node.start_point[0] + 1, self.scope(node), "import"))
        return found

    def _aliased(self, node: Node) -> tuple[str, str]:
        name, alias = node, None
        if node.type == "aliased_import":
            name = node.child_by_field_name("name") or node
            alias = node.child_by_field_name("alias")
        return "".join(self.text(name).split()), self.text(alias)

    def variables(self) -> list[Variable]:
        found: list[Variable] = []
        for assignment in self.assignments:
            scope, name, node, start = assignment
            if not _is_bound(name):
                continue
            callee = self._callees.get((start, node.end_byte))
            if callee is None:
                declared = type_name(self.text(node.child_by_field_name("type"))) if start == _NO_START else ""
                self.bind(found, scope, name, declared, assignment.value)
            elif "?" not in callee:
                found.append(Variable(scope, name, "", called(callee)))
        for node in self.captured.of("as_pattern"):
            target = nth(node.child_by_field_name("alias"))
            name = self.expression(target) if target is not None and target.type in _NAMES else ""
            if _is_bound(name):
                self.bind(found, self.scope(node), name, "", nth(node))
        return found

    def all_definitions(self) -> tuple[Definition, ...]:
        definitions = (*self.definitions.found, *self._variable_definitions())
        # classes that name their table are entities (SQLAlchemy)
        entities = {d.parent for d in definitions if d.name in {"__tablename__", "__table__"}} - {MODULE_SCOPE}
        if not entities:
            return definitions
        return tuple(d._replace(tags=(*d.tags, "entity")) if i in entities else d for i, d in enumerate(definitions))

    def _variable_definitions(self) -> list[Definition]:
        """Names assigned at the top of the module or of a class; each once, where it first appears."""
        seen: set[tuple[int, str]] = {(d.parent, d.name) for d in self.definitions.found}
        found: list[Definition] = []
        for scope, name, node, start in self._members():
            if (scope, name) not in seen:
                seen.add((scope, name))
                kind = "field" if scope != MODULE_SCOPE else "constant" if name.isupper() else "variable"
                written = self.text(node.child_by_field_name("type")) if start == _NO_START else ""
                found.append(self._variable_definition(scope, name, kind, node, written))
        for node in self.captured.of("type_alias"):
            name = self.text(node.child_by_field_name("left")).partition("[")[0]
            if name and self.scope(node) == MODULE_SCOPE:
                found.append(self._variable_definition(MODULE_SCOPE, name, "type", node, ""))
        return found

    def _variable_definition(self, scope: int, name: str, kind: str, node: Node, written: str) -> Definition:
        signature = f"{name}: {written}" if written else name
        return_type = type_name(written) if written else ""
        return self.plain(scope, name, kind, node, signature, written, return_type, visibility=visibility(name))

    def exports(self) -> Iterator[tuple[str, str]]:
        """The names of `__all__`; without it, nothing is exported explicitly and every public name counts."""
        if b"__all__" not in self.source:
            return
        lists = [a.value for a in self.assignments if a.scope == MODULE_SCOPE and a.name == "__all__"]
        for node in self.captured.of("augmented"):
            if self.text(node.child_by_field_name("left")) == "__all__" and self.scope(node) == MODULE_SCOPE:
                lists.append(node.child_by_field_name("right"))
        listed = [
            child
            for node in lists
            if node is not None and node.type in {"list", "tuple"}
            for child in node.named_children
        ]
        for name in dict.fromkeys(self.string(child) for child in listed):
            if name:
                yield name, name


def _is_bound(name: str) -> bool:
    """A name of the scope, or an attribute of the own object."""
    return bool(name) and ("." not in name or (name.startswith("this.") and name.count(".") == 1))
