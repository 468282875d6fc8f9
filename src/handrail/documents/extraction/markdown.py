"""Markdown: headings, paragraphs, list items, code and tables, as CommonMark has them."""

from __future__ import annotations

import re
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

from .blocks import Block, Extracted
from .plain import decoded

FRONT = re.compile(r"\A---\n(.*?)\n---\n", re.DOTALL)
IMAGE = re.compile(r"!\[[^\]]*\]\([^)]*\)")
FIELD = re.compile(r"([A-Za-z][\w-]*):[ \t]*(\S.*)")


def read(path: Path) -> Extracted:
    text, encoding = decoded(path.read_bytes())
    text = text.replace("\r\n", "\n")
    metadata = {"encoding": encoding}
    front = FRONT.match(text)
    if front:
        metadata |= {found[1].lower(): found[2].strip() for found in FIELD.finditer(front[1])}
        text = text[front.end() :]
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    return Extracted(metadata, None, _blocks(tokens))


def _blocks(tokens: list[Token]) -> list[Block]:
    blocks: list[Block] = []
    level, items = 0, 0
    table: Block | None = None
    for token in tokens:
        match token.type:
            case "heading_open" | "heading_close":
                level = int(token.tag[1]) if token.nesting > 0 else 0
            case "list_item_open" | "list_item_close":
                items += token.nesting
            case "table_open" | "table_close":
                table = Block("table") if token.nesting > 0 else None
                blocks += [table] if table else []
            case "tr_open" if table is not None:
                table.rows.append([])
            case "inline" if table is not None:
                table.rows[-1].append(token.content)
            case "inline":
                blocks += _of_text(token, level, items)
            case "fence" | "code_block":
                blocks.append(Block("code", token.content.rstrip("\n")))
            case _:
                pass
    return blocks


def _of_text(token: Token, level: int, items: int) -> list[Block]:
    """The text without its images, and those by themselves."""
    images = [child for child in token.children or () if child.type == "image"]
    text = IMAGE.sub("", token.content).strip()
    said = [Block("heading" if level else "item" if items else "paragraph", text, level)] if text else []
    return [*said, *(_image(image) for image in images)]


def _image(token: Token) -> Block:
    return Block("image", token.content, properties={"source": str(token.attrs.get("src", ""))[:500]})
