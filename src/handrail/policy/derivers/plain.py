"""The words of one simple command that every shell reads the same way.

This is narrower than any shell's grammar on purpose: no substitution, redirection, pipe, chain, assignment, brace,
comment or line break can pass, because no sign that could begin one is taken outside of quotes.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_PART = re.compile(
    r"""(?P<bare>(?:[A-Za-z0-9_./:,=+@%~^-]|[^\W\x00-\x7f])+)
    |(?P<glob>[*?]|\[[A-Za-z0-9_.-]{1,20}\])
    |'(?P<single>[^']*)'
    |"(?P<double>(?:[^"$`!\\]|\\(?=[^"$`\\!\n]))*)"
    |\\(?P<escaped>[\x20-\x7e])
    """,
    re.VERBOSE,
)
_FIRST = re.compile(r"[A-Za-z][A-Za-z0-9_.+-]*")


class Word(NamedTuple):
    text: str
    glob: bool = False
    """Whether it has a pattern of file names outside of quotes."""
    opens_with_glob: bool = False
    """Whether a file's name may become the word's beginning, and so an option."""


def words_of(command: str) -> tuple[Word, ...] | None:
    """The words, or None where it is more than one simple command, or a shell may see more in it than words."""
    if not command.isprintable():
        return None
    words: list[Word] = []
    for start, end in _spans(command.strip(" ")):
        word = _word(command.strip(" ")[start:end])
        if word is None:
            return None
        words.append(word)
    first = command.strip(" ").split(" ", 1)[0]
    # the program stands there as itself: quotes and backslashes in it have no honest use
    return tuple(words) if words and _FIRST.fullmatch(first) and first == words[0].text else None


def _spans(command: str) -> list[tuple[int, int]]:
    """Where the words stand: between spaces that no quote and no backslash protects."""
    spans: list[tuple[int, int]] = []
    start = at = 0
    while at < len(command):
        if command[at] == " ":
            if at > start:
                spans.append((start, at))
            start = at = at + 1
            continue
        part = _PART.match(command, at)
        at = part.end() if part else at + 1
    return [*spans, (start, len(command))] if len(command) > start else spans


def _word(written: str) -> Word | None:
    texts: list[str] = []
    glob = opens = False
    at = 0
    while at < len(written):
        part = _PART.match(written, at)
        if part is None:
            return None
        if part.lastgroup == "glob":
            glob, opens = True, opens or at == 0
        texts.append(part[part.lastgroup or 0])
        at = part.end()
    # `=ls` is a path in zsh, `~x` somebody's home in all: only the first changes what is run
    return None if written.startswith("=") else Word("".join(texts), glob, opens)
