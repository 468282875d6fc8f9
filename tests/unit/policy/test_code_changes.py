"""The steps of a code change under the default policy: how large it is decides who must look at it."""

from __future__ import annotations

import pytest
from policy_world import assessed

from handrail.core.canonical import Json, JsonObject
from handrail.core.holds import Kind
from handrail.core.risk import Assessment, Level
from handrail.policy import default_policy

SMALL: JsonObject = {
    "files": 5,
    "migrations": 0,
    "endpoints": 2,
    "fan_in": 40,
    "risk_score": 50,
    "outside_plan": 0,
    "tests_changed": 0,
}
LEADS = {"team_lead", "tech_lead", "cto"}


def step(name: str, kind: Kind = Kind.review, target: str | None = None, **args: Json) -> Assessment:
    return assessed(default_policy(), name=name, args=args, kind=kind, target=target, trusted=False, origin="change")


def sized(name: str, **facts: Json) -> Assessment:
    return step(name, facts={**SMALL, **facts}, draft=True)


def test_a_small_plan_is_low_and_a_developer_decides_their_own() -> None:
    found = sized("change.plan")

    assert (found.level, found.auto_approve) == (Level.low, False)
    assert "developer" in found.requirements.roles


def test_a_plan_that_does_not_come_from_handrails_own_workflow_is_not_low() -> None:
    args: JsonObject = {"facts": SMALL, "draft": True}
    found = assessed(default_policy(), name="change.plan", args=args, kind=Kind.approval, trusted=False)

    assert (found.level, found.auto_approve) == (Level.medium, False)


def test_a_small_plan_that_is_only_to_be_approved_needs_nobody() -> None:
    assert step("change.plan", Kind.approval, facts=SMALL).auto_approve is True


@pytest.mark.parametrize("facts", [{"files": 6}, {"risk_score": 50.5}], ids=str)
def test_a_large_plan_is_medium_and_its_requester_may_decide_it_with_the_role(facts: JsonObject) -> None:
    """S2.5."""
    found = sized("change.plan", **facts)

    assert found.level is Level.medium
    assert found.requirements.roles == LEADS
    assert found.requirements.requester_may_decide is True


@pytest.mark.parametrize("name", ["change.plan", "change.publish"])
def test_a_migration_is_high_and_somebody_else_decides(name: str) -> None:
    """S2.5."""
    found = sized(name, migrations=1)

    assert (found.level, found.requirements.requester_may_decide) == (Level.high, False)


def test_files_that_the_plan_does_not_name_are_high_when_published() -> None:
    found = sized("change.publish", outside_plan=1)

    assert (found.level, found.requirements.requester_may_decide) == (Level.high, False)
    assert found.rules[0].reason.startswith(
        "changes files that the approved plan does not name (action is change.publish"
    )


def test_changed_tests_are_named_among_the_reasons() -> None:
    assert "change-existing-tests" in {rule.rule for rule in sized("change.publish", tests_changed=1).rules}
    assert "change-existing-tests" not in {rule.rule for rule in sized("change.publish").rules}


@pytest.mark.parametrize(("draft", "may"), [(True, True), (False, False), ("true", False), (1, False), (None, False)])
def test_the_requester_may_publish_a_draft_and_nothing_else(draft: Json, may: bool) -> None:
    found = step("change.publish", facts=SMALL, draft=draft)

    assert found.level is Level.medium
    assert found.requirements.requester_may_decide is may


def test_fetching_dependencies_is_medium_and_the_requester_may_decide_it() -> None:
    found = step("change.prepare")

    assert (found.level, found.requirements.requester_may_decide) == (Level.medium, True)


@pytest.mark.parametrize("fact", ["files", "risk_score", "migrations"])
@pytest.mark.parametrize("value", [None, "0", True, [0], {}], ids=repr)
def test_a_count_that_is_no_number_is_high(fact: str, value: Json) -> None:
    found = sized("change.plan", **{fact: value})

    assert (found.level, found.requirements.requester_may_decide) == (Level.high, False)


@pytest.mark.parametrize("name", ["change.plan", "change.publish"])
def test_a_step_that_does_not_say_how_large_it_is_is_high(name: str) -> None:
    assert step(name, draft=True).level is Level.high


@pytest.mark.parametrize(
    "name",
    [
        "change_plan",
        "changePlan",
        "change.plans",
        "x.change.plan",
        "mcp.x.change.plan",
        "change.owner",
        "plan",
        "\u0441hange.plan",
    ],
)
def test_no_other_name_gets_the_privilege_of_a_step(name: str) -> None:
    found = step(name, facts=SMALL)

    assert found.level is Level.medium
    assert found.requirements.requester_may_decide is False


def test_what_is_claimed_raises_a_plan_and_never_lowers_a_publication() -> None:
    claims: JsonObject = {"risk": "high"}
    raised = assessed(default_policy(), claims, name="change.plan", args={"facts": SMALL}, trusted=False)
    kept = assessed(
        default_policy(), {"risk": "low", "operation": "read"}, name="change.publish", args={"facts": SMALL}
    )

    assert (raised.level, raised.requirements.requester_may_decide) == (Level.high, False)
    assert kept.level is Level.medium


def test_a_repository_that_is_called_production_is_not_a_deployment() -> None:
    found = step("change.publish", target="acme/shop-prod", facts=SMALL, draft=True)

    assert (found.level, found.requirements.roles) == (Level.medium, LEADS)
