"""A hold as a Block Kit message: what happens, why it asks, who must approve; or who decided.

What agents wrote is only ever plain or preformatted text, which Slack does not interpret: no mention, link or bold of
theirs does anything. Our own words are all that is markup.
"""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

from handrail.channels.slack import modals
from handrail.channels.standing import Standing
from handrail.channels.texts import cut, line
from handrail.core.holds import Hold, Kind
from handrail.core.risk import Level

Blocks = list[dict[str, Any]]

LONGEST_HEADER = 150
LONGEST_TEXT = 2000
MOST_RULES = 8
ASKS = {
    "hold.opened": "Your decision is needed",
    "hold.amended": "Amended: please decide again",
    "hold.reopened": "Reopened: please decide again",
    "hold.escalated": "Escalated: your decision is needed",
    "hold.commented": "New comment",
}


def summary(standing: Standing) -> str:
    """What a notification shows of it: one line in which nothing is markup."""
    return escaped(f"{standing.outcome}: {_title(standing)} ({standing.hold.short_id})")


def card(standing: Standing, link: str) -> Blocks:
    hold = standing.hold
    head = "Decision needed" if hold.pending else standing.outcome
    blocks: Blocks = [_header(f"{head}: {_title(standing)}"), _facts(standing)]
    if not hold.pending:
        return [*blocks, *_decided(standing), _buttons(hold, link, decides=False), _foot(hold)]
    blocks += _effect(standing) + _reasons(standing) + _words_of_the_agent(standing)
    if standing.approvers:
        blocks.append(_small(f"Approved so far: {', '.join(map(line, standing.approvers))}"))
    decides = decides_here(hold)
    blocks.append(_buttons(hold, link, decides=decides))
    if not decides:
        blocks.append(_small("This one is decided on the page, not in Slack."))
    return [*blocks, _foot(hold)]


def decides_here(hold: Hold) -> bool:
    """Critical ones, batches, secrets and forms that Slack cannot show lead to the page."""
    if hold.assessment.level is Level.critical or hold.assessment.requirements.own_credential or hold.question.items:
        return False
    return hold.question.kind is not Kind.input or modals.fields(hold.question.schema) is not None


def reply(standing: Standing, event: str) -> Blocks:
    """Under the message, for those who look at it no longer."""
    return [_plain(f"{ASKS[event]}. {standing.outcome}. Needs: {standing.needs}.")]


def comment(by: str, text: str) -> Blocks:
    return [_plain(cut(f"{line(by)}: {text}", LONGEST_TEXT))]


def note(standing: Standing, comments: list[tuple[str, str]], link: str) -> Blocks:
    """A comment, for somebody who has no message about the hold."""
    said = [block for by, text in comments for block in comment(by, text)]
    return [_header(f"New comment: {_title(standing)}"), *said, _buttons(standing.hold, link, decides=False)]


def escaped(text: str) -> str:
    return line(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def moment(at: datetime) -> str:
    """In each reader's own time zone."""
    return f"<!date^{int(at.timestamp())}^{{date_short_pretty}} {{time}}|{at:%Y-%m-%d %H:%M} UTC>"


def preformatted(text: str) -> dict[str, Any]:
    shown = cut(text, LONGEST_TEXT) or " "
    inside = {"type": "rich_text_preformatted", "elements": [{"type": "text", "text": shown}]}
    return {"type": "rich_text", "elements": [inside]}


def _title(standing: Standing) -> str:
    return line(str(standing.shown["title"]))


def _header(text: str) -> dict[str, Any]:
    return {"type": "header", "text": _text(cut(text, LONGEST_HEADER))}


def _facts(standing: Standing) -> dict[str, Any]:
    hold = standing.hold
    facts = [f"Risk: {hold.assessment.level.value}", f"Requested by: {line(standing.requester)}"]
    facts += [f"Needs: {standing.needs}"] if hold.pending else []
    fields: list[dict[str, Any]] = [_text(cut(fact, LONGEST_TEXT)) for fact in facts]
    if hold.pending and hold.expires_at:
        fields.append({"type": "mrkdwn", "text": f"Deadline: {moment(hold.expires_at)}"})
    return {"type": "section", "fields": fields}


def _effect(standing: Standing) -> Blocks:
    """Made of the action itself, never of what the agent says of it."""
    action: Any = standing.shown["action"]
    if not action:
        what = "answer" if standing.hold.question.kind is Kind.input else "confirmation"
        return [_plain(f"{line(standing.requester)} is waiting for this {what}.")]
    upon = f" on {line(action['target'])}" if action["target"] else ""
    words = f"If approved, {line(standing.requester)} runs {line(action['name'])}{upon}"
    blocks = [_plain(cut(words + (" with:" if action["args"] else "."), LONGEST_TEXT))]
    return blocks + ([preformatted(json.dumps(action["args"], indent=2, ensure_ascii=False))] if action["args"] else [])


def _reasons(standing: Standing) -> Blocks:
    rules = standing.hold.assessment.rules[:MOST_RULES]
    said = [f"• {line(rule.reason)}{' (claimed, not verified)' if rule.claimed else ''}" for rule in rules]
    return [_plain(cut("\n".join(["Why it asks:", *said]), LONGEST_TEXT))] if said else []


def _words_of_the_agent(standing: Standing) -> Blocks:
    blocks: Blocks = []
    description = standing.shown["description"]
    if description:
        blocks += [_plain(f"{line(standing.requester)} says (not verified):"), preformatted(str(description))]
    if standing.claims:
        claims = json.dumps(standing.claims, indent=2, ensure_ascii=False)
        blocks += [_plain("Claimed about it (not verified):"), preformatted(claims)]
    return blocks


def _decided(standing: Standing) -> Blocks:
    made = standing.hold.decision
    assert made is not None
    when = {"type": "mrkdwn", "text": f"*{escaped(standing.outcome)}* {moment(made.at)}"}
    blocks: Blocks = [{"type": "section", "text": when}]
    return blocks + ([_plain(cut(f"Reason: {standing.reason}", LONGEST_TEXT))] if standing.reason else [])


def _buttons(hold: Hold, link: str, *, decides: bool) -> dict[str, Any]:
    value = json.dumps({"hold": str(hold.id), "revision": hold.revision, "digest": hold.digest})
    shown: list[tuple[str, str, str | None]] = []
    if decides and hold.question.kind is Kind.input:
        shown = [("answer", "Answer…", "primary")]
    elif decides:
        shown = [("approve", "Approve…", "primary"), ("reject", "Reject…", "danger")]
    elements: list[dict[str, Any]] = [
        {
            "type": "button",
            "action_id": name,
            "text": _text(words),
            "value": value,
            **({"style": style} if style else {}),
        }
        for name, words, style in shown
    ]
    open_it = {"type": "button", "action_id": "open", "text": _text("Open"), "url": link}
    return {"type": "actions", "elements": [*elements, open_it]}


def _foot(hold: Hold) -> dict[str, Any]:
    revision = f" · revision {hold.revision}" if hold.revision > 1 else ""
    return _small(f"{hold.short_id}{revision} · {hold.digest[:12]} · Reply in this thread to ask back.")


def _plain(text: str) -> dict[str, Any]:
    return {"type": "section", "text": _text(text)}


def _small(text: str) -> dict[str, Any]:
    return {"type": "context", "elements": [_text(cut(text, LONGEST_TEXT))]}


def _text(text: str) -> dict[str, Any]:
    return {"type": "plain_text", "text": text, "emoji": False}
