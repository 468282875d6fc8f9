"""Where Python code reaches for a database: ORM queries by entity, SQL text by table."""

import re
from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING

from handrail.codegraph.facts import DatabaseUse
from handrail.codegraph.languages import sql
from handrail.codegraph.languages.python.arguments import positional

if TYPE_CHECKING:
    from handrail.codegraph.languages.python.extract import File

_TAKES_ENTITY = (
    "query", "select", "insert", "update", "delete", "get", "scalars", "get_object_or_404", "get_list_or_404",
)  # fmt: skip
_TAKES_SQL = ("execute", "executemany", "fetch", "fetchrow", "fetchval", "text", "raw", "read_sql")
_MANAGERS = re.compile(r"\.(?:objects|_default_manager|query)\.")


def read(file: "File") -> Iterator[DatabaseUse]:
    """Each once."""
    return iter(dict.fromkeys(chain(_managed(file), _asked(file))))


def _managed(file: "File") -> Iterator[DatabaseUse]:
    """`Order.objects.filter()`."""
    if any(name in file.source for name in (b".objects.", b"._default_manager.", b".query.")):
        for _, callee, scope in file.call_nodes:
            manager = _MANAGERS.search(callee)
            if manager is not None and callee[:1].isupper():
                yield DatabaseUse(scope, callee[: manager.start()], "")


def _asked(file: "File") -> Iterator[DatabaseUse]:
    for name in _TAKES_ENTITY:
        for node, _, scope in file.called.get(name, ()):
            for argument in positional(node):
                entity = file.expression(argument) if argument.type in {"identifier", "attribute"} else ""
                if entity.rpartition(".")[2][:1].isupper():
                    yield DatabaseUse(scope, entity, "")
    for name in _TAKES_SQL:
        for node, _, scope in file.called.get(name, ()):
            for table in sql.tables(file.string(next(iter(positional(node)), None)) or ""):
                yield DatabaseUse(scope, "", table)
