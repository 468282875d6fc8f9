"""Assessing an action: which level, which rules fired and why, who must say yes and until when."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from handrail.core.canonical import JsonObject
from handrail.core.holds import Action, Kind
from handrail.core.risk import Assessment, FiredRule, Level, Requirements

from . import thresholds
from .conditions import Unanswered
from .facts import DECLARED, DEFAULT, UNREADABLE, Facts, read
from .judge import SHOWN, Judge
from .model import Approval, Policy, Rule

BAND = 25
"""Width of a level's scores. Within it each further rule that fired counts STEP."""
STEP = 4


def assess(
    policy: Policy,
    *,
    kind: Kind,
    action: Action,
    task: JsonObject | None,
    default: Level = Level.medium,
) -> Assessment:
    """What the policy says of the action. The highest rule wins; nothing that is declared lowers it.

    `default` is the level of what no rule knows. Only a hold of kind approval gets the policy's thresholds, deadlines
    and approval without a person; for the others it takes one person who may approve the level.
    """
    facts = read(policy, action, task)
    rules = list(policy.rules.candidates(facts.operation, facts.action))
    approvals = list(policy.approvals.candidates(facts.operation, facts.action)) if kind is Kind.approval else []
    judge = Judge(facts, policy.redaction, [entry.match for entry in (*rules, *approvals)])
    fired = sorted(_fired(facts, rules, judge, default), key=lambda rule: -rule.level.rank)
    level = fired[0].level
    score = level.rank * BAND + min(STEP * (len(fired) - 1), BAND - 1)
    if kind is not Kind.approval:
        anyone = Requirements(approvals=1, roles=policy.may_approve[level])
        return Assessment(level, anyone, tuple(fired), policy_version=policy.version, score=score)
    asked = [approval for approval in approvals if _applies(approval, judge)]
    terms = policy.levels[level]
    return Assessment(
        level=level,
        requirements=_requirements(policy, level, asked),
        rules=tuple(fired),
        auto_approve=terms.auto_approve and not asked,
        timeout=terms.timeout,
        on_expiry=terms.on_expiry,
        escalate_after=terms.escalate_after,
        escalate_to=terms.escalate_to,
        policy_version=policy.version,
        score=score,
    )


def _fired(facts: Facts, rules: Iterable[Rule], judge: Judge, default: Level) -> Iterator[FiredRule]:
    """At least one. A rule whose condition gives no answer counts as high, so that a person is asked."""
    known = False
    for rule in rules:
        try:
            if not judge.fits(rule.match):
                continue
            reason, level = _reason(rule, judge), rule.level
        except Unanswered as error:
            reason, level = f"its condition gave no answer: {error}", _higher(rule.level, Level.high)
        known = known or rule.match.identifies
        yield FiredRule(rule.id, level, reason)
    for problem in sorted(facts.unreadable):
        yield FiredRule(UNREADABLE, Level.high, problem)
    if facts.declared is not None:
        yield FiredRule(DECLARED, facts.declared, f"the task declares {facts.declared}")
    if not known:
        yield FiredRule(DEFAULT, default, f"no rule knows {facts.operation[-1][:SHOWN]!r}")


def _reason(rule: Rule, judge: Judge) -> str:
    values = judge.reason(rule.match)
    return f"{rule.description} ({values})" if rule.description else values


def _applies(approval: Approval, judge: Judge) -> bool:
    try:
        return judge.fits(approval.match)
    except Unanswered:
        return True


def _requirements(policy: Policy, level: Level, asked: Sequence[Approval]) -> Requirements:
    """The level's terms and those of every approval rule that applies, all met."""
    terms = policy.levels[level]
    if not asked:
        return terms.requirements
    wanted = terms.groups
    for approval in asked:
        wanted = thresholds.both(wanted, thresholds.limited(approval.groups, policy.may_approve[level]))
    return thresholds.requirements(
        wanted,
        rejections=terms.requirements.rejections,
        justification=terms.requirements.justification or any(approval.justification for approval in asked),
        own_credential=terms.requirements.own_credential,
    )


def _higher(one: Level, other: Level) -> Level:
    return one if one.rank >= other.rank else other
