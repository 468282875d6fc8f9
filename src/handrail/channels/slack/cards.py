"""A hold as a Block Kit message: what happens, why it asks, who must approve; or who decided.

What agents wrote is only ever plain or preformatted text, which Slack does not interpret: no mention, link or bold of
theirs does anything. Our own words are all that is markup.
"""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

from handrail.channels import telling
from handrail.channels.slack import modals
from handrail.channels.standing import Standing, decides_outside
from handrail.channels.texts import cut, line
from handrail.core.holds import Hold, Kind

Blocks = list[dict[str, Any]]

LONGEST_HEADER = 150
LONGEST_TEXT = 2000


def summary(standing: Standing) -> str:
    """What a notification shows of it: one line in which nothing is markup."""
    return escaped(f"{standing.outcome}: {telling.title(standing)} ({standing.hold.short_id})")


def card(standing: Standing, link: str) -> Blocks:
    hold = standing.hold
    blocks: Blocks = [_header(telling.headline(standing)), _facts(standing)]
    if not hold.pending:
        return [*blocks, *_decided(standing), _buttons(hold, link, decides=False), _foot(hold)]
    blocks += _parts(telling.effect(standing)) + _reasons(standing) + _parts(telling.words_of_the_agent(standing))
    if standing.approvers:
        blocks.append(_small(f"Approved so far: {', '.join(map(line, standing.approvers))}"))
    decides = decides_here(hold)
    blocks.append(_buttons(hold, link, decides=decides))
    if not decides:
        blocks.append(_small("This one is decided on the page, not in Slack."))
    return [*blocks, _foot(hold)]


def decides_here(hold: Hold) -> bool:
    """Secrets and forms that Slack cannot show lead to the page, too."""
    if not decides_outside(hold):
        return False
    return hold.question.kind is not Kind.input or modals.fields(hold.question.schema) is not None


def reply(standing: Standing, event: str) -> Blocks:
    """Under the message, for those who look at it no longer."""
    return [_plain(f"{telling.ASKS[event]}. {standing.outcome}. Needs: {standing.needs}.")]


def comment(by: str, text: str) -> Blocks:
    return [_plain(cut(f"{line(by)}: {text}", LONGEST_TEXT))]


def note_of(text: str) -> Blocks:
    """Of our own words, about no hold."""
    return [_plain(cut(text, LONGEST_TEXT))]


def note(standing: Standing, comments: list[tuple[str, str]], link: str) -> Blocks:
    """A comment, for somebody who has no message about the hold."""
    said = [block for by, text in comments for block in comment(by, text)]
    return [_header(f"New comment: {telling.title(standing)}"), *said, _buttons(standing.hold, link, decides=False)]


def escaped(text: str) -> str:
    return line(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def moment(at: datetime) -> str:
    """In each reader's own time zone."""
    return f"<!date^{int(at.timestamp())}^{{date_short_pretty}} {{time}}|{at:%Y-%m-%d %H:%M} UTC>"


def preformatted(text: str) -> dict[str, Any]:
    shown = cut(text, LONGEST_TEXT) or " "
    inside = {"type": "rich_text_preformatted", "elements": [{"type": "text", "text": shown}]}
    return {"type": "rich_text", "elements": [inside]}


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


def _parts(parts: list[telling.Part]) -> Blocks:
    blocks: Blocks = []
    for words, text in parts:
        blocks += [_plain(cut(words, LONGEST_TEXT)), *([preformatted(text)] if text is not None else [])]
    return blocks


def _reasons(standing: Standing) -> Blocks:
    said = [f"• {one}" for one in telling.reasons(standing)]
    return [_plain(cut("\n".join(["Why it asks:", *said]), LONGEST_TEXT))] if said else []


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
        shown += [("respond", "Respond…", None)] if hold.takes_response else []
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
