"""`python -m extraction KIND`: reads `document` in the current folder and writes `extracted.json` next to it."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import asdict
from importlib import import_module
from pathlib import Path

from .blocks import MOST_CHARACTERS, Extracted, Refused

# each in a module of its own, imported when it is wanted: pdfplumber takes half a second
READERS = {"pdf": ".pdf", "html": ".html", "md": ".markdown", "txt": ".plain"}


def main(kind: str) -> None:
    read: Callable[[Path], Extracted] = import_module(READERS[kind], __package__).read
    try:
        found = read(Path("document"))
        _check_length(found)
    except Refused as refused:
        found = Extracted(refused=refused.why, detail=refused.detail)
    except (Exception, RecursionError) as error:  # whatever a parser makes of a hostile file
        found = Extracted(refused="broken", detail=f"{type(error).__name__}: {error}"[:300])
    text = json.dumps(asdict(found), ensure_ascii=False)
    # half a pair of surrogates is no text
    Path("extracted.json").write_bytes(text.encode("utf-8", "replace"))


def _check_length(found: Extracted) -> None:
    length = sum(len(block.text) + sum(len(cell) for row in block.rows for cell in row) for block in found.blocks)
    if length > MOST_CHARACTERS:
        raise Refused("too_long", f"it has {length:,} characters; at most {MOST_CHARACTERS:,} are read")


if __name__ == "__main__":
    main(sys.argv[1])
