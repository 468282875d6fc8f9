"""What an amendment changes, and the terms that it leaves: never less strict than those of the revision before."""

from __future__ import annotations

from dataclasses import replace

from . import thresholds
from .canonical import Json, JsonObject
from .holds import Action
from .risk import Assessment, FiredRule

EARLIER = "earlier-revision"
"""What fires where an earlier revision of the hold had a higher level."""


def strictest(before: Assessment, after: Assessment) -> Assessment:
    """What a revision asks for: the assessment of what it has become, and no less than the revision before it.

    Deadlines are those of the higher level. Nothing that was amended is approved without a person.
    """
    kept_up = before.level.rank > after.level.rank
    kept = FiredRule(EARLIER, before.level, "an earlier revision of this hold had this level")
    return replace(
        before if kept_up else after,
        requirements=thresholds.stricter(before.requirements, after.requirements),
        rules=(kept, *after.rules) if kept_up else after.rules,
        auto_approve=False,
        policy_version=after.policy_version,
        facts=after.facts,
    )


def rose(before: Assessment, after: Assessment) -> bool:
    """Whether level or requirements did. That roles which escalation had added are no longer asked is no rise."""
    was, needed = before.requirements, after.requirements
    return (
        after.level.rank > before.level.rank
        or needed.approvals > was.approvals
        or needed.justification > was.justification
        or needed.passkey > was.passkey
        or needed.stand_ins < was.stand_ins
        or not {*needed.required} <= {*was.required}
        or not was.roles - before.escalate_to <= needed.roles
    )


def changes(before: Action | None, after: Action) -> tuple[JsonObject, ...]:
    """What an amendment changed, each by its path: `name`, `target`, or an argument such as `args.amount`."""
    old: JsonObject = _flat(before) if before else {}
    new = _flat(after)
    paths = [path for path in {**old, **new} if old.get(path) != new.get(path) or (path in old) != (path in new)]
    return tuple({"path": path, "from": old.get(path), "to": new.get(path)} for path in paths)


def _flat(action: Action) -> JsonObject:
    flat: JsonObject = {"name": action.name, "target": action.target}

    def walk(path: str, value: Json) -> None:
        if isinstance(value, dict) and value:
            for name, inner in value.items():
                walk(f"{path}.{name}", inner)
        else:
            flat[path] = value

    for name, value in action.args.items():
        walk(f"args.{name}", value)
    return flat
