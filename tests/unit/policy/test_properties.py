"""What holds for every policy and every action."""

from __future__ import annotations

import fnmatch
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from policy_world import assessed

from handrail.core.canonical import Json, JsonObject
from handrail.core.holds import Kind
from handrail.core.risk import Level
from handrail.policy import Policy, default_policy
from handrail.policy.conditions import compile_condition
from handrail.policy.facts import DEFAULT
from handrail.policy.index import Index
from handrail.policy.model import Match, Rule
from handrail.policy.patterns import Names

OPERATIONS = ["read", "deploy", "delete", "export", "update", "security_change", "frobnicate"]
ENVIRONMENTS = ["development", "staging", "production", "the moon"]
KNOWN = {"operation", "environment", "resource_type", "estimated_cost", "security_findings", "risk", "affected_records"}

anything: st.SearchStrategy[Json] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53) + 1, 2**53 - 1)
    | st.floats(allow_nan=False)
    | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=3,
)
tasks: st.SearchStrategy[JsonObject] = st.fixed_dictionaries(
    {},
    optional={
        "operation": st.sampled_from(OPERATIONS) | anything,
        "environment": st.sampled_from(ENVIRONMENTS) | anything,
        "resource_type": st.sampled_from(["database", "payment", "service"]) | anything,
        "estimated_cost": st.floats(0, 5000) | anything,
        "security_findings": st.lists(st.sampled_from([*Level, "odd"])) | anything,
        "risk": st.sampled_from([*Level]) | anything,
        "affected_records": st.integers(0, 5000) | anything,
    },
)
kinds = st.sampled_from(Kind)
levels = st.sampled_from(Level)


names = st.lists(st.sampled_from([*OPERATIONS, "de*", "*"]), min_size=1, max_size=2).map(lambda ns: Names(tuple(ns)))
matches = st.builds(
    Match,
    operation=st.none() | names,
    environment=st.none() | st.sampled_from(ENVIRONMENTS).map(lambda name: Names((name,))),
    security_finding=st.none() | levels,
    cost_over=st.none() | st.floats(0, 2000),
    condition=st.none()
    | st.sampled_from(["task.affected_records > 500", "has(task.resource_type)"]).map(compile_condition),
)


def rules(prefix: str) -> st.SearchStrategy[list[Rule]]:
    numbered = st.lists(st.tuples(levels, matches), max_size=4)
    return numbered.map(lambda found: [Rule(f"{prefix}{i}", level, m) for i, (level, m) in enumerate(found)])


def policy(*entries: Rule) -> Policy:
    return replace(default_policy(), rules=Index(entries))


@given(tasks, kinds)
def test_the_highest_rule_that_fired_is_the_level(task: JsonObject, kind: Kind) -> None:
    found = assessed(default_policy(), task, kind=kind)

    assert found.level is max((rule.level for rule in found.rules), key=lambda level: level.rank)


@given(tasks, st.dictionaries(st.text(max_size=12).filter(lambda name: name not in KNOWN), anything, max_size=4))
def test_fields_that_no_rule_knows_change_nothing(task: JsonObject, more: JsonObject) -> None:
    assert assessed(default_policy(), {**more, **task}) == assessed(default_policy(), task)


@given(tasks, levels)
def test_a_declared_risk_raises_or_changes_nothing(task: JsonObject, declared: Level) -> None:
    plain = assessed(default_policy(), {name: value for name, value in task.items() if name != "risk"})

    found = assessed(default_policy(), {**task, "risk": declared.value})

    assert found.level.rank == max(plain.level.rank, declared.rank)


@given(tasks, st.sampled_from(["estimated_cost", "security_findings", "affected_records", "resource_type"]), anything)
def test_a_field_that_is_added_never_lowers(task: JsonObject, name: str, value: Json) -> None:
    without: JsonObject = {field: given for field, given in task.items() if field != name}

    assert (
        assessed(default_policy(), {**without, name: value}).level.rank
        >= assessed(default_policy(), without).level.rank
    )


@given(rules("a"), rules("b"), tasks)
def test_a_rule_that_is_added_never_lowers_what_is_known(first: list[Rule], more: list[Rule], task: JsonObject) -> None:
    before = assessed(policy(*first), task)
    after = assessed(policy(*first, *more), task)

    known = all(rule.rule != DEFAULT for rule in before.rules)
    if known:
        assert after.level.rank >= before.level.rank
    else:
        raised = [rule for rule in before.rules if rule.rule != DEFAULT]
        assert after.level.rank >= max((rule.level.rank for rule in raised), default=0)


@given(rules("r"), tasks)
def test_what_no_rule_knows_is_medium_at_least_and_asks(entries: list[Rule], task: JsonObject) -> None:
    found = assessed(policy(*entries), task)

    if any(rule.rule == DEFAULT for rule in found.rules):
        assert found.level.rank >= Level.medium.rank
        assert not found.auto_approve


@given(tasks, kinds)
def test_high_and_critical_always_wait_and_never_for_a_developer(task: JsonObject, kind: Kind) -> None:
    found = assessed(default_policy(), task, kind=kind)

    if found.level.rank >= Level.high.rank:
        assert not found.auto_approve
        assert found.requirements.approvals >= 1
        assert "developer" not in found.requirements.roles
        assert all("developer" not in group for group in found.requirements.required)
    assert found.requirements.roles


@given(st.text("ab*", min_size=1, max_size=8), st.text("ab", max_size=8))
def test_patterns_match_as_a_shell_would(pattern: str, name: str) -> None:
    assert (name in Names((pattern,))) is fnmatch.fnmatchcase(name, pattern)
