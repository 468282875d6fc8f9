"""Whether reviews in an export that were given for somebody were given by who stood in for them. Needs no database."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

SET, ENDED = "absence.set", "absence.ended"
STOOD_IN_TYPES = frozenset({SET, ENDED, "hold.reviewed", "hold.amended"})


class _Named(NamedTuple):
    person: str
    stand_in: str
    starts_at: datetime
    ends_at: datetime


class StoodIn:
    """Follows who named whom, and checks each review for somebody against it."""

    def __init__(self, *, from_the_start: bool) -> None:
        # an export that begins later, or whose data is no longer kept, does not have all who were named
        self._whole = from_the_start
        self._known: dict[str, _Named] = {}

    def restored(self) -> None:
        """A restore ends all of them."""
        self._known.clear()

    def take(self, record: Mapping[str, Any], data: Mapping[str, Any] | None) -> str | None:
        """What is wrong with this entry; nothing where it is good. `data` is nothing where it is no longer kept."""
        if data is None:
            self._whole = self._whole and record["type"] != SET
        elif record["type"] == SET:
            times = (datetime.fromisoformat(data[name]) for name in ("starts_at", "ends_at"))
            self._known[data["id"]] = _Named(data["person"], data["stand_in"], *times)
        elif record["type"] == ENDED:
            self._known.pop(data["id"], None)
        elif data.get("on_behalf_of") is not None and self._whole:
            return self._review(record, data)
        return None

    def _review(self, record: Mapping[str, Any], data: Mapping[str, Any]) -> str | None:
        at, pair = datetime.fromisoformat(record["at"]), (data["on_behalf_of"], record["actor_id"])
        if any(
            (one.person, one.stand_in) == pair and one.starts_at <= at < one.ends_at for one in self._known.values()
        ):
            return None
        return f"{pair[1]} did not stand in for {pair[0]} at that time"
