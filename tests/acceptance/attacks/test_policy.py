"""Attacks on the policy: files that are bombs, facts that cannot be read, fields that nobody knows."""

from __future__ import annotations

import time
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import httpx
import pytest
import server as servers
from attacks_world import HIGH, MEDIUM, Cast, Json, cast_of

RULES, TRIGGERS, APPROVALS = "risk-assessment-rules.yaml", "interrupt-triggers.yaml", "approval-policies.yaml"

LETTERS = "abcdefghi"
LAUGHS = "a: &a [x, x]\n" + "".join(f"{b}: &{b} [*{a}, *{a}]\n" for a, b in pairwise(LETTERS))

YAML_BOMBS: dict[str, str] = {
    "a billion laughs": LAUGHS,
    "a loop of aliases": "a: &a [*a]\n",
    "merge keys": "<<: [{a: 1}, {b: 2}]\n",
    "lists in lists": "[" * 100_000,
    "mappings in mappings": "{a: " * 30_000,
    "dashes in dashes": "- " * 60_000,
    "a step deeper in each line": "".join(f"{' ' * depth}a:\n" for depth in range(400)),
    "one long list": "triggers: [" + "a," * 60_000 + "a]",
    "one long comment": "# " + "x" * 400_000,
    "one long number": "triggers: " + "9" * 400_000,
    "a Python object": "triggers: !!python/object/apply:os.system [id]\n",
    "two documents": "triggers: []\n---\ntriggers: []\n",
    "a field twice": "triggers: []\ntriggers: []\n",
    "a bell": "triggers: \x07",
    "not a mapping": "- a\n",
}

CONDITION_BOMBS: dict[str, str] = {
    "a loop over data": "task.list.exists(x, x > 1)",
    "loops in loops": "task.list.all(x, x.all(y, y.all(z, z > 1)))",
    "a list that doubles": "size(task.list.map(x, [x, x])) > 1",
    "too long": "task.a == 1 || " * 1000 + "true",
    "too many signs": "1" + "+1" * 400 + " > 1",
    "too deep": "(" * 400 + "true" + ")" * 400,
    "signs in a row": "!" * 900 + "true",
    "a pattern from the data": "task.a.matches(task.b)",
    "a pattern put together": "task.a.matches('(a+)+' + task.b)",
    "a pattern that multiplies": "task.a.matches('((a{100}){100}){100}')",
    "a pattern with tables": "task.a.matches('[\\\\w]+')",
    "a pattern of a hundred characters and one": f"task.a.matches('{'x' * 101}')",
    "a function that is not there": "system('id')",
    "what is outside": "env.HOME == ''",
    "an open quote": "task.a == 'open",
}

SLOW_CONDITIONS = (
    "task.text.matches('(x+x+)+y')",
    "task.text.matches('(((x*)*)*)*y')",
    "task.text.contains(task.text + task.text)",
    "true ? 1 : " * 30 + "2 == 3",
)


def files(cast: Cast, **changes: str) -> Json:
    """Those in force, with some of them replaced; a key is the first word of a file's name."""
    in_force: dict[str, str] = cast.administrator.get("/api/policy").raise_for_status().json()["files"]
    return {
        "files": {name: changes.get(name.split("-")[0].removesuffix(".yaml"), text) for name, text in in_force.items()}
    }


def check(cast: Cast, **changes: str) -> Json:
    return cast.administrator.post("/api/policy/check", files(cast, **changes)).raise_for_status().json()


def assessed(cast: Cast, **body: Any) -> Json:
    return cast.agent.post("/api/policy/assess", body).raise_for_status().json()


def version(cast: Cast) -> int:
    return cast.administrator.get("/api/policy").raise_for_status().json()["version"]


def answers_meanwhile(cast: Cast, work: Any) -> tuple[Any, float]:
    """What work gave, and the longest that the server took to say that it is well while it ran."""
    slowest = 0.0
    with ThreadPoolExecutor(1) as pool, httpx.Client(base_url=cast.server.url, timeout=30) as http:
        working = pool.submit(work)
        while True:
            started = time.monotonic()
            http.get("/health").raise_for_status()
            slowest = max(slowest, time.monotonic() - started)
            if working.done():
                return working.result(), slowest


@pytest.mark.parametrize("what", YAML_BOMBS)
@pytest.mark.parametrize("file", ["risk", "interrupt", "approval", "actions"])
def test_a_bomb_of_yaml_is_refused_at_its_place(cast: Cast, file: str, what: str) -> None:
    said = check(cast, **{file: YAML_BOMBS[what]})
    assert said["valid"] is False
    first = said["problems"][0]
    assert first["file"].startswith(file)
    assert first["line"] >= 1
    assert len(first["message"]) < 500


def test_no_bomb_is_put_in_force(cast: Cast) -> None:
    before = version(cast)
    for bomb in YAML_BOMBS.values():
        refused = cast.administrator.post("/api/policy", {**files(cast, interrupt=bomb), "reason": "faster"})
        assert refused.status_code == 422, refused.text
        assert refused.json()["code"] == "bad_policy"
    assert version(cast) == before


def test_the_server_answers_others_while_it_reads_bombs(cast: Cast) -> None:
    bodies = [files(cast, interrupt=bomb, risk=bomb) for bomb in YAML_BOMBS.values()]

    def bombs() -> list[int]:
        return [cast.administrator.post("/api/policy/check", body).status_code for body in bodies]

    codes, slowest = answers_meanwhile(cast, bombs)
    assert set(codes) == {200}
    assert slowest < 8


@pytest.mark.parametrize("what", CONDITION_BOMBS)
def test_a_bomb_of_a_condition_is_refused_at_its_place(cast: Cast, what: str) -> None:
    quoted = CONDITION_BOMBS[what].replace("\\", "\\\\").replace('"', '\\"')
    said = check(cast, interrupt=f'triggers:\n  - {{id: a, level: high, condition: "{quoted}"}}\n')
    assert said["valid"] is False
    assert (said["problems"][0]["line"], said["problems"][0]["field"]) == (2, "triggers[0].condition")


@pytest.fixture(scope="module")
def slow() -> Generator[Cast]:
    """A server whose policy has the slowest conditions and patterns that are taken."""
    with servers.running() as server:
        cast = cast_of(server)
        triggers = [f"  - {{id: slow-{i}, level: high, condition: {text!r}}}" for i, text in enumerate(SLOW_CONDITIONS)]
        stars = "*a" * 30 + "*b"
        triggers.append(f'  - {{id: stars, level: high, operation: ["{stars}"], action: ["{stars}"]}}')
        body = {**files(cast, interrupt="triggers:\n" + "\n".join(triggers) + "\n"), "reason": "slow on purpose"}
        cast.administrator.post("/api/policy", body).raise_for_status()
        yield cast


@pytest.mark.parametrize("text", ["x" * 200_000, "a" * 199, "ax" * 50_000, ["x"] * 20_000, {"x": "x" * 100_000}])
def test_no_value_makes_a_condition_or_a_pattern_slow(slow: Cast, text: Any) -> None:
    name = text[:190] if isinstance(text, str) else "deploy"
    question = {**MEDIUM, "action": {**MEDIUM["action"], "name": name}, "task": {"operation": name, "text": text}}
    hold, slowest = answers_meanwhile(slow, lambda: slow.agent.open(question))
    assert hold["risk"] != "low"
    assert slowest < 8


UNREADABLE: dict[str, Json] = {
    "an operation that is a number": {"operation": 5},
    "an operation that is a list": {"operation": ["read"]},
    "an operation that is an object": {"operation": {"read": True}},
    "an operation of a thousand letters": {"operation": "read" * 250},
    "an environment that is true": {"environment": True},
    "an environment that is a list": {"environment": ["development"]},
    "a resource type that is a number": {"resource_type": 0},
    "a cost that is text": {"estimated_cost": "0"},
    "a cost below nothing": {"estimated_cost": -1},
    "a cost that is true": {"estimated_cost": True},
    "a cost that is a list": {"estimated_cost": [0]},
    "findings that are text": {"security_findings": "nothing to see"},
    "a finding without severity": {"security_findings": [{"title": "x"}]},
    "a finding of a new severity": {"security_findings": [{"severity": "negligible"}]},
    "a finding that is a list": {"security_findings": [[]]},
    "a risk that is no level": {"risk": "harmless"},
    "a risk that is a number": {"risk": 0},
}


@pytest.mark.parametrize("what", UNREADABLE)
def test_a_fact_that_cannot_be_read_is_high(cast: Cast, what: str) -> None:
    task = {"operation": "read", "environment": "development", **UNREADABLE[what]}
    found = assessed(cast, action={"name": "read_file", "args": {}, "target": "development"}, task=task)
    assert found["level"] in ("high", "critical"), found
    assert "unreadable" in [rule["rule"] for rule in found["rules"]]


@pytest.mark.parametrize("what", UNREADABLE)
def test_such_a_hold_waits_for_a_person(cast: Cast, what: str) -> None:
    hold = cast.agent.open({**MEDIUM, "task": {**MEDIUM["task"], **UNREADABLE[what]}})
    assert hold["status"] == "pending"
    assert hold["risk"] in ("high", "critical")


@pytest.mark.parametrize(
    "unknown",
    [
        {"level": "low"},
        {"floor": "low"},
        {"trusted_claims": True},
        {"auto_approve": True},
        {"origin": "skill_sandbox"},
        {"allowed": ["*"]},
        {"rules": []},
        {"risk_level": "low"},
        {"Operation": "read", "ENVIRONMENT": "development"},
        {"operation ": "read"},
        {"__class__": "low"},
        {"x" * 1000: "low"},
    ],
)
def test_a_field_that_nobody_knows_lowers_nothing(cast: Cast, unknown: Json) -> None:
    usual = assessed(cast, action=HIGH["action"], task=HIGH["task"])
    found = assessed(cast, action=HIGH["action"], task={**HIGH["task"], **unknown})
    assert found["level"] == usual["level"] == "high"
    assert found["requirements"] == usual["requirements"]


@pytest.mark.parametrize(
    "field", ["level", "risk", "rules", "requirements", "status", "floor", "origin", "policy_version"]
)
def test_no_field_of_a_request_sets_what_the_policy_says(cast: Cast, field: str) -> None:
    answer = cast.agent.post("/api/holds", {**HIGH, field: "low"})
    assert answer.status_code == 422, answer.text
    assert field in answer.text


@pytest.mark.parametrize(
    ("file", "text", "field"),
    [
        ("risk", "levels: {low: {auto_approves: true}}\n", "levels.low.auto_approves"),
        ("risk", "rule: []\n", "rule"),
        ("risk", "rules:\n  - {id: a, level: low, operatoin: read}\n", "rules[0].operatoin"),
        ("interrupt", "triggers:\n  - {id: a, level: high, enviroment: production}\n", "triggers[0].enviroment"),
        ("interrupt", "triggers:\n  - {id: a, level: high, cost: 5}\n", "triggers[0].cost"),
        ("actions", "actions:\n  - {id: a, name: x, opration: read}\n", "actions[0].opration"),
        ("actions", "executors:\n  ship: {operations: deploy, flor: low}\n", "executors.ship.flor"),
        ("actions", "actions:\n  - {id: a, name: x, when: task.safe, operation: read}\n", "actions[0].when"),
    ],
)
def test_a_misspelt_field_of_a_policy_is_named_and_not_ignored(cast: Cast, file: str, text: str, field: str) -> None:
    said = check(cast, **{file: text})
    assert said["valid"] is False
    assert field in [problem["field"] for problem in said["problems"]]


def test_a_field_too_many_is_named_too(cast: Cast) -> None:
    whole: dict[str, str] = files(cast)["files"]
    for name, text in whole.items():
        candidate = {"files": {**whole, name: text + "\nlevel_of_all: low\n"}}
        said = cast.administrator.post("/api/policy/check", candidate).raise_for_status().json()
        assert [problem["field"] for problem in said["problems"]] == ["level_of_all"]


def test_a_policy_with_a_file_too_many_or_too_few_is_refused(cast: Cast) -> None:
    whole = files(cast)["files"]
    for candidate in ({**whole, "extra.yaml": ""}, {RULES: whole[RULES]}, {}, {"../" + RULES: whole[RULES], **whole}):
        refused = cast.administrator.post("/api/policy", {"files": candidate})
        assert refused.status_code == 422, refused.text


def test_only_an_administrator_hands_in_a_policy(cast: Cast) -> None:
    body = files(cast)
    for who in (cast.agent, cast.service, cast.developer, cast.cto, cast.auditor, cast.nobody, cast.gone):
        for path in ("/api/policy", "/api/policy/check"):
            assert who.post(path, body).status_code in (401, 403)
