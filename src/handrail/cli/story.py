"""A run's story as a person reads it in the terminal, line by line as it happens."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any, cast

from handrail.cli import wording

Json = dict[str, Any]

# under the time of the line that it belongs to
INDENT = " " * 10
RESULT_LINES = 20


class Story:
    """What was told so far: each tool call once, and the day where it changes."""

    def __init__(self, look_up: Callable[[str], Json | None]) -> None:
        """`look_up` gives a hold by its id, or nothing where one may not see it."""
        self._look_up = look_up
        self._day: date | None = None
        self._calls: set[str] = set()
        # holds that the policy decided by itself, which stopped nothing
        self._waved_through: set[str] = set()
        self._waits = False

    def lines(self, told: Json) -> list[str]:
        """What is to be printed of a part of the story; nothing where it tells a person nothing new."""
        said = wording.plain(self._said(told)).strip()
        if not said:
            return []
        at = wording.moment(told["at"]).astimezone()
        day = [] if at.date() == self._day else [f"{at:%A}, {at.day} {at:%B %Y}"]
        self._day = at.date()
        first, *rest = said.splitlines()
        return [*day, f"{at:%H:%M:%S}  {first}", *(INDENT + line for line in rest)]

    def _said(self, told: Json) -> str:
        part: Json = told["story"]
        words: str = part["words"]
        match part:
            case {"is": "call", "call_id": str(call)}:
                # a node that runs again calls again
                words = "" if call in self._calls else words
                self._calls.add(call)
            case {"is": "question", "cause": "opened"}:
                words = self._question(told["hold_id"], told["hold_short_id"]) or words
            case {"is": "decision" | "hold_note"} if told["hold_id"] in self._waved_through:
                words = ""
            case {"is": "pause"}:
                self._waits = True
            case {"is": "resumption"}:
                words, self._waits = words if self._waits else "", False
            case {"is": "end", "status": "completed", "result": result} if result:
                words = f"{words}\n{_shown(result)}"
            case _:
                pass
        return words

    def _question(self, hold_id: str, name: str) -> str | None:
        hold = self._look_up(hold_id)
        if hold is None:
            return None
        if hold["decision"] and hold["decision"]["basis"] == "policy":
            self._waved_through.add(hold_id)
            return f"Policy {hold['status']} {name}, {wording.risk(hold)}: {wording.line(hold['title'])}"
        text = f"Asks {name}, {wording.risk(hold)}: {wording.line(hold['title'])}"
        if hold["status"] != "pending":
            return text
        verb = "answer" if hold["kind"] == "input" else "show"
        return f"{text}\nNeeds {wording.needs(hold, brief=True)}. handrail {verb} {name}"


def _shown(result: Any) -> str:
    """Without the conversation, which was told already, and what there is none of; no longer than fits on a screen."""
    # takes its time to import
    from handrail.core.wording import brief

    fields = cast("Json", result) if isinstance(result, dict) else {"result": result}
    told = [
        f"{name}: {value if isinstance(value, str) else brief(value)}"
        for name, value in fields.items()
        if name != "messages" and value is not None
    ]
    lines = "\n".join(told).splitlines()
    more = ["… `handrail runs show` prints all of it."] if len(lines) > RESULT_LINES else []
    return "\n".join([*lines[:RESULT_LINES], *more])
