"""A changed policy as text. To ask less, one action is taken out of the rules that stopped it, and one rule lets it
through; to ask for more, one rule raises it.

The files keep their comments and their order: a person reads the difference before they apply it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping

from handrail.policy import document
from handrail.policy.document import Node, Scalar, Sequence
from handrail.policy.loading import RULES, TRIGGERS

# a name with a pattern's characters would let more through than it was seen to do
_PLAIN = re.compile(r"[A-Za-z0-9_.:/-]{1,200}")
_LISTS = ((RULES, "rules"), (TRIGGERS, "triggers"))


class Unchangeable(Exception):
    """There is no such change in words that the files know."""


def loosened(
    files: Mapping[str, str], stopped_by: Iterable[str], action: str, environment: str | None, note: str
) -> dict[str, str]:
    """The files without this action in those rules, and with a rule that makes it low in this environment."""
    if not all(_PLAIN.fullmatch(each) for each in (action, environment or "absent")):
        raise Unchangeable("the names are not plain")
    names = frozenset(stopped_by)
    found = dict(files)
    left = set(names)
    for file, field in _LISTS:
        if file in found:
            found[file], done = _without(file, found[file], field, names, action)
            left -= done
    if left:
        raise Unchangeable(f"{', '.join(sorted(left))} cannot be changed by a condition")
    rule = {"action": action, "environment": environment or "absent", "level": "low"}
    found[RULES] = _with(found.get(RULES, ""), f"let-{_about(action, environment)}", note, rule)
    return found


def tightened(files: Mapping[str, str], level: str, action: str, environment: str | None, note: str) -> dict[str, str]:
    """The files with a rule that gives this action a level in this environment, or in all if none is known."""
    if not all(_PLAIN.fullmatch(each) for each in (action, environment or "absent")):
        raise Unchangeable("the names are not plain")
    rule = {"action": action} | ({"environment": environment} if environment else {}) | {"level": level}
    return {**files, RULES: _with(files.get(RULES, ""), f"raise-{_about(action, environment)}", note, rule)}


def added(files: Mapping[str, str], rule: str) -> dict[str, str]:
    """The files with this entry, as YAML, at the head of the rules."""
    entry = "".join(f"  {line}\n" for line in rule.splitlines())
    return {**files, RULES: _first(files.get(RULES, ""), entry)}


def _without(file: str, text: str, field: str, names: frozenset[str], action: str) -> tuple[str, set[str]]:
    listed = document.parse(file, text).entries.get(field)
    edits: list[tuple[int, int, str]] = []
    done: set[str] = set()
    for rule in listed.items if isinstance(listed, Sequence) else ():
        if not isinstance(rule, document.Mapping) or _text(rule.entries.get("id")) not in names:
            continue
        done.add(_text(rule.entries["id"]))
        edits.append(_edit(text, rule, f"action.name != {json.dumps(action)}"))
    for start, end, new in sorted(edits, reverse=True):
        text = text[:start] + new + text[end:]
    return text, done


def _edit(text: str, rule: document.Mapping, more: str) -> tuple[int, int, str]:
    known = rule.entries.get("condition")
    if isinstance(known, Scalar):
        written = text[known.place.start : known.place.end]
        # a folded text ends with the line break before the next key
        tail = written[len(written.rstrip()) :]
        return known.place.start, known.place.end, json.dumps(f"({known.text.strip()}) && {more}") + tail
    level = rule.keys["level"].place
    flow = text[rule.place.start] == "{"
    between = ", " if flow else "\n" + " " * (level.column - 1)
    return level.start, level.start, f"condition: {json.dumps(more)}{between}"


def _with(text: str, id_: str, note: str, rule: Mapping[str, str]) -> str:
    fields = {"id": id_, "description": note, **rule}
    lines = [f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in fields.items()]
    return _first(text, "  - " + "\n    ".join(lines) + "\n")


def _first(text: str, entry: str) -> str:
    found = re.search(r"^rules:[ \t]*(?:#[^\n]*)?\n", text, re.MULTILINE)
    if found is None:
        raise Unchangeable("the file has no list of rules that begins on a line of its own")
    return text[: found.end()] + entry + text[found.end() :]


def _about(action: str, environment: str | None) -> str:
    return f"{_slug(action)}{'-' + _slug(environment) if environment else ''}"


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-") or "action"


def _text(node: Node | None) -> str:
    return node.text if isinstance(node, Scalar) else ""
