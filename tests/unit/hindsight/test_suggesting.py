"""Rules and grants from the past: only for what was asked often and never refused, and never wider than that."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from uuid import UUID

import pytest
from unit.core.samples import AGENT, LEAD, LEAD_2, T0

from handrail.core import transitions
from handrail.core.canonical import Json
from handrail.core.holds import Action, Hold, Kind, Question, Status, Verdict
from handrail.core.ids import HoldId
from handrail.hindsight.loosening import Unchangeable, loosened
from handrail.hindsight.suggesting import OFTEN, suggested
from handrail.policy import assess, default_policy, load
from handrail.policy.loading import RULES, TRIGGERS

POLICY = default_policy()
NAMES: dict[UUID, str] = {AGENT.id: "bot"}


def call(n: int, name: str = "restart_service", verdict: Verdict = Verdict.approve, **args: Json) -> Hold:
    action = Action(name, {"service": "web", "environment": "staging"} | args)
    terms = assess(POLICY, kind=Kind.approval, action=action)
    question = Question(Kind.approval, f"Call {n}", action)
    at = T0 + timedelta(hours=n)
    hold = Hold(HoldId(UUID(int=n)), AGENT.id, question, question.digest(), terms, at, number=n)
    return transitions.review(transitions.open_(hold).hold, LEAD, verdict, at, reason="so").hold


def test_a_rule_for_what_was_never_refused_lets_exactly_that_through() -> None:
    found = suggested(POLICY, [call(n) for n in range(OFTEN)], NAMES, T0)
    (rule,) = (one for one in found if one.kind == "rule")
    assert rule.words == (
        "Stop asking about restart_service in staging, whoever calls it with whatever arguments: "
        "asked 10 times and never refused."
    )
    assert rule.files is not None
    changed = load(rule.files)

    def asks(name: str, **args: Json) -> bool:
        return not assess(changed, kind=Kind.approval, action=Action(name, {"service": "web"} | args)).auto_approve

    assert not asks("restart_service", environment="staging")
    assert asks("restart_service", environment="production")
    assert asks("restart_service"), "it named no environment"
    assert asks("restart_services", environment="staging")
    assert asks("scale_service", environment="staging"), "the rule still stops others"
    assert asks("restart_service", environment=["staging", "production"])


def test_one_refusal_is_enough_for_no_rule_and_few_calls_are_no_habit() -> None:
    often = [call(n) for n in range(OFTEN)]
    assert "rule" not in {one.kind for one in suggested(POLICY, [*often, call(50, verdict=Verdict.reject)], NAMES, T0)}
    assert suggested(POLICY, often[1:], NAMES, T0) == []


def test_what_is_mostly_rejected_is_raised_in_that_environment_alone() -> None:
    rejected = [call(n, verdict=Verdict.reject) for n in range(OFTEN // 2)]
    (rule,) = suggested(POLICY, [*rejected, *[call(20 + n) for n in range(OFTEN // 2)]], NAMES, T0)
    assert (rule.kind, rule.tightens, rule.asked, rule.stopped, rule.covered) == ("rule", True, 10, 5, ())
    assert rule.words == "Treat restart_service in staging as high, whoever calls it: 5 of 10 were rejected."
    assert rule.files is not None
    changed = load(rule.files)

    def level(name: str, environment: str) -> str:
        action = Action(name, {"service": "web", "environment": environment})
        return assess(changed, kind=Kind.approval, action=action).level.value

    assert level("restart_service", "staging") == "high"
    assert level("restart_services", "staging") == "medium"
    assert not any(one.tightens for one in suggested(changed, rejected * 2, NAMES, T0)), "it is high already"
    fewer = [*rejected[1:], *[call(20 + n) for n in range(OFTEN // 2 + 1)]]
    assert not any(one.tightens for one in suggested(POLICY, fewer, NAMES, T0))


def test_what_another_agent_was_refused_counts_for_a_rule() -> None:
    often = [call(n) for n in range(OFTEN)]
    theirs = replace(call(50, verdict=Verdict.reject), opener=LEAD_2.id)
    assert "rule" not in {one.kind for one in suggested(POLICY, [*often, theirs], NAMES, T0)}


def test_what_nobody_was_asked_about_is_no_habit_either() -> None:
    unasked = [
        transitions.open_(replace(call(n), status=Status.pending, reviews=(), decision=None), observed=True).hold
        for n in range(20)
    ]
    assert suggested(POLICY, unasked, NAMES, T0) == []


def test_high_calls_get_a_grant_at_most() -> None:
    found = suggested(POLICY, [call(n, "refund", amount=n, environment="absent") for n in range(OFTEN)], NAMES, T0)
    assert {one.kind for one in found} <= {"grant"}


def test_a_grant_covers_nearly_nothing_that_somebody_refused() -> None:
    approved = [call(n, amount=n) for n in range(OFTEN)]
    refused = [call(50 + n, verdict=Verdict.reject, amount=500 + n) for n in range(3)]
    (grant,) = (one for one in suggested(POLICY, [*approved, *refused], NAMES, T0) if one.kind == "grant")
    assert (grant.asked, grant.stopped, len(grant.covered)) == (13, 3, 10)
    inside = call(60, verdict=Verdict.reject, amount=5)
    assert suggested(POLICY, [*approved, inside], NAMES, T0) == []


def test_a_seldom_refusal_among_many_is_named_first() -> None:
    calls = [call(n, amount=n, verdict=Verdict.reject if n == 15 else Verdict.approve) for n in range(40)]
    (grant,) = suggested(POLICY, calls, NAMES, T0)
    assert (grant.kind, grant.slips, len(grant.covered)) == ("grant", 1, 40)
    assert [hold.status for hold in grant.covered[:2]] == [Status.rejected, Status.approved]


@pytest.mark.parametrize("name", ["*", "restart*", "res?art", "a b", 'x" || true || "', "[a]", ""])
def test_a_name_that_could_match_more_is_not_written_into_a_rule(name: str) -> None:
    with pytest.raises(Unchangeable):
        loosened(POLICY.source, ["change-staging"], name, "staging", "note")
    with pytest.raises(Unchangeable):
        loosened(POLICY.source, ["change-staging"], "restart", name or "*", "note")


def test_conditions_that_are_there_stay() -> None:
    files = loosened(POLICY.source, ["many-records", "own-gate-mcp", "data-leaves"], "send_report", None, "note")
    policy = load(files)
    assert (
        'condition: "(has(task.affected_records) && task.affected_records > 1000) && action.name != ' in files[TRIGGERS]
    )
    action = Action("send_report", {})
    assert {rule.rule for rule in assess(policy, kind=Kind.approval, action=action).rules} >= {"let-send-report"}
    other = assess(policy, kind=Kind.approval, action=Action("send_letter", {}))
    assert "data-leaves" in {rule.rule for rule in other.rules}
    assert files[RULES].count("#") == POLICY.source[RULES].count("#"), "comments stay"


def test_what_is_no_rule_of_the_files_cannot_be_changed() -> None:
    with pytest.raises(Unchangeable):
        loosened(POLICY.source, ["unknown-environment"], "restart_service", "staging", "note")
