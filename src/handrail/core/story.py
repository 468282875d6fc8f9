"""A run's events as its story: which part each one is, and that part as JSON for the streams."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import fields

from .canonical import JsonObject
from .events import Event, plain
from .parts import Call, End, Gap, Part
from .run_events import ENDS
from .wording import Scene, words


def part_of(type_: str, event: Event | None) -> Part | None:
    """How an event of this type reads, without one where its data is no longer kept; nothing where it tells a person
    nothing new."""
    if event is None:
        return End(status=ENDS[type_]) if type_ in ENDS else Gap(what=type_)
    return event.part()


def data_of(part: Part, scene: Scene) -> JsonObject:
    """The part as JSON: `is` says which one it is, `words` how it reads."""
    told: JsonObject = {each.name: plain(getattr(part, each.name)) for each in fields(part)}
    return {"is": part.is_, "words": words(part, scene), **told}


class Story:
    """What one reader was told so far."""

    def __init__(self, calls: Collection[str] = ()) -> None:
        """`calls` are those told already, by their ids."""
        self._calls = set(calls)

    def is_new(self, part: Part) -> bool:
        """Whether it is to be told; asked once for each part. A tool whose node runs again is called again."""
        if not isinstance(part, Call) or part.call_id is None:
            return True
        known = part.call_id in self._calls
        self._calls.add(part.call_id)
        return not known
