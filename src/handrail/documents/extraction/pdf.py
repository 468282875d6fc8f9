"""PDF: lines become headings and paragraphs by their size and distance; tables are those with ruled cells."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import pdfplumber
import pypdf
from pdfplumber.page import Page

from .blocks import MOST_PAGES, Block, Extracted, Refused

# of the size of most of the text
HEADING_SIZE = 1.15
LONGEST_HEADING = 200
# of a line's height: a larger gap begins a paragraph
PARAGRAPH_GAP = 0.6
FIELDS = ("title", "author", "subject", "keywords", "creator", "producer", "creation_date", "modification_date")


@dataclass(slots=True)
class Line:
    text: str
    page: int
    top: float
    bottom: float
    size: float


def read(path: Path) -> Extracted:
    reader = pypdf.PdfReader(path)
    # many are encrypted with an empty password, against printing or copying
    if reader.is_encrypted and not reader.decrypt(""):
        raise Refused("encrypted", "it is password-protected")
    count = len(reader.pages)
    if count > MOST_PAGES:
        raise Refused("too_long", f"it has {count} pages; at most {MOST_PAGES} are read")
    found: list[Line | Block] = []
    with pdfplumber.open(path) as pdf:
        for page in pdf.pages:
            found += _of_page(page)
            # else every page's characters stay in memory
            page.close()
    return Extracted(_metadata(reader), count, list(_blocks(found)))


def _metadata(reader: pypdf.PdfReader) -> dict[str, str]:
    found: dict[str, str] = {}
    for name in FIELDS:
        # each may be anything in a file that somebody made by hand
        with suppress(Exception):
            value: Any = getattr(reader.metadata, name, None)
            if value:
                found[name] = str(value.isoformat() if hasattr(value, "isoformat") else value)[:1000]
    return found


def _of_page(page: Page) -> list[Line | Block]:
    """In the order of the page, from its top."""
    number = page.page_number
    tables = [(table.bbox, table.extract()) for table in page.find_tables()]
    placed: list[tuple[float, Line | Block]] = []
    for box, rows in tables:
        cells = [[" ".join((cell or "").split()) for cell in row] for row in rows]
        placed.append((box[1], Block("table", rows=cells, page=number)))
    for image in page.images:
        placed.append((float(image["top"]), _image(image, number)))
    boxes = [box for box, _ in tables]
    words = page.filter(lambda piece: not any(_is_within(piece, box) for box in boxes)) if boxes else page
    for line in words.extract_text_lines():
        size = median(float(char["size"]) for char in line["chars"])
        placed.append((line["top"], Line(line["text"].strip(), number, line["top"], line["bottom"], size)))
    placed.sort(key=lambda entry: entry[0])
    return [entry for _, entry in placed]


def _is_within(piece: dict[str, Any], box: tuple[float, float, float, float]) -> bool:
    x, y = (piece["x0"] + piece["x1"]) / 2, (piece["top"] + piece["bottom"]) / 2
    return box[0] <= x <= box[2] and box[1] <= y <= box[3]


def _image(image: dict[str, Any], page: int) -> Block:
    width, height = image.get("srcsize") or (0, 0)
    properties = {"name": str(image.get("name", "")), "width": str(width), "height": str(height)}
    return Block("image", properties=properties, page=page)


def _blocks(found: list[Line | Block]) -> Iterator[Block]:
    lines = [entry for entry in found if isinstance(entry, Line)]
    levels = _levels(lines)
    together: list[Line] = []
    for entry in found:
        is_heading = isinstance(entry, Line) and entry.size in levels and len(entry.text) <= LONGEST_HEADING
        if together and (is_heading or not isinstance(entry, Line) or _is_apart(together[-1], entry)):
            yield _paragraph(together)
            together = []
        if not isinstance(entry, Line):
            yield entry
        elif is_heading:
            yield Block("heading", entry.text, levels[entry.size], page=entry.page)
        else:
            together.append(entry)
    if together:
        yield _paragraph(together)


def _levels(lines: list[Line]) -> dict[float, int]:
    """The level of each size that is a heading's: the largest is 1."""
    for line in lines:
        line.size = round(line.size, 1)
    sizes: Counter[float] = Counter()
    for line in lines:
        sizes[line.size] += len(line.text)
    if not sizes:
        return {}
    usual = sizes.most_common(1)[0][0]
    larger = sorted((size for size in sizes if size >= usual * HEADING_SIZE), reverse=True)
    return {size: min(level, 6) for level, size in enumerate(larger, 1)}


def _is_apart(before: Line, line: Line) -> bool:
    height = before.bottom - before.top
    return before.page != line.page or line.top - before.bottom > height * PARAGRAPH_GAP


def _paragraph(lines: list[Line]) -> Block:
    text = ""
    for line in lines:
        # a word that was parted at the end of its line
        is_parted = text.endswith("-") and text[-2:-1].isalpha() and line.text[:1].islower()
        text = text[:-1] + line.text if is_parted else f"{text} {line.text}".lstrip()
    return Block("paragraph", text, page=lines[0].page)
