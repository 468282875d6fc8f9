"""Ids are types of their own, so that one cannot be passed for another."""

from __future__ import annotations

import re
import secrets
import time
from typing import Literal, NewType
from uuid import UUID

HoldId = NewType("HoldId", UUID)
RunId = NewType("RunId", UUID)
PrincipalId = NewType("PrincipalId", UUID)
TokenId = NewType("TokenId", UUID)


def fresh() -> UUID:
    """A new id whose order follows time (UUID version 7), so that inserts stay at the end of an index."""
    millis = time.time_ns() // 1_000_000
    value = (millis & (1 << 48) - 1) << 80 | secrets.randbits(80)
    return UUID(int=value & ~(0xF << 76) & ~(0x3 << 62) | 0x7 << 76 | 0x2 << 62)


# as many digits as the database can count
_SHORT = re.compile(r"([HR])-([1-9][0-9]{0,17})", re.IGNORECASE | re.ASCII)


def short(kind: Literal["H", "R"], number: int) -> str:
    """What people read and type: `H-1042` for a hold, `R-77` for a run."""
    return f"{kind}-{number}"


def number_in(kind: Literal["H", "R"], text: str) -> int | None:
    """The number in a short id of this kind; nothing where the text is something else."""
    found = _SHORT.fullmatch(text)
    return int(found[2]) if found and found[1].upper() == kind else None
