"""One module resolved: where its imports lead, what its classes extend, what its calls and queries reach."""

from collections.abc import Mapping
from typing import NamedTuple, Protocol, TypeGuard

import msgspec

from handrail.codegraph.facts import FileFacts
from handrail.codegraph.resolve.names import CLASSES, ImportEdge
from handrail.codegraph.resolve.values import BY_NAME, FUNCTIONS, Evaluator, Kind, Tables, Value

NAME_PREFIX = "name:"
"""In `touched`: the module asked whether a method of this name is the only one."""


TARGETS = CLASSES | FUNCTIONS
"""Kinds of definitions that something can lead to."""


class Target(NamedTuple):
    module: str
    definition: int


class OnlyMethods(Protocol):
    """Knows methods by name."""

    def get(self, name: str, /) -> Target | None:
        """The only method of that name."""
        ...


class ResolvedCall(NamedTuple):
    scope: int
    callee: str
    line: int
    target: Target | None
    external: str
    """The outside name that is called. Where target and external are both empty, the call is unresolved."""
    confidence: float


class ResolvedAncestor(NamedTuple):
    definition: int
    relation: str
    target: Target


class ResolvedUse(NamedTuple):
    scope: int
    target: Target | None
    table: str


class Resolution(NamedTuple):
    imports: tuple[ImportEdge, ...]
    externals: tuple[str, ...]
    ancestors: tuple[ResolvedAncestor, ...]
    calls: tuple[ResolvedCall, ...]
    database: tuple[ResolvedUse, ...]
    touched: frozenset[str]
    """Modules that it depends on, and `name:` with the names of methods that it asked for everywhere."""
    asked: frozenset[tuple[str, str]]
    """(module, name): the names that it looked for in them."""


def resolve(tables: Tables, path: str, methods: OnlyMethods) -> Resolution:
    names = tables.of(path)
    assert names is not None, f"{path} is no module of the project"
    evaluator = Evaluator(tables, path)
    facts = names.facts
    ancestors = _ancestors(evaluator, path, facts)
    calls = tuple(_call(evaluator, path, site, methods) for site in facts.calls)
    database = _database(evaluator, path, facts)
    touched = {edge.module for edge in names.imports} | evaluator.touched
    return Resolution(
        tuple(names.imports),
        tuple(sorted(names.externals)),
        ancestors,
        calls,
        database,
        frozenset(touched),
        frozenset(evaluator.asked),
    )


_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(dict[str, Resolution])


def encode(resolved: Mapping[str, Resolution]) -> bytes:
    return _encoder.encode(resolved)


def decode(data: bytes) -> dict[str, Resolution]:
    return _decoder.decode(data)


def moved(resolved: Resolution, module: str, places: Mapping[int, int]) -> Resolution:
    """The same after definitions of `module` have got other places in it."""

    def follow(target: Target) -> Target:
        return Target(module, places.get(target.definition, target.definition))

    def is_there(target: Target | None) -> TypeGuard[Target]:
        return target is not None and target.module == module

    return resolved._replace(
        ancestors=tuple(a._replace(target=follow(a.target)) if is_there(a.target) else a for a in resolved.ancestors),
        calls=tuple(c._replace(target=follow(c.target)) if is_there(c.target) else c for c in resolved.calls),
        database=tuple(u._replace(target=follow(u.target)) if is_there(u.target) else u for u in resolved.database),
    )


def _ancestors(evaluator: Evaluator, path: str, facts: FileFacts) -> tuple[ResolvedAncestor, ...]:
    found: list[ResolvedAncestor] = []
    for index, definition in enumerate(facts.definitions):
        for ancestor in definition.ancestors:
            value = evaluator.evaluate(path, definition.parent, ancestor.type)
            if value is not None and value.kind is Kind.CLASS and (value.module, value.definition) != (path, index):
                relation = ancestor.relation
                if definition.kind not in {"interface"} and evaluator.definition(value).kind == "interface":
                    relation = "implements"
                found.append(ResolvedAncestor(index, relation, Target(value.module, value.definition)))
    return tuple(found)


def _call(evaluator: Evaluator, path: str, site: tuple[str, int, int], methods: OnlyMethods) -> ResolvedCall:
    callee, line, scope = site
    value = evaluator.evaluate(path, scope, callee)
    if value is None:
        return _by_name(evaluator, site, methods)
    if value.kind is Kind.EXTERNAL:
        guess = _by_name(evaluator, site, methods) if evaluator.has_generics else None
        if guess is not None and guess.target is not None:
            return guess
        return ResolvedCall(scope, callee, line, None, value.module, value.confidence)
    if value.kind is Kind.FUNCTION or value.kind is Kind.CLASS:
        return ResolvedCall(scope, callee, line, Target(value.module, value.definition), "", value.confidence)
    return ResolvedCall(scope, callee, line, None, "", 0.0)


def _by_name(evaluator: Evaluator, site: tuple[str, int, int], methods: OnlyMethods) -> ResolvedCall:
    """The last resort for a method of an unknown object: the only method of that name."""
    callee, line, scope = site
    owner, _, name = callee.rpartition(".")
    target = None
    if owner and not name.endswith(")"):
        evaluator.touched.add(NAME_PREFIX + name)
        target = methods.get(name)
    return ResolvedCall(scope, callee, line, target, "", BY_NAME if target is not None else 0.0)


def _database(evaluator: Evaluator, path: str, facts: FileFacts) -> tuple[ResolvedUse, ...]:
    found: list[ResolvedUse] = []
    for use in facts.database:
        value = evaluator.evaluate(path, use.scope, use.entity) if use.entity else None
        target = Target(value.module, value.definition) if value is not None and _is_class(evaluator, value) else None
        if target is not None or use.table:
            found.append(ResolvedUse(use.scope, target, use.table))
    return tuple(found)


def _is_class(evaluator: Evaluator, value: Value) -> bool:
    """A class, or what a set of its instances evaluates to."""
    is_one = value.kind is Kind.CLASS or value.kind is Kind.INSTANCE
    return is_one and evaluator.definition(value).kind in CLASSES
