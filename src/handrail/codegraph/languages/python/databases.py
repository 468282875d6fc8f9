"""Where Python code reaches for a database: ORM queries by entity, SQL text by table."""

import re
from typing import TYPE_CHECKING

from handrail.codegraph.facts import DatabaseUse
from handrail.codegraph.languages import sql
from handrail.codegraph.languages.python.arguments import positional

if TYPE_CHECKING:
    from handrail.codegraph.languages.python.extract import File

_TAKES_ENTITY = frozenset(
    {"query", "select", "insert", "update", "delete", "get", "scalars", "get_object_or_404", "get_list_or_404"}
)
_TAKES_SQL = frozenset({"execute", "executemany", "fetch", "fetchrow", "fetchval", "text", "raw", "read_sql"})
_MANAGER_NAMES = (b".objects.", b"._default_manager.", b".query.")
_MANAGERS = re.compile(rb"\.(?:objects|_default_manager|query)\.")


def read(file: "File") -> tuple[DatabaseUse, ...]:
    found: dict[DatabaseUse, None] = {}
    has_managers = any(name in file.source for name in _MANAGER_NAMES)
    for node, callee, scope in file.call_nodes:
        manager = _MANAGERS.search(callee.encode()) if has_managers else None
        if manager is not None and callee[:1].isupper():
            found[DatabaseUse(scope, callee[: manager.start()], "")] = None
        last = callee.rpartition(".")[2]
        if last in _TAKES_ENTITY:
            for argument in positional(node):
                entity = file.expression(argument) if argument.type in {"identifier", "attribute"} else ""
                if entity.rpartition(".")[2][:1].isupper():
                    found[DatabaseUse(scope, entity, "")] = None
        elif last in _TAKES_SQL and (arguments := positional(node)):
            for table in sql.tables(file.string(arguments[0]) or ""):
                found[DatabaseUse(scope, "", table)] = None
    return tuple(found)
