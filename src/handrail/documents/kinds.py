"""Which kind of document some bytes are: by what they begin with, then by their name."""

from __future__ import annotations

import re
from enum import StrEnum
from pathlib import PurePath

from handrail.core.errors import UnsupportedDocument

# atomic, because the ways to divide a row of comments double with each
HTML = re.compile(rb"\s*(<\?xml[^>]*>\s*)?(?>(<!--.*?-->\s*)*)<(!doctype\s+html|html)\b", re.IGNORECASE | re.DOTALL)


class DocumentKind(StrEnum):
    pdf = "pdf"
    html = "html"
    txt = "txt"
    md = "md"


ENDINGS = {
    ".pdf": DocumentKind.pdf,
    ".html": DocumentKind.html,
    ".htm": DocumentKind.html,
    ".xhtml": DocumentKind.html,
    ".txt": DocumentKind.txt,
    ".text": DocumentKind.txt,
    ".md": DocumentKind.md,
    ".markdown": DocumentKind.md,
}


def kind_of(name: str, content: bytes) -> DocumentKind:
    # readers of PDF take it with some bytes before its mark
    if b"%PDF-" in content[:1024]:
        return DocumentKind.pdf
    ending = PurePath(name).suffix.lower()
    if ending in ENDINGS and ENDINGS[ending] is not DocumentKind.pdf:
        return ENDINGS[ending]
    if HTML.match(content[:4096]):
        return DocumentKind.html
    raise UnsupportedDocument(
        f"{name[:200]!r} is neither PDF nor HTML by its content, and its name does not end in .txt or .md",
        name=name[:200],
    )
