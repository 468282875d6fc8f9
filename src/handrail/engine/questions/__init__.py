"""What a graph asks when it interrupts, as holds to open; and their decisions as the value that it resumes with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic_core import to_jsonable_python

from handrail.core.canonical import Json
from handrail.core.holds import Action, Hold, Kind
from handrail.holds.opening import Opening


@dataclass(frozen=True, slots=True)
class Asked:
    """One interrupt. `openings` are the holds that it needs, at least one, without the run's own fields (`run_id`,
    `starter`, `hold_id`); `answer` makes of the decided holds, in the same order, what the graph resumes with."""

    openings: tuple[Opening, ...]
    answer: Callable[[Sequence[Hold]], Any]


def read(value: Any, response_schema: Json = None) -> Asked:
    """What an interrupt's value asks; `response_schema` is the interrupt's own."""
    shown = to_jsonable_python(value, fallback=str, serialize_unknown=True)
    title = value if isinstance(value, str) and value.strip() else "The workflow asks for an answer"
    opening = Opening(
        kind=Kind.input,
        title=title[:200],
        action=Action("interrupt", {"value": shown}),
        schema=response_schema,
        context={"binding": "not bound to arguments"},
    )
    return Asked((opening,), lambda holds: _answer(holds[0]))


def _answer(hold: Hold) -> Any:
    assert hold.decision is not None
    return hold.decision.answer if hold.status == "answered" else {"outcome": hold.status.value}
