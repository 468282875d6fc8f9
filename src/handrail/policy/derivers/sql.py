"""SQL: a plain read is exactly one SELECT that calls nothing, stores nothing and locks nothing, in every dialect.

Nobody here knows which database will run the statement. So quotes, comments and signs that databases read differently
are unclear, and what is left must be the same plain SELECT for each parser that takes it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from .queries import begins_another, keywords, oddity, shown, size_of
from .reading import READ, UNKNOWN, Reading, too_long, unreadable

if TYPE_CHECKING:
    from .parsing import Meter

_MAX_LENGTH = 8 * 1024
_MAX_TOKENS = 300
_MAX_STEPS = 2000
"""Of the parser, in all dialects: one for each token of an honest statement."""
_MAX_DEPTH = 16

_DIALECTS = ("postgres", "mysql", "tsql", "bigquery", "snowflake")
"""Asked after sqlglot's own: between them they have every way of quoting and commenting."""

_NUMBER = re.compile(r"(?<=[\s(,=<>])\d+(?=[\s),;]|$)")

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
    size, depth = size_of(statement, _MAX_TOKENS) if len(statement) <= _MAX_LENGTH else (_MAX_TOKENS + 1, 0)
    if size > _MAX_TOKENS or depth > _MAX_DEPTH:
        return _by_words(statement, "the statement is too long or too deep to parse")
    return _parsed(_shape(statement)) or _by_words(statement, "it does not parse as SQL")


def _shape(statement: str) -> str:
    """The statement with other numbers: what it does is the same, and agents send the same one for many of them."""
    return _NUMBER.sub("1", statement)


@lru_cache(maxsize=256)
def _parsed(statement: str) -> Reading | None:
    # 130 ms when it is first needed
    from .parsing import Meter

    meter = Meter(_MAX_STEPS)
    # placeholders of Python's drivers; sqlglot knows the others
    statement = re.sub(r"%s\b|%\(\w+\)s\b", "?", statement)
    odd = oddity(statement)
    parsed = _parse(statement, None, meter)
    if parsed is None:
        parsed = next((found for dialect in _DIALECTS if (found := _parse(statement, dialect, meter))), None)
        odd = odd or "only some databases accept this as SQL"
    if parsed is None:
        return None
    operations = parsed.operations
    if odd is None and operations == READ:
        odd = _disputed(statement, parsed, meter)
    if odd is not None:
        operations |= keywords(statement)
        operations |= UNKNOWN if operations == READ else frozenset()
    return Reading(operations, _reason(parsed), resources=_resources(parsed), unclear=odd)


def _disputed(statement: str, parsed: _Parsed, meter: Meter) -> str | None:
    """Why a plain read is not one for another database, if so: each that takes it must read from the same tables."""
    if begins_another(statement):
        return "it has words that may start another statement"
    # quoted names are strings for these two, at the same places: there is nothing else to learn from them
    dialects = [name for name in _DIALECTS if '"' not in statement or name not in ("mysql", "bigquery")]
    others = [_parse(statement, dialect, meter) for dialect in dialects]
    same = all(other is None or (other.operations, other.tables) == (READ, parsed.tables) for other in others)
    return None if same and meter.left >= 0 else "databases may read this statement differently"


def _by_words(statement: str, why: str) -> Reading:
    named = keywords(statement)
    return Reading(UNKNOWN | named, why, resources=_DATABASE, unclear=why)


def _parse(statement: str, dialect: str | None, meter: Meter) -> _Parsed | None:
    from .parsing import parse
    from .statements import effects_of

    try:
        effects = [effects_of(root) for root in parse(statement, dialect, meter)]
    except Exception:  # whatever error a parser raises, it does not accept the text
        return None
    if not effects:
        return None
    operations = frozenset(operation for effect in effects for operation in effect.operations)
    return _Parsed(
        # two plain reads are not one
        operations | (UNKNOWN if len(effects) > 1 and operations == READ else frozenset()),
        tuple(effect.verb for effect in effects),
        tuple(dict.fromkeys(table for effect in effects for table in effect.tables)),
        frozenset(name for effect in effects for name in effect.names),
        next((effect.note for effect in effects if effect.note), ""),
    )


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
