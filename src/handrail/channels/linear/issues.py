"""A hold as an issue: what happens, why it asks, who must approve; or who decided.

What agents and people wrote is only ever preformatted or escaped text: no mention, link or image of theirs does
anything.
"""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any

from handrail.channels import telling
from handrail.channels.standing import Standing
from handrail.channels.texts import cut, line
from handrail.core.holds import Status
from handrail.core.risk import Level

LONGEST_TITLE = 250
LONGEST_TEXT = 8000
PRIORITIES = {Level.critical: 1, Level.high: 2, Level.medium: 3, Level.low: 4}
DONE = frozenset({Status.approved, Status.answered})
_MARKS = re.compile(r"([!-/:-@\[-`{-~])")
_TICKS = re.compile("`{3,}")


def state_type(standing: Standing) -> str:
    """Which of the team's states says how the hold stands."""
    if standing.hold.pending:
        return "unstarted"
    return "completed" if standing.hold.status in DONE else "canceled"


def content(standing: Standing, link: str) -> dict[str, Any]:
    """The fields that change with the hold, but for its state."""
    return {
        "title": cut(f"{telling.headline(standing)} ({standing.hold.short_id})", LONGEST_TITLE),
        "description": _description(standing, link),
        "priority": PRIORITIES[standing.hold.assessment.level],
    }


def reply(standing: Standing, event: str) -> str:
    return escaped(f"{telling.ASKS[event]}. {standing.outcome}. Needs: {standing.needs}.")


def comment(by: str, text: str) -> str:
    return f"**{escaped(by)}** in Handrail:\n\n{preformatted(text)}"


def escaped(text: str) -> str:
    return _MARKS.sub(r"\\\1", line(text))


def preformatted(text: str) -> str:
    """In a fence that is longer than any within."""
    shown = cut(text, LONGEST_TEXT)
    longest = max((len(run) for run in _TICKS.findall(shown)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}\n{shown}\n{fence}"


def _description(standing: Standing, link: str) -> str:
    hold = standing.hold
    facts = f"Risk: {hold.assessment.level.value} · Requested by: {escaped(standing.requester)}"
    parts = [f"{facts} · Needs: {escaped(standing.needs)}" if hold.pending else facts]
    if hold.decision is not None:
        parts.append(f"**{escaped(standing.outcome)}** on {_moment(hold.decision.at)}")
        parts += [f"Reason:\n\n{preformatted(standing.reason)}"] if standing.reason else []
    else:
        parts += [f"Deadline: {_moment(hold.expires_at)}"] if hold.expires_at else []
        parts += [_titled(words, text) for words, text in telling.effect(standing)]
        if reasons := telling.reasons(standing):
            parts.append("\n".join(["Why it asks:", "", *(f"- {escaped(one)}" for one in reasons)]))
        parts += [_titled(words, text) for words, text in telling.words_of_the_agent(standing)]
        if standing.approvers:
            parts.append(f"Approved so far: {escaped(', '.join(standing.approvers))}")
    parts.append(f"**[{'Decide in Handrail' if hold.pending else 'Open in Handrail'}]({link})**")
    foot = f"{hold.short_id} · revision {hold.revision} · {hold.digest[:12]} · Moving this issue decides nothing."
    return "\n\n".join([*parts, f"{foot} Comments of linked people are part of the hold's conversation."])


def _titled(words: str, text: str | None) -> str:
    return escaped(words) if text is None else f"{escaped(words)}\n\n{preformatted(text)}"


def _moment(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M} UTC"
