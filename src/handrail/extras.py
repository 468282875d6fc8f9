"""The extras of the package: parts that not everyone needs, and what to install where one is missing."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Literal, get_args

from handrail.core.errors import Misconfigured

Extra = Literal["code", "documents", "search", "speed", "telemetry"]
EXTRAS: tuple[Extra, ...] = get_args(Extra)
# a package that only this extra brings
_MARKS: dict[Extra, str] = {
    "code": "rustworkx",
    "documents": "pdfplumber",
    "search": "faiss",
    "speed": "uvloop",
    "telemetry": "opentelemetry.exporter.otlp",
}
_NEEDS: dict[Extra, str] = {
    "code": "Reading and changing code needs",
    "documents": "Reading documents needs",
    "search": "Finding skills and documents by meaning needs",
    "speed": "A faster event loop needs",
    "telemetry": "Sending traces (HANDRAIL_TRACES_URL) needs",
}


def installed(extra: Extra) -> bool:
    try:
        return find_spec(_MARKS[extra]) is not None
    except ModuleNotFoundError:
        # the package around it is missing too
        return False


def require(extra: Extra) -> None:
    """`Misconfigured` with what to install, where it is missing."""
    if not installed(extra):
        raise Misconfigured(
            f"{_NEEDS[extra]} packages that are not installed: pip install 'handrail[{extra}]'", extra=extra
        )
