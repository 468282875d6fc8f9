"""The decision pack of a hold, in words for a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import typer

from handrail.cli import lookup, output, wording
from handrail.cli.commands import client
from handrail.cli.connection import Server
from handrail.cli.inbox import Id

app = typer.Typer()

Json = dict[str, Any]

TITLES = {
    "effect": "What happens",
    "why": "Why it was held",
    "touches": "What it touches",
    "changed": "Since the last one like it",
    "evidence": "Evidence",
    "tests": "Tests",
    "rollback": "Way back",
    "requester": "Who asked",
    "precedents": "Precedents",
    "smaller": "If it did less",
    "more": "More",
}
SOURCES = {
    "action": "from the action",
    "policy": "from the policy",
    "history": "from the past",
    "handrail": "found by Handrail",
    "opener": "claimed by the requester",
}
MISSING = {"late": "not available in time", "failed": "could not be read"}


@client(app)
def pack(server: Server, id: Id) -> None:
    """Show what is known about a hold: what it touches, what changed, precedents, and what less would take."""
    found = server.get(f"/api/holds/{lookup.hold(server, id)['id']}/pack")
    if server.as_json:
        output.as_json(found)
        return
    for line in lines(found):
        output.say(line)


def lines(found: Json) -> Iterator[str]:
    known = [part for part in found["parts"] if part["state"] != "nothing"]
    for part in known:
        source = SOURCES.get(part["source"], f"said by {wording.line(part['by'])}")
        yield f"{TITLES[part['name']]} ({source})"
        said = MISSING.get(part["state"])
        yield from (f"  {line}" for line in ([said] if said else _content(part)))
    if unknown := [TITLES[part["name"]].lower() for part in found["parts"] if part not in known]:
        yield f"Nothing is known about: {', '.join(unknown)}"
    yield f"Pack {found['hash'][:12]}, {found['words']} words"


def _content(part: Json) -> list[str]:
    known = _READERS.get((part["name"], part["source"])) or _READERS.get((part["name"], None)) or _plain
    return known(part["content"])


def _plain(content: Any) -> list[str]:
    return [wording.line(content if isinstance(content, str) else wording.value(content))]


def _why(content: Json) -> list[str]:
    rules = [f"{rule['level']}: {wording.line(rule['reason'])}" for rule in content["rules"]]
    return rules or ["no rule matches"]


def _evidence(content: Json | None) -> list[str]:
    return [wording.line(", ".join(content["of"])) if content else "shown above"]


def _reached(content: Json) -> list[str]:
    further = f"; through them {', '.join(content['further'])}" if content["further"] else ""
    return [wording.line(f"used by {', '.join(content['used_by'])}{further}")]


def _changed(content: Json) -> list[str]:
    last = f"{content['since']['short_id']}, {wording.ago(content['since']['opened_at'])}"
    changes = [f"{wording.line(one['path'])}: {_both(one)}" for one in content["changes"]]
    return [last, *(changes or ["the same in every argument"])]


def _precedents(content: Json) -> list[str]:
    counts = ", ".join(f"{n} {outcome}" for outcome, n in content["outcomes"].items())
    return [counts, *(_precedent(one) for one in content["nearest"])]


def _requester(content: Json) -> list[str]:
    return [
        f"{wording.line(content['name'])}: {_counts(content['this_action'])} by this action",
        f"{_counts(content['anything'])} in {content['days']} days",
    ]


def _smaller(content: list[Json]) -> list[str]:
    return [f"{wording.line(one['path'])}: {_both(one)} would be {one['level']}, {_asks(one)}" for one in content]


def _precedent(one: Json) -> str:
    by = f" by {wording.line(one['by'])}" if one["by"] else ""
    said = f": {wording.line(one['said'])}" if one["said"] else ""
    return f"{one['short_id']} {one['outcome']}{by} {wording.ago(one['opened_at'])}{said}"


def _both(one: Json) -> str:
    return f"{wording.value(one['from'])} → {wording.value(one['to'])}"


def _counts(counts: Json) -> str:
    return ", ".join(f"{n} {outcome}" for outcome, n in counts.items()) or "nothing before"


def _asks(one: Json) -> str:
    many = one["approvals"]
    return "without asking anybody" if many == 0 else f"with {many} approval{'s' * (many > 1)}"


# by part and, if only that of one source is known in its shape, by source: what a requester sends may be anything
_READERS: dict[tuple[str, str | None], Callable[[Any], list[str]]] = {
    ("why", None): _why,
    ("evidence", None): _evidence,
    ("touches", "policy"): _reached,
    ("changed", None): _changed,
    ("precedents", None): _precedents,
    ("requester", None): _requester,
    ("smaller", None): _smaller,
}
