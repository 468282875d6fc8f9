"""The facts of one Python file."""

import re
from functools import cached_property

from tree_sitter import Node

from handrail.codegraph.facts import MODULE_SCOPE, CallSite, Definition, FileFacts, Import, Variable
from handrail.codegraph.languages.language import Captured
from handrail.codegraph.languages.python import databases, routes
from handrail.codegraph.languages.python.definitions import Definitions, visibility
from handrail.codegraph.languages.python.expressions import expression, string_value, type_name

_FRAMEWORKS = {
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


_STRINGS = frozenset({"string", "concatenated_string", "binary_operator", "parenthesized_expression"})
_PATH = re.compile(r"/[^\s]{0,200}")


def extract(captured: Captured) -> FileFacts:
    file = File(captured)
    definitions = file.with_tables((*file.definitions.found, *file.variable_definitions()))
    imports = file.imports()
    web = routes.read(file)
    return FileFacts(
        language="python",
        loc=sum(map(bool, map(bytes.strip, file.source.split(b"\n")))),
        definitions=definitions,
        imports=tuple(imports),
        exports=file.exports(),
        calls=tuple(file.calls()),
        variables=tuple(file.variables()),
        routers=tuple(web.routers),
        mounts=tuple(web.mounts),
        routes=tuple(web.routes),
        database=databases.read(file),
        tags=(),
        package="",
        frameworks=_frameworks(imports),
        has_errors=captured.root.has_error,
        paths=file.paths(),
    )


class File:
    """One file's captures, read subject by subject. Definitions come first: other facts belong to one of them."""

    def __init__(self, captured: Captured) -> None:
        self.captured = captured
        self.source = captured.source
        self.definitions = Definitions(captured)
        innermost = self.definitions.nesting.innermost
        self.assignments = [
            (innermost(node.start_byte), left, node.child_by_field_name("right"), node)
            for node in captured.of("assignment")
            if (left := node.child_by_field_name("left")) is not None
        ]

    def scope(self, node: Node) -> int:
        return self.definitions.nesting.innermost(node.start_byte)

    def text(self, node: Node) -> str:
        return self.source[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def expression(self, node: Node) -> str:
        return expression(node, self.source)

    def string(self, node: Node | None) -> str | None:
        """A string's value where the file alone tells it."""
        return string_value(node, self.source, self._constants.get)

    def path(self, node: Node | None) -> str:
        """A route's path or prefix; names of other files stay open as `{=name}`, what is no string is `?`."""
        if node is None:
            return ""
        text = string_value(node, self.source, lambda name: self._constants.get(name, f"{{={name}}}"))
        return "?" if text is None else text

    @cached_property
    def _constants(self) -> dict[str, str]:
        """String constants by name, those of classes with the class's name before."""
        values: dict[str, str] = {}
        for scope, left, right, _ in self.assignments:
            if right is None or right.type not in _STRINGS or left.type != "identifier":
                continue
            if scope == MODULE_SCOPE or self.definitions.is_class[scope]:
                value = string_value(right, self.source, values.get)
                if value is not None:
                    owner = "" if scope == MODULE_SCOPE else f"{self.definitions.found[scope].qualname}."
                    values[owner + self.text(left)] = value
        return values

    def paths(self) -> tuple[tuple[str, str], ...]:
        """The constants that may be part of a route's path."""
        return tuple((name, text) for name, text in self._constants.items() if _PATH.fullmatch(text))

    @cached_property
    def call_nodes(self) -> list[tuple[Node, str, int]]:
        """Every call with its callee and scope."""
        source, innermost = self.source, self.definitions.nesting.innermost
        return [
            (node, expression(function, source), innermost(node.start_byte))
            for node in self.captured.of("call")
            if (function := node.child_by_field_name("function")) is not None
        ]

    def calls(self) -> list[CallSite]:
        """One call site for each callee of a scope: the first."""
        seen: dict[tuple[int, str], Node] = {}
        for node, callee, scope in self.call_nodes:
            if callee not in {"?", "super"}:
                seen.setdefault((scope, callee), node)
        for index in range(len(self.definitions.nodes)):
            outer = self.definitions.nesting.parents[index]
            for node in self.definitions.decorator_nodes(index):
                if node.type != "call":
                    seen.setdefault((outer, self.expression(node)), node)
        return [CallSite(callee, node.start_point[0] + 1, scope) for (scope, callee), node in seen.items()]

    def imports(self) -> list[Import]:
        found: list[Import] = []
        for node in self.captured.of("import"):
            line, scope = node.start_point[0] + 1, self.scope(node)
            for child in node.children_by_field_name("name"):
                target, alias = self._aliased(child)
                found.append(Import(target, (("*", alias),) if alias else (), line, scope, "import"))
        for node in self.captured.of("import_from"):
            module = node.child_by_field_name("module_name")
            target = "".join(self.text(module).split()) if module is not None else ""
            names = [self._aliased(child) for child in node.children_by_field_name("name")]
            pairs = [(name, alias or name) for name, alias in names]
            if any(child.type == "wildcard_import" for child in node.named_children):
                pairs = [("*", "")]
            found.append(Import(target, tuple(pairs), node.start_point[0] + 1, self.scope(node), "import"))
        return found

    def _aliased(self, node: Node) -> tuple[str, str]:
        name, alias = node, None
        if node.type == "aliased_import":
            name = node.child_by_field_name("name") or node
            alias = node.child_by_field_name("alias")
        return "".join(self.text(name).split()), self.text(alias) if alias is not None else ""

    def variables(self) -> list[Variable]:
        found: list[Variable] = []
        for scope, left, right, node in self.assignments:
            self._variable(found, scope, left, node.child_by_field_name("type"), right)
        for node in self.captured.of("as_pattern"):
            alias = node.child_by_field_name("alias")
            if alias is not None and alias.named_children and node.named_children:
                self._variable(found, self.scope(node), alias.named_children[0], None, node.named_children[0])
        return found

    def _variable(
        self, found: list[Variable], scope: int, left: Node, annotation: Node | None, right: Node | None
    ) -> None:
        if left.type not in {"identifier", "attribute"}:
            return
        name = self.expression(left)
        if "." in name and not (name.startswith("this.") and name.count(".") == 1):
            return
        declared = type_name(self.text(annotation)) if annotation is not None else ""
        value = "" if declared or right is None else self.expression(right)
        if declared or (value and "?" not in value):
            found.append(Variable(scope, name, declared, value))

    def variable_definitions(self) -> list[Definition]:
        """Names assigned at the top of the module or of a class; each once, where it first appears."""
        seen: set[tuple[int, str]] = {(d.parent, d.name) for d in self.definitions.found}
        found: list[Definition] = []
        is_class = self.definitions.is_class
        for scope, left, _, node in self.assignments:
            if (scope != MODULE_SCOPE and not is_class[scope]) or left.type != "identifier":
                continue
            name = self.text(left)
            if (scope, name) not in seen:
                seen.add((scope, name))
                found.append(self._variable_definition(scope, name, node))
        for node in self.captured.of("type_alias"):
            name_node = node.child_by_field_name("left")
            if name_node is not None and self.scope(node) == MODULE_SCOPE:
                found.append(self._variable_definition(MODULE_SCOPE, self.text(name_node).partition("[")[0], node))
        return found

    def _variable_definition(self, scope: int, name: str, node: Node) -> Definition:
        annotation = node.child_by_field_name("type")
        written = self.text(annotation) if annotation is not None else ""
        kind = "field" if scope != MODULE_SCOPE else "constant" if name.isupper() else "variable"
        return Definition(
            name=name,
            qualname=name if scope == MODULE_SCOPE else f"{self.definitions.found[scope].qualname}.{name}",
            kind="type" if node.type == "type_alias_statement" else kind,
            parent=scope,
            start_line=node.start_point[0] + 1,
            end_line=node.end_point[0] + 1,
            signature=f"{name}: {written}" if written else name,
            parameters=(),
            returns=written,
            return_type=type_name(written) if written else "",
            decorators=(),
            visibility=visibility(name),
            is_async=False,
            doc="",
            ancestors=(),
            complexity=0,
            tags=(),
        )

    def with_tables(self, definitions: tuple[Definition, ...]) -> tuple[Definition, ...]:
        """Tag as entities the classes that name their table (SQLAlchemy)."""
        entities = {d.parent for d in definitions if d.name in {"__tablename__", "__table__"}} - {MODULE_SCOPE}
        if not entities:
            return definitions
        return tuple(d._replace(tags=(*d.tags, "entity")) if i in entities else d for i, d in enumerate(definitions))

    def exports(self) -> tuple[tuple[str, str], ...]:
        """The names of `__all__`; without it, nothing is exported explicitly and every public name counts."""
        names: list[str] = []
        if b"__all__" not in self.source:
            return ()
        lists = [(left, right) for scope, left, right, _ in self.assignments if scope == MODULE_SCOPE]
        for node in self.captured.of("augmented"):
            left = node.child_by_field_name("left")
            if left is not None and self.scope(node) == MODULE_SCOPE:
                lists.append((left, node.child_by_field_name("right")))
        for left, right in lists:
            if right is not None and right.type in {"list", "tuple"} and self.text(left) == "__all__":
                names += [name for child in right.named_children if (name := self.string(child))]
        return tuple((name, name) for name in dict.fromkeys(names))


def _frameworks(imports: list[Import]) -> tuple[str, ...]:
    roots = {statement.target.partition(".")[0] for statement in imports}
    return tuple(sorted(_FRAMEWORKS[root] for root in roots if root in _FRAMEWORKS))
