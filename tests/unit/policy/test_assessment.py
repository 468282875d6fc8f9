"""Assessing explains itself, asks where it cannot tell, and gives each kind of hold its own terms."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import cast

import pytest
from policy_world import SMALL, assessed, policy

from handrail.core.canonical import JsonObject
from handrail.core.holds import Action, Kind, Origin
from handrail.core.ids import PrincipalId, fresh
from handrail.core.risk import Assessment, FiredRule, Level, Requirements
from handrail.policy import Policy, assess, default_policy, load
from handrail.policy.index import Named
from handrail.policy.loading import ACTIONS, RULES

DEPLOY: JsonObject = {"operation": "deploy", "environment": "production"}


def reasons(task: JsonObject, *rules: str, name: str = "some_tool", args: JsonObject | None = None) -> dict[str, str]:
    found = assessed(policy(rules=rules), task, name=name, args=args)
    return {rule.rule: rule.reason for rule in found.rules}


def test_every_rule_that_fired_is_named_with_its_values_and_the_highest_comes_first() -> None:
    found = assessed(default_policy(), {**DEPLOY, "environment": "prod", "estimated_cost": 250})

    why = "operation is deploy, environment is production, given as prod"
    assert found.rules == (
        FiredRule("deploy-production", Level.high, why, claimed=True),
        FiredRule("cost-over-100", Level.medium, "estimated_cost 250 is over 100", claimed=True),
    )
    assert found.score == 54


def test_a_condition_is_explained_by_the_values_it_read() -> None:
    rule = "{id: many, level: high, condition: 'task.rows > 10 && action.args.table == \"orders\"'}"

    said = reasons({"rows": 11}, rule, args={"table": "orders", "note": "not read"})

    assert said["many"] == (
        '`task.rows > 10 && action.args.table == "orders"` with task.rows = 11, action.args.table = "orders"'
    )


def test_sensitive_values_are_not_in_the_reasons() -> None:
    rules = (
        "{id: long, level: high, condition: size(action.args.api_key) > 3}",
        "{id: login, level: high, condition: size(action.args.login) > 1}",
    )

    said = reasons({}, *rules, args={"api_key": "k-12345", "login": {"user": "mara", "password": "hunter2"}})

    assert said["long"].endswith("with action.args.api_key = [redacted]")
    assert said["login"].endswith('with action.args.login = {"user": "mara", "password": "[redacted]"}')


def test_a_description_goes_before_the_values() -> None:
    rule = "{id: many, level: high, description: too many rows, condition: task.rows > 10}"

    assert reasons({"rows": 11}, rule)["many"] == "too many rows (`task.rows > 10` with task.rows = 11)"


def test_a_long_value_is_cut_short() -> None:
    said = reasons({}, "{id: long, level: high, condition: action.args.text != ''}", args={"text": "x" * 5000})

    assert len(said["long"]) < 200


@pytest.mark.parametrize(
    ("condition", "why"),
    [
        ("task.rows > 10", "there is no 'rows'"),
        ("task.name > 10", "No such overload"),
        ("task.zero == 1 / task.zero", "division by zero"),
        ("task.name", "it returned str, not true or false"),
        ("task.list[5] == 1", "index out of bounds"),
        ("int(task.name) > 1", "string parse error"),
        ("size(task.huge) > 1", "task.huge is too large for a condition"),
    ],
)
def test_a_condition_without_an_answer_means_high_and_ask(condition: str, why: str) -> None:
    rule = f"{{id: broken, operation: read, level: low, condition: {condition!r}}}"
    task: JsonObject = {"operation": "read", "name": "x", "zero": 0, "list": [1], "huge": "x" * 100_000}

    found = assessed(policy(rules=[rule]), task)

    assert (found.level, found.auto_approve) == (Level.high, False)
    assert found.rules[0].reason.startswith("its condition returned no answer: ")
    assert why in found.rules[0].reason


def test_conditions_that_take_too_long_together_mean_high_and_ask() -> None:
    rules = [
        f"{{id: r{i}, operation: read, level: low, condition: size(task.list) + size(task.list) > {i}}}"
        for i in range(50)
    ]
    long: JsonObject = {"operation": "read", "list": list(range(4000))}
    short: JsonObject = {"operation": "read", "list": list(range(40))}

    found = assessed(policy(rules=rules), long)

    assert found.level is Level.high
    assert found.rules[0].reason.endswith("the conditions take too long on these values")
    assert found == assessed(policy(rules=rules), long)
    assert assessed(policy(rules=rules), short).level is Level.low


def test_a_critical_rule_without_an_answer_stays_critical() -> None:
    found = assessed(policy(rules=["{id: broken, level: critical, condition: task.rows > 10}"]), {})

    assert found.level is Level.critical


def test_an_approval_rule_without_an_answer_applies() -> None:
    rules = policy(rules=(), operations=["{id: x, condition: task.rows > 10, approvers: [cto]}"])

    assert assessed(rules, {}).requirements.roles == {"cto"}
    assert assessed(rules, {"rows": 11}).requirements.roles == {"cto"}
    assert assessed(rules, {"rows": 10}).requirements.roles == {"team_lead", "tech_lead", "cto"}


def test_a_large_argument_that_no_condition_reads_costs_nothing() -> None:
    rule = "{id: small, operation: write, level: low, condition: action.args.path == 'a.txt'}"

    found = assessed(policy(rules=[rule]), {"operation": "write"}, args={"path": "a.txt", "content": "x" * 900_000})

    assert found.level is Level.low


def test_a_trigger_that_does_not_say_what_is_done_never_lowers_the_unknown() -> None:
    rules = policy(rules=["{id: dev, environment: development, level: low}"])

    found = assessed(rules, {"operation": "frobnicate", "environment": "development"})

    assert found.level is Level.medium
    assert [rule.rule for rule in found.rules] == ["default", "dev"]


def test_names_fit_patterns_and_aliases_alike() -> None:
    rules = policy(
        rules=[
            "{id: region, operation: deploy, environment: prod-eu-*, level: critical}",
            "{id: alias, operation: release, level: high}",
            "{id: tool, action: 'Payments.*', level: high}",
        ]
    )

    def fired(task: JsonObject, name: str = "x") -> list[str]:
        return [rule.rule for rule in assessed(rules, task, name=name).rules]

    assert fired({"operation": "deploy", "environment": "prod-eu-1"}) == ["region"]
    assert fired({"operation": "release"}) == ["alias"]
    assert fired({}, "payments.refund") == ["tool"]
    assert fired({}, "repayments.refund") == ["default"]


def test_an_operation_that_names_its_approvers_is_never_approved_by_policy() -> None:
    rules = policy(
        rules=["{id: r, operation: report, level: low}"],
        operations=["{id: r, operation: report, environment: production, approvers: [team_lead]}"],
    )

    assert assessed(rules, {"operation": "report"}).auto_approve is True
    asked = assessed(rules, {"operation": "report", "environment": "production"})
    assert (asked.level, asked.auto_approve, asked.requirements.roles) == (Level.low, False, {"team_lead"})


def test_escalation_adds_approvers_but_does_not_replace_a_required_role() -> None:
    security = assessed(default_policy(), {"operation": "security_change"})
    staging = assessed(default_policy(), {"operation": "deploy", "environment": "staging"})
    cto = {PrincipalId(fresh()): frozenset({"cto"})}

    def escalated(assessment: Assessment) -> Requirements:
        requirements = assessment.requirements
        return replace(requirements, roles=requirements.roles | assessment.escalate_to)

    assert escalated(staging).met_by(cto)
    assert not escalated(security).met_by(cto)


def test_an_operation_may_ask_for_a_justification_that_its_level_does_not() -> None:
    rules = policy(operations=["{id: r, operation: report, approvers: [team_lead], require_justification: true}"])

    assert assessed(rules, {"operation": "report"}).requirements.justification is True
    assert assessed(rules, {"operation": "other"}).requirements.justification is False


def test_a_worse_finding_and_a_greater_cost_fire_the_rules_below_them_too() -> None:
    rules = policy(
        rules=["{id: finding, security_finding: medium, level: high}", "{id: cost, cost_over: 5, level: high}"]
    )

    found = assessed(rules, {"security_findings": ["critical"], "estimated_cost": 10_000})

    assert {rule.rule for rule in found.rules} == {"default", "finding", "cost"}


@pytest.mark.parametrize("kind", [Kind.confirmation, Kind.review])
def test_one_action_has_one_threshold_whatever_the_kind_but_deadlines_are_an_approval_s(kind: Kind) -> None:
    found, approval = assessed(default_policy(), DEPLOY, kind=kind), assessed(default_policy(), DEPLOY)

    assert (found.level, found.rules, found.requirements) == (approval.level, approval.rules, approval.requirements)
    assert (found.timeout, found.escalate_after, found.auto_approve) == (None, None, False)


def test_what_carries_no_action_is_for_any_approver_without_a_deadline() -> None:
    for kind in (Kind.confirmation, Kind.input):
        found = assess(default_policy(), kind=kind, action=None)

        assert found.requirements == Requirements(1, default_policy().approver_roles, stand_ins=True)
        assert (found.timeout, found.escalate_after, found.auto_approve) == (None, None, False)


def test_one_person_answers_an_input() -> None:
    found = assessed(default_policy(), DEPLOY, kind=Kind.input)

    assert found.level is Level.high
    assert found.requirements.approvals == 1
    assert found.requirements.roles == {"team_lead", "tech_lead", "cto", "security_team"}
    assert found.requirements.required == ()
    assert (found.timeout, found.escalate_after, found.auto_approve) == (None, None, False)


def test_another_kind_is_never_approved_by_policy_even_when_low() -> None:
    found = assessed(default_policy(), {"operation": "read", "environment": "development"}, kind=Kind.confirmation)

    assert (found.level, found.auto_approve) == (Level.low, False)
    assert "developer" in found.requirements.roles


def test_an_approval_gets_the_terms_of_its_level_and_the_policy_version() -> None:
    found = assessed(replace(default_policy(), version=7), DEPLOY)

    assert found.policy_version == 7
    assert (found.timeout, found.on_expiry) == (timedelta(hours=8), "expire")


def test_rules_that_cannot_match_are_not_looked_at() -> None:
    rules = policy(rules=[f"{{id: r{i}, operation: op{i}, level: high}}" for i in range(50)])

    assert [rule.id for rule in rules.rules.candidates(Named(("op7",), ("x",))).entries] == ["r7"]


def test_what_is_remembered_about_names_changes_no_assessment() -> None:
    """Each action under a policy that has seen the others, in either order, and under one that has seen nothing."""
    texts = SMALL | {
        RULES: SMALL[RULES]
        + "aliases: {operation: {delete: [remove]}, environment: {production: [prod]}}\n"
        + "rules:\n"
        + "  - {id: risky, operation: delete, action: claude.*, condition: task.why == 'x', level: critical}\n"
        + "  - {id: plain, operation: [read, delete], environment: [absent, production], level: low}\n"
        + "  - {id: long, action: '*x', level: high}\n",
        ACTIONS: "actions:\n"
        + "  - {id: deletes, words: [delete], unless: {name: claude.*}, operation: delete}\n"
        + "  - {id: served, server: shop, environment: [args.place], operation: read, when: has(action.args.place)}\n",
    }
    asked: list[tuple[Action, JsonObject | None, Origin | None]] = [
        (Action(name, args, target), claims, origin)
        for name in ("delete_user", "deleteUser", "claude.delete", "mcp.shop.look", "dеlete_user", "y" * 3000 + "x")
        for args, target in ((JsonObject(), None), (JsonObject(place="prod"), "prod"), (JsonObject(place="moon"), None))
        for claims in (None, JsonObject(operation="remove", why="x"))
        for origin in cast("tuple[Origin | None, ...]", (None, "task", "skill_sandbox"))
    ]

    def seen_by(one: Policy, order: int) -> list[Assessment]:
        return [assess(one, kind=Kind.approval, action=a, claims=c, origin=o) for a, c, o in asked[::order]][::order]

    alone = [assess(load(texts), kind=Kind.approval, action=a, claims=c, origin=o) for a, c, o in asked]

    assert seen_by(load(texts), 1) == seen_by(load(texts), -1) == alone
    assert len({(found.level, found.rules, found.facts) for found in alone}) > 20


def test_redaction_reaches_any_depth_and_leaves_the_rest() -> None:
    shown = default_policy().redact(
        {"users": [{"name": "mara", "Password": "x", "accessToken": "y"}], "max_tokens": 5, "authorization": {"a": 1}}
    )

    assert shown == {
        "users": [{"name": "mara", "Password": "[redacted]", "accessToken": "[redacted]"}],
        "max_tokens": 5,
        "authorization": "[redacted]",
    }


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("log in with hunter2-long, not hunter2", "log in with [redacted], not [redacted]"),
        ("code 4711 of mara", "code [redacted] of mara"),
        ("abc is too short to be hidden", "abc is too short to be hidden"),
    ],
)
def test_a_text_does_not_repeat_what_is_hidden_beside_it(text: str, shown: str) -> None:
    beside: JsonObject = {
        "name": "mara",
        "password": "hunter2",
        "secrets": {"old": ["hunter2-long", 4711, None, True]},
        "token": "abc",
    }

    assert default_policy().redact_text(text, beside) == shown
