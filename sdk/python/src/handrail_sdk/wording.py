"""What an action will do, in one plain line: the title that people read first.

Names and arguments may come from a model, so nothing in them can break the line, hide a part of it or turn it around.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from typing import cast

from .holds import Action

LONGEST_TITLE = 160
LONGEST_VALUE = 60
# titles travel in notices; the hold itself shows the whole action to those who may see it
_SECRET = re.compile(
    r"passw|passphrase|secret|token|credential|api_?key|private_?key|authorization|cookie", re.IGNORECASE
)


def title_of(action: Action) -> str:
    """Such as `Send email: to ann@example.org, subject Hello`."""
    name = line(re.sub(r"[_-]+", " ", action.name)) or "Unnamed action"
    said = ", ".join(_said(key, value) for key, value in action.args.items())
    whole = (
        name[:1].upper() + name[1:] + (f": {said}" if said else "") + (f" ({action.target})" if action.target else "")
    )
    return shortened(line(whole), LONGEST_TITLE)


def line(text: str) -> str:
    """The text on one line, without control and formatting characters, such as those that turn text around."""
    visible = (
        " " if char.isspace() else char for char in text if char.isspace() or unicodedata.category(char)[0] != "C"
    )
    return " ".join("".join(visible).split())


def shortened(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"


def _said(key: str, value: object) -> str:
    return f"{key.replace('_', ' ')} {'…' if _SECRET.search(key) else _value(value)}"


def _value(value: object) -> str:
    if isinstance(value, Mapping | list):
        count = len(cast("list[object]", value))
        return f"({count} {'entry' if count == 1 else 'entries'})"
    if value is None or isinstance(value, bool):
        return {None: "none", True: "yes", False: "no"}[value]
    # cut before cleaning: a value may be megabytes
    return shortened(line(f"{value}"[: LONGEST_VALUE * 4]), LONGEST_VALUE) or "(empty)"
