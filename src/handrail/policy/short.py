"""The short form of a policy: levels and triggers in one file. What it does not say stays as the default policy has it.

```yaml
risk_levels: {medium: {approvers: [team_lead, cto], escalate_after: 2h}}
triggers: {delete_production: critical, cost_above_threshold: medium}
```
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from handrail.core.risk import Level

from .document import Mapping, Node, Place, Problem, Scalar, Sequence
from .fields import Fields

LEVELS, TRIGGERS = "risk_levels", "triggers"
# what each known trigger looks at; any other is an operation, `_`, and an environment or a resource type
KNOWN: dict[str, dict[str, str | list[str]]] = {
    "security_finding_critical": {"security_finding": "critical"},
    "security_finding_high": {"security_finding": "high"},
    "cost_above_threshold": {"cost_over": "100"},
    "data_export": {"operation": ["export", "export_*", "*_export"]},
    "modify_infrastructure": {
        "operation": ["configure", "create", "delete", "migrate", "modify", "scale", "update", "write"],
        "resource_type": ["infrastructure", "infrastructure_*"],
    },
}
# as they are in the long form; `notify` is yes or no here
TERMS = ("auto_approve", "approvers", "escalate_after", "require_justification")


def is_short(root: Mapping) -> bool:
    return LEVELS in root.entries or isinstance(root.entries.get(TRIGGERS), Mapping)


def expanded(root: Mapping, default: Mapping, problems: list[Problem]) -> Mapping:
    """The rules file that the short form means: the default's, with these levels and triggers."""
    fields = Fields(root, "", problems)
    levels = _levels(fields.mapping(LEVELS), default.entries["levels"])
    rules = default.entries["rules"]
    assert isinstance(rules, Sequence), "the default policy's rules are a list"
    added = tuple(_rules(fields.mapping(TRIGGERS)))
    fields.close()
    entries = {**default.entries, "levels": levels, "rules": replace(rules, items=(*rules.items, *added))}
    return replace(default, entries=entries)


def _levels(given: Fields | None, default: Node) -> Mapping:
    assert isinstance(default, Mapping), "the default policy's levels are a mapping"
    if given is None:
        return default
    found: dict[str, Node] = {}
    for level in Level:
        terms, usual = given.mapping(level), default.entries[level]
        assert isinstance(usual, Mapping)
        found[level] = usual if terms is None else _terms(terms, usual)
    given.close()
    return replace(default, entries={**default.entries, **found})


def _terms(given: Fields, usual: Mapping) -> Mapping:
    entries, keys = dict(usual.entries), dict(usual.keys)
    place = given.node.place
    notify = given.node_of("notify")
    if notify is not None:
        entries.pop("notify", None)
        if given.flag("notify"):
            entries["notify"] = usual.entries.get("notify") or _words(place, ["approvers"])
    for name in TERMS:
        node = given.node_of(name)
        # an empty list of approvers counts as none given
        if node is not None and not (isinstance(node, Sequence) and not node.items):
            entries[name], keys[name] = node, given.node.keys[name]
            if name == "approvers":
                # any of those named: a number that the default asks of other roles may be more than there are people
                entries.pop("minimum_approvers", None)
    if "escalate_after" in entries and "escalate_to" not in entries:
        entries["escalate_to"] = _words(place, ["cto"])
    given.close()
    named = {name: keys.get(name, _word(place, name)) for name in entries}
    return replace(usual, place=place, entries=entries, keys=named)


def _rules(given: Fields | None) -> Iterator[Mapping]:
    for name in given.names if given else ():
        assert given is not None
        level, place = given.level(name, required=True), given.node.keys[name].place
        matches = list(_matches(name))
        if not matches:
            given.complain(name, f"is none of {', '.join(KNOWN)}, and not of the form <operation>_<environment>", place)
        for number, match in enumerate(matches):
            rule = {"id": f"trigger-{name}" + (f"-{number}" if number else ""), **match}
            yield _mapping(place, {**rule, "level": level.value if level else Level.critical.value})


def _matches(name: str) -> Iterator[dict[str, str | list[str]]]:
    if name in KNOWN:
        yield KNOWN[name]
        return
    parts = name.split("_")
    if not all(parts):
        return
    for split in range(1, len(parts)):
        operation, what = "_".join(parts[:split]), "_".join(parts[split:])
        yield {"operation": operation, "environment": what}
        yield {"operation": operation, "resource_type": what}


def _mapping(place: Place, fields: dict[str, str | list[str]]) -> Mapping:
    entries: dict[str, Node] = {
        name: _words(place, value) if isinstance(value, list) else _word(place, value) for name, value in fields.items()
    }
    return Mapping(place, entries, {name: _word(place, name) for name in fields})


def _words(place: Place, words: list[str]) -> Sequence:
    return Sequence(place, tuple(_word(place, word) for word in words))


def _word(place: Place, text: str) -> Scalar:
    return Scalar(place, text, plain=True)
