"""Rust nodes in the canonical forms of `facts`. `crate`, `self` and `super` of a path are `$crate`, `$self` and
`$super`: names of modules, which the resolver knows. What a macro is given is no tree, and is read word by word."""

import re
from collections.abc import Iterator
from functools import lru_cache

from tree_sitter import Node

from handrail.codegraph.languages.expressions import canonical
from handrail.codegraph.languages.nodes import nth, text_of

_PATH = re.compile(rb"[A-Za-z_]\w*(?:(?:::|\.)[A-Za-z_]\w*)*\Z")
_NOT_NAMES = frozenset({"true", "false", "_"})
_INNER = frozenset(
    {"reference_expression", "try_expression", "await_expression", "parenthesized_expression", "unary_expression"}
)
_TRANSPARENT = frozenset(
    {"Option", "Result", "Box", "Arc", "Rc", "RefCell", "Cell", "Mutex", "RwLock", "Pin", "Cow", "MutexGuard"}
)
"""Types that stand for their first argument."""
_TYPE = re.compile(r"(?:&|\*|'\w+|\b(?:mut|const|dyn|impl)\b|\s)*([A-Za-z_]\w*(?:::\w+)*)\s*(?:<(.*)>)?", re.DOTALL)
_ROOTS = {"crate": "$crate", "self": "$self", "super": "$super", "Self": "this"}
_MOST_WORDS = 5_000


def dotted(path: str) -> str:
    """`crate::a::b` as `$crate.a.b`."""
    parts = [part.strip() for part in path.split("::") if part.strip()]
    return ".".join(_ROOTS.get(part, part) for part in parts)


def _other(node: Node, kind: str, source: bytes, depth: int) -> str:
    if kind == "call_expression":
        return f"{expression(node.child_by_field_name('function'), source, depth)}()"
    if kind == "struct_expression":
        return f"{type_name(text_of(node.child_by_field_name('name'), source)) or '?'}()"
    if kind == "field_expression":
        owner = expression(node.child_by_field_name("value"), source, depth)
        return f"{owner}.{text_of(node.child_by_field_name('field'), source)}"
    if kind == "generic_function":
        return expression(node.child_by_field_name("function"), source, depth)
    if kind == "scoped_identifier":
        head = type_name(text_of(node.child_by_field_name("path"), source)) or "?"
        return f"{head}.{text_of(node.child_by_field_name('name'), source)}"
    return expression(nth(node), source, depth) if kind in _INNER else "?"


@lru_cache(maxsize=50_000)
def _name(raw: bytes) -> str | None:
    if not _PATH.match(raw):
        return None
    text = raw.decode()
    if text in _NOT_NAMES:
        return "?"
    if "::" in text:
        path, dot, rest = text.partition(".")
        return f"{dotted(path)}{dot}{rest}"
    head, dot, rest = text.partition(".")
    return f"{'this' if head in {'self', 'Self'} else head}{dot}{rest}"


expression = canonical(_name, _other)


@lru_cache(maxsize=20_000)
def type_name(text: str) -> str:
    """The one type that a type names: `&mut Cart`, `Option<Cart>` and `Box<dyn Cart>` are `Cart`, `Self` is `this`."""
    found = _TYPE.match(text.strip()[:300])
    if found is None:
        return ""
    if found[1].rpartition("::")[2] in _TRANSPARENT and found[2]:
        return type_name(_first(found[2]))
    return dotted(found[1])


def _first(arguments: str) -> str:
    depth = 0
    for place, char in enumerate(arguments):
        depth += (char == "<") - (char == ">")
        if char == "," and depth == 0:
            return arguments[:place]
    return arguments


def calls_in(tokens: Node, source: bytes) -> Iterator[tuple[Node, str]]:
    """(node, callee) of what looks like a call among the words that a macro is given."""
    waiting, seen = [tokens], 0
    while waiting:
        chain: list[str] = []
        last: Node | None = None
        for word in waiting.pop().children:
            seen += 1
            if seen > _MOST_WORDS:
                return
            if word.type == "token_tree":
                if chain and last is not None and source[word.start_byte : word.start_byte + 1] == b"(":
                    yield last, ".".join(chain)
                    chain[-1] += "()"
                else:
                    chain = []
                waiting.append(word)
            elif word.type in {"identifier", "self", "super", "crate", "type_identifier"}:
                text = text_of(word, source)
                before = source[max(0, word.start_byte - 20) : word.start_byte].rstrip()
                is_joined = bool(chain) and before.endswith((b".", b"::"))
                name = (
                    ("this" if _next(word, source) == b"." else "$self") if text == "self" else _ROOTS.get(text, text)
                )
                chain = [*chain, name] if is_joined else [name]
                last = word
            elif text_of(word, source) not in {".", "::", ":"}:
                chain = []


def _next(node: Node, source: bytes) -> bytes:
    return source[node.end_byte : node.end_byte + 1]
