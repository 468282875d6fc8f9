"""The extras of the package: parts that not everyone needs, and what to install where one is missing."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Literal, get_args

from handrail.core.errors import Misconfigured

Extra = Literal["code", "documents", "search"]
EXTRAS: tuple[Extra, ...] = get_args(Extra)
# a package that only this extra brings
_MARKS: dict[Extra, str] = {"code": "rustworkx", "documents": "pdfplumber", "search": "faiss"}
_NEEDS: dict[Extra, str] = {
    "code": "Reading and changing code needs",
    "documents": "Reading documents needs",
    "search": "Finding skills and documents by meaning needs",
}


def installed(extra: Extra) -> bool:
    return find_spec(_MARKS[extra]) is not None


def require(extra: Extra) -> None:
    """`Misconfigured` with what to install, where it is missing."""
    if not installed(extra):
        raise Misconfigured(
            f"{_NEEDS[extra]} packages that are not installed: pip install 'handrail[{extra}]'", extra=extra
        )
