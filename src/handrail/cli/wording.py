"""A hold in words for people: risk, times, who must decide, and what happens if it is approved."""

from __future__ import annotations

import json
import unicodedata
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any

Json = dict[str, Any]

# a shape for each level, so that risk is seen without colour
SHAPES = {"critical": "▲", "high": "◆", "medium": "■", "low": "●"}
UNITS = (("d", 86400), ("h", 3600), ("min", 60), ("s", 1))
COARSE = 10
LONGEST_VALUE = 60
LONGEST_LINE = 80
# the action of a hold that makes a grant, which only the server opens
GRANT = "handrail.grant"
# more than these fill a table's column
MOST_ROLES = 3


def plain(text: object) -> str:
    """Text of others without what could move the cursor, change colours or turn the direction of reading."""
    return "".join(c if c in "\n\t" or unicodedata.category(c) not in {"Cc", "Cf", "Cs"} else "�" for c in str(text))


def line(text: object) -> str:
    """The same on one line."""
    return " ".join(plain(text).split())


def risk(hold: Json) -> str:
    return f"{SHAPES[hold['risk']]} {hold['risk']}"


def span(length: timedelta) -> str:
    """A length of time in its largest unit, and in the next one too where the first alone says little."""
    seconds = int(abs(length.total_seconds()))
    for (unit, size), (smaller, part) in pairwise(UNITS):
        count, rest = divmod(seconds, size)
        if count:
            return f"{count} {unit} {rest // part} {smaller}" if count < COARSE and rest >= part else f"{count} {unit}"
    return f"{seconds} s"


def ago(at: str, now: datetime | None = None) -> str:
    return f"{span((now or datetime.now(UTC)) - moment(at))} ago"


def until(at: str, now: datetime | None = None) -> str:
    left = moment(at) - (now or datetime.now(UTC))
    return f"in {span(left)}" if left > timedelta() else f"{span(left)} ago"


def moment(at: str) -> datetime:
    return datetime.fromisoformat(at)


def deadline(hold: Json, now: datetime | None = None) -> str:
    """When the clock decides, and what: "expires in 12 min, then rejected"."""
    if hold["expires_at"] is None:
        return "none"
    left = moment(hold["expires_at"]) - (now or datetime.now(UTC))
    when = f"expires in {span(left)}" if left > timedelta() else "expiring now"
    return f"{when}, then rejected" if hold["on_expiry"] == "reject" else when


def needs(hold: Json, *, brief: bool = False) -> str:
    """Who must say yes: "cto and tech_lead", "2 of cto, team_lead, tech_lead, including cto or tech_lead"."""
    wanted = hold["requirements"]
    groups = [_either(group) for group in wanted["required"]]
    count = wanted["approvals"]
    if hold["kind"] == "input" or (count <= 1 and not groups):
        many = brief and len(wanted["roles"]) > MOST_ROLES
        return f"anyone with one of {len(wanted['roles'])} roles" if many else _either(wanted["roles"])
    if len(groups) >= count:
        people = " and ".join(groups)
    else:
        people = f"{count} of {', '.join(sorted(wanted['roles']))}"
        people += "".join(f", including {group}" for group in groups)
    return f"{people} ({approvals(hold)} of {max(count, len(groups))})"


def approvals(hold: Json) -> int:
    """How many different people have said yes to the present revision."""
    return len({review["by"]["id"] for review in hold["reviews"] if review["verdict"] == "approve"})


def effect(hold: Json) -> str:
    """What happens on approval, in one sentence made of the action itself and never of what the agent says of it."""
    who, action = line(hold["opened_by"]["name"]), hold["action"]
    if not action:
        return f"{who} is waiting for this {'answer' if hold['kind'] == 'input' else 'confirmation'}."
    if hold["kind"] == "input":
        return f"{who} needs this answer to continue with {line(action['name'])}{_upon(action)}."
    if hold["items"]:
        each = f"for each approved item, of {len(hold['items'])}"
        return f"{who} will run {line(action['name'])}{_upon(action)} {each}."
    if action["name"] == GRANT:
        # the server says it, in the words of the terms themselves
        return f"If approved, from then on: {line(hold['description'])}"
    return f"If approved, {who} will run {line(action['name'])}{_upon(action)}{_with(action['args'])}."


def decision(hold: Json, now: datetime | None = None) -> str:
    """The present state: "approved by Mara 4 s ago: looks right", "pending, expires in 12 min"."""
    made = hold["decision"]
    if made is None:
        return "pending" if hold["expires_at"] is None else f"pending, {deadline(hold, now)}"
    return decided(made["outcome"], made["basis"], spoke(made), made["at"], made["reason"], now=now)


def spoke(said: Json, by: str = "by") -> str | None:
    """Who decided or reviewed: "Ann", or "Ann for Bob" where Bob was away."""
    who, absent = said.get(by), said.get("on_behalf_of")
    if not who:
        return None
    return f"{line(who['name'])} for {line(absent['name'])}" if absent else line(who["name"])


_NOBODY = {"policy": " by policy", "observation": " unasked", "grant": " by a grant"}


def decided(
    outcome: str, basis: str, by: str | None, at: str, reason: str | None = None, *, now: datetime | None = None
) -> str:
    # the clock and the policy have no name
    who = f" by {by}" if by else _NOBODY.get(basis, "")
    return f"{outcome}{who} {ago(at, now)}" + (f": {line(reason)}" if reason else "")


def run(shown: Json, now: datetime | None = None) -> str:
    """The present state of a run: "R-77  deploy: failed 4 s ago: ZeroDivisionError: …"."""
    at = shown["ended_at"] or shown["active_at"]
    error: Json = shown["error"] or {}
    why = f": {line(error.get('message') or error.get('code') or '')}" if error else ""
    return f"{shown['short_id']}  {line(shown['workflow'])}: {shown['status']} {ago(at, now)}{why}"


def problem(body: Json) -> str:
    """The server's problem as one line; who decided, where somebody was faster."""
    data: Json = body.get("data") or {}
    if body["code"] == "already_decided" and {"outcome", "basis", "decided_at"} <= data.keys():
        return f"Already {decided(data['outcome'], data['basis'], spoke(data, 'decided_by'), data['decided_at'])}."
    if body["code"] in {"unauthenticated", "token_unknown", "token_expired", "token_revoked"}:
        return f"{line(body['detail'])} On the command line: `handrail login` or --token."
    return line(body["detail"])


def value(thing: object) -> str:
    """An argument's value on one line, cut where it is long."""
    text = line(json.dumps(thing, ensure_ascii=False))
    return text if len(text) <= LONGEST_VALUE else text[: LONGEST_VALUE - 1] + "…"


def block(thing: object) -> str:
    """JSON to be read: on one line where it fits."""
    short = json.dumps(thing, ensure_ascii=False)
    return plain(short if len(short) <= LONGEST_LINE else json.dumps(thing, ensure_ascii=False, indent=2))


def _either(roles: list[str]) -> str:
    names = sorted(map(line, roles))
    return " or ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _upon(action: Json) -> str:
    return f" on {line(action['target'])}" if action["target"] else ""


def _with(args: Json) -> str:
    return " with " + ", ".join(f"{line(name)} = {value(arg)}" for name, arg in args.items()) if args else ""
