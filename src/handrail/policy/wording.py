"""A policy in words, line by line, and what changes in it from one policy to another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import timedelta

from handrail.core import thresholds
from handrail.core.risk import Level
from handrail.core.thresholds import Groups

from .actions import Naming, Registration, Source
from .model import LevelTerms, Match, Policy
from .patterns import Names
from .schedule import DAYS


def describe(policy: Policy) -> dict[str, str]:
    """Everything the policy says: each subject, and what is said about it."""
    return dict(_lines(policy))


def differences(old: Policy, new: Policy) -> list[str]:
    """What changes, and for whom. Empty where only layout or comments differ."""
    before, after = describe(old), describe(new)
    changed: list[str] = []
    for subject in [*after, *(subject for subject in before if subject not in after)]:
        was, says = before.get(subject), after.get(subject)
        if was is None:
            changed.append(f"{subject} is new: {says}")
        elif says is None:
            changed.append(f"{subject} is removed; it was: {was}")
        elif was != says:
            changed.append(f"{subject}: {says} (was: {was})")
    return changed


def _lines(policy: Policy) -> Iterator[tuple[str, str]]:
    for role, levels in policy.roles.items():
        may = ", ".join(level for level in Level if level in levels)
        yield f"role {role}", f"may approve {may or 'nothing'}"
    for level, terms in policy.levels.items():
        for name, said in _terms(terms):
            yield f"level {level}, {name}", said
    for rule in policy.rules:
        yield f"rule {rule.id}", f"{_match(rule.match)} is {rule.level}"
    for approval in policy.approvals:
        reason = ", with a justification" if approval.justification else ""
        yield f"approval {approval.id}", f"{_match(approval.match)} needs {_groups(approval.groups)}{reason}"
    for entry in policy.actions:
        yield f"action {entry.id}", _registered(entry)
    for target, used_by in policy.targets.items():
        yield f"target {target}", f"is used by {_list(used_by)}"
    for name, executor in policy.executors.items():
        by = f", for {_list(executor.named_by, 'or')}" if executor.named_by else ""
        yield f"executor {name}", f"serves {_names(executor.operations)}{by}, never below {executor.floor}"
    for kind, aliases in policy.aliases.items():
        for meant, names in aliases.entries:
            yield f"{kind} {meant}", f"is also called {_names(names)}"
    for name, route in policy.routes.items():
        about = f" of holds in case {_names(route.cases)}" if route.cases else ""
        about += f" of holds that need {_list(route.teams, 'or')}" if route.teams else ""
        yield f"route {name}", f"notifies {_list(route.to)} by {', then '.join(route.channels)}{about}"
    yield "redaction", f"hides {_names(policy.redaction.fields) or 'nothing'}"
    yield from _schedule(policy)


def _terms(terms: LevelTerms) -> Iterator[tuple[str, str]]:
    yield "who", "no approval needed" if terms.auto_approve else _groups(terms.groups)
    yield "rejection", f"{terms.requirements.rejections} to reject"
    yield "justification", "required" if terms.requirements.justification else "not required"
    yield "credential", "must be your own" if terms.requirements.own_credential else "any"
    yield "passkey", "must sign" if terms.requirements.passkey else "not required"
    yield "stand-ins", "allowed" if terms.requirements.stand_ins else "not allowed"
    yield "grants", "allowed" if terms.requirements.grants else "not allowed"
    yield "notification", f"to {', '.join(terms.notify) or 'nobody'}"
    if terms.escalate_after:
        yield "escalation", f"to {_list(terms.escalate_to)} after {_duration(terms.escalate_after)}"
    else:
        yield "escalation", "never"
    yield "reminder", f"{_duration(terms.remind_before)} before the deadline" if terms.remind_before else "none"
    outcome = "rejected" if terms.on_expiry == "reject" else "expired"
    yield "timeout", f"{outcome} after {_duration(terms.timeout)}" if terms.timeout else "never"


def _schedule(policy: Policy) -> Iterator[tuple[str, str]]:
    hours = policy.schedule.hours
    if hours:
        days = ", ".join(DAYS[day] for day in sorted(hours.days))
        yield "business hours", f"{days}, {hours.opens:%H:%M} to {hours.closes:%H:%M} {hours.zone}"
    for rotation in policy.schedule.rotations:
        turns = f"{', '.join(rotation.people)} in turns of {_duration(rotation.length)} from {rotation.start}"
        yield f"on call for {rotation.role}", turns


def _registered(entry: Registration) -> str:
    about = _naming(entry.about)
    if entry.unless:
        about += f", unless {' or '.join(map(_naming, entry.unless))}"
    if entry.when is not None:
        about += f", when `{entry.when.text.strip()}`"
    said = [f"{fact} {_source(source)}" for fact, source in entry.facts.items()]
    if entry.text is not None:
        where = _list([".".join(place) for place in entry.text.places], "or")
        allowed = f", allowed {_list(entry.text.allowed)}" if entry.text.allowed else ""
        beside = f", besides {_list(entry.text.beside)}" if entry.text.beside else ""
        method = f", by the method at {'.'.join(entry.text.method)}" if entry.text.method else ""
        optional = ", if there is one" if entry.text.optional else ""
        said.append(f"what the {entry.text.language} at {where} does{method}{allowed}{beside}{optional}")
    said += [f"never below {entry.floor}"] if entry.floor else []
    said += ["the requester may decide it"] if entry.requester_may_decide else []
    said += [f"people look at {entry.sample:.6%} afterwards"] if entry.sample else []
    said += [f"is undone by: {entry.rollback}"] if entry.rollback else []
    return f"{about}: {'; '.join(said) or 'nothing'}"


def _naming(naming: Naming) -> str:
    parts = [
        f"{kind} {_names(names)}"
        for kind, names in (("name", naming.name), ("server", naming.server), ("tool", naming.tool))
        if names is not None
    ]
    parts += [f"a name with {_list(naming.words, 'or')}"] if naming.words else []
    parts += [f"a name that starts with {_list(naming.first_word, 'or')}"] if naming.first_word else []
    return " and ".join(parts)


def _source(source: Source) -> str:
    if source.expression is not None:
        return f"by `{source.expression.text.strip()}`"
    return _list(source.written) if source.written else f"from {_list(['.'.join(p) for p in source.places], 'or')}"


def _match(match: Match) -> str:
    parts = [
        f"{name} {_names(names)}"
        for name, names in (
            ("operation", match.operation),
            ("action", match.action),
            ("environment", match.environment),
            ("resource_type", match.resource_type),
        )
        if names is not None
    ]
    if match.security_finding is not None:
        parts.append(f"a security finding of {match.security_finding} or worse")
    if match.cost_over is not None:
        parts.append(f"a cost over {match.cost_over:g}")
    if match.data_leaves:
        parts.append("data leaving")
    if match.origin is not None:
        parts.append(f"origin {match.origin}")
    if match.condition is not None:
        parts.append(f"`{match.condition.text.strip()}`")
    return " and ".join(parts)


def _groups(groups: Groups) -> str:
    needed = thresholds.requirements(groups)
    people = f"{needed.approvals} of {_list(needed.roles)}"
    among = " and ".join(f"at least one {_list(group, 'or')}" for group in needed.required if group != needed.roles)
    return f"{people}, including {among}" if among else people


def _names(names: Names) -> str:
    return _list(names.patterns, "or")


def _list(items: Iterable[str], last: str = "and") -> str:
    *first, end = sorted(items) or [""]
    return f"{', '.join(first)} {last} {end}" if first else end


def _duration(span: timedelta) -> str:
    """As the policy files write it: 90s, 30m, 4h, 7d."""
    seconds = int(span.total_seconds())
    for unit, size in (("d", 86400), ("h", 3600), ("m", 60)):
        if seconds % size == 0:
            return f"{seconds // size}{unit}"
    return f"{seconds}s"
