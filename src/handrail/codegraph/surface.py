"""What other modules can see of a file, by name: so that a change resolves only who asked for a name that changed."""

from collections import defaultdict
from collections.abc import Iterator

from handrail.codegraph.facts import MODULE_SCOPE, FileFacts, Import


def changed_names(old: FileFacts, new: FileFacts) -> frozenset[str] | None:
    """The simple names whose meaning may have changed, everything but lines, bodies and texts for people counting; None
    where the change may reach beyond names: to what is inherited, stored or served."""
    if _beyond_names(old) != _beyond_names(new):
        return None
    before, after = _by_name(old), _by_name(new)
    return frozenset(name for name in before.keys() | after.keys() if before.get(name) != after.get(name))


def _beyond_names(facts: FileFacts) -> tuple[object, ...]:
    classes = {(d.qualname, d.ancestors, d.tags) for d in facts.definitions if d.ancestors or d.tags}
    wildcards = [(statement.target, statement.kind) for statement in facts.imports if ("*", "") in statement.names]
    return facts.package, facts.routers, facts.mounts, facts.paths, wildcards, classes


def _by_name(facts: FileFacts) -> dict[str, list[object]]:
    seen: defaultdict[str, list[object]] = defaultdict(list)
    for definition in facts.definitions:
        seen[definition.name].append((definition.qualname, definition.kind, definition.return_type))
        for parameter in definition.parameters:
            seen[parameter.name].append((definition.qualname, parameter.type))
    for variable in facts.variables:
        scope = "" if variable.scope == MODULE_SCOPE else facts.definitions[variable.scope].qualname
        seen[variable.name.removeprefix("this.")].append((scope, variable.name, variable.type, variable.value))
    for statement in facts.imports:
        for name, alias in _bound(statement):
            seen[alias].append((statement.target, name, statement.kind))
    for outside, inside in facts.exports:
        seen[outside].append(inside)
    return seen


def _bound(statement: Import) -> Iterator[tuple[str, str]]:
    if not statement.names:
        yield "", statement.target.partition(".")[0]
    yield from statement.names
