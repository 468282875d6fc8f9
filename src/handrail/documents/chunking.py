"""Cuts a text into chunks that overlap, at paragraphs, sentences or words, and knows where each stands."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from handrail.documents.rendering import Placed, Section

SIZE, OVERLAP = 1000, 150
SMALLEST_SIZE, LARGEST_SIZE = 100, 10_000


@dataclass(frozen=True, slots=True)
class Chunk:
    """`text` is what stands from `start` to `end` in the document's Markdown, in characters."""

    text: str
    start: int
    end: int
    page: int | None
    section: str | None


def chunks(
    text: str, placed: Sequence[Placed], sections: Sequence[Section], size: int = SIZE, overlap: int = OVERLAP
) -> list[Chunk]:
    """At most `size` characters each; `overlap` is less than half of it."""
    starts, heads = [entry.start for entry in placed], [section.start for section in sections]
    found: list[Chunk] = []
    for start, end in _cuts(text, size, overlap):
        at, under = bisect_right(starts, start) - 1, bisect_right(heads, start) - 1
        page = placed[at].block.page if at >= 0 else None
        found.append(Chunk(text[start:end], start, end, page, sections[under].title if under >= 0 else None))
    return found


def _cuts(text: str, size: int, overlap: int) -> Iterator[tuple[int, int]]:
    start = _skip_blank(text, 0)
    while start < len(text):
        end = _end(text, start, size)
        yield start, start + len(text[start:end].rstrip())
        if end >= len(text):
            return
        start = _skip_blank(text, _next(text, start, end, overlap))


def _end(text: str, start: int, size: int) -> int:
    """Where the chunk ends: the last paragraph, line, sentence or word of its second half, or else anywhere."""
    end = start + size
    if end >= len(text):
        return len(text)
    for mark in ("\n\n", "\n", ". ", " "):
        at = text.rfind(mark, start + size // 2, end)
        if at >= 0:
            return at + len(mark)
    return end


def _next(text: str, start: int, end: int, overlap: int) -> int:
    """Where the next one begins: at a word within the overlap, and never where this one began."""
    at = end - overlap
    blank = text.find(" ", at, end) if overlap else -1
    return max(blank + 1 if blank >= 0 else at, start + 1)


def _skip_blank(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at
