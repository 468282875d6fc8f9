"""Mistakes in a policy are named by file, line, column and field, all of them at once."""

from __future__ import annotations

import pytest
from policy_world import SMALL, SOURCE, files, problems

from handrail.core.errors import Misconfigured
from handrail.policy import default_policy, load
from handrail.policy.loading import ACTIONS, APPROVALS, FILES, RULES, TRIGGERS

HERE = "§"
"""Stands in a text where the problem must be placed."""

TRIGGERS_WRONG = [
    ("§{level: high, operation: x}", "triggers[0]: `id` is missing"),
    ("§{id: a, operation: x}", "triggers[0]: `level` is missing"),
    ("{id: a, level: §severe, operation: x}", "triggers[0].level: must be one of low, medium, high, critical, not"),
    ("{id: a, level: high, §opertion: x}", "triggers[0].opertion: unknown field; did you mean `operation`?"),
    ("§{id: a, level: high}", "triggers[0]: matches everything"),
    ("§{id: a, level: high, operation: }", "triggers[0]: matches everything"),
    ("{id: a, level: high, operation: §[]}", "triggers[0].operation: is empty; leave the field out"),
    ("{id: a, level: high, operation: [x, §{y: z}]}", "triggers[0].operation: must be a name without spaces"),
    ("{id: a, level: high, operation: §two words}", "triggers[0].operation: must be a name without spaces"),
    (f"{{id: a, level: high, operation: x, description: §{'x' * 201}}}", "triggers[0].description: must be up to 200"),
    ("{id: a, level: high, cost_over: §much}", "triggers[0].cost_over: must be a number"),
    ("{id: a, level: high, cost_over: §-5}", "triggers[0].cost_over: must be a number"),
    ("{id: a, level: high, cost_over: §1e999}", "triggers[0].cost_over: must be a number"),
    ("{id: a, level: high, security_finding: §bad}", "triggers[0].security_finding: must be one of low"),
    ("{id: §default, level: high, operation: x}", "triggers[0].id: 'default' is already taken"),
    (
        "{id: b, level: high, operation: x}\n  - {id: §b, level: high, operation: x}",
        "triggers[1].id: 'b' is already taken",
    ),
    ("§just text", "triggers[0]: must be a mapping of fields"),
    ("{id: a, level: high, condition: §[x]}", "triggers[0].condition: must be a CEL expression"),
    ("{id: a, level: high, condition: task.a >§}", "triggers[0].condition: this is not a CEL expression"),
    ("{id: a, level: high, condition: 'task.a > §)'}", "triggers[0].condition: this is not a CEL expression"),
    (
        "id: a\n    level: high\n    condition: |\n      task.a == 1\n      && §nope",
        "triggers[0].condition: there is no",
    ),
    ("id: a\n    level: high\n    condition: §>-\n      task.a\n      && nope", "triggers[0].condition: there is no"),
]

LEVELS_WRONG = [
    ("auto_approve: true", "auto_approve: §yes", "levels.low.auto_approve: must be true or false, not 'yes'"),
    ("timeout: 8h", "timeout: §8 hours", "levels.high.timeout: must be a duration such as 90s, 30m, 4h or 7d"),
    ("timeout: 8h", "timeout: §0m", "levels.high.timeout: must be a duration"),
    (
        "30m\n    escalate_to: [cto]\n    timeout: 8h",
        "§8h\n    timeout: 8h\n    escalate_to: cto",
        "levels.high.escalate_after: must be shorter than `timeout`",
    ),
    ("remind_before: 1h", "remind_before: §8h", "levels.high.remind_before: must be shorter than `timeout`"),
    (
        "timeout: 8h",
        "auto_approve: §true",
        "levels.high.auto_approve: only low can be approved without a person, never high",
    ),
    ("timeout: 8h", "on_expiry: §approve", "levels.high.on_expiry: must be one of expire, reject"),
    ("timeout: 8h", "approvers: §[developer]", "levels.high.approvers: developer may not approve high"),
    (
        "timeout: 8h",
        "approvers: [cto, §boss]",
        "levels.high.approvers: there is no role 'boss'; known: administrator",
    ),
    ("timeout: 8h", "minimum_approvers: §0", "levels.high.minimum_approvers: must be a whole number from 1 to 20"),
    ("timeout: 8h", "minimum_approvers: §²", "levels.high.minimum_approvers: must be a whole number"),
    ("timeout: 8h", "timeout: 8h\n    §timeout: 9h", "timeout: given twice, first in line 18"),
    ("30m\n    escalate_to: [cto]\n", "§30m\n", "levels.high.escalate_after: needs `escalate_to`: whom to add"),
    ("    escalate_after: 30m\n    escalate_to: [cto]", "    escalate_to: §[cto]", "levels.high.escalate_to: needs"),
    (
        "notify: [approvers, on_call]",
        "notify: [approvers, §pager]",
        "levels.critical.notify: there is no route 'pager'",
    ),
    ("levels:\n  low:", "levels:\n  §lowest:", "levels: `low` is missing"),
    (
        "deploy: [release, rollout]",
        "deploy: §[release, purge]",
        "aliases.operation.deploy: 'purge' already has a meaning",
    ),
]

APPROVALS_WRONG = [
    (
        "developer: {may_approve: [low]}",
        "developer: {may_approve: [low, §some]}",
        "roles.developer.may_approve: there",
    ),
    ("developer: {may_approve: [low]}", "§developer:", "roles.developer: has no value"),
    ("auditor: {may_approve: []}", "auditor: §[low]", "roles.auditor: must be a mapping of fields"),
    ("    approvers: [team_lead]\n", "    approvers: [§chief]\n", "operations[0].approvers: there is no role 'chief'"),
    (
        "- id: deploy-staging",
        "- §id: nobody\n    operation: x\n  - id: deploy-staging",
        "operations[0]: say who: `appr",
    ),
    (
        "required_roles: [tech_lead, cto]",
        "required_roles: [cto, [cto, §x]]",
        "operations[2].required_roles: there is no",
    ),
    (
        "2\n    approvers: [tech_lead, cto]",
        "§1",
        "operations[2].minimum_approvers: 2 required roles need as many people",
    ),
    (
        "to: [on_call], channels: [slack,",
        "to: [on_call], channels: [§pigeon,",
        "routes.on_call.channels: there is no channel",
    ),
    ("approvers: {to: [approvers], ", "approvers: §{", "routes.approvers: `to` is missing"),
    ("timezone: UTC", "timezone: §Atlantis", "business_hours.timezone: must be a time zone such as Europe/Berlin"),
    ("timezone: UTC", "timezone: §../../etc/passwd", "business_hours.timezone: must be a time zone"),
    ("timezone: UTC", "timezone: §Europe", "business_hours.timezone: must be a time zone"),
    ('from: "09:00"', "from: §nine", 'business_hours.from: must be a time such as "09:00"'),
    ('to: "17:00"', 'to: §"08:00"', "business_hours.to: must be later than `from`"),
    ("on_call: []", "on_call: [§{role: cto, people: [a]}]", "on_call[0]: `start` is missing"),
    ("on_call: []", "on_call: [{role: cto, people: [a], start: §soon}]", "on_call[0].start: must be a date such as"),
]


def expected(file: str, marked: str, complaint: str) -> tuple[str, str]:
    """The text without the mark, and how its one problem must begin."""
    before, after = marked.split(HERE)
    line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
    return before + after, f"{file}:{line}:{column}: {complaint}"


@pytest.mark.parametrize(("trigger", "complaint"), TRIGGERS_WRONG)
def test_a_mistake_in_a_trigger_is_named_with_its_place(trigger: str, complaint: str) -> None:
    text, problem = expected(TRIGGERS, f"triggers:\n  - {trigger}\n", complaint)

    [found] = problems({**SMALL, TRIGGERS: text})

    assert found.startswith(problem)


@pytest.mark.parametrize(
    ("file", "was", "becomes", "complaint"),
    [(RULES, *row) for row in LEVELS_WRONG] + [(APPROVALS, *row) for row in APPROVALS_WRONG],
)
def test_a_mistake_in_levels_and_approvals_is_named_with_its_place(
    file: str, was: str, becomes: str, complaint: str
) -> None:
    """S4.1."""
    assert SOURCE[file].count(was) == 1
    text, problem = expected(file, SOURCE[file].replace(was, becomes), complaint)

    found = problems({**SOURCE, file: text})

    assert found[0].startswith(problem)


def test_a_level_that_nobody_may_approve_is_refused() -> None:
    nobody = SOURCE[APPROVALS].replace("high, critical]", "high]")

    assert problems({**SOURCE, APPROVALS: nobody}) == [f"{APPROVALS}:5:3: roles: no role may approve critical"]


def test_every_mistake_is_told_at_once_in_the_order_of_the_files() -> None:
    texts = files(
        rules="  - {id: a, level: worst, operation: x}\n  - {id: b, level: high, colour: red}\n",
        triggers="  - {id: c, level: high, condition: nope}\n",
    )

    found = problems(texts)

    assert [problem.split(": ")[1] for problem in found] == [
        "rules[0].level",
        "rules[1].colour",
        "triggers[0].condition",
    ]


def test_the_error_carries_its_problems_as_data() -> None:
    with pytest.raises(Misconfigured) as refused:
        load(files(triggers="  - {id: c, level: high, condition: nope}\n"))

    assert refused.value.data["problems"] == [
        {
            "file": TRIGGERS,
            "line": 2,
            "column": 37,
            "field": "triggers[0].condition",
            "message": "there is no `nope`; a condition reads action and task",
        }
    ]


def test_a_policy_is_all_four_files_and_no_other() -> None:
    assert problems({RULES: SOURCE[RULES], APPROVALS: SOURCE[APPROVALS]}) == [
        f"{TRIGGERS}:1:1: file: is missing",
        f"{ACTIONS}:1:1: file: is missing",
    ]
    assert problems({**SOURCE, "notes.txt": "x"})[0].startswith("notes.txt:1:1: file: is not part of a policy")


def test_a_policy_keeps_its_text_and_comes_back_from_it() -> None:
    policy = default_policy()

    assert policy.source == {name: policy.source[name] for name in FILES}
    assert load(policy.source) == policy
    assert load({**policy.source, TRIGGERS: "triggers: []\n"}) != policy
