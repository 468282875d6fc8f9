"""Plain text: paragraphs are what blank lines part."""

from __future__ import annotations

import codecs
import re
from pathlib import Path

from .blocks import Block, Extracted, Refused

MARKS = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}


def decoded(raw: bytes, declared: str | None = None) -> tuple[str, str]:
    """The text and its encoding: what its first bytes say, UTF-8, what it declares itself, else Windows' Latin."""
    marked = next((name for mark, name in MARKS.items() if raw.startswith(mark)), None)
    for encoding in (marked, "utf-8", declared, "cp1252"):
        try:
            text = raw.decode(encoding) if encoding else None
        except (LookupError, UnicodeDecodeError):
            continue
        if text is not None and encoding is not None:
            if "\0" in text:
                raise Refused("broken", "it is not text: it contains NUL characters")
            return text, encoding
    raise Refused("broken", "its text encoding is not recognised")


def read(path: Path) -> Extracted:
    text, encoding = decoded(path.read_bytes())
    parts = (part.strip() for part in re.split(r"\n[ \t]*\n", text.replace("\r\n", "\n")))
    return Extracted({"encoding": encoding}, None, [Block("paragraph", part) for part in parts if part])
