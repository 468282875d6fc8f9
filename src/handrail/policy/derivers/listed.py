"""Whether a simple command is one of an allow-list, with nothing in it that makes it do more than read."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import lru_cache

from .plain import Word
from .reads import SHAPES, Shape

_RUNNER_NAMES = (
    "env xargs sudo doas su bash sh zsh dash ksh fish python python3 perl ruby node php lua awk gawk mawk sed eval exec"
    " command builtin source nohup timeout nice time ssh vi vim less more man make tar zip busybox parallel watch"
    " script strace expect tclsh deno bun test printf read let"
)
_RUNNERS = frozenset(_RUNNER_NAMES.split())
"""Programs that run what they are told: an entry for one of these counts only as the whole command."""
_FAMILIES = frozenset(
    {"git", "docker", "podman", "kubectl", "helm", "pip", "npm", "cargo", "go", "terraform", "aws", "gh"}
)
"""Programs whose first word says what they do: an entry without one would allow everything."""
_RISKY_OPTION = re.compile(
    r"--?(?:exec|out|pre|pager|config|command|eval|delete|write|in-place|plugin|ext|open-files).*|-[a-zA-Z]*[oOxcCi].*"
)
"""What an option often is that does more than read, for commands that only the policy knows."""


def is_listed_read(words: Sequence[Word], allowed: Collection[str]) -> bool:
    """Whether a simple command is one of those that the policy allows, and has no option that does more than read."""
    if [word.text for word in words[:2]] == ["git", "--no-pager"]:
        words = (words[0], *words[2:])
    entry = _entry([word.text for word in words], allowed)
    if entry is None:
        return False
    rest, shape = words[len(entry) :], SHAPES.get(" ".join(entry))
    if shape is not None:
        return _fits(shape, rest)
    if entry[0] in _RUNNERS or entry[1:2] == ("--version",):
        return not rest and len(entry) > 1
    if entry[0] in _FAMILIES and len(entry) == 1:
        return False
    return all(not word.opens_with_glob and not _RISKY_OPTION.fullmatch(word.text) for word in rest)


def _entry(argv: list[str], allowed: Collection[str]) -> tuple[str, ...] | None:
    """The longest entry of the list with which a command begins."""
    fitting = [words for words in _entries(tuple(allowed)).get(argv[0], ()) if tuple(argv[: len(words)]) == words]
    return max(fitting, key=len, default=None)


@lru_cache(maxsize=64)
def _entries(allowed: tuple[str, ...]) -> dict[str, list[tuple[str, ...]]]:
    """What a policy lists, as words, by the first of them."""
    found: dict[str, list[tuple[str, ...]]] = {}
    for words in [tuple(entry.split()) for entry in allowed]:
        if words:
            found.setdefault(words[0], []).append(words)
    return found


def _fits(shape: Shape, rest: Sequence[Word]) -> bool:
    if shape.never and any(shape.never.search(word.text) for word in rest):
        return False
    if shape.any_option:
        return True
    plain: list[str] = []
    options = True
    at = 0
    while at < len(rest):
        word = rest[at]
        at += 1
        if word.text == "--" and options and not shape.whole:
            options = False
        elif options and word.text.startswith("-") and word.text != "-":
            takes_next = _option(shape, word.text)
            if takes_next is None:
                return False
            if takes_next and at < len(rest):
                # an option in that place is one to those who think that this one takes no value
                if rest[at].text.startswith("-") or rest[at].opens_with_glob:
                    return False
                at += 1
        elif (word.opens_with_glob and options) or (word.glob and shape.words is not None):
            # a pattern becomes as many words as there are files: `uniq a*` may be `uniq a1 a2`, which writes a2
            return False
        else:
            plain.append(word.text)
    return (shape.words is None or len(plain) <= shape.words) and all(
        shape.word is None or shape.word.fullmatch(text) for text in plain
    )


def _option(shape: Shape, option: str) -> bool | None:
    """Whether the next word belongs to an option; None where it is not one of those that only read."""
    if shape.whole:
        return False if option in shape.whole else None
    if option.startswith("--"):
        # a value in the next word is a word like any other: no option of these takes a place to write to
        return False if option.partition("=")[0] in shape.long else None
    if shape.numbers and re.fullmatch(r"-[0-9]+", option):
        return False
    for place, letter in enumerate(option[1:], start=1):
        if letter in shape.valued:
            return place == len(option) - 1
        if letter not in shape.short:
            return None
    return False
