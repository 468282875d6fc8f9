"""Assessing an action: which level, which rules fired and why, who must approve it and by when."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from handrail.core import kinds, thresholds
from handrail.core.canonical import JsonObject
from handrail.core.holds import Action, Hold, Kind, Origin
from handrail.core.risk import Assessment, FiredRule, Level, Requirements

from . import conditions, submitted
from .actions import RECORD
from .conditions import Unanswered
from .facts import DECLARED, DEFAULT, Facts, read
from .index import Named
from .judge import SHOWN, Judge, named
from .model import Approval, Match, Policy, Rule

BAND = 25
"""Width of a level's scores. Within it each further rule that fired counts STEP."""
STEP = 4


def assess(
    policy: Policy,
    *,
    kind: Kind,
    action: Action | None,
    claims: JsonObject | None = None,
    trusted: bool = False,
    origin: Origin | None = None,
    refused_before: int = 0,
) -> Assessment:
    """What the policy says of the action. The highest rule wins.

    Facts follow from the action, and from how often people rejected the same before, which the server counts.
    `claims` can raise the level; only where they are `trusted` do they satisfy a rule that gives low. Level and
    requirements are the same whatever the kind, but for an input, which one person answers; deadlines and approval
    without a person are an approval's alone.
    """
    if action is None:
        stand_ins = policy.levels[Level.medium].requirements.stand_ins
        anyone = Requirements(approvals=1, roles=policy.approver_roles, stand_ins=stand_ins)
        return Assessment(Level.medium, anyone, policy_version=policy.version)
    facts = read(policy, action, claims, origin, refused_before)
    look = _Look(policy, facts, trusted)
    fired = sorted(look.fired(_default(facts, action, trusted)), key=lambda rule: -rule.level.rank)
    level = fired[0].level
    terms, asked = policy.levels[level], look.asked()
    rules = kinds.rules(kind)
    timed = rules.by_policy and not rules.answered
    found = Assessment(
        level=level,
        requirements=_answerer(policy, level) if rules.answered else _requirements(policy, level, asked, facts),
        rules=tuple(fired),
        auto_approve=timed and terms.auto_approve and not asked,
        timeout=terms.timeout if timed else None,
        on_expiry=terms.on_expiry if timed else "expire",
        escalate_after=terms.escalate_after if timed else None,
        escalate_to=terms.escalate_to if timed else frozenset(),
        policy_version=policy.version,
        score=level.rank * BAND + min(STEP * (len(fired) - 1), BAND - 1),
        facts=tuple(facts.found),
    )
    return submitted.within(found, action.args) if timed and origin == "task" else found


def assess_again(policy: Policy, hold: Hold, action: Action | None, *, trusted: bool = False) -> Assessment:
    """What the policy says of a hold's action, or of another in its place."""
    return assess(
        policy,
        kind=hold.question.kind,
        action=action,
        claims=hold.task,
        trusted=trusted,
        origin=hold.origin,
        refused_before=hold.refused_before,
    )


def _default(facts: Facts, action: Action, trusted: bool) -> Level:
    """The level of what no rule matches. A task that nothing carries out, or whose starter is trusted, is low."""
    recorded = facts.known.origin == "task" and action.args.get("executor", RECORD) == RECORD
    return Level.low if recorded or (facts.known.origin == "task" and trusted) else Level.medium


class _Look:
    """One assessment's look at the rules: with the facts alone, and with the claims added."""

    def __init__(self, policy: Policy, facts: Facts, trusted: bool) -> None:
        told = facts.told
        self._facts = facts
        self._trusted = trusted
        names = Named(told.operation, told.action)
        if told is facts.known:
            # where something is claimed, a rule may fit the facts alone and not the claims
            names = Named(*names[:2], named(told.environments), named(told.resource_types), told.given)
        rules, approvals = policy.rules.candidates(names), policy.approvals.candidates(names)
        self._rules, self._approvals = rules.entries, approvals.entries
        paths = conditions.in_order((*rules.paths, *approvals.paths)) if approvals.paths else rules.paths
        self._known = Judge(facts.known, policy.redaction, paths)
        self._told = self._known if told is facts.known else Judge(told, policy.redaction, paths)

    def fired(self, default: Level) -> Iterator[FiredRule]:
        """At least one. A rule whose condition gives no answer counts as high, so that a person is asked."""
        matched: list[Rule] = []
        for rule in self._rules:
            try:
                judge = self._fitting(rule)
                if judge is None:
                    continue
                reason, level = _reason(rule, judge), rule.level
            except Unanswered as error:
                judge, reason = self._known, f"its condition returned no answer: {error}"
                level = rule.level if rule.level.rank > Level.high.rank else Level.high
            matched.append(rule)
            yield FiredRule(rule.id, level, reason, claimed=judge is not self._known)
        yield from self._facts.raised
        declared = self._facts.told.declared
        if declared is not None:
            yield FiredRule(DECLARED, declared, f"it is claimed to be {declared}", claimed=True)
        unmatched = self._unmatched(matched)
        if unmatched is not None:
            yield FiredRule(DEFAULT, default, f"No rule matches {unmatched[:SHOWN]!r}")

    def _fitting(self, rule: Rule) -> Judge | None:
        """What made the rule fire: the facts, else the claims. A claim satisfies no rule that gives low."""
        every = rule.level is Level.low
        told = self._told.fits(rule.match, every=every)
        if self._told is self._known:
            return self._known if told else None
        if self._follows(rule.match, every=every):
            return self._known
        return self._told if told and (self._trusted or not every) else None

    def _follows(self, match: Match, *, every: bool = False) -> bool:
        """Whether it fits by the facts alone. A condition on what is only claimed has no answer there."""
        try:
            return self._known.fits(match, every=every)
        except Unanswered:
            return False

    def _unmatched(self, matched: Sequence[Rule]) -> str | None:
        """An operation that no rule covers."""
        view = self._facts.told if self._trusted else self._facts.known
        named = any(rule.match.action is not None for rule in matched)
        for operation in view.operations:
            if not named and not any(rule.match.operation and rule.match.operation.fit(operation) for rule in matched):
                return operation[-1]
        return None if named or view.operations else view.action[0]

    def asked(self) -> list[Approval]:
        return [approval for approval in self._approvals if self._applies(approval)]

    def _applies(self, approval: Approval) -> bool:
        try:
            return self._told.fits(approval.match) or self._follows(approval.match)
        except Unanswered:
            return True


def _reason(rule: Rule, judge: Judge) -> str:
    values = judge.reason(rule.match)
    return f"{rule.description} ({values})" if rule.description else values


def _answerer(policy: Policy, level: Level) -> Requirements:
    return Requirements(1, policy.may_approve[level], stand_ins=policy.levels[level].requirements.stand_ins)


def _requirements(policy: Policy, level: Level, asked: Sequence[Approval], facts: Facts) -> Requirements:
    """The level's terms and those of every approval rule that applies, all met."""
    terms = policy.levels[level]
    may = facts.requester_may_decide and level.rank <= Level.medium.rank
    if not asked:
        return replace(terms.requirements, requester_may_decide=True) if may else terms.requirements
    wanted = terms.groups
    for approval in asked:
        wanted = thresholds.both(wanted, thresholds.limited(approval.groups, policy.may_approve[level]))
    needed = thresholds.requirements(
        wanted,
        rejections=terms.requirements.rejections,
        justification=terms.requirements.justification or any(approval.justification for approval in asked),
        own_credential=terms.requirements.own_credential,
        passkey=terms.requirements.passkey,
        stand_ins=terms.requirements.stand_ins,
        grants=terms.requirements.grants,
    )
    return replace(needed, requester_may_decide=may)
