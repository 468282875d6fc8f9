"""The words of a mail: what agents wrote is shown as text, and can be nothing else."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from html import escape
from typing import Any, NamedTuple

from jinja2 import Environment, StrictUndefined

from handrail.channels import telling
from handrail.channels.standing import Standing
from handrail.channels.texts import cut, line
from handrail.core.risk import Level

MOST_ARGUMENTS = 4000

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

_DIGEST_PLAIN = """{{ count }} decisions are waiting for you
{% for one in holds %}
- [{{ one.risk }}] {{ one.title }} ({{ one.short_id }})
{% if one.action %}  {{ one.action }}{% if one.target %} on {{ one.target }}{% endif %}
{% endif %}  {{ one.link }}
{% endfor %}
Sign in and review: {{ link }}

This link signs you in once and opens your inbox. Opening it decides nothing. Do not share it.
"""
_DIGEST_HTML = """<!doctype html>
<html><body>
<h1>{{ count }} decisions are waiting for you</h1>
<ul>
{% for one in holds %}<li><b>{{ one.risk }}</b>: <a href="{{ one.link }}">{{ one.title }}</a> ({{ one.short_id }})
{% if one.action %}<br>{{ one.action }}{% if one.target %} on {{ one.target }}{% endif %}{% endif %}</li>
{% endfor %}</ul>
<p><a href="{{ link }}">Sign in and review</a></p>
<p>This link signs you in once and opens your inbox. Opening it decides nothing. Do not share it.</p>
</body></html>
"""

_ALL_CLOSED_PLAIN = """Nothing of the list that you got is waiting any longer
{% for one in holds %}
- {{ one.outcome }}: {{ one.title }} ({{ one.short_id }}), {{ one.when }}
  {{ one.link }}
{% endfor %}
Your decision is no longer needed.
"""
_ALL_CLOSED_HTML = """<!doctype html>
<html><body>
<h1>Nothing of the list that you got is waiting any longer</h1>
<ul>
{% for one in holds %}<li>{{ one.outcome }}: <a href="{{ one.link }}">{{ one.title }}</a> ({{ one.short_id }}),
{{ one.when }}</li>
{% endfor %}</ul>
<p>Your decision is no longer needed.</p>
</body></html>
"""

_plain = Environment(autoescape=False, undefined=StrictUndefined).from_string(_PLAIN)  # noqa: S701 - plain text
_html = Environment(autoescape=True, undefined=StrictUndefined).from_string(_HTML)
_closing_plain = Environment(autoescape=False, undefined=StrictUndefined).from_string(_CLOSING_PLAIN)  # noqa: S701 - the same
_closing_html = Environment(autoescape=True, undefined=StrictUndefined).from_string(_CLOSING_HTML)

_digest_plain = Environment(autoescape=False, undefined=StrictUndefined).from_string(_DIGEST_PLAIN)  # noqa: S701 - the same
_digest_html = Environment(autoescape=True, undefined=StrictUndefined).from_string(_DIGEST_HTML)
_all_closed_plain = Environment(autoescape=False, undefined=StrictUndefined).from_string(_ALL_CLOSED_PLAIN)  # noqa: S701 - the same
_all_closed_html = Environment(autoescape=True, undefined=StrictUndefined).from_string(_ALL_CLOSED_HTML)


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
        "asks": telling.ASKS[notice["type"]],
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


def test(text: str) -> Letter:
    """About no hold."""
    shown = line(text)
    return Letter(
        telling.TEST_TITLE, f"{shown}\n", f"<!doctype html>\n<html><body>\n<p>{escape(shown)}</p>\n</body></html>\n"
    )


def digest(standings: Sequence[Standing], link: str, page: Callable[[Standing], str]) -> Letter:
    """Several holds in one mail; `page` is where one is decided."""
    listed = [
        {
            "risk": one.hold.assessment.level.value,
            "title": cut(line(str(one.shown["title"])), 150),
            "short_id": one.hold.short_id,
            "action": line(one.hold.question.action.name) if one.hold.question.action else "",
            "target": line(str(_target(one) or "")),
            "link": page(one),
        }
        for one in standings
    ]
    worst = max((one.hold.assessment.level for one in standings), key=list(Level).index).value
    words: dict[str, Any] = {"count": len(listed), "holds": listed, "link": link}
    subject = f"[{worst}] {len(listed)} decisions are waiting for you"
    return Letter(subject, _digest_plain.render(words), _digest_html.render(words))


def all_closed(standings: Sequence[Standing], page: Callable[[Standing], str]) -> Letter:
    """That of a list nothing is asked any longer, and who decided each."""
    listed = [
        {
            "outcome": line(one.outcome),
            "title": cut(line(str(one.shown["title"])), 150),
            "short_id": one.hold.short_id,
            "when": f"{one.hold.decision.at:%Y-%m-%d %H:%M} UTC" if one.hold.decision else "",
            "link": page(one),
        }
        for one in standings
    ]
    words: dict[str, Any] = {"holds": listed}
    subject = f"[closed] {len(listed)} holds are decided"
    return Letter(subject, _all_closed_plain.render(words), _all_closed_html.render(words))


def _target(standing: Standing) -> Any:
    action: Any = standing.shown["action"]
    return action["target"] if action else None
