"""Text of models and repositories as Markdown that shows it and does nothing: no markup, mention, link or command."""

from __future__ import annotations

import re
import unicodedata
from itertools import groupby

HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})
SHORTENED = " … (shortened)"
# by name, so that readers of the source see it too; it keeps hosts from taking what follows for a name
BREAK = "&ZeroWidthSpace;"

_MARKUP = re.compile(
    r"""[\\`*_{}\[\]()<>|"'+@#!%~$&^] | (?<=www)\. | (?<=[A-Za-z]):(?=/) | (?<=\bGH)-(?=\d)""",
    re.VERBOSE | re.IGNORECASE,
)
# mentions, issues, merge requests, milestones, labels, snippets and epics of all hosts, where a name follows
_NAMES = frozenset("@#!%~$&^")
_LINE_START = re.compile(r"^(?:[-=/:]|\d{1,9}(?=[.)]))")
_ITEM = re.compile(r"[-*•]\s+")


def plain(text: str) -> str:
    """Without what cannot be seen or turns the direction of reading; lines end with `\\n` alone."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").replace("\t", " ")
    return "".join(c if c == "\n" or unicodedata.category(c) not in HIDDEN else "\ufffd" for c in lines)


def one_line(text: str) -> str:
    return " ".join(plain(text).split())


def inline(text: str) -> str:
    """One line of text within Markdown."""
    return _line(one_line(text))


def code(text: str) -> str:
    """One line as it is, such as a path. Nothing in it counts as markup, on any host."""
    shown = one_line(text) or " "
    ticks = "`" * (max((len(run) for run in re.findall("`+", shown)), default=0) + 1)
    pad = " " if shown.startswith("`") or shown.endswith("`") else ""
    return f"{ticks}{pad}{shown}{pad}{ticks}"


def prose(text: str, longest: int) -> str:
    """Paragraphs and lists of at most so many characters."""
    shown = _prose(text[: longest + 1])
    if len(text) <= longest and len(shown) <= longest:
        return shown
    text = text[:longest]
    while len(shown) > longest - len(SHORTENED):
        text = text[: len(text) * 4 // 5]
        shown = _prose(text)
    return shown + SHORTENED


def quiet(text: str) -> str:
    """One line for where there is no markup, such as a title or a commit's subject: nothing in it pings or closes."""
    line = re.sub(r"\bhttps?://", "", one_line(text), flags=re.IGNORECASE)
    line = re.sub(r"(?:\bGH-|#)(?=\d)", "issue ", line, flags=re.IGNORECASE)
    return re.sub(r"(?<![\w.])@(?=\w)", "@ ", line)


def _prose(text: str) -> str:
    blocks: list[str] = []
    lines = [line.strip() for line in plain(text).split("\n")]
    for kind, group in groupby(lines, key=lambda line: "" if not line else "item" if _ITEM.match(line) else "text"):
        if kind == "item":
            blocks.append("\n".join(f"- {_line(_ITEM.sub('', line, count=1))}" for line in group))
        elif kind == "text":
            blocks.append("\n".join(map(_line, group)))
    return "\n\n".join(blocks)


def _line(text: str) -> str:
    return _LINE_START.sub(_started, _MARKUP.sub(_escaped, text))


def _escaped(found: re.Match[str]) -> str:
    sign, following = found[0], found.string[found.end() : found.end() + 1]
    if sign in ":-":
        return f"{sign}{BREAK}"
    named = sign in _NAMES and (following.isalnum() or following in "_\"'")
    return f"\\{sign}{BREAK}" if named and following else f"\\{sign}"


def _started(found: re.Match[str]) -> str:
    """A line that begins so would be a list, a heading or, on GitLab, a command."""
    return f"{found[0]}{BREAK}" if found[0][0].isdigit() else f"\\{found[0]}"
