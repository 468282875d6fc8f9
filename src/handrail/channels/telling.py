"""What a message says of a hold, in words that every channel dresses in its own markup; and what was said since."""

from __future__ import annotations

import json
from typing import Any

from handrail.channels.memory import Memory
from handrail.channels.standing import Standing
from handrail.channels.texts import line
from handrail.core.holds import Kind
from handrail.core.people import Principal
from handrail.store import received
from handrail.store.deliveries import Delivery
from handrail.store.messages import Message

MOST_RULES = 8
ASKS = {
    "hold.opened": "Your decision is needed",
    "hold.amended": "Amended: please decide again",
    "hold.reopened": "Reopened: please decide again",
    "hold.escalated": "Escalated: your decision is needed",
    "hold.reminded": "Still waiting, and the deadline is near",
    "hold.commented": "New comment",
}

TEST_TITLE = "Test from Handrail"

# a sentence of ours, and below it what is shown as it is
Part = tuple[str, str | None]


def test_text(who: Principal) -> str:
    return f"{line(who.name)} sent this test. Notifications about holds arrive here. There is nothing to decide."


def title(standing: Standing) -> str:
    return line(str(standing.shown["title"]))


def headline(standing: Standing) -> str:
    """ "Decision needed: Deploy", or "Approved by Ann: Deploy"."""
    return f"{'Decision needed' if standing.hold.pending else standing.outcome}: {title(standing)}"


def effect(standing: Standing) -> list[Part]:
    """Made of the action itself, never of what the agent says of it."""
    action: Any = standing.shown["action"]
    if not action:
        what = "answer" if standing.hold.question.kind is Kind.input else "confirmation"
        return [(f"{line(standing.requester)} is waiting for this {what}.", None)]
    upon = f" on {line(action['target'])}" if action["target"] else ""
    words = f"If approved, {line(standing.requester)} runs {line(action['name'])}{upon}"
    return [(f"{words} with:", _json(action["args"]))] if action["args"] else [(f"{words}.", None)]


def reasons(standing: Standing) -> list[str]:
    """The rules that fired."""
    rules = standing.hold.assessment.rules[:MOST_RULES]
    return [f"{line(rule.reason)}{' (claimed, not verified)' if rule.claimed else ''}" for rule in rules]


def words_of_the_agent(standing: Standing) -> list[Part]:
    parts: list[Part] = []
    description = standing.shown["description"]
    if description:
        parts.append((f"{line(standing.requester)} says (not verified):", str(description)))
    if standing.claims:
        parts.append(("Claimed about it (not verified):", _json(standing.claims)))
    return parts


def comments(delivery: Delivery) -> list[tuple[int, str, str]]:
    """Number, who and what; a notice that an older version queued has no numbers."""
    data = json.loads(delivery.body)["data"]
    said = data.get("comments") or ([data["comment"]] if "comment" in data else [])
    return [(one.get("id", 0), one["by"], one["text"]) for one in said]


async def news(memory: Memory, delivery: Delivery, message: Message) -> list[tuple[str, str]]:
    """Of the comments, those that were not written under the message itself: who and what."""
    async with memory.context.database.connection() as conn:
        return [
            (by, text)
            for number, by, text in comments(delivery)
            if not await received.came_from(conn, message.id, number)
        ]


def _json(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)
