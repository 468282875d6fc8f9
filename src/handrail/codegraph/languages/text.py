"""Pieces of a source's text that every language needs."""

import re

_SPACES = re.compile(r"\s+")
_LONGEST_DOC = 200
_LONGEST_SIGNATURE = 300
_FAR = 4_000
"""How far before a definition its comment may begin."""


def one_line(text: str) -> str:
    return _SPACES.sub(" ", text) if "\n" in text or "\t" in text or "  " in text else text


def signature(source: bytes, start: int, end: int) -> str:
    """The head of a definition, on one line."""
    text = source[start : min(end, start + 4 * _LONGEST_SIGNATURE)].decode("utf-8", "replace")
    return one_line(text).strip().rstrip("{=>;").strip()[:_LONGEST_SIGNATURE]


def doc_before(source: bytes, start: int) -> str:
    """The first line of the `/** */` comment that ends right above the line of `start`."""
    line = source.rfind(b"\n", 0, start) + 1
    before = source[max(0, line - _FAR) : line].rstrip()
    if not before.endswith(b"*/"):
        return ""
    opening = before.rfind(b"/**")
    if opening < 0:
        return ""
    for text in before[opening + 3 : -2].decode("utf-8", "replace").splitlines():
        words = text.strip().lstrip("*").strip()
        if words:
            return "" if words.startswith("@") else words[:_LONGEST_DOC]
    return ""


def lines_of_code(source: bytes) -> int:
    """Lines that are not empty."""
    return sum(map(bool, map(bytes.strip, source.split(b"\n"))))


def comment_before(source: bytes, start: int) -> str:
    """The first line of the comment (`//`, `///` or `/* */`) that ends right above the line of `start`; attributes
    (`#[…]`) and templates may stand between."""
    line = source.rfind(b"\n", 0, start) + 1
    lines = source[max(0, line - _FAR) : line].decode("utf-8", "replace").splitlines()
    while lines and lines[-1].strip().startswith(("#[", "template", "[[")):
        lines.pop()
    first = ""
    while lines and lines[-1].strip().startswith("//"):
        first = lines.pop().strip().lstrip("/!").strip() or first
    if first or not lines or not lines[-1].strip().endswith("*/"):
        return first[:_LONGEST_DOC]
    text = "\n".join(lines)
    opening = text.rfind("/*")
    words = (each.strip().strip("*/").strip() for each in text[opening:].splitlines())
    return next((each for each in words if each), "")[:_LONGEST_DOC] if opening >= 0 else ""
