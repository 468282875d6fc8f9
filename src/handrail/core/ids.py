"""Ids are types of their own, so that one cannot be passed for another."""

from __future__ import annotations

import secrets
import time
from typing import NewType
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
