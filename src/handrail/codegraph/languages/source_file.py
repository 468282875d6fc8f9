"""One parsed file, as the extractor of every language reads it."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar, Generic, TypeVar

from tree_sitter import Node

from handrail.codegraph.facts import (
    CallSite,
    DatabaseUse,
    Definition,
    FileFacts,
    Import,
    Mount,
    Route,
    Router,
    Variable,
)
from handrail.codegraph.languages.expressions import Lookup
from handrail.codegraph.languages.language import Capture
from handrail.codegraph.languages.nodes import text_of
from handrail.codegraph.languages.outline import Outline
from handrail.codegraph.languages.text import lines_of_code

Called = tuple[Node, str, int]
"""A call's node, its callee as a canonical expression, and its scope."""
Definitions = TypeVar("Definitions", bound=Outline)


@dataclass
class Web:
    """The web facts of one file."""

    routers: list[Router] = field(default_factory=list[Router])
    mounts: list[Mount] = field(default_factory=list[Mount])
    routes: list[Route] = field(default_factory=list[Route])


class SourceFile(ABC, Generic[Definitions]):
    """One file's captures, read subject by subject. Definitions come first: other facts belong to one of them."""

    frameworks: ClassVar[Mapping[str, str]]
    """Package → framework."""
    no_callees: ClassVar[frozenset[str]] = frozenset({"?"})
    """Callees that are not calls of anything."""
    package = ""
    """The package or namespace that the file declares."""

    def __init__(self, captured: Capture, definitions: Definitions) -> None:
        self.captured = captured
        self.source = captured.source
        self.definitions = definitions
        self.call_nodes: list[Called] = []

    @abstractmethod
    def expression(self, node: Node | None) -> str: ...

    @abstractmethod
    def string_value(self, node: Node | None, lookup: Lookup) -> str | None: ...

    @abstractmethod
    def read_constants(self) -> Mapping[str, str]:
        """The string constants of the file by name."""
        ...

    @abstractmethod
    def web(self) -> Web: ...

    @abstractmethod
    def database(self) -> Iterable[DatabaseUse]: ...

    @abstractmethod
    def all_definitions(self) -> Iterable[Definition]: ...

    @abstractmethod
    def imports(self) -> list[Import]: ...

    @abstractmethod
    def exports(self) -> Iterable[tuple[str, str]]: ...

    @abstractmethod
    def other_calls(self) -> Iterable[Called]:
        """What calls without being a call: `new`, a decorator, an element of JSX."""
        ...

    @abstractmethod
    def variables(self) -> list[Variable]: ...

    @abstractmethod
    def paths(self) -> Iterable[tuple[str, str]]:
        """The constants that may be part of a route's path."""
        ...

    @abstractmethod
    def packages_of(self, target: str) -> Iterable[str]:
        """The names under which `frameworks` may know what an import names."""
        ...

    def facts(self, language: str) -> FileFacts:
        definitions, imports, web = tuple(self.all_definitions()), self.imports(), self.web()
        return FileFacts(
            language=language,
            loc=lines_of_code(self.source),
            definitions=definitions,
            imports=tuple(imports),
            exports=tuple(self.exports()),
            calls=self._calls(),
            variables=tuple(self.variables()),
            routers=tuple(web.routers),
            mounts=tuple(web.mounts),
            routes=tuple(web.routes),
            database=tuple(self.database()),
            tags=(),
            package=self.package,
            frameworks=self._frameworks(imports),
            has_errors=self.captured.root.has_error,
            paths=tuple(self.paths()),
        )

    @cached_property
    def constants(self) -> Mapping[str, str]:
        return self.read_constants()

    @cached_property
    def called(self) -> Mapping[str, list[Called]]:
        """The calls by the last name of what they call: most files call nothing that a reader of routes or queries
        looks for."""
        found: dict[str, list[Called]] = {}
        for call in self.call_nodes:
            found.setdefault(call[1].rpartition(".")[2], []).append(call)
        return found

    def scope(self, node: Node) -> int:
        return self.definitions.nesting.innermost(node.start_byte)

    def text(self, node: Node | None) -> str:
        return text_of(node, self.source)

    def string(self, node: Node | None) -> str | None:
        """A string's value where the file alone tells it."""
        return self.string_value(node, self.constants.get)

    def path_of(self, node: Node | None) -> str:
        """A route's path or prefix; names of other files stay open as `{=name}`, what is no string is `?`."""
        if node is None:
            return ""
        found = self.string_value(node, lambda name: self.constants.get(name, f"{{={name}}}"))
        return "?" if found is None else found

    def value_of(self, node: Node) -> str:
        """What a variable is given."""
        return self.expression(node)

    def bind(self, found: list[Variable], scope: int, name: str, declared: str, value: Node | None) -> None:
        """Note what a name holds, where that says anything."""
        given = "" if declared or value is None else self.value_of(value)
        if declared or (given and "?" not in given):
            found.append(Variable(scope, name, declared, given))

    def plain(
        self,
        scope: int,
        name: str,
        kind: str,
        node: Node,
        signature: str,
        returns: str = "",
        return_type: str = "",
        decorators: tuple[str, ...] = (),
        visibility: str = "public",
        tags: tuple[str, ...] = (),
    ) -> Definition:
        """A definition without a body: a variable, constant, field or type alias."""
        return Definition(
            name=name,
            qualname=self.definitions.qualname(scope, name),
            kind=kind,
            parent=scope,
            start_line=node.start_point[0] + 1,
            end_line=node.end_point[0] + 1,
            signature=signature,
            parameters=(),
            returns=returns,
            return_type=return_type,
            decorators=decorators,
            visibility=visibility,
            is_async=False,
            doc="",
            ancestors=(),
            complexity=0,
            tags=tags,
        )

    def _calls(self) -> tuple[CallSite, ...]:
        """One call site for each callee of a scope: the first."""
        seen: dict[tuple[int, str], Node] = {}
        for calls in (self.call_nodes, self.other_calls()):
            for node, callee, scope in calls:
                seen.setdefault((scope, callee), node)
        none = self.no_callees
        return tuple(
            CallSite(callee, node.start_point[0] + 1, scope)
            for (scope, callee), node in seen.items()
            if callee not in none
        )

    def _frameworks(self, imports: list[Import]) -> tuple[str, ...]:
        known = self.frameworks
        packages = {package for target in {i.target for i in imports} for package in self.packages_of(target)}
        return tuple(sorted({known[package] for package in packages if package in known}))
