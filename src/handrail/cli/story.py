"""A run's events as the story that a person reads, line by line as it happens."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any, cast

from handrail.cli import wording

Json = dict[str, Any]

# under the time of the line that it belongs to
INDENT = " " * 10
RESULT_LINES = 20
# implied by what follows
UNTOLD = frozenset({"effect.reserved", "message.discarded"})


class Story:
    """What was told so far: each tool call and each question once, and the day where it changes."""

    def __init__(self, look_up: Callable[[str], Json | None]) -> None:
        """`look_up` gives a hold by its id, or nothing if you may not see it."""
        self._look_up = look_up
        self._day: date | None = None
        self._calls: set[str] = set()

    def lines(self, event: Json) -> list[str]:
        """What to print for an event; nothing if it says nothing new."""
        said = self._said(event)
        if not said:
            return []
        at = wording.moment(event["at"]).astimezone()
        day = [] if at.date() == self._day else [f"{at:%A}, {at.day} {at:%B %Y}"]
        self._day = at.date()
        first, *rest = said.splitlines()
        return [*day, f"{at:%H:%M:%S}  {first}", *(INDENT + line for line in rest)]

    def _said(self, event: Json) -> str:
        data: Json = event["data"] or {}
        type_: str = event["type"]
        if type_.startswith("hold."):
            return self._of_hold(event, data)
        match type_:
            case "run.tool_called":
                said = self._call(data)
            case "run.tool_returned":
                failed = "failed: " if data.get("failed") else ""
                said = f"{wording.line(data['name'])} → {failed}{wording.value(data.get('content'))}"
            case "message.completed":
                said = _message(data)
            case "run.step_completed":
                said = f"{wording.line(data['node'])}: {wording.value(data.get('update'))}"
            case "run.progressed":
                place = f"[{data['done']}/{data['total']}] " if data.get("done") else ""
                said = f"{place}{wording.line(data['message'])}"
            case _:
                said = _of_run(type_, data, event["actor"])
        return said

    def _call(self, data: Json) -> str:
        # a node that runs again calls again
        call = data.get("call_id")
        if call is not None and call in self._calls:
            return ""
        self._calls |= {call} if call is not None else set()
        return f"Calls {wording.line(data['name'])} {wording.value(data.get('args'))}"

    def _of_hold(self, event: Json, data: Json) -> str:
        name = event.get("hold_short_id") or event["hold_id"]
        who = f" by {wording.line(event['actor']['name'])}" if event["actor"] else ""
        why = f": {wording.line(data['reason'])}" if data.get("reason") else ""
        match event["type"]:
            case "hold.opened":
                said = self._question(event["hold_id"], name)
            case "hold.decided":
                by = " by policy" if data.get("basis") == "policy" else who
                answer = f": {wording.value(data['answer'])}" if data.get("answer") is not None else why
                said = f"{name} {data['outcome']}{by}{answer}"
            case "hold.escalated":
                said = f"{name} escalated to {', '.join(map(wording.line, data['added_roles']))}"
            case "hold.commented":
                said = f"{name} comment{who}: {wording.line(data['text'])}"
            case "hold.amended" | "hold.withdrawn" | "hold.reopened":
                said = f"{name} {event['type'].partition('.')[2]}{who}{why}"
            case "hold.resulted":
                said = f"{name} done: {data['outcome']}"
            case _:
                said = ""
        return said

    def _question(self, hold_id: str, name: str) -> str:
        hold = self._look_up(hold_id)
        if hold is None:
            return f"Asks {name}"
        text = f"Asks {name}, {wording.risk(hold)}: {wording.line(hold['title'])}"
        if hold["status"] != "pending":
            return text
        verb = "answer" if hold["kind"] == "input" else "show"
        return f"{text}\nNeeds {wording.needs(hold, brief=True)}. handrail {verb} {name}"


def _message(data: Json) -> str:
    content = wording.plain(data.get("content") or "").strip()
    role = "Model" if data["role"] == "ai" else wording.line(data["role"]).capitalize()
    return f"{role}: {content}" if content else ""


def _result(result: Any) -> str:
    """Without the conversation, which has been shown already, and short enough for a screen."""
    fields = cast("Json", result) if isinstance(result, dict) else {}
    untold = {name: value for name, value in fields.items() if name != "messages"}
    lines = wording.block(untold or cast("object", result)).splitlines()
    more = ["… `handrail runs show` prints all of it."] if len(lines) > RESULT_LINES else []
    return "\n".join([*lines[:RESULT_LINES], *more])


def _of_run(type_: str, data: Json, actor: Json | None) -> str:
    who = f" by {wording.line(actor['name'])}" if actor else ""
    why = f": {wording.line(data['reason'])}" if data.get("reason") else ""
    said = {
        "run.started": f"Started{who}",
        "run.paused": "Paused by the emergency brake" if data.get("braked") else "",
        "run.resumed": "Resumed",
        "run.completed": f"Completed: {_result(data.get('result'))}",
        "run.failed": f"Failed: {wording.line(data.get('message') or data.get('code') or '')}",
        "run.retried": f"Retried{who} from the last good step",
        "run.cancelled": f"Cancelled{'' if data.get('hold_id') else who}{why}",
        "run.expired": f"Expired{why}",
        "run.graph_changed": "The workflow has changed since this run began",
        "effect.completed": f"External call executed: {wording.line(data.get('name') or '')}",
        "effect.unknown": f"An external call may or may not have happened: {wording.line(data.get('name') or '')}",
    }
    return said.get(type_, "" if type_ in UNTOLD else wording.line(type_))
