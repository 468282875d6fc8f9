"""Names as people read them: look-alike letters folded, invisible ones dropped, and taken apart into words."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import NamedTuple

MAX_LENGTH = 1024
"""Longer names are cut unless they are ASCII, which counts as a change: one character may become eighteen."""

_MARKS = ("Mn", "Me")
_DROPPED = ("Cc", "Cf", "Cs", "Co", "Cn")
_INVISIBLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2065\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0000-\U000e0fff]"
)
"""Characters that show nothing although their category is that of letters, signs or marks."""


class FoldedName(NamedTuple):
    text: str
    changed: bool
    """Whether folding did more than change case: then the name is not what it looks like."""


def fold(text: str) -> FoldedName:
    """The form in which names are compared: `ＤЕPLOY` with a Cyrillic letter and a zero-width space is `deploy`.

    Letters of other scripts that look like no ASCII letter stay as they are, and do not count as a change.
    """
    name = text.strip()
    shown = _shown(name)
    return FoldedName(shown.lower(), shown != name)


def words(text: str) -> tuple[str, ...]:
    """The words of a name after folding: `mcp__github__createIssue2` is mcp, github, create, issue, 2."""
    return tuple(word.lower() for word in _WORD.findall(_shown(text)))


_UPPER = "A-ZÀ-ÖØ-Þ"
_WORD = re.compile(
    rf"[0-9]+|[{_UPPER}]+(?![^\W\d_{_UPPER}])|[{_UPPER}]+(?=[{_UPPER}])|[{_UPPER}]?[^\W\d_{_UPPER}]+|[^\W_]"
)
"""Digits; capitals up to the one that begins the next word (`HTTPRequest`); a word; a letter that is none of these."""


def _shown(text: str) -> str:
    """What is left to see, in its own case."""
    if text.isascii() and text.isprintable():
        return text.strip()
    kept: list[str] = []
    for character in _INVISIBLE.sub("", unicodedata.normalize("NFKC", _INVISIBLE.sub("", text[:MAX_LENGTH]))):
        category = unicodedata.category(character)
        if category in _DROPPED or (category in _MARKS and kept and kept[-1][-1].isascii()):
            continue
        kept.append(" " if category == "Zs" else _plain(character))
    return "".join(kept).strip()


def _plain(character: str) -> str:
    """The ASCII that a character looks like, in either case; else itself."""
    if character.isascii():
        return character
    lower = character.lower()
    # `İ` in lower case is `i` and a dot above it
    return _lookalikes().get(character) or _lookalikes().get(lower) or (lower[0] if lower[0].isascii() else character)


@cache
def _lookalikes() -> dict[str, str]:
    """Each character that looks like ASCII, by Unicode's own table of confusables (UTS 39)."""
    # 34 ms to load, and only names that are not ASCII need it
    from confusable_homoglyphs.confusables import confusables_data

    table: dict[str, str] = {}
    for written, alike in confusables_data.items():
        # the table puts marks of direction around letters that are written from the right
        character = written.strip("\u200e")
        plain = [other["c"] for other in alike if other["c"].isascii()]
        if len(character) == 1 and not character.isascii() and plain:
            table[character] = plain[0]
    return table
