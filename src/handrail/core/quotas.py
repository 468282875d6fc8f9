"""How much of everybody's attention and storage one principal may take."""

from __future__ import annotations

from dataclasses import dataclass

from .sizes import MIB


@dataclass(frozen=True, slots=True)
class Quota:
    """The most that each principal may have."""

    open_holds: int = 10_000
    open_bytes: int = 256 * MIB
    comments_on_hold: int = 200
    comments_a_minute: int = 60
