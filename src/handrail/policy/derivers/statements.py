"""What a parsed statement does. Only what is known to be plain is: any other kind of node makes it more than a read."""

from __future__ import annotations

import re
from dataclasses import dataclass

from sqlglot import exp
from sqlglot.expressions.core import Expr

from .queries import keywords
from .reading import READ

_PLAIN: tuple[type[Expr], ...] = (
    *(exp.Select, exp.Union, exp.Except, exp.Intersect, exp.Subquery, exp.With, exp.CTE, exp.From, exp.Join),
    *(exp.Table, exp.TableAlias, exp.Alias, exp.Column, exp.Identifier, exp.Star, exp.Literal, exp.Null, exp.Boolean),
    *(exp.Where, exp.Group, exp.Having, exp.Order, exp.Ordered, exp.Limit, exp.Offset, exp.Fetch, exp.Distinct),
    *(exp.And, exp.Or, exp.Not, exp.Paren, exp.Tuple, exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Is),
    *(exp.In, exp.Between, exp.Like, exp.ILike, exp.Escape, exp.Exists, exp.Case, exp.If, exp.Placeholder),
    *(exp.Add, exp.Sub, exp.Mul, exp.Div, exp.Mod, exp.Neg, exp.DPipe, exp.NullSafeEQ, exp.NullSafeNEQ),
)
_DUAL = frozenset({"dual"})
_SELECT_PARTS = frozenset(
    {"expressions", "distinct", "from_", "joins", "where", "group", "having", "order", "limit", "offset", "with_"}
)
_TABLE_PARTS = frozenset({"this", "db", "catalog", "alias", "joins"})
_MOVES = re.compile(r"nextval|currval", re.IGNORECASE)
"""A sequence's next number is written as a column in some databases."""

_NAME = re.compile(r"[\w $-]+|information_schema\.\w+", re.IGNORECASE)

_EFFECTS: tuple[tuple[type[Expr], str], ...] = (
    (exp.Delete, "delete"),
    (exp.Drop, "delete"),
    (exp.TruncateTable, "delete"),
    (exp.Insert, "write"),
    (exp.Update, "write"),
    (exp.Merge, "write"),
    (exp.Into, "write"),
    (exp.Lock, "write"),
    (exp.Create, "migrate"),
    (exp.Alter, "migrate"),
    (exp.Comment, "migrate"),
    (exp.Attach, "migrate"),
    (exp.Detach, "migrate"),
    (exp.Grant, "grant"),
    (exp.Revoke, "grant"),
    (exp.Export, "export"),
    (exp.Set, "configure"),
    (exp.Use, "configure"),
    (exp.Pragma, "configure"),
)


@dataclass(frozen=True, slots=True)
class Effects:
    operations: frozenset[str]
    verb: str
    tables: tuple[str, ...] = ()
    names: frozenset[str] = frozenset()
    note: str = ""


class NotAStatementError(Exception):
    """A text that a parser takes for an expression, such as `some words`."""


def effects_of(root: Expr) -> Effects:
    """What one statement does, by all its parts: a CTE may write under a SELECT."""
    if isinstance(root, exp.Command):
        return _command(root)
    if isinstance(root, exp.Condition | exp.Alias) or (isinstance(root, exp.Select) and not root.expressions):
        raise NotAStatementError
    nodes = list(root.walk())
    operations = {effect for node in nodes for kind, effect in _EFFECTS if isinstance(node, kind)} | _by_kind(root)
    places = _places(nodes)
    foreign = next((node for node in nodes if not _plain(node, places)), None)
    if isinstance(root, exp.Query):
        operations.add("read")
        # locking and INTO are named already
        operations |= {"execute"} if foreign is not None and not operations - READ else set[str]()
    return Effects(
        frozenset(operations or {"execute"}),
        _verb(root),
        _tables(nodes),
        frozenset(node.name.lower() for node in nodes if isinstance(node, exp.Column | exp.Table)),
        _note(root, foreign, nodes),
    )


def _command(root: exp.Command) -> Effects:
    """A statement of which the parser knows only the first word."""
    text = root.sql() if len(root.sql()) < 10_000 else ""
    verb = str(root.this).upper()[:20]
    reads = verb in ("EXPLAIN", "SHOW", "DESCRIBE", "DESC")
    return Effects(keywords(text) | ({"read", "execute"} if reads else {"execute"}), verb)


def _by_kind(root: Expr) -> set[str]:
    """What a statement does beyond its kind of node, by what it is about."""
    kind = str(root.args.get("kind") or "").upper()
    match root:
        case exp.Copy():
            # kind: FROM is true, TO is false
            found = {"write" if root.args.get("kind") else "export"}
            return found | ({"execute"} if re.search(r"\bprogram\b", root.sql(), re.IGNORECASE) else set())
        case exp.Create() if kind in ("FUNCTION", "PROCEDURE", "TRIGGER", "EXTENSION"):
            return {"execute"}
        case exp.Create() if root.args.get("replace") and kind == "TABLE":
            return {"delete"}
        case exp.Set():
            return {"grant"} if re.search(r"\b(?:role|authorization)\b", root.sql(), re.IGNORECASE) else set()
        case exp.Describe() | exp.Show():
            return {"read", "execute"} | keywords(root.sql())
        case _:
            return set()


def _places(nodes: list[Expr]) -> frozenset[str]:
    """What columns may come from: tables, their other names, and queries with a name."""
    names = {node.alias_or_name for node in nodes if isinstance(node, exp.Table | exp.Subquery | exp.CTE)}
    names |= {node.name for node in nodes if isinstance(node, exp.Table)}
    return frozenset(name.lower() for name in names)


def _plain(node: Expr, places: frozenset[str]) -> bool:
    """Whether a part of a SELECT does nothing but read: its kind is known, and nothing is attached to it."""
    if isinstance(node, exp.Parameter):
        return isinstance(node.this, exp.Literal)
    if type(node) not in _PLAIN:
        return False
    if isinstance(node, exp.Select):
        return all(name in _SELECT_PARTS for name, value in node.args.items() if value)
    if isinstance(node, exp.Table):
        known = all(name in _TABLE_PARTS for name, value in node.args.items() if value)
        # a database may take a name such as "https://…" or "data.csv" for a place to read from
        return known and all(isinstance(part, exp.Identifier) and _NAME.fullmatch(part.name) for part in node.parts)
    if isinstance(node, exp.TableAlias) and isinstance(node.parent, exp.Table):
        # what looks like other names of columns is a lock in SQL Server: `FROM t x (TABLOCKX, HOLDLOCK)`
        return not node.args.get("columns")
    return not isinstance(node, exp.Column) or _plain_column(node, places)


def _plain_column(column: exp.Column, places: frozenset[str]) -> bool:
    """Oracle calls functions without brackets: `package.function`, `sequence.nextval`, anything from dual."""
    if _MOVES.fullmatch(column.name) or places == _DUAL:
        return False
    return not column.table or column.table.lower() in places


def _verb(root: Expr) -> str:
    kind = root.args.get("kind")
    extra = f" {kind}" if isinstance(root, exp.Create | exp.Drop | exp.Alter) and isinstance(kind, str) else ""
    if isinstance(root, exp.Query):
        return "SELECT"
    return (root.key.upper().removesuffix("TABLE") + extra)[:40]


def _tables(nodes: list[Expr]) -> tuple[str, ...]:
    made_here = {node.alias.lower() for node in nodes if isinstance(node, exp.CTE)}
    found = (".".join(part.name for part in node.parts).lower() for node in nodes if isinstance(node, exp.Table))
    return tuple(dict.fromkeys(name for name in found if name and name not in made_here))


def _note(root: Expr, foreign: Expr | None, nodes: list[Expr]) -> str:
    if isinstance(root, exp.Delete | exp.Update) and root.args.get("where") is None:
        return "without WHERE"
    if isinstance(foreign, exp.Func):
        name = foreign.name if isinstance(foreign, exp.Anonymous) else foreign.sql_name()
        return f"with the function {name.lower()[:40]}" if re.fullmatch(r"\w+", name) else "with a function"
    if any(isinstance(node, exp.Lock) for node in nodes):
        return "and locks rows"
    if any(isinstance(node, exp.Into) for node in nodes):
        return "and stores the result"
    return ""
