"""What a document is made of, in reading order."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Kind = Literal["heading", "paragraph", "item", "code", "table", "image"]
# why a document was not read
Refusal = Literal["encrypted", "broken", "too_long"]

MOST_PAGES = 1000
MOST_CHARACTERS = 5_000_000


@dataclass(slots=True)
class Block:
    """`level` is a heading's, from 1; `rows` are a table's; `properties` say what is known of an image."""

    kind: Kind
    text: str = ""
    level: int = 0
    rows: list[list[str]] = field(default_factory=list[list[str]])
    properties: dict[str, str] = field(default_factory=dict[str, str])
    page: int | None = None


@dataclass(slots=True)
class Extracted:
    metadata: dict[str, str] = field(default_factory=dict[str, str])
    pages: int | None = None
    blocks: list[Block] = field(default_factory=list[Block])
    refused: Refusal | None = None
    detail: str = ""


class Refused(Exception):
    def __init__(self, why: Refusal, detail: str) -> None:
        super().__init__(detail)
        self.why: Refusal = why
        self.detail = detail
