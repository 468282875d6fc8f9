"""A document's blocks as Markdown, with the place of each, or as HTML."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from handrail.documents.extraction.blocks import Block


@dataclass(frozen=True, slots=True)
class Placed:
    """A block and where its Markdown stands in the whole, in characters."""

    block: Block
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Section:
    """From a heading to the next one."""

    title: str
    level: int
    start: int
    end: int
    page: int | None


def markdown(blocks: Sequence[Block]) -> tuple[str, list[Placed]]:
    parts: list[str] = []
    placed: list[Placed] = []
    length = 0
    for block in blocks:
        text = _markdown(block)
        placed.append(Placed(block, length, length + len(text)))
        parts.append(text)
        length += len(text) + 2
    return "\n\n".join(parts), placed


def _markdown(block: Block) -> str:
    match block.kind:
        case "heading":
            return f"{'#' * min(max(block.level, 1), 6)} {' '.join(block.text.split())}"
        case "item":
            return f"- {block.text}"
        case "code":
            fence = "```" if "```" not in block.text else "~~~~"
            return f"{fence}\n{block.text}\n{fence}"
        case "table":
            return _pipes(block.rows)
        case "image":
            return _named(block)
        case "paragraph":
            return block.text


def _pipes(rows: list[list[str]]) -> str:
    width = max((len(row) for row in rows), default=0)
    if not width:
        return ""
    cells = [[_cell(cell) for cell in row] + [""] * (width - len(row)) for row in rows]
    lines = [f"| {' | '.join(row)} |" for row in cells]
    return "\n".join([lines[0], "|" + " --- |" * width, *lines[1:]])


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _named(block: Block) -> str:
    """An image is named and never linked, so that showing the text loads nothing from elsewhere."""
    return f"[image: {block.text}]" if block.text else "[image]"


def html(blocks: Sequence[Block]) -> str:
    return "\n".join(_html(block) for block in blocks)


def _html(block: Block) -> str:
    text = escape(block.text)
    match block.kind:
        case "heading":
            level = min(max(block.level, 1), 6)
            return f"<h{level}>{text}</h{level}>"
        case "item":
            return f"<ul><li>{text}</li></ul>"
        case "code":
            return f"<pre><code>{text}</code></pre>"
        case "table":
            rows = ("".join(f"<td>{escape(cell)}</td>" for cell in row) for row in block.rows)
            return f"<table>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>"
        case "image":
            return f"<p>{escape(_named(block))}</p>"
        case "paragraph":
            return f"<p>{text}</p>"


def sections(placed: Sequence[Placed], length: int) -> list[Section]:
    heads = [entry for entry in placed if entry.block.kind == "heading"]
    ends = [*(head.start for head in heads[1:]), length]
    return [
        Section(head.block.text, head.block.level, head.start, end, head.block.page)
        for head, end in zip(heads, ends, strict=False)
    ]
