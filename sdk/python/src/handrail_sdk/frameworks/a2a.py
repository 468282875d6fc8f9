"""A2A, both ways: a hold as a task of your agent that needs input, and such a task of any A2A agent as a hold."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from a2a.helpers import get_message_text
from a2a.types import Message, Part, Role, Task

from handrail_sdk.client import AsyncHandrail
from handrail_sdk.holds import Hold

if TYPE_CHECKING:
    from a2a.server.tasks import TaskUpdater

LONGEST_TITLE = 300
UNSAID = "The agent needs input"


def waiting_of(hold: Hold, link: str, task: TaskUpdater) -> Message:
    """What a task says while a call waits, for `requires_input`. Who uses the client asked, and does not decide.

    What the client sends next is no decision: make the call again, and the gate knows what was decided.
    """
    said = f"{hold.title}: waits for people to decide. {link}"
    return task.new_agent_message([Part(text=said)], {"hold": hold.short_id, "risk": hold.risk, "link": link})


async def answered(task: Task, handrail: AsyncHandrail) -> Message | None:
    """People's answer to a task that needs input, as the message to send. Waits as long as it takes.

    None: nobody answered in time, or the question was withdrawn, so cancel the task. A program that starts again with
    the same task finds the answer, in a message with the same id.
    """
    asked = task.status.message
    text = get_message_text(asked) or UNSAID
    place = f"a2a\n{task.context_id}\n{task.id}\n{asked.message_id}"
    hold = await handrail.ask(
        "input",
        text.splitlines()[0][:LONGEST_TITLE],
        description=text,
        case_id=task.context_id,
        idempotency_key=hashlib.sha256(place.encode()).hexdigest(),
    )
    if hold.status != "answered" or hold.decision is None:
        return None
    parts = [Part(text=str(hold.decision.answer))]
    return Message(role=Role.ROLE_USER, message_id=hold.id, task_id=task.id, context_id=task.context_id, parts=parts)
