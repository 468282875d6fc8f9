"""A text of shell, parsed: each command in it wherever it stands, and what surrounds the commands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import tree_sitter
import tree_sitter_bash

MAX_BYTES = 8 * 1024
_MAX_WORDS = 1000
_MAX_SIGNS = 300
_MAX_DEPTH = 40
_MAX_PIPES = 50
"""Parsing a chain of pipes takes time by the square of its length."""

_WRITES = (">", ">>", "&>", "&>>", ">|", "<>")
_DYNAMIC = frozenset(
    {"simple_expansion", "expansion", "command_substitution", "process_substitution", "arithmetic_expansion"}
)
_PLAIN = frozenset({"program", "command", "command_name", "word", "number", "string", "string_content", "raw_string"})
_PLAIN_SIGNS = frozenset({'"', "concatenation"})


class Command(NamedTuple):
    argv: tuple[str, ...]
    """Its words as far as they are known: what is substituted is left out of them."""
    dynamic: bool
    """Whether parts of its words are substituted."""
    named: bool
    """Whether the program's name is written out."""


class Script(NamedTuple):
    commands: tuple[Command, ...]
    written: tuple[str, ...]
    """Files and devices that output is redirected to."""
    taken: tuple[str, ...]
    """Files that input is redirected from."""
    simple: bool
    """Whether it is one command with words and nothing else, as the parser sees it."""
    broken: bool
    """Whether parts of it did not parse."""
    documents: tuple[str, ...] = ()
    """The texts of here-documents and here-strings."""


def parse(text: str) -> Script | None:
    """None where it is too long or too deep to be parsed in time.

    The text may have no control characters: around these the parser repairs, by the square of the text's length.
    """
    source = text.encode("utf-8", "replace")
    if len(source) > MAX_BYTES or _is_costly(text):
        return None
    # a parser of its own: they may not be shared by threads
    root = tree_sitter.Parser(_language()).parse(source).root_node
    nodes = list(_walk(root))
    commands = tuple(
        _command(node) for node in nodes if node.type in ("command", "declaration_command", "unset_command")
    )
    simple = (
        len(commands) == 1
        and root.child_count == 1
        and not root.has_error
        and all(node.type in _PLAIN or node.type in _PLAIN_SIGNS for node in nodes)
    )
    redirected = [node for node in nodes if node.type == "file_redirect"]
    written = tuple(_place(node) for node in redirected if _writes(node))
    taken = tuple(_place(node) for node in redirected if not _writes(node))
    documents = tuple(_document(node) for node in nodes if node.type in ("heredoc_body", "herestring_redirect"))
    return Script(commands, written, taken, simple, root.has_error, documents)


def _is_costly(text: str) -> bool:
    signs = re.findall(r"[|&;<>(){}`$\n]", text)
    words = len(text.split())
    return (
        words > _MAX_WORDS
        or len(signs) > _MAX_SIGNS
        or signs.count("|") > _MAX_PIPES
        or _depth(text, signs) > _MAX_DEPTH
    )


def _depth(text: str, signs: list[str]) -> int:
    """How deep the text can nest: by brackets, and by words that open a block."""
    depth = deepest = 0
    for sign in signs:
        depth = depth + 1 if sign in "({`" else max(0, depth - (sign in ")}"))
        deepest = max(deepest, depth)
    return max(deepest, len(re.findall(r"\b(?:if|while|for|case|until|select|function)\b|! ", text)))


def _walk(root: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    waiting = [root]
    while waiting:
        node = waiting.pop()
        yield node
        waiting.extend(reversed(node.children))


def _command(node: tree_sitter.Node) -> Command:
    argv: list[str] = []
    dynamic = named = False
    for child in node.children:
        if child.type in ("variable_assignment", "file_redirect", "herestring_redirect") and not argv:
            dynamic = dynamic or child.type == "variable_assignment"
            continue
        parts: list[str] = []
        substituted = _literal(child, parts)
        if not argv:
            named = not substituted
        argv.append("".join(parts))
        dynamic = dynamic or substituted
    return Command(tuple(argv), dynamic, named)


def _literal(node: tree_sitter.Node, parts: list[str]) -> bool:
    """Adds the text that a word stands for; whether some of it is substituted and so is not known."""
    substituted = False
    for part in _leaves(node):
        if part.type in _DYNAMIC:
            substituted = True
        elif part.type == "raw_string":
            parts.append(_text(part)[1:-1])
        elif part.type == "ansi_c_string":
            substituted = True
        elif part.type != '"':
            parts.append(_text(part).replace("\\\n", "").replace("\\", ""))
    return substituted


def _leaves(node: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    waiting = [node]
    while waiting:
        found = waiting.pop()
        if found.child_count == 0 or found.type in _DYNAMIC:
            yield found
        else:
            waiting.extend(reversed(found.children))


def _writes(node: tree_sitter.Node) -> bool:
    return any(child.type in _WRITES or child.type == ">&" for child in node.children)


def _place(node: tree_sitter.Node) -> str:
    target = node.children[-1]
    parts: list[str] = []
    return "$" if _literal(target, parts) else "".join(parts)


def _document(node: tree_sitter.Node) -> str:
    if node.type == "heredoc_body":
        return _text(node)
    parts: list[str] = []
    _literal(node.children[-1], parts)
    return "".join(parts)


def _text(node: tree_sitter.Node) -> str:
    return (node.text or b"").decode("utf-8", "replace")


@cache
def _language() -> tree_sitter.Language:
    return tree_sitter.Language(tree_sitter_bash.language())
