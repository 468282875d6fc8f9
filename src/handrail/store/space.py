"""Whether there is room on the disk for more."""

from __future__ import annotations

import shutil
from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from time import monotonic

from handrail.core.errors import OutOfSpace

# a database that is not ours tells only when a write fails: so long that is believed
BELIEF_SECONDS = 10.0


@dataclass(slots=True)
class Space:
    """`folder` is where the embedded database is, `reserve` the bytes that stay free there for decisions."""

    folder: Path | None = None
    reserve: int = 0
    _full_until: float = field(default=0.0, init=False)

    @property
    def low(self) -> bool:
        return monotonic() < self._full_until or self._free() < self.reserve

    def check(self) -> None:
        """For what can wait: refused where little is left, so that people can still decide and brake."""
        if self.low:
            raise OutOfSpace(retry_after=60)

    def _free(self) -> float:
        try:
            return shutil.disk_usage(self.folder).free if self.folder else inf
        except OSError:
            # a process that may not look there leaves it to those that may
            return inf

    def ran_out(self) -> None:
        """The database could not write."""
        self._full_until = monotonic() + BELIEF_SECONDS
