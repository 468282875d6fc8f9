"""Tool calls as fenced text, for models that have no tool calls: code inside JSON is written worse than code.

    ```replace_text path=src/app.py hash=1f2e… within=Cart.total
    <<<<<<< OLD
    lines as they are
    =======
    lines as they should be
    >>>>>>> NEW
    ```

The word after the fence is the tool; its short arguments follow, in quotes where they have spaces; its long one is the
body.
Other fences (```python) are prose and are left alone.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from handrail.changes.editing.errors import BadArguments
from handrail.changes.editing.toolbox import EDITS, LOOKS

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})\s*(\S*)(.*)")
_BODIES = {
    "replace_symbol": "source", "insert": "text", "create": "text", "ensure_import": "statement",
    "apply_patch": "patch", "search": "text",
}  # fmt: skip
_PAIRS = {"replace_text": ("old", "new"), "rewrite": ("pattern", "replacement")}
_START = re.compile(r"<{7} ?(OLD|SEARCH)?")
_MIDDLE = re.compile(r"={7}")
_END = re.compile(r">{7} ?(NEW|REPLACE)?")


class Call(NamedTuple):
    name: str
    arguments: dict[str, Any]


class _Block(NamedTuple):
    name: str
    info: str
    body: list[str]


def calls(text: str) -> list[Call]:
    """The tool calls in a model's answer, in order. Raises BadArguments for one that cannot be read."""
    return [_call(block) for block in _blocks(text.replace("\r\n", "\n").split("\n"))]


def _blocks(lines: Sequence[str]) -> Iterator[_Block]:
    """Fences end with one that is at least as long, so code with fences in it goes into a longer one."""
    fence, block = "", _Block("", "", [])
    for line in lines:
        found = _FENCE.fullmatch(line)
        if not fence:
            if found:
                fence, block = found[1], _Block(found[2], found[3], [])
        elif found and found[1].startswith(fence) and not found[2]:
            if block.name in EDITS or block.name in LOOKS:
                yield block
            fence = ""
        else:
            block.body.append(line)
    if fence and (block.name in EDITS or block.name in LOOKS):
        raise BadArguments(f"The block {block.name} is not closed: its last line must be {fence}. Nothing was changed.")


def _call(block: _Block) -> Call:
    try:
        words = shlex.split(block.info)
    except ValueError:
        raise BadArguments(
            f"The arguments of {block.name} have a quote that is not closed: {block.info.strip()}"
        ) from None
    given: dict[str, Any] = {}
    for word in words:
        name, sign, value = word.partition("=")
        if not sign:
            raise BadArguments(f"{block.name}: {word!r} is no argument. Write them as name=value.")
        given[name] = value.split(",") if name == "paths" else value
    if block.name in _PAIRS:
        given.update(zip(_PAIRS[block.name], _pair(block), strict=True))
    elif block.name in _BODIES:
        given[_BODIES[block.name]] = "\n".join(block.body)
    return Call(block.name, given)


def _pair(block: _Block) -> tuple[str, str]:
    marks = [
        [at for at, line in enumerate(block.body) if mark.fullmatch(line.rstrip())] for mark in (_START, _MIDDLE, _END)
    ]
    if any(len(found) != 1 for found in marks):
        raise BadArguments(
            f"{block.name} needs exactly one line each of <<<<<<< OLD, ======= and >>>>>>> NEW. Where the code has "
            "such a line itself, use apply_patch."
        )
    (start,), (middle,), (end,) = marks
    if not start < middle < end:
        raise BadArguments(f"{block.name}: the order is <<<<<<< OLD, =======, >>>>>>> NEW.")
    return "\n".join(block.body[start + 1 : middle]), "\n".join(block.body[middle + 1 : end])
