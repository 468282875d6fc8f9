"""Where C# code reaches for a database: sets of a DbContext by entity, SQL text by table."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from tree_sitter import Node

from handrail.codegraph.facts import DatabaseUse
from handrail.codegraph.languages import sql
from handrail.codegraph.languages.csharp.minimal import arguments
from handrail.codegraph.languages.nodes import nth, text_of
from handrail.codegraph.languages.types import type_argument, type_name

if TYPE_CHECKING:
    from handrail.codegraph.languages.csharp.extract import File

_SET = re.compile(r"^((?:this\.)?_?\w*(?:[cC]ontext|[dD]b|[dD]atabase)\w*\.([A-Z]\w*))\.\w+$")
"""`_context.Orders.Where`: a set of a context, by the names that contexts have."""
_NOT_SETS = frozenset({"Database", "ChangeTracker", "Model", "Entry"})
_TAKES_ENTITY = frozenset(
    {"Set", "Query", "QueryAsync", "QueryFirst", "QuerySingle", "QueryFirstOrDefaultAsync", "Find"}
)
_TAKES_SQL = frozenset(
    {"Execute", "ExecuteAsync", "ExecuteScalarAsync", "Query", "QueryAsync", "QueryFirst", "QuerySingle",
     "QueryFirstOrDefaultAsync", "QuerySingleOrDefaultAsync", "FromSqlRaw", "FromSql", "FromSqlInterpolated",
     "ExecuteSqlRaw", "ExecuteSqlRawAsync", "SqlCommand", "SqlQuery", "SqlQueryRaw"}
)  # fmt: skip


def read(file: "File") -> tuple[DatabaseUse, ...]:
    found: dict[DatabaseUse, None] = {}
    for index, definition in enumerate(file.definitions.found):
        entity = type_argument(definition.returns) if definition.returns.startswith("DbSet<") else ""
        if entity:
            found[DatabaseUse(index, entity, definition.name.lower())] = None
    for node, callee, scope in file.call_nodes:
        for use in _uses(file, node, callee, scope):
            found[use] = None
    return tuple(found)


def _uses(file: "File", node: Node, callee: str, scope: int) -> Iterator[DatabaseUse]:
    used = _SET.match(callee)
    if used is not None and used.group(2) not in _NOT_SETS:
        yield DatabaseUse(scope, used.group(1), used.group(2).lower())
    last = callee.rpartition(".")[2]
    function = node.child_by_field_name("function")
    name = function.child_by_field_name("name") if function is not None else None
    if last in _TAKES_ENTITY and name is not None and name.type == "generic_name":
        entity = type_name(text_of(nth(name, 1), file.source).strip("<>"))
        if entity:
            yield DatabaseUse(scope, entity, entity.lower() if last == "Set" else "")
    given = arguments(node) if last in _TAKES_SQL else []
    for table in sql.tables(file.string(given[0]) or "") if given else ():
        yield DatabaseUse(scope, "", table)
