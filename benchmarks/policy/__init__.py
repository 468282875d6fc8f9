"""Assessments per second against bare CEL on the same conditions, with 10, 100 and 1,000 rules.

Ten rules match the assessed operation in every policy; the others cannot. Bare CEL gets the whole action and task once
and evaluates the same ten compiled conditions: it derives no facts, finds no rules, explains nothing and names no
approvers.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

import cel

from handrail.core.canonical import JsonObject
from handrail.core.holds import Action, Kind
from handrail.policy import Policy, assess, default_policy, load
from handrail.policy.loading import RULES, TRIGGERS

SIZES = (10, 100, 1000)
MATCHING = 10
ROUNDS = 9
ASSESSMENTS = 300

ACTION = Action("deploy_service", {"service": "api", "version": "2.14.0", "replicas": 3, "region": "eu-1"}, "api")
TASK: JsonObject = {
    "operation": "op0",
    "environment": "production",
    "resource_type": "service",
    "description": "Deploy api 2.14.0",
    "estimated_cost": 42.5,
    "rows": 7,
}


def run() -> dict[str, float]:
    figures: dict[str, float] = {}
    bare = _bare(_policy(MATCHING))
    for size in SIZES:
        policy = _policy(size)

        def ours(policy: Policy = policy) -> object:
            return assess(policy, kind=Kind.approval, action=ACTION, claims=TASK, trusted=True)

        ours_rate, bare_rate, ratio = _compare(ours, bare)
        figures[f"assessments_per_second_{size}_rules"] = ours_rate
        figures[f"bare_cel_per_second_{size}_rules"] = bare_rate
        figures[f"ratio_to_bare_cel_{size}_rules"] = ratio
    return figures


def _policy(size: int) -> Policy:
    rules = "".join(
        f"  - {{id: r{i}, operation: op{i // MATCHING}, level: high, condition: {_condition(i)!r}}}\n"
        for i in range(size)
    )
    source = default_policy().source
    levels = source[RULES].split("\nrules:\n")[0]
    return load({**source, RULES: f"{levels}\nrules:\n{rules}", TRIGGERS: "triggers: []\n"})


def _condition(i: int) -> str:
    return f'has(task.rows) && task.rows > {1000 + i} && action.args.region == "eu-1"'


def _bare(policy: Policy) -> Callable[[], object]:
    programs = [cel.compile(rule.match.condition.text) for rule in policy.rules if rule.match.condition]
    action: JsonObject = {"name": ACTION.name, "args": ACTION.args, "target": ACTION.target}

    def evaluate() -> list[object]:
        context = cel.Context({"task": TASK, "action": action})
        return [program.execute(context) for program in programs]

    return evaluate


def _compare(ours: Callable[[], object], bare: Callable[[], object]) -> tuple[float, float, float]:
    """Rates of both, taken in turns so that a busy machine slows both; the ratio is the median of the rounds'."""
    rates = [(_rate(ours), _rate(bare)) for _ in range(ROUNDS)]
    return (
        statistics.median(rate for rate, _ in rates),
        statistics.median(rate for _, rate in rates),
        statistics.median(mine / theirs for mine, theirs in rates),
    )


def _rate(work: Callable[[], object]) -> float:
    start = time.process_time()
    for _ in range(ASSESSMENTS):
        work()
    return ASSESSMENTS / (time.process_time() - start)
