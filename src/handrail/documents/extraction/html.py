"""HTML: what a reader would see of it; scripts and styles are left out, and nothing is loaded."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from selectolax.lexbor import LexborHTMLParser, LexborNode

from .blocks import Block, Extracted
from .plain import decoded

HIDDEN = frozenset({"script", "style", "template", "noscript", "svg", "math", "iframe", "object", "head"})
# all others begin and end a paragraph
INLINE = frozenset(
    {
        *("a", "abbr", "b", "bdi", "bdo", "br", "cite", "code", "data", "del", "dfn", "em", "font", "i", "ins", "kbd"),
        *("label", "mark", "q", "s", "samp", "small", "span", "strong", "sub", "sup", "time", "u", "var", "wbr"),
    }
)
HEADINGS = {f"h{level}": level for level in range(1, 7)}
PROPERTIES = ("width", "height")
CHARSET = re.compile(rb"charset\s*=\s*[\"']?\s*([\w.:-]+)", re.IGNORECASE)


def read(path: Path) -> Extracted:
    raw = path.read_bytes()
    declared = CHARSET.search(raw[:4096])
    text, encoding = decoded(raw, declared[1].decode("ascii", "replace") if declared else None)
    tree = LexborHTMLParser(text)
    return Extracted(_metadata(tree, encoding), None, _Walk().blocks(tree.body) if tree.body else [])


def _metadata(tree: LexborHTMLParser, encoding: str) -> dict[str, str]:
    found = {"encoding": encoding}
    title = tree.css_first("title")
    if title is not None:
        found["title"] = _words(title.text())
    for node in tree.css("meta[name][content]"):
        name, content = node.attributes.get("name"), node.attributes.get("content")
        if name and content:
            found[name.lower()[:100]] = content[:1000]
    return found


class _Walk:
    """In document order, without recursion: a hostile page is nested as deep as it likes."""

    def __init__(self) -> None:
        self._found: list[Block] = []
        self._said: list[str] = []
        self._within: list[str] = []

    def blocks(self, body: LexborNode) -> list[Block]:
        for node, entering in _steps(body):
            tag = node.tag or ""
            if tag == "-text":
                self._said.append(node.text_content or "")
            elif tag == "img":
                self._end()
                self._found.append(_image(node))
            elif tag == "table":
                self._end()
                self._found.append(Block("table", rows=_rows(node)))
            elif tag == "br":
                self._said.append("\n")
            elif tag not in INLINE:
                self._end()
                self._within.append(tag) if entering else self._within.pop()
        self._end()
        return self._found

    def _end(self) -> None:
        text, self._said = "".join(self._said), []
        inner = next((tag for tag in reversed(self._within[-8:]) if tag in {*HEADINGS, "pre", "li"}), "")
        if inner == "pre" and text.strip():
            self._found.append(Block("code", text.strip("\n")))
        elif words := _words(text):
            level = HEADINGS.get(inner, 0)
            self._found.append(Block("heading" if level else "item" if inner == "li" else "paragraph", words, level))


def _steps(body: LexborNode) -> Iterator[tuple[LexborNode, bool]]:
    """Every node as it is entered, and elements again as they are left; nothing of what is hidden or a table's."""
    waiting: list[tuple[LexborNode, bool]] = [(body, True)]
    while waiting:
        node, entering = waiting.pop()
        if node.tag in HIDDEN:
            continue
        yield node, entering
        if entering and node.tag not in {"-text", "img", "br", "table"}:
            waiting.append((node, False))
            waiting += [(child, True) for child in reversed(list(node.iter(include_text=True)))]


def _rows(table: LexborNode) -> list[list[str]]:
    rows = ([_words(cell.text()) for cell in row.css("th, td")] for row in table.css("tr"))
    return [row for row in rows if row]


def _image(node: LexborNode) -> Block:
    given = node.attributes
    properties = {name: str(given[name])[:20] for name in PROPERTIES if given.get(name)}
    return Block(
        "image", _words(given.get("alt") or ""), properties={"source": (given.get("src") or "")[:500], **properties}
    )


def _words(text: str) -> str:
    return " ".join(text.split())
