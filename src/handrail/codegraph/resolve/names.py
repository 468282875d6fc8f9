"""The names of one module: what it defines, imports and assigns."""

from dataclasses import dataclass, field
from typing import NamedTuple

from handrail.codegraph.facts import CALLBACK, MODULE_SCOPE, FileFacts, Variable
from handrail.codegraph.languages.language import Language, Reference, Resolver

CLASSES = frozenset({"class", "interface", "enum", "struct", "record"})


class ImportEdge(NamedTuple):
    module: str
    line: int


@dataclass
class Names:
    """Name tables of a module. Definitions are indexes into its facts; of two equal names the last one counts, as it
    does at run time, and overloads come before their implementation."""

    facts: FileFacts
    members: dict[int, dict[str, int]]
    """Scope → name → definition."""
    variables: dict[tuple[int, str], list[Variable]]
    """(scope, name) → what it is given; `this.x` stands under its class as `x`."""
    nested: set[str]
    """Names that mean something inside some definition: all others mean the same everywhere in the module."""
    bindings: dict[str, Reference] = field(default_factory=dict[str, Reference])
    wildcards: list[str] = field(default_factory=list[str])
    imports: list[ImportEdge] = field(default_factory=list[ImportEdge])
    externals: set[str] = field(default_factory=set[str])
    exports: dict[str, str] = field(default_factory=dict[str, str])
    builtins: frozenset[str] = frozenset()
    members_in_scope: bool = False

    def is_everywhere(self, expression: str) -> bool:
        """True where an expression means the same in every scope of the module: it is decided once."""
        head = expression.partition(".")[0]
        if head.endswith("()"):
            head = head[:-2]
        return not (self.members_in_scope or head in self.nested or head == "this" or head == "super")  # noqa: PLR1714 - a set would be made and hashed for every name


def names_of(path: str, facts: FileFacts, language: Language, resolver: Resolver) -> Names:
    variables = _variables(facts)
    names = Names(
        facts,
        _members(facts),
        variables,
        _nested(facts, variables),
        exports=dict(facts.exports),
        builtins=language.builtins,
        members_in_scope=language.members_in_scope,
    )
    seen: set[str] = set()
    for statement in facts.imports:
        targets = resolver.resolve_import(path, statement)
        for module in targets.modules:
            if module not in seen:
                seen.add(module)
                names.imports.append(ImportEdge(module, statement.line))
        names.bindings.update(targets.bindings)
        names.wildcards.extend(targets.wildcards)
        if targets.external:
            names.externals.add(targets.external)
            for name, alias in statement.names or (("", targets.external),):
                if alias:
                    names.bindings.setdefault(alias, Reference("", f"{statement.target}.{name}".rstrip(".")))
    return names


def _nested(facts: FileFacts, variables: dict[tuple[int, str], list[Variable]]) -> set[str]:
    nested = {name for scope, name in variables if scope != MODULE_SCOPE}
    for definition in facts.definitions:
        if definition.parent != MODULE_SCOPE:
            nested.add(definition.name)
        for parameter in definition.parameters:
            nested.add(parameter.name)
    return nested


def enclosing_class(facts: FileFacts, scope: int) -> int:
    while scope != MODULE_SCOPE and facts.definitions[scope].kind not in CLASSES:
        scope = facts.definitions[scope].parent
    return scope


def _members(facts: FileFacts) -> dict[int, dict[str, int]]:
    members: dict[int, dict[str, int]] = {}
    for index, definition in enumerate(facts.definitions):
        if CALLBACK not in definition.tags:
            members.setdefault(definition.parent, {})[definition.name] = index
    return members


def _variables(facts: FileFacts) -> dict[tuple[int, str], list[Variable]]:
    variables: dict[tuple[int, str], list[Variable]] = {}
    for variable in facts.variables:
        scope, name = variable.scope, variable.name
        if name.startswith("this."):
            scope, name = enclosing_class(facts, scope), name[5:]
        variables.setdefault((scope, name), []).append(variable)
    return variables
