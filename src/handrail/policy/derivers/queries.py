"""The text of a query before it is parsed: its size, its words, and signs that databases read differently."""

from __future__ import annotations

import re

_SIGN = re.compile(r"\w+|'[^']*'|\"[^\"]*\"|[^\w\s]")
_QUOTED = re.compile(r"(?<![\w&])'[^'\"`\\]*'|\"[^'\"`\\]*\"|`[^'\"`\\]*`")
"""Quotes that end at the same place for all: none of another kind inside, no backslash, no letter before (`q'…'`)."""
_ODD = (
    ("--", "it has comments"),
    ("/*", "it has comments"),
    ("#", "it has comments"),
    ("'", "it has quotes that databases read differently"),
    ('"', "it has quotes that databases read differently"),
    ("`", "it has quotes that databases read differently"),
    ("\\", "it has backslashes"),
    ("@", "it names variables or another database"),
    (":=", "it assigns variables"),
    ("{", "it has symbols that are not SQL everywhere"),
    ("}", "it has symbols that are not SQL everywhere"),
)

_WORDS = {
    **dict.fromkeys(("delete", "drop", "truncate", "purge", "remove"), "delete"),
    **dict.fromkeys(("insert", "update", "merge", "replace", "upsert", "load", "into"), "write"),
    **dict.fromkeys(("create", "alter", "rename", "reindex", "vacuum", "refresh", "cluster", "attach"), "migrate"),
    **dict.fromkeys(("grant", "revoke", "role", "user", "identified", "policy"), "grant"),
    **dict.fromkeys(("copy", "outfile", "dumpfile", "unload", "export"), "export"),
    **dict.fromkeys(("call", "do", "exec", "execute", "program", "prepare", "language"), "execute"),
    **dict.fromkeys(("set", "reset", "pragma", "use"), "configure"),
}

_BEGINNINGS = (
    "alter backup begin break bulk call checkpoint close commit continue copy create dbcc deallocate declare delete"
    " deny do drop dump exec execute export goto grant insert kill load lock merge open outfile dumpfile prepare print"
    " procedure raiserror reconfigure release rename replace restore return revert revoke rollback save savepoint set"
    " setuser shutdown start stop truncate unload update upsert use vacuum waitfor writetext"
)
_STATEMENT_WORDS = frozenset(_BEGINNINGS.split())
"""SQL Server accepts a second statement without a separator: `SELECT 1 SHUTDOWN`."""


def size_of(text: str, limit: int) -> tuple[int, int]:
    """How many words and signs a text has at least, counted up to just above the limit, and how deep its brackets go.

    Runs of one sign or word nest as brackets do (`NOT NOT NOT x`, `- - - 1`), so they count as depth.
    """
    count = depth = deepest = run = 0
    last = ""
    for found in _SIGN.finditer(text):
        sign = found.group().lower()
        count += 1
        depth += (sign in "([{") - (sign in ")]}") if len(sign) == 1 else 0
        depth += (sign in ("case", "begin")) - (sign == "end")
        run = run + 1 if sign == last or sign in ("not", "-", "+", "~", "!") else 0
        deepest, last = max(deepest, depth, run), sign
        if count > limit:
            break
    return count, deepest


def oddity(text: str) -> str | None:
    """What in a statement databases could read differently, if anything."""
    if not text.replace("\t", "").replace("\n", "").replace("\r", "").isprintable():
        return "it has invisible characters"
    if re.search(r"'{3}|\"{3}|`{3}", text):
        return "it has quotes that databases read differently"
    bare = _QUOTED.sub("x", text)
    if re.search(r"\$(?![0-9])|[\w$]\$", bare):
        return "it has quotes between dollar signs"
    if not bare.isascii() and re.search(r"[^\w\s\x00-\x7f]", bare):
        return "it has symbols that are not SQL everywhere"
    return next((why for sign, why in _ODD if sign in bare), None)


def begins_another(text: str) -> bool:
    """Whether a word outside of quotes could begin a second statement where none ended."""
    return not _STATEMENT_WORDS.isdisjoint(re.findall(r"[a-z]+", _QUOTED.sub("x", text).lower()))


def keywords(text: str) -> frozenset[str]:
    """What the words of a text could do, wherever they stand: even inside quotes and comments."""
    return frozenset(_WORDS[word] for word in re.findall(r"[a-z]+", text.lower()) if word in _WORDS)


def shown(name: str) -> str:
    """A table's name for people: names only, never text that could be anything."""
    return name if len(name) <= 60 and re.fullmatch(r"[\w.$-]+", name) else "…"
