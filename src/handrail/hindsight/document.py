"""The oversight report as one HTML file: no scripts, nothing loaded from elsewhere, made to be printed."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, StrictUndefined, Template

_HERE = Path(__file__).parent
STYLE = (_HERE / "report.css").read_text("utf-8")
STYLE_HASH = f"sha256-{base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()}"
# control characters, marks of direction, and letters that show nothing
_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u115f\u1160\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\U000e0000-\U000e0fff]"
)

Json = Mapping[str, Any]


def html(report: Json, verified: Sequence[str] = ()) -> str:
    """`report` as the API gives it; `verified` says what a check of the log found, if whoever makes it did check."""
    return _template().render(report=report, style=STYLE, verified=verified)


@cache
def _template() -> Template:
    made = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, finalize=_visible
    )
    filters: dict[str, Any] = {"day": _day, "moment": _moment, "lasting": _lasting, "share": _share}
    made.filters.update(filters)
    return made.from_string((_HERE / "report.html").read_text("utf-8"))


def _visible(value: Any) -> Any:
    """What an agent wrote turns no text around: nothing in a printed page shows that it was turned."""
    return _UNSEEN.sub("\ufffd", value) if type(value) is str else value


def _day(text: str) -> str:
    return f"{datetime.fromisoformat(text):%-d %B %Y}"


def _moment(text: str) -> str:
    return f"{datetime.fromisoformat(text):%Y-%m-%d %H:%M} UTC"


def _lasting(seconds: float | None) -> str:
    if seconds is None:
        return "–"
    for unit, size in (("d", 86_400), ("h", 3_600), ("min", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} s"


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f} %" if whole else "–"
