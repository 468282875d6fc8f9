"""The words of a condition: what it may contain, and which values it reads.

CEL has no limit of cost and holds the interpreter while it runs, so what could be slow is refused by its text: loops,
long or deep expressions, patterns that come from the data or take milliseconds to compile.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from .evaluator import cel

MAX_LENGTH = 1000
MAX_TOKENS = 200
MAX_DEPTH = 16
MAX_PATTERN = 100

ROOTS = ("action", "task")
FUNCTIONS = ("has", "size", "contains", "startsWith", "endsWith", "matches", "int", "double", "string")
LOOPS = ("all", "exists", "exists_one", "filter", "map")

# compiling these takes 0.1 to 16 ms at every evaluation: Unicode tables, and counted repetition that multiplies them
_COSTLY_PATTERN = re.compile(r"\\[wWdDsSbBpP]|\{")

_TOKEN = re.compile(
    r"""(?P<space>\s+|//[^\n]*)
    |(?P<string>[rR]?(?:'''(?:\\.|[^\\])*?'''|\"\"\"(?:\\.|[^\\])*?\"\"\"|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"))
    |(?P<number>(?:0x[0-9a-fA-F]+|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)u?)
    |(?P<name>[A-Za-z_]\w*)
    |(?P<sign>&&|\|\||[<>=!]=|[-+*/%<>!?:.,()\[\]])
    """,
    re.VERBOSE | re.ASCII | re.DOTALL,
)

Path = tuple[str | int, ...]


class Refusal(Exception):
    """Why a condition is refused, and at which character."""

    def __init__(self, offset: int, message: str) -> None:
        super().__init__(message)
        self.offset = offset
        self.message = message


class _Token(NamedTuple):
    kind: str
    text: str
    at: int


class Shape(NamedTuple):
    paths: tuple[Path, ...]
    """The values that the condition reads, such as `("task", "rows")`."""
    reads: int
    """How often it reads one."""
    patterns: int


def check(text: str) -> Shape:
    """What the condition is made of; raises Refusal where it says what a condition may not."""
    if len(text) > MAX_LENGTH:
        raise Refusal(MAX_LENGTH, f"a condition can have at most {MAX_LENGTH} characters; this one has {len(text)}")
    tokens = _tokens(text)
    _check_depth(tokens)
    _check_names(tokens)
    patterns = _check_patterns(tokens)
    paths = _paths(tokens)
    return Shape(tuple(dict.fromkeys(paths)), len(paths), patterns)


def _tokens(text: str) -> list[_Token]:
    tokens: list[_Token] = []
    at = 0
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            raise Refusal(at, f"{text[at]!r} is not allowed in a condition")
        kind = found.lastgroup or ""
        if kind != "space":
            tokens.append(_Token(kind, found.group(), at))
        at = found.end()
    if not tokens:
        raise Refusal(0, "the condition is empty")
    if len(tokens) > MAX_TOKENS:
        raise Refusal(tokens[MAX_TOKENS].at, f"a condition has at most {MAX_TOKENS} words and symbols")
    return tokens


def _check_depth(tokens: list[_Token]) -> None:
    depth = signs = 0
    for token in tokens:
        depth += (token.text in "([") - (token.text in ")]") if token.kind == "sign" else 0
        signs = signs + 1 if token.text in ("!", "-") else 0
        if max(depth, signs) > MAX_DEPTH:
            raise Refusal(token.at, f"a condition is at most {MAX_DEPTH} levels deep")


def _check_names(tokens: list[_Token]) -> None:
    for place, token in enumerate(tokens):
        if token.text == "." and (
            place == 0 or (tokens[place - 1].kind == "sign" and tokens[place - 1].text not in ")]")
        ):
            raise Refusal(token.at, "a dot must follow a name")
        if token.kind != "name":
            continue
        called = _text(tokens, place + 1) == "("
        member = _text(tokens, place - 1) == "."
        if called and token.text in LOOPS:
            raise Refusal(token.at, f"`{token.text}` loops over data, which is not allowed in a condition")
        if called and token.text not in FUNCTIONS:
            raise Refusal(token.at, f"there is no function `{token.text}`; use one of {', '.join(FUNCTIONS)}")
        if not called and not member and token.text not in (*ROOTS, "true", "false", "null", "in"):
            raise Refusal(token.at, f"there is no `{token.text}`; a condition reads {' and '.join(ROOTS)}")


def _check_patterns(tokens: list[_Token]) -> int:
    """How many there are."""
    calls = [i for i, token in enumerate(tokens) if token.text == "matches" and _text(tokens, i + 1) == "("]
    for place in calls:
        if place + 3 >= len(tokens) or tokens[place + 2].kind != "string" or tokens[place + 3].text != ")":
            raise Refusal(tokens[place].at, "the pattern of `matches` must be written out: `text.matches('…')`")
        _check_pattern(tokens[place + 2])
    return len(calls)


def _check_pattern(token: _Token) -> None:
    try:
        pattern = str(cel.evaluate(token.text))
        costly = _COSTLY_PATTERN.search(pattern)
        if costly or len(pattern) > MAX_PATTERN:
            what = f"`{costly.group()}`" if costly else f"more than {MAX_PATTERN} characters"
            raise Refusal(token.at, f"a pattern with {what} takes too long; write [0-9] for \\d, or use `contains`")
        cel.evaluate("''.matches(pattern)", {"pattern": pattern})
    except (ValueError, RuntimeError) as error:
        raise Refusal(token.at, f"this is not a pattern: {str(error).splitlines()[-1][:200]}") from None


def _paths(tokens: list[_Token]) -> list[Path]:
    return [
        _path(tokens, place)
        for place, token in enumerate(tokens)
        if token.kind == "name" and token.text in ROOTS and _text(tokens, place - 1) != "."
    ]


def _path(tokens: list[_Token], place: int) -> Path:
    """`task.a["b"][0].size()` from its first word: task, a, b, 0."""
    steps: list[str | int] = [tokens[place].text]
    place += 1
    while place + 1 < len(tokens):
        sign, inner = tokens[place].text, tokens[place + 1]
        if sign == "." and inner.kind == "name" and _text(tokens, place + 2) != "(":
            steps.append(inner.text)
            place += 2
        elif sign == "[" and _text(tokens, place + 2) == "]" and (key := _literal(inner)) is not None:
            steps.append(key)
            place += 3
        else:
            break
    return tuple(steps)


def _literal(token: _Token) -> str | int | None:
    """The key that a literal between brackets stands for; nothing where that takes more than a look."""
    if token.kind == "number":
        return int(token.text) if token.text.isdecimal() else None
    if token.kind != "string" or "\\" in token.text or token.text[1:3] in ("''", '""'):
        return None
    return token.text.lstrip("rR")[1:-1]


def _text(tokens: list[_Token], place: int) -> str:
    return tokens[place].text if 0 <= place < len(tokens) and tokens[place].kind == "sign" else ""
