"""What an opening pays to learn from the action itself how risky it is, for ordinary calls of tools, one at a time."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable

from handrail.core.holds import Action, Kind
from handrail.holds.opening import Opening, open_hold
from handrail.policy import assess

from .world import world

ROUNDS = 60
WARM_UP = 20

# texts that no call had before: what a parser found out is remembered for texts that come again
CALLS: tuple[Callable[[int], Action], ...] = (
    lambda n: Action("read_file", {"path": f"src/app_{n}.py"}),
    lambda n: Action("edit_file", {"path": f"src/app_{n}.py", "old": "a", "new": "b"}),
    lambda n: Action("delete_file", {"path": f"build/out_{n}.o"}),
    lambda n: Action("bash", {"command": f"grep -n main app_{n}.py | head -{n + 1}"}),
    lambda n: Action("bash", {"command": f"rm -rf build_{n}"}),
    lambda n: Action("execute_sql", {"query": f"SELECT name, total FROM orders WHERE total > {n} ORDER BY name"}),
    lambda n: Action("execute_sql", {"query": f"UPDATE orders SET total = 0 WHERE id = {n}"}),
    lambda n: Action("http_get", {"url": f"https://docs.python.org/3/library/json_{n}.html"}),
    lambda n: Action("send_email", {"to": f"ann{n}@example.org", "body": "Hello"}),
    lambda n: Action("deploy", {"version": f"2.{n}"}, "production"),
    lambda n: Action("pay_invoice", {"amount": n + 1, "currency": "EUR"}),
    lambda n: Action("scale_deployment", {"replicas": n % 9}),
)


async def measure() -> dict[str, float]:
    async with world() as at:
        policy = at.context.policy()

        async def opened(action: Action) -> None:
            await open_hold(at.context, at.agent, Opening(Kind.approval, "An ordinary call", action))

        async def assessed(action: Action) -> None:
            assess(policy, kind=Kind.approval, action=action)

        await _seconds(opened, 1_000_000, WARM_UP)
        opening = assessing = again = 0.0
        # in turns, so that a busy machine slows all three
        for n in range(ROUNDS):
            opening += await _seconds(opened, n)
            assessing += await _seconds(assessed, 10_000 + n)
            again += await _seconds(assessed, 10_000 + n)
    return {
        "open_an_ordinary_call_ms": opening / ROUNDS / len(CALLS) * 1000,
        "assess_it_ms": assessing / ROUNDS / len(CALLS) * 1000,
        "assess_a_text_seen_before_ms": again / ROUNDS / len(CALLS) * 1000,
        "assessing_of_opening": assessing / opening,
    }


async def _seconds(act: Callable[[Action], Awaitable[None]], first: int, rounds: int = 1) -> float:
    actions = [call(first + n) for n in range(rounds) for call in CALLS]
    began = time.perf_counter()
    for action in actions:
        await act(action)
    return time.perf_counter() - began
