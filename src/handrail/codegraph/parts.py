"""What one module adds to the graph: its node, its symbols and the edges that leave them."""

from collections.abc import Callable
from dataclasses import dataclass

from handrail.codegraph.facts import MODULE_SCOPE, Definition, FileFacts
from handrail.codegraph.model import Call, CallCounts, Edge, EdgeType, Module, Symbol
from handrail.codegraph.resolve.module import Resolution, ResolvedCall, Target
from handrail.codegraph.tags import kind_of, tags_of

_BY_IMPORT = 0.8
"""A test module that imports a module tests it, most likely."""


@dataclass(frozen=True, slots=True)
class Part:
    module: Module
    symbols: tuple[Symbol, ...]
    edges: tuple[Edge, ...]
    calls: Callable[[], tuple[Call, ...]]
    """Made when asked for: most are never looked at."""


class Identities:
    """Ids of symbols by module and definition."""

    def __init__(self) -> None:
        self._ids: dict[str, list[str]] = {}

    def learn(self, path: str, facts: FileFacts) -> dict[int, int]:
        """Gives out the ids of a module; returns where in it the definitions are now that stood elsewhere before."""
        before = self._ids.get(path, ())
        seen: dict[str, int] = {}
        ids: list[str] = []
        for definition in facts.definitions:
            count = seen[definition.qualname] = seen.get(definition.qualname, 0) + 1
            ids.append(f"{path}::{definition.qualname}" if count == 1 else f"{path}::{definition.qualname}#{count}")
        self._ids[path] = ids
        if not before:
            return {}
        places = {id_: place for place, id_ in enumerate(ids)}
        return {old: place for old, id_ in enumerate(before) if (place := places.get(id_, old)) != old}

    def forget(self, path: str) -> None:
        self._ids.pop(path, None)

    def of(self, target: Target) -> str:
        return self._ids[target.module][target.definition]

    def at(self, path: str, scope: int) -> str:
        """The id of a scope: a symbol's, or the module's own."""
        return path if scope == MODULE_SCOPE else self._ids[path][scope]


@dataclass(frozen=True)
class Context:
    """What a part needs to know of the rest."""

    identities: Identities
    is_entity: Callable[[Target], bool]
    is_stored: Callable[[Target], bool]
    """True for an entity, and for a repository of them."""
    is_test_module: Callable[[str], bool]
    resolved: Callable[[str], Resolution]
    """A module as it is resolved now."""


def part_of(path: str, name: str, content_hash: str, facts: FileFacts, resolved: Resolution, context: Context) -> Part:
    tags = _tags(path, facts)
    edges = _Edges()
    _imports(edges, path, resolved, context)
    _ancestors(edges, path, resolved, context)
    _calls(edges, path, facts, resolved, context)
    _database(edges, path, resolved, context)
    return Part(
        module=Module(
            id=path,
            path=path,
            name=name,
            language=facts.language,
            kind=kind_of(tags),
            tags=tags,
            loc=facts.loc,
            hash=content_hash,
            exports=_exports(facts),
            imports=tuple(edge.module for edge in resolved.imports),
            externals=resolved.externals,
            complexity=sum(d.complexity for d in facts.definitions),
            calls=_counts(resolved),
            has_errors=facts.has_errors,
        ),
        symbols=tuple(_symbol(path, d, i, context) for i, d in enumerate(facts.definitions)),
        edges=edges.all(),
        calls=lambda: tuple(_call(path, call, context.identities) for call in context.resolved(path).calls),
    )


class _Edges:
    """Edges without repetition, each with the highest confidence found."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, str, EdgeType], float] = {}

    def add(self, source: str, target: str, kind: EdgeType, confidence: float = 1.0) -> None:
        key = (source, target, kind)
        if confidence > self._found.get(key, 0.0):
            self._found[key] = confidence

    def all(self) -> tuple[Edge, ...]:
        return tuple(Edge(*key, confidence) for key, confidence in self._found.items())


def _imports(edges: _Edges, path: str, resolved: Resolution, context: Context) -> None:
    is_test = context.is_test_module(path)
    for edge in resolved.imports:
        edges.add(path, edge.module, "imports")
        if is_test and not context.is_test_module(edge.module):
            edges.add(path, edge.module, "tests", _BY_IMPORT)


def _ancestors(edges: _Edges, path: str, resolved: Resolution, context: Context) -> None:
    for ancestor in resolved.ancestors:
        source = context.identities.at(path, ancestor.definition)
        kind: EdgeType = "implements" if ancestor.relation == "implements" else "extends"
        edges.add(source, context.identities.of(ancestor.target), kind)


def _calls(edges: _Edges, path: str, facts: FileFacts, resolved: Resolution, context: Context) -> None:
    in_tests = context.is_test_module(path)
    for call in resolved.calls:
        if call.target is None:
            continue
        source, target = context.identities.at(path, call.scope), context.identities.of(call.target)
        if source != target:
            edges.add(source, target, "calls", call.confidence)
        test = _test_around(facts, call.scope)
        if (in_tests or _is_test(facts, test)) and not context.is_test_module(call.target.module):
            edges.add(context.identities.at(path, test), target, "tests", call.confidence)
        if context.is_entity(call.target):
            edges.add(source, target, "uses-db", call.confidence)


def _database(edges: _Edges, path: str, resolved: Resolution, context: Context) -> None:
    for use in resolved.database:
        source = context.identities.at(path, use.scope)
        if use.target is not None and (use.table or context.is_stored(use.target)):
            edges.add(source, context.identities.of(use.target), "uses-db")
        elif use.table:
            edges.add(source, f"table:{use.table}", "uses-db")


def _test_around(facts: FileFacts, scope: int) -> int:
    """The test function around a scope, or else the scope itself."""
    around = scope
    while around != MODULE_SCOPE:
        definition = facts.definitions[around]
        if "test" in definition.tags and definition.kind in {"function", "method"}:
            return around
        around = definition.parent
    return scope


def _is_test(facts: FileFacts, scope: int) -> bool:
    """True for a test that stands in the file that it tests, as Rust's do."""
    return scope != MODULE_SCOPE and "test" in facts.definitions[scope].tags


def _tags(path: str, facts: FileFacts) -> tuple[str, ...]:
    shown = {tag for definition in facts.definitions for tag in definition.tags} | set(facts.tags)
    return tags_of(path, shown | {"controller"} if facts.routes else shown)


def _exports(facts: FileFacts) -> tuple[str, ...]:
    if facts.exports:
        return tuple(name for name, _ in facts.exports)
    top = (d.name for d in facts.definitions if d.parent == MODULE_SCOPE and d.visibility == "public")
    return tuple(dict.fromkeys(top))


def _counts(resolved: Resolution) -> CallCounts:
    inside = sum(1 for call in resolved.calls if call.target is not None)
    outside = sum(1 for call in resolved.calls if call.target is None and call.external)
    return CallCounts(inside, outside, len(resolved.calls) - inside - outside)


def _symbol(path: str, definition: Definition, index: int, context: Context) -> Symbol:
    tags = definition.tags
    if definition.kind == "class" and "entity" not in tags and context.is_entity(Target(path, index)):
        tags = (*tags, "entity")
    return Symbol(
        context.identities.at(path, index),
        path,
        definition.name,
        definition.qualname,
        definition.kind,
        definition.signature,
        definition.parameters,
        definition.returns,
        definition.decorators,
        definition.visibility,
        definition.is_async,
        definition.doc,
        definition.start_line,
        definition.end_line,
        definition.complexity,
        tags,
    )


def _call(path: str, call: ResolvedCall, identities: Identities) -> Call:
    target = identities.of(call.target) if call.target is not None else None
    caller = identities.at(path, call.scope)
    return Call(caller, call.callee, call.line, target, call.external or None, call.confidence)
