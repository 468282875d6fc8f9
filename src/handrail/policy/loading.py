"""The four files of a policy, read and compiled; every mistake in them at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from functools import cache, lru_cache
from importlib import resources
from typing import cast, get_args
from zoneinfo import ZoneInfo

from handrail.core import thresholds
from handrail.core.errors import Misconfigured
from handrail.core.holds import Origin
from handrail.core.risk import ExpiryOutcome, Level

from . import conditions, document, short
from .actions import Registrations
from .actions_file import ActionsFile, names
from .conditions import Condition
from .document import Node, Problem, Scalar
from .facts import RESERVED
from .fields import Fields
from .index import Index
from .model import Approval, LevelTerms, Match, Policy, Route, Rule
from .patterns import Aliases, Names, normalise
from .redaction import Redaction
from .schedule import DAYS, BusinessHours, Rotation, Schedule
from .syntax import Refusal

RULES = "risk-assessment-rules.yaml"
TRIGGERS = "interrupt-triggers.yaml"
APPROVALS = "approval-policies.yaml"
ACTIONS = "actions.yaml"
FILES = (RULES, TRIGGERS, APPROVALS, ACTIONS)

CHANNELS = ("web", "slack", "email", "push", "linear", "webhook", "cli")
MAX_PROBLEMS = 100
# what a rule may look at: the terms of a grant are those of the calls that it covers
ORIGINS = tuple(each for each in get_args(Origin) if each != "grant")

# most files stay as they were when one of them changes, and reading is most of loading
_parsed = lru_cache(maxsize=2 * len(FILES))(document.parse)


@cache
def default_policy() -> Policy:
    """The policy that the first start applies."""
    return load(_defaults())


@cache
def _defaults() -> Mapping[str, str]:
    folder = resources.files("handrail.policy") / "default"
    return {name: (folder / name).read_text("utf-8") for name in FILES}


def load(files: Mapping[str, str]) -> Policy:
    """The policy that the files' texts, by name, say; raises Misconfigured with every problem found.

    Where the rules are in the short form, files that are missing are those of the default policy.
    """
    problems: list[Problem] = []
    rules = _root(RULES, files.get(RULES, ""), problems)
    if short.is_short(rules.node):
        files = {**_defaults(), **files}
        usual = _parsed(RULES, _defaults()[RULES])
        rules = Fields(short.expanded(rules.node, usual, problems), "", problems)
    _check_names(files, problems)
    roots = {name: rules if name == RULES else _root(name, files.get(name, ""), problems) for name in FILES}
    policy = None if problems else _Loader(files, roots, problems).policy()
    if policy is None or problems:
        order = {name: place for place, name in enumerate(FILES)}
        shown = sorted(set(problems), key=lambda problem: (order.get(problem.file, -1), problem))[:MAX_PROBLEMS]
        raise Misconfigured("\n".join(map(str, shown)), problems=[_as_data(problem) for problem in shown])
    return policy


def _check_names(files: Mapping[str, str], problems: list[Problem]) -> None:
    for name in sorted({*FILES} - {*files}):
        problems.append(Problem(name, 1, 1, "file", "is missing"))
    for name in sorted({*files} - {*FILES}):
        problems.append(Problem(name[:100], 1, 1, "file", f"is not part of a policy; its files are {', '.join(FILES)}"))


def _root(name: str, text: str, problems: list[Problem]) -> Fields:
    try:
        return Fields(_parsed(name, text), "", problems)
    except document.Unreadable as error:
        problems.append(error.problem)
        return Fields(document.Mapping(document.Place(name, 1, 1)), "", problems)


def _as_data(problem: Problem) -> dict[str, str | int]:
    return {
        "file": problem.file,
        "line": problem.line,
        "column": problem.column,
        "field": problem.field,
        "message": problem.message,
    }


class _Loader:
    """One reading of the four files. Roles come first: everything else names them."""

    def __init__(self, files: Mapping[str, str], roots: Mapping[str, Fields], problems: list[Problem]) -> None:
        self._files = files
        self._problems = problems
        self._rules = roots[RULES]
        self._triggers = roots[TRIGGERS]
        self._approvals = roots[APPROVALS]
        self._actions = roots[ACTIONS]
        self._roles: dict[str, frozenset[Level]] = {}
        self._may: dict[Level, frozenset[str]] = {}
        self._routes: dict[str, Route] = {}
        self._ids: set[str] = set()

    def policy(self) -> Policy | None:
        self._read_roles()
        if self._problems:
            return None
        self._read_routes()
        levels = self._levels()
        rules = [self._rule(fields) for fields in self._rules.mappings("rules")]
        rules += [self._rule(fields) for fields in self._triggers.mappings("triggers")]
        self._ids.clear()
        approvals = [self._approval(fields) for fields in self._approvals.mappings("operations")]
        registered = ActionsFile(self._actions, self._compiled)
        aliases = self._aliases()
        policy = Policy(
            source=dict(self._files),
            levels=levels,
            roles=self._roles,
            rules=Index(rule for rule in rules if rule),
            approvals=Index(approval for approval in approvals if approval),
            actions=Registrations(registered.actions()),
            executors=registered.executors(),
            targets=registered.targets(),
            aliases=aliases,
            environments=_environments(aliases["environment"], [e.match for e in (*rules, *approvals) if e]),
            routes=self._routes,
            redaction=self._redaction(),
            schedule=self._schedule(),
            may_approve=self._may,
        )
        for fields in (self._rules, self._triggers, self._approvals, self._actions):
            fields.close()
        return policy

    def _read_roles(self) -> None:
        for name, role in _entries(self._approvals.mapping("roles", required=True)):
            named = role.names_of("may_approve", known=tuple(Level), what="level", empty=True)
            self._roles[name] = frozenset(map(Level, named))
            role.close()
        self._may = {level: frozenset(r for r, may in self._roles.items() if level in may) for level in Level}
        for level in Level:
            if not self._may[level]:
                self._approvals.complain("roles", f"no role may approve {level}")

    def _read_routes(self) -> None:
        for name, route in _entries(self._approvals.mapping("routes")):
            channels = route.names_of("channels", known=CHANNELS, what="channel")
            to = route.names_of("to", known=("approvers", "on_call", *self._roles), what="role")
            for needed in ("channels", "to"):
                route.node_of(needed, required=True)
            teams = route.names_of("teams", known=self._roles, what="role")
            self._routes[name] = Route(channels, frozenset(to), names(route, "cases"), frozenset(teams))
            route.close()

    def _levels(self) -> dict[Level, LevelTerms]:
        levels = self._rules.mapping("levels", required=True)
        if levels is None:
            return {}
        found = {level: self._terms(level, levels) for level in Level}
        levels.close()
        return found

    def _terms(self, level: Level, levels: Fields) -> LevelTerms:
        fields = levels.mapping(level, required=True)
        may = self._may[level]
        if fields is None:
            anyone = thresholds.groups(1, may)
            return LevelTerms(anyone, thresholds.requirements(anyone))
        approvers = self._who(fields, "approvers", level)
        groups = thresholds.groups(fields.count("minimum_approvers", default=1), approvers or may)
        terms = LevelTerms(
            groups=groups,
            requirements=thresholds.requirements(
                groups,
                rejections=fields.count("minimum_rejections", default=1),
                justification=fields.flag("require_justification"),
                own_credential=fields.flag("own_credential"),
                passkey=fields.flag("require_passkey"),
                stand_ins=fields.flag("allow_stand_ins", default=level is not Level.critical),
                grants=fields.flag("allow_grants", default=level is not Level.critical),
            ),
            auto_approve=fields.flag("auto_approve"),
            notify=fields.names_of("notify", known=self._routes, what="route"),
            escalate_after=fields.duration("escalate_after"),
            escalate_to=self._who(fields, "escalate_to", level),
            timeout=fields.duration("timeout"),
            remind_before=fields.duration("remind_before"),
            on_expiry=cast(ExpiryOutcome, fields.one_of("on_expiry", ("expire", "reject")) or "expire"),
        )
        self._check_terms(level, fields, terms)
        fields.close()
        return terms

    def _who(self, fields: Fields, name: str, level: Level) -> frozenset[str]:
        roles = fields.names_of(name, known=self._roles, what="role")
        for role in roles:
            if level not in self._roles[role]:
                fields.complain(name, f"{role} may not approve {level}")
        return frozenset(roles)

    def _check_terms(self, level: Level, fields: Fields, terms: LevelTerms) -> None:
        if terms.auto_approve and level is not Level.low:
            fields.complain("auto_approve", f"only low can be approved without a person, never {level}")
        if terms.requirements.grants and level is Level.critical:
            fields.complain("allow_grants", "what is critical is always asked")
        if terms.escalate_after and not terms.escalate_to:
            fields.complain("escalate_after", "needs `escalate_to`: whom to add")
        if terms.escalate_to and not terms.escalate_after:
            fields.complain("escalate_to", "needs `escalate_after`: when")
        if terms.escalate_after and terms.timeout and terms.escalate_after >= terms.timeout:
            fields.complain("escalate_after", "must be shorter than `timeout`")
        if terms.remind_before and terms.timeout and terms.remind_before >= terms.timeout:
            fields.complain("remind_before", "must be shorter than `timeout`")

    def _rule(self, fields: Fields) -> Rule | None:
        before = len(self._problems)
        name, level = self._id(fields), fields.level("level", required=True)
        description = fields.text("description")
        match = self._match(fields)
        fields.close()
        if len(self._problems) == before and match == Match():
            fields.complain(None, "matches everything; name an operation, action, environment, condition …")
        return Rule(name, level, match, description) if name and level else None

    def _approval(self, fields: Fields) -> Approval | None:
        before = len(self._problems)
        name = self._id(fields)
        match = self._match(fields)
        required = [
            fields.group("required_roles", node, self._roles, "role") for node in fields.items("required_roles")
        ]
        named = frozenset(fields.names_of("approvers", known=self._roles, what="role"))
        people = fields.count("minimum_approvers", default=max(1, len(required)))
        if people < len(required):
            fields.complain("minimum_approvers", f"{len(required)} required roles need as many people, not {people}")
        justification = fields.flag("require_justification")
        fields.close()
        if len(self._problems) == before and not named and not required:
            fields.complain(None, "say who: `approvers`, `required_roles` or both")
        groups = thresholds.groups(people, named.union(*required), required)
        return Approval(name, match, groups, justification) if name and all(group.roles for group in groups) else None

    def _id(self, fields: Fields) -> str | None:
        name = fields.name("id", required=True)
        if name in self._ids or name in RESERVED:
            fields.complain("id", f"{name!r} is already taken")
        if name:
            self._ids.add(name)
        return name

    def _match(self, fields: Fields) -> Match:
        return Match(
            operation=names(fields, "operation"),
            action=names(fields, "action"),
            environment=names(fields, "environment"),
            resource_type=names(fields, "resource_type"),
            security_finding=fields.level("security_finding"),
            cost_over=fields.number("cost_over"),
            data_leaves=fields.flag("data_leaves"),
            origin=cast(Origin | None, fields.one_of("origin", ORIGINS)),
            condition=self._compiled(fields, "condition", fields.node_of("condition")),
        )

    def _compiled(self, fields: Fields, name: str, node: Node | None) -> Condition | None:
        if node is None:
            return None
        if not isinstance(node, Scalar):
            fields.complain(name, "must be a CEL expression")
            return None
        try:
            return conditions.compile_condition(node.text)
        except Refusal as refusal:
            place = document.within(self._files[node.place.file], node, refusal.offset)
            fields.complain(name, refusal.message, place)
            return None

    def _aliases(self) -> dict[str, Aliases]:
        fields = self._rules.mapping("aliases")
        found: dict[str, Aliases] = {}
        for kind in ("operation", "environment", "resource_type"):
            group = fields.mapping(kind) if fields else None
            found[kind] = self._other_names(group) if group else Aliases()
        if fields:
            fields.close()
        return found

    def _other_names(self, group: Fields) -> Aliases:
        taken = {normalise(name) for name in group.names}
        entries: list[tuple[str, Names]] = []
        for name in group.names:
            others = names(group, name) or Names(())
            for other in taken.intersection(others.patterns):
                group.complain(name, f"{other!r} already has a meaning")
            taken.update(others.patterns)
            entries.append((normalise(name), others))
        return Aliases(tuple(entries))

    def _redaction(self) -> Redaction:
        fields = self._approvals.mapping("redaction")
        if fields is None:
            return Redaction(Names(()))
        hidden = names(fields, "fields")
        fields.close()
        return Redaction(hidden or Names(()))

    def _schedule(self) -> Schedule:
        fields = self._approvals.mapping("business_hours")
        hours = self._hours(fields) if fields else None
        rotations = [self._rotation(entry) for entry in self._approvals.mappings("on_call")]
        return Schedule(hours, tuple(rotation for rotation in rotations if rotation))

    def _hours(self, fields: Fields) -> BusinessHours:
        days = fields.names_of("days", known=DAYS, what="day")
        opens = fields.parsed("from", _time, 'a time such as "09:00"')
        closes = fields.parsed("to", _time, 'a time such as "17:00"')
        zone = fields.parsed("timezone", _zone, "a time zone such as Europe/Berlin")
        fields.close()
        usual = BusinessHours()
        hours = BusinessHours(
            zone or UTC, frozenset(map(DAYS.index, days)) or usual.days, opens or usual.opens, closes or usual.closes
        )
        if hours.opens >= hours.closes:
            fields.complain("to", "must be later than `from`")
        return hours

    def _rotation(self, fields: Fields) -> Rotation | None:
        role = fields.names_of("role", known=self._roles, what="role")
        people = fields.names_of("people")
        start = fields.parsed("start", date.fromisoformat, "a date such as 2026-01-05")
        length = fields.duration("length") or timedelta(days=7)
        for name in ("role", "people", "start"):
            fields.node_of(name, required=True)
        fields.close()
        return Rotation(role[0], people, start, length) if role and people and start else None


def _entries(fields: Fields | None) -> Iterator[tuple[str, Fields]]:
    """Every field of a mapping of mappings."""
    for name in fields.names if fields else ():
        inner = fields.mapping(name, required=True) if fields else None
        if inner is not None:
            yield name, inner


def _environments(aliases: Aliases, matches: Iterable[Match]) -> Names:
    """Those that an alias or a rule names."""
    known = {name for meant, others in aliases.entries for name in (meant, *others.patterns)}
    return Names(tuple(sorted(known.union(*(match.environment.patterns for match in matches if match.environment)))))


def _zone(name: str) -> tzinfo:
    return UTC if name == "UTC" else ZoneInfo(name)


def _time(text: str) -> time:
    return datetime.strptime(text, "%H:%M").time()  # noqa: DTZ007 - a time of day, in the zone that stands beside it
