"""What a device shows of a hold: a line of what is asked, and where to decide. No arguments, and no evidence: a locked
screen is read by anybody."""

from __future__ import annotations

import json
from typing import Any

from handrail.channels.push.encryption import MOST_BYTES
from handrail.channels.standing import Standing
from handrail.channels.telling import TEST_TITLE
from handrail.channels.texts import cut, line

LONGEST_TITLE = 120
LONGEST_BODY = 300
_ASKS = {
    "hold.opened": "Decision needed",
    "hold.amended": "Amended, decide again",
    "hold.reopened": "Reopened, decide again",
    "hold.escalated": "Escalated to you",
    "hold.reminded": "Deadline is near",
}


def asking(standing: Standing, event: str) -> bytes:
    """Alerts, also where the device shows an older one about the same hold."""
    action: Any = standing.shown["action"]
    what: list[str] = []
    if action:
        what.append(line(action["name"]) + (f" on {line(action['target'])}" if action["target"] else ""))
    what.append(f"{line(standing.requester)} asks. Needs {standing.needs}.")
    title = f"{_ASKS.get(event, 'Decision needed')} ({standing.hold.assessment.level.value}): {_title(standing)}"
    return _note(standing, title, "\n".join(what), asks=True)


def closing(standing: Standing) -> bytes:
    """Takes the place of the one that asked, without a sound."""
    return _note(standing, f"{line(standing.outcome)}: {_title(standing)}", "Your decision is no longer needed.")


def comment(standing: Standing, comments: list[dict[str, Any]]) -> bytes:
    last = comments[-1]
    return _note(
        standing, f"New comment: {_title(standing)}", f"{line(last['by'])}: {line(last['text'])}", about="comments"
    )


def test(text: str) -> bytes:
    shown = {"title": TEST_TITLE, "body": cut(text, LONGEST_BODY), "tag": "test", "path": "/account"}
    return json.dumps({**shown, "asks": False, "silent": False}, ensure_ascii=False).encode()


def _title(standing: Standing) -> str:
    return f"{cut(line(str(standing.shown['title'])), LONGEST_TITLE)} ({standing.hold.short_id})"


def _note(standing: Standing, title: str, body: str, *, asks: bool = False, about: str = "") -> bytes:
    """`tag` names what it is about: of one tag, a device shows the newest alone."""
    hold = str(standing.hold.id)
    note = {
        "title": title,
        "body": cut(body, LONGEST_BODY),
        "tag": f"{hold}/{about}" if about else hold,
        "path": f"/holds/{hold}",
        "asks": asks,
        "silent": not asks and not about,
    }
    made = json.dumps(note, ensure_ascii=False).encode()
    assert len(made) <= MOST_BYTES, "every part of it is cut"
    return made
