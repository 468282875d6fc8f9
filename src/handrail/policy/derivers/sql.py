"""SQL: a plain read is exactly one SELECT that calls nothing, stores nothing and locks nothing, in every dialect.

Nobody here knows which database will run the statement. So quotes, comments and signs that databases read differently
are unclear, and what is left must be the same plain SELECT for each parser that takes it.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from functools import cache
from types import ModuleType
from typing import TYPE_CHECKING, NamedTuple

from .queries import keywords, oddity, shown, size_of
from .reading import READ, UNKNOWN, Reading, too_long, unreadable

if TYPE_CHECKING:
    from sqlglot.expressions.core import Expr

MAX_TOKENS = 200
"""sqlglot takes about 30 µs for each, in each dialect."""
MAX_DEPTH = 16

_DIALECTS = ("postgres", "mysql", "tsql", "bigquery", "snowflake")
"""Asked after sqlglot's own: between them they have every way of quoting and commenting."""

_DATABASE = frozenset({"database"})
_CREDENTIAL_TABLES = re.compile(r"(?:pg_shadow|pg_authid|pg_user_mappings?|sql_logins|syslogins|dba_users|user\$)")
_CREDENTIAL_WORDS = re.compile(
    r"pass(?:word|wd|phrase)s?|pwd|secrets?|credentials?|api_?keys?|private_?keys?|(?:api|access|auth|refresh|session)_?tokens?"
    r"|token",
)


class _Parsed(NamedTuple):
    operations: frozenset[str]
    verbs: tuple[str, ...]
    tables: tuple[str, ...]
    names: frozenset[str]
    """Of tables and columns, in lower case."""
    note: str
    """What else people should know: `without WHERE`, `calls count`."""


def read(statement: str) -> Reading:
    """What a text of SQL does. Text that does not parse may do anything its words name."""
    if too_long(statement):
        return unreadable("the statement is too long to read", resources=_DATABASE)
    size, depth = size_of(statement, MAX_TOKENS)
    if size > MAX_TOKENS or depth > MAX_DEPTH:
        return _by_words(statement, "the statement is too long or too deep to parse")
    parsed = _parse(statement, None)
    odd = oddity(statement)
    if parsed is None:
        parsed = next((found for found in (_parse(statement, dialect) for dialect in _DIALECTS) if found), None)
        odd = odd or "only some databases take this as SQL"
    if parsed is None:
        return _by_words(statement, "it does not parse as SQL")
    if odd is None and parsed.operations == READ and not _agreed(statement, parsed):
        odd = "databases read this statement differently"
    operations = parsed.operations
    if odd is not None:
        operations |= keywords(statement)
        operations |= UNKNOWN if operations == READ else frozenset()
    return Reading(operations, _reason(parsed), resources=_resources(parsed), unclear=odd)


def _agreed(statement: str, parsed: _Parsed) -> bool:
    """Whether each dialect that takes the statement reads the same from the same tables."""
    others = (_parse(statement, dialect) for dialect in _DIALECTS)
    return all(other is None or (other.operations, other.tables) == (READ, parsed.tables) for other in others)


def _by_words(statement: str, why: str) -> Reading:
    named = keywords(statement)
    return Reading(UNKNOWN | named, why, resources=_DATABASE, unclear=why)


def _parse(statement: str, dialect: str | None) -> _Parsed | None:
    try:
        roots = [root for root in _sqlglot().parse(statement, dialect=dialect) if root is not None]
        return _summary(roots) if roots else None
    except Exception:  # whatever a parser trips over, of its own errors and others, is text that it does not take
        return None


def _summary(roots: list[Expr]) -> _Parsed:
    from .statements import effects_of

    effects = [effects_of(root) for root in roots]
    operations = frozenset(operation for effect in effects for operation in effect.operations)
    # two plain reads are not one
    operations |= UNKNOWN if len(effects) > 1 and operations == READ else frozenset()
    tables = tuple(dict.fromkeys(table for effect in effects for table in effect.tables))
    names = frozenset(name for effect in effects for name in effect.names)
    note = next((effect.note for effect in effects if effect.note), "")
    return _Parsed(operations, tuple(effect.verb for effect in effects), tables, names, note)


def _reason(parsed: _Parsed) -> str:
    verbs = ", ".join(dict.fromkeys(parsed.verbs))
    count = f"{len(parsed.verbs)} statements: " if len(parsed.verbs) > 1 else ""
    link = "from" if set(parsed.verbs) <= {"SELECT", "DELETE"} else "on"
    tables = f" {link} {', '.join(map(shown, parsed.tables[:5]))}" if parsed.tables else ""
    return f"{count}{verbs}{tables}{' ' if parsed.note else ''}{parsed.note}"


def _resources(parsed: _Parsed) -> frozenset[str]:
    return _DATABASE | {"credential"} if any(_secrets(parsed)) else _DATABASE


def _secrets(parsed: _Parsed) -> Iterator[bool]:
    yield "mysql.user" in parsed.tables
    for name in parsed.names:
        yield _CREDENTIAL_TABLES.fullmatch(name) is not None
        yield re.search(rf"(?:^|_)(?:{_CREDENTIAL_WORDS.pattern})(?:_|$)", name) is not None


@cache
def _sqlglot() -> ModuleType:
    """Imported when first needed: 130 ms."""
    import sqlglot

    # it warns of each statement that it does not know; the reading says so already
    logging.getLogger("sqlglot").setLevel(logging.CRITICAL)
    return sqlglot
