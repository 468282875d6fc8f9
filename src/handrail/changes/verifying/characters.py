"""Characters in added lines that nobody sees, or that show code in another order than it is read (Trojan source)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from handrail.changes.verifying.change import Change, File
from handrail.changes.verifying.model import Check, Finding, Verdict, judged
from handrail.core.wording import counted

NAME = "hidden_characters"
_BIDI = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
_INVISIBLE = (
    "\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u2060-\u2065\u206a-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb"
)
_TAGS = "\U000e0000-\U000e01ef"
_CONTROLS = "\x00-\x08\x0b\x0e-\x1f\x7f-\x9f\u2028\u2029"
_HIDDEN = re.compile(f"[{_BIDI}{_INVISIBLE}{_TAGS}{_CONTROLS}]|\r(?!$)")
_ORDER = re.compile(f"[{_BIDI}]")
_JOINERS = re.compile("(?<![\u0600-\u0dff\u200d\ufe0f\U0001f000-\U0001faff\u2600-\u27bf])[\u200c\u200d\ufe00-\ufe0e]")
"""Writing of South Asia and the Middle East needs them, and so do some emoji; behind other letters they only hide."""
_WORD = re.compile(r"[^\W\d_]\w*")
_PROSE = re.compile(r"\.(md|markdown|rst|txt|adoc|html?|po|pot|xliff|strings|arb|resx|csv|json|ya?ml|properties)$")


def check(change: Change) -> Check:
    findings = [finding for file in change.files for finding in (*_path(file), *_lines(file))]
    words = f"{counted(len(findings), 'line')} with characters that hide something."
    return judged(NAME, findings, clean="No hidden characters in added lines.", words=words)


def _path(file: File) -> Iterator[Finding]:
    if file.after is not None and (_HIDDEN.search(file.path) or _JOINERS.search(file.path) or "\n" in file.path):
        shown = ascii(file.path)
        yield Finding("hidden_in_path", shown, 0, f"The path {shown} has hidden characters.", "It looks like another.")


def _lines(file: File) -> Iterator[Finding]:
    is_prose = _PROSE.search(file.path) is not None
    for number, text in file.added:
        if text.isascii() and text.isprintable():
            continue
        line = text.removeprefix("\ufeff") if number == 1 else text
        hidden = [match.group() for pattern in (_HIDDEN, _JOINERS) for match in pattern.finditer(line)]
        if hidden:
            why = (
                "Text shown in another order than it is read can make code look harmless."
                if any(map(_ORDER.match, hidden))
                else "What people cannot see, they cannot review."
            )
            names = ", ".join(sorted({_name(char) for char in hidden}))
            verdict = Verdict.unsure if is_prose else Verdict.failed
            yield Finding("hidden_characters", file.path, number, f"The line holds {names}.", why, verdict)
        if not is_prose:
            yield from _lookalikes(file.path, number, line)


def _lookalikes(path: str, number: int, line: str) -> Iterator[Finding]:
    """Words of letters from several alphabets that look alike: `pаyment` with a Cyrillic а."""
    for word in _WORD.findall(line):
        if not word.isascii():
            scripts = {unicodedata.name(char, "?").partition(" ")[0] for char in word if char.isalpha()}
            if len(scripts & {"LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "FULLWIDTH", "MATHEMATICAL"}) > 1:
                what = f"The word {ascii(word)[:80]} mixes letters of {', '.join(sorted(map(str.title, scripts)))}."
                yield Finding("lookalike_letters", path, number, what, "It reads like another name, and is not it.")
                return


def _name(char: str) -> str:
    name = unicodedata.name(char, "").lower()
    return f"U+{ord(char):04X}{f' ({name})' if name else ''}"
