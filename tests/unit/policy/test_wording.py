"""A policy in words, and what changes from one to another."""

from __future__ import annotations

import pytest
from policy_world import SOURCE

from handrail.policy import ACTIONS, default_policy, describe, differences, load
from handrail.policy.loading import APPROVALS, RULES, TRIGGERS


def changed(file: str, was: str, becomes: str) -> list[str]:
    assert SOURCE[file].count(was) == 1
    return differences(default_policy(), load({**SOURCE, file: SOURCE[file].replace(was, becomes)}))


def test_a_policy_says_in_words_who_must_approve() -> None:
    said = describe(default_policy())

    assert said["role developer"] == "may approve low"
    assert said["level medium, who"] == "1 of cto, team_lead and tech_lead"
    assert said["level low, who"] == "no approval needed"
    assert said["level high, escalation"] == "to cto after 30m"
    assert said["approval deploy-production"] == (
        "operation deploy and environment production needs 2 of cto, team_lead and tech_lead, "
        "including at least one cto or tech_lead"
    )


def test_a_change_is_told_with_what_it_was() -> None:
    assert changed(
        APPROVALS, "team_lead: {may_approve: [low, medium, high]}", "team_lead: {may_approve: [medium]}"
    ) == [
        "role team_lead: may approve medium (was: may approve low, medium, high)",
        "level high, who: 1 of cto, security_team and tech_lead "
        "(was: 1 of cto, security_team, team_lead and tech_lead)",
    ]
    assert changed(RULES, "timeout: 8h", "timeout: 90m") == [
        "level high, timeout: expired after 90m (was: expired after 8h)"
    ]


def test_what_is_new_and_what_is_gone_is_told() -> None:
    new = "triggers:\n  - {id: night-shift, operation: 'deploy*', condition: 'task.night', level: critical}\n"

    assert changed(TRIGGERS, "triggers:\n", new) == [
        "rule night-shift is new: operation deploy* and `task.night` is critical"
    ]
    gone = differences(load({**SOURCE, TRIGGERS: SOURCE[TRIGGERS].replace("triggers:\n", new)}), default_policy())
    assert gone == ["rule night-shift is removed; it was: operation deploy* and `task.night` is critical"]


def test_a_new_comment_or_order_changes_nothing() -> None:
    assert changed(TRIGGERS, "triggers:\n", "# a new comment\ntriggers:\n\n") == []
    assert changed(RULES, "[release, rollout]", "[rollout, release]") == []


def test_every_part_of_a_policy_is_in_its_words() -> None:
    rotation = "on_call: [{role: cto, people: [mara, jon], start: 2026-01-05}]"

    assert changed(APPROVALS, "on_call: []", rotation) == [
        "on call for cto is new: mara, jon in turns of 7d from 2026-01-05"
    ]
    assert changed(APPROVALS, 'to: "17:00"', 'to: "18:30"') == [
        "business hours: mon, tue, wed, thu, fri, 09:00 to 18:30 UTC (was: mon, tue, wed, thu, fri, 09:00 to 17:00 UTC)"
    ]
    assert changed(
        APPROVALS, "on_call: {to: [on_call], channels: [slack, email, webhook]}", "on_call: {to: cto, channels: cli}"
    ) == ["route on_call: notifies cto by cli (was: notifies on_call by slack, then email, then webhook)"]
    assert changed(RULES, "minimum_approvers: 2\n", "minimum_approvers: 2\n    minimum_rejections: 2\n") == [
        "level critical, rejection: 2 to reject (was: 1 to reject)"
    ]
    assert changed(RULES, "deploy: [release, rollout]", "deploy: release") == [
        "operation deploy: is also called release (was: is also called release or rollout)"
    ]
    assert len(changed(APPROVALS, "[authorization, cookie,", "[cookie,")) == 1


@pytest.mark.parametrize(
    ("was", "becomes"),
    [
        ("sample: 0.05", "sample: 0.0001"),
        (", sample: 0.05", ""),
        ("rollback: Deploy the last one", "rollback: Nothing to do"),
        ("method: args.method", "method: args.verb"),
        (", beside: [limit]", ", beside: [limit, force]"),
        (", allowed: [a.example]", ", allowed: [b.example]"),
        (", optional: true", ""),
        ("url: [args.url]", "url: [args.uri]"),
        ("used_by: [orders]", "used_by: [notes]"),
        ("  db: {used_by: [orders]}\n", ""),
    ],
)
def test_no_part_of_a_registered_action_or_target_changes_in_silence(was: str, becomes: str) -> None:
    parse = "{url: [args.url], method: args.method, allowed: [a.example], beside: [limit], optional: true}"
    entry = f"{{id: a, name: go, parse: {parse}, rollback: Deploy the last one, sample: 0.05}}"
    text = f"actions:\n  - {entry}\ntargets:\n  db: {{used_by: [orders]}}\n  web: {{used_by: [shop]}}\n"
    assert text.count(was) == 1
    old, new = (load({**SOURCE, ACTIONS: each}) for each in (text, text.replace(was, becomes)))

    assert len(differences(old, new)) == 1
