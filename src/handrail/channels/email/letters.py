"""The words of a mail: what agents wrote is shown as text, and can be nothing else."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from jinja2 import Environment, StrictUndefined

from handrail.channels.standing import Standing
from handrail.channels.texts import line

MOST_ARGUMENTS = 4000

_ASKS = {
    "hold.opened": "Your decision is needed",
    "hold.amended": "Amended: please decide again",
    "hold.reopened": "Reopened: please decide again",
    "hold.escalated": "Escalated: your decision is needed",
    "hold.commented": "New comment",
}

_PLAIN = """{{ asks }}: {{ title }}

Hold: {{ short_id }}
Risk: {{ risk }}
{% if action %}Action: {{ action }}{% if target %} on {{ target }}{% endif %}

Arguments: {{ args }}
{% endif %}{% for comment in comments %}
{{ comment.by }} says: {{ comment.text }}
{% endfor %}{% if unsaid %}
{{ unsaid }} earlier comments are not shown here.
{% endif %}{% if others %}
{{ others }} more holds by the same requester are waiting. All are in the inbox.
{% endif %}
Review and decide: {{ link }}

This link signs you in once and opens the hold. Opening it decides nothing. Do not share it.
"""
_HTML = """<!doctype html>
<html><body>
<h1>{{ asks }}: {{ title }}</h1>
<p>Hold: <b>{{ short_id }}</b></p>
<p>Risk: <b>{{ risk }}</b>{% if action %}<br>
Action: <b>{{ action }}</b>{% if target %} on <b>{{ target }}</b>{% endif %}{% endif %}</p>
{% if action %}<pre>{{ args }}</pre>
{% endif %}{% for comment in comments %}<blockquote><b>{{ comment.by }}</b>: {{ comment.text }}</blockquote>
{% endfor %}{% if unsaid %}<p>{{ unsaid }} earlier comments are not shown here.</p>
{% endif %}{% if others %}<p>{{ others }} more holds by the same requester are waiting. All are in the inbox.</p>
{% endif %}<p><a href="{{ link }}">Review and decide</a></p>
<p>This link signs you in once and opens the hold. Opening it decides nothing. Do not share it.</p>
</body></html>
"""

_CLOSING_PLAIN = """{{ outcome }}: {{ title }}

Hold: {{ short_id }}
When: {{ when }}
{% if reason %}Reason: {{ reason }}
{% endif %}
Your decision is no longer needed. Details: {{ link }}
"""
_CLOSING_HTML = """<!doctype html>
<html><body>
<h1>{{ outcome }}: {{ title }}</h1>
<p>Hold: <b>{{ short_id }}</b><br>When: {{ when }}{% if reason %}<br>Reason: {{ reason }}{% endif %}</p>
<p>Your decision is no longer needed. <a href="{{ link }}">Details</a></p>
</body></html>
"""

_plain = Environment(autoescape=False, undefined=StrictUndefined).from_string(_PLAIN)  # noqa: S701 - plain text
_html = Environment(autoescape=True, undefined=StrictUndefined).from_string(_HTML)
_closing_plain = Environment(autoescape=False, undefined=StrictUndefined).from_string(_CLOSING_PLAIN)  # noqa: S701 - the same
_closing_html = Environment(autoescape=True, undefined=StrictUndefined).from_string(_CLOSING_HTML)


class Letter(NamedTuple):
    subject: str
    plain: str
    html: str


def letter(notice: dict[str, Any], link: str) -> Letter:
    """From the body of a notice, which holds nothing that the policy calls sensitive."""
    data = notice["data"]
    hold = data["hold"]
    # a confirmation may have none
    action: dict[str, Any] = hold["action"] or {"name": "", "target": None, "args": {}}
    comments = data.get("comments") or ([data["comment"]] if "comment" in data else [])
    words: dict[str, Any] = {
        "asks": _ASKS[notice["type"]],
        "title": line(hold["title"]),
        # notices that an older version queued have only the long one
        "short_id": hold.get("short_id") or hold["id"],
        "risk": hold["risk"],
        "action": line(action["name"]),
        "target": line(action["target"] or ""),
        "args": json.dumps(action["args"], indent=2)[:MOST_ARGUMENTS],
        "comments": [{name: line(text) for name, text in comment.items() if name != "id"} for comment in comments],
        "unsaid": data.get("comment_count", len(comments)) - len(comments),
        "others": data.get("other_holds", 0),
        "link": link,
    }
    subject = f"[{words['risk']}] {words['asks']}: {words['title'][:150]} ({words['short_id']})"
    return Letter(subject, _plain.render(words), _html.render(words))


def closing(standing: Standing, link: str) -> Letter:
    """That nobody is asked any longer, and who decided when."""
    made, hold = standing.hold.decision, standing.hold
    assert made is not None
    words: dict[str, Any] = {
        "outcome": line(standing.outcome),
        "title": line(str(standing.shown["title"])),
        "short_id": hold.short_id,
        "when": f"{made.at:%Y-%m-%d %H:%M} UTC",
        "reason": line(standing.reason or ""),
        "link": link,
    }
    subject = f"[closed] {words['outcome']}: {words['title'][:150]} ({words['short_id']})"
    return Letter(subject, _closing_plain.render(words), _closing_html.render(words))
