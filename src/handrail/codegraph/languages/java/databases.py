"""Where Java code reaches for a database: JPA entities and repositories by type, SQL text by table."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from tree_sitter import Node

from handrail.codegraph.facts import DatabaseUse
from handrail.codegraph.languages import sql
from handrail.codegraph.languages.types import type_argument, type_name

if TYPE_CHECKING:
    from handrail.codegraph.languages.java.extract import File

_REPOSITORY = ("Repository", "Dao", "DAO")
_TAKES_SQL = frozenset(
    {"query", "queryForObject", "queryForList", "queryForMap", "update", "execute", "batchUpdate", "prepareStatement",
     "executeQuery", "executeUpdate", "createNativeQuery", "sql", "nativeQuery"}
)  # fmt: skip


def read(file: "File") -> tuple[DatabaseUse, ...]:
    found: dict[DatabaseUse, None] = {}
    for index, definition in enumerate(file.definitions.found):
        if "repository" in definition.tags:
            for _, written in file.definitions.ancestor_types(index):
                if entity := type_argument(written):
                    found[DatabaseUse(index, entity, "")] = None
    repositories = _repositories(file)
    for node, callee, scope in file.call_nodes:
        for use in _uses(file, node, callee, scope, repositories):
            found[use] = None
    return tuple(found)


def _uses(file: "File", node: Node, callee: str, scope: int, repositories: dict[str, str]) -> Iterator[DatabaseUse]:
    owner, _, last = callee.rpartition(".")
    repository = repositories.get(owner.removeprefix("this."))
    if repository is not None:
        yield DatabaseUse(scope, repository, "")
    listed = node.child_by_field_name("arguments")
    given = listed.named_children if listed is not None else []
    if "anager" in owner or "ession" in owner or "emplate" in owner:
        for argument in given:
            if argument.type == "class_literal":
                yield DatabaseUse(scope, type_name(file.text(argument).removesuffix(".class")), "")
    if last in _TAKES_SQL and given:
        for table in sql.tables(file.string(given[0]) or ""):
            yield DatabaseUse(scope, "", table)


def _repositories(file: "File") -> dict[str, str]:
    """Field or parameter → its type, where that is a repository by its name."""
    named = {name: type_name(written) for _, name, written, _, _ in file.fields}
    for definition in file.definitions.found:
        named |= {parameter.name: parameter.type for parameter in definition.parameters if parameter.type}
    return {name: found for name, found in named.items() if found.endswith(_REPOSITORY)}
