"""The nodes and edges of a code graph, as callers and the published schema see them.

What there are many of is a named tuple: a frozen dataclass takes five times as long to make."""

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from handrail.codegraph.facts import Parameter

EdgeType = Literal["imports", "calls", "extends", "implements", "routes-to", "uses-db", "tests"]


@dataclass(frozen=True, slots=True)
class CallCounts:
    """How the module's calls were resolved: to a symbol here, to something outside, or not at all."""

    resolved: int = 0
    external: int = 0
    unresolved: int = 0


@dataclass(frozen=True, slots=True)
class Module:
    """A source file. Its id is its path relative to the root."""

    id: str
    path: str
    name: str
    language: str
    kind: str
    tags: tuple[str, ...]
    loc: int
    hash: str
    exports: tuple[str, ...]
    imports: tuple[str, ...]
    """Ids of the modules it imports."""
    externals: tuple[str, ...]
    """Outside packages it imports."""
    complexity: int
    calls: CallCounts
    has_errors: bool


class Symbol(NamedTuple):
    """Something that code can name. Its id is `<module id>::<qualified name>`, with `#2` for a second of that name."""

    id: str
    module_id: str
    name: str
    qualname: str
    kind: str
    signature: str
    parameters: tuple[Parameter, ...]
    returns: str
    decorators: tuple[str, ...]
    visibility: str
    is_async: bool
    doc: str
    start_line: int
    end_line: int
    complexity: int
    tags: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A method and full path that some handler serves."""

    id: str
    method: str
    path: str
    framework: str
    handler_module_id: str
    handler_symbol_id: str | None
    """None where the handler is not a symbol of the repository."""
    line: int
    confidence: float


class Edge(NamedTuple):
    """`from` and `to` are ids of modules, symbols or endpoints; `uses-db` may also lead to `table:<name>`."""

    source: str
    target: str
    type: EdgeType
    confidence: float = 1.0


@dataclass(frozen=True, slots=True)
class Call:
    """One callee of one scope, resolved or not."""

    caller: str
    callee: str
    """As written, in canonical form."""
    line: int
    target: str | None
    external: str | None
    confidence: float


@dataclass(frozen=True, slots=True)
class Feature:
    """A part of the product, by folder."""

    name: str
    path: str
    modules: tuple[str, ...]
    endpoints: tuple[str, ...] = field(default=())
