"""Imports and exports of one file: ESM and CommonJS, static, dynamic, re-exported and type-only.

What CommonJS assigns to `module.exports` is exported as `export=`, the name that TypeScript gives it too."""

from collections.abc import Iterable, Iterator

from tree_sitter import Node

from handrail.codegraph.facts import MODULE_SCOPE, Import, Variable
from handrail.codegraph.languages.javascript.expressions import expression, string_value
from handrail.codegraph.languages.javascript.members import DEFAULT, wrapped_function
from handrail.codegraph.languages.language import Capture
from handrail.codegraph.languages.nodes import nth, text_of

WHOLE = "export="
"""The name under which a CommonJS module exports itself."""
_EVERYTHING = (("*", ""),)
_DECLARED = frozenset({"lexical_declaration", "variable_declaration"})


class Links:
    """Reads the links of a file to others. `scope` tells which definition a node lies in."""

    def __init__(self, captured: Capture, calls: list[tuple[Node, str, int]]) -> None:
        self._source = captured.source
        self.imports: list[Import] = []
        self.exports: dict[str, str] = {}
        self.variables: list[Variable] = []
        self.declarators: set[int] = set()
        """Where declarations start that do nothing but import."""
        self._bound: set[int] = set()
        for node in captured.of("import"):
            self._import(node)
        for node in captured.of("export"):
            self._export(node)
        for node in captured.of("assignment"):
            self._assignment(node)
        loading = {call.start_byte: (call, scope) for call, callee, scope in calls if callee in {"require", "import"}}
        if loading:
            self._declarators(captured.of("declarator"), loading)
            for call, scope in loading.values():
                self._load(call, (), scope)
        for node in captured.of("augmented"):
            self._add(string_value(node, self._source, _unknown), (), node, "type")

    def _add(
        self,
        target: str | None,
        names: Iterable[tuple[str, str]],
        node: Node,
        kind: str,
        scope: int = MODULE_SCOPE,
    ) -> None:
        if target:
            self.imports.append(Import(target, tuple(names), node.start_point[0] + 1, scope, kind))

    def _text(self, node: Node | None) -> str:
        return text_of(node, self._source)

    def _import(self, node: Node) -> None:
        kind = "type" if any(child.type == "type" for child in node.children[:2]) else "import"
        target = string_value(node.child_by_field_name("source"), self._source, _unknown)
        names: list[tuple[str, str]] = []
        for clause in node.named_children:
            if clause.type == "import_require_clause":
                source = string_value(clause.child_by_field_name("source"), self._source, _unknown)
                self._add(source, [("*", self._text(nth(clause)))], node, "require")
            elif clause.type == "import_clause":
                for part in clause.named_children:
                    names += self._clause(part)
        self._add(target, names, node, kind)

    def _clause(self, part: Node) -> Iterator[tuple[str, str]]:
        if part.type == "identifier":
            yield DEFAULT, self._text(part)
        elif part.type == "namespace_import":
            yield "*", self._text(nth(part))
        elif part.type == "named_imports":
            for specifier in part.named_children:
                yield from self._specifier(specifier)

    def _specifier(self, node: Node) -> Iterator[tuple[str, str]]:
        name = self._text(node.child_by_field_name("name")).strip("\"'")
        if name:
            yield name, self._text(node.child_by_field_name("alias")).strip("\"'") or name

    def _export(self, node: Node) -> None:
        source = node.child_by_field_name("source")
        if source is not None:
            self._reexport(node, string_value(source, self._source, _unknown))
            return
        declaration, value = node.child_by_field_name("declaration"), node.child_by_field_name("value")
        is_default = any(child.type == "default" for child in node.children)
        if declaration is not None:
            for name in self._declared(declaration):
                self.exports[DEFAULT if is_default else name] = name
        elif value is not None:
            self._default(value)
        elif any(child.type == "=" for child in node.children):
            self._whole(nth(node))
        else:
            for clause in node.named_children:
                for specifier in clause.named_children if clause.type == "export_clause" else ():
                    self.exports.update((alias, name) for name, alias in self._specifier(specifier))

    def _reexport(self, node: Node, target: str | None) -> None:
        names: list[tuple[str, str]] = []
        kind = "type" if any(child.type == "type" for child in node.children[:2]) else "reexport"
        for clause in node.named_children:
            if clause.type == "export_clause":
                for specifier in clause.named_children:
                    names += self._specifier(specifier)
            elif clause.type == "namespace_export":
                names.append(("*", self._text(nth(clause))))
        self.exports.update((alias, alias) for _, alias in names)
        self._add(target, names or _EVERYTHING, node, kind)

    def _declared(self, node: Node) -> Iterator[str]:
        if node.type in _DECLARED:
            for declarator in node.named_children:
                yield from (alias for _, alias in self._pattern(declarator.child_by_field_name("name")))
            return
        name = self._text(node.child_by_field_name("name"))
        if name or node.type != "ambient_declaration":
            yield name or DEFAULT
            return
        for child in node.named_children:
            yield from self._declared(child) if child.type != "ambient_declaration" else ()

    def _default(self, value: Node) -> None:
        """`export default`: a name, a wrapped name, or something without one."""
        if value.type == "call_expression" and wrapped_function(value) is None:
            arguments = value.child_by_field_name("arguments")
            wrapped = [a for a in arguments.named_children if a.type == "identifier"] if arguments is not None else []
            self.exports[DEFAULT] = self._text(wrapped[0]) if wrapped else DEFAULT
            self.variables.append(Variable(MODULE_SCOPE, DEFAULT, "", expression(value, self._source)))
        elif value.type == "identifier":
            self.exports[DEFAULT] = self._text(value)
        else:
            self.exports[DEFAULT] = self._text(value.child_by_field_name("name")) or DEFAULT
            self.variables.append(Variable(MODULE_SCOPE, DEFAULT, "", expression(value, self._source)))

    def _assignment(self, node: Node) -> None:
        """`module.exports = …` and `exports.name = …`."""
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None or right is None or left.type != "member_expression":
            return
        target = self._text(left)
        if target == "module.exports":
            self._whole(right)
        elif target.startswith(("exports.", "module.exports.")):
            name = target.rpartition(".")[2]
            self.exports[name] = self._text(right) if right.type == "identifier" else name
            loaded = self._loaded(right)
            if loaded is not None:
                self._load(loaded, [(WHOLE, name)], MODULE_SCOPE)

    def _whole(self, value: Node | None) -> None:
        if value is None:
            return
        loaded = self._loaded(value)
        if loaded is not None:
            self._load(loaded, [(WHOLE, WHOLE)], MODULE_SCOPE)
            self._load(loaded, _EVERYTHING, MODULE_SCOPE)
            self.exports[WHOLE] = WHOLE
        elif value.type == "identifier":
            self.exports[WHOLE] = self._text(value)
        elif value.type == "object":
            self._properties(value)
        else:
            self.exports[WHOLE] = self._text(value.child_by_field_name("name")) or DEFAULT
            self.variables.append(Variable(MODULE_SCOPE, DEFAULT, "", expression(value, self._source)))

    def _properties(self, value: Node) -> None:
        for child in value.named_children:
            if child.type == "shorthand_property_identifier":
                self.exports[self._text(child)] = self._text(child)
            elif child.type == "method_definition":
                self.exports[self._text(child.child_by_field_name("name"))] = self._text(
                    child.child_by_field_name("name")
                )
            elif child.type == "spread_element":
                loaded = self._loaded(nth(child))
                if loaded is not None:
                    self._load(loaded, _EVERYTHING, MODULE_SCOPE)
            elif child.type == "pair":
                self._property(child)

    def _property(self, pair: Node) -> None:
        name = self._text(pair.child_by_field_name("key")).strip("\"'")
        value = pair.child_by_field_name("value")
        loaded = self._loaded(value)
        if loaded is not None:
            self._load(loaded, [(WHOLE, name)], MODULE_SCOPE)
        self.exports[name] = self._text(value) if value is not None and value.type == "identifier" else name

    def _loaded(self, node: Node | None) -> Node | None:
        """The call of `require` or `import` that a value is."""
        if node is not None and node.type == "await_expression":
            node = nth(node)
        if node is None or node.type != "call_expression":
            return None
        function = node.child_by_field_name("function")
        return node if self._text(function) in {"require", "import"} else None

    def _load(self, call: Node, names: Iterable[tuple[str, str]], scope: int) -> None:
        names = tuple(names)
        if not names and call.start_byte in self._bound:
            return
        self._bound.add(call.start_byte)
        arguments = call.child_by_field_name("arguments")
        target = string_value(nth(arguments), self._source, _unknown) if arguments is not None else None
        kind = "require" if self._source.startswith(b"require", call.start_byte) else "dynamic"
        self._add(target, names, call, kind, scope)

    def _declarators(self, nodes: list[Node], loading: dict[int, tuple[Node, int]]) -> None:
        """`const x = require("y")`, `const {a} = await import("y")`, `const x = require("y").z`."""
        for node in nodes:
            value, member = node.child_by_field_name("value"), ""
            if value is not None and value.type == "member_expression":
                member = self._text(value.child_by_field_name("property"))
                value = value.child_by_field_name("object")
            loaded = self._loaded(value)
            if loaded is None or loaded.start_byte not in loading:
                continue
            names = list(self._pattern(node.child_by_field_name("name")))
            if member:
                names = [(member, alias) for _, alias in names[:1]]
            self.declarators.add(node.start_byte)
            self._load(loaded, names, loading[loaded.start_byte][1])

    def _pattern(self, node: Node | None) -> Iterator[tuple[str, str]]:
        """(name there, name here) of what a declaration's left side binds."""
        if node is None:
            return
        if node.type == "identifier":
            yield "*", self._text(node)
        for child in node.named_children if node.type == "object_pattern" else ():
            if child.type == "shorthand_property_identifier_pattern":
                yield self._text(child), self._text(child)
            elif child.type == "object_assignment_pattern":
                name = self._text(child.child_by_field_name("left"))
                yield name, name
            elif child.type == "pair_pattern":
                value = child.child_by_field_name("value")
                value = value.child_by_field_name("left") or value if value is not None else None
                if value is not None and value.type == "identifier":
                    yield self._text(child.child_by_field_name("key")), self._text(value)


def _unknown(_: str) -> None:
    return None
