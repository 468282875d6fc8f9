"""Broken, hostile and huge policies over a real socket: refused with a position, while others are served."""

from __future__ import annotations

import asyncio

import apps
import httpx

from handrail.policy import default_policy
from handrail.policy.loading import TRIGGERS

FILES = dict(default_policy().source)
LAUGHS = "a: &a [x, x]\n" + "".join(f"{b}: &{b} [*{a}, *{a}]\n" for a, b in zip("abcdefgh", "bcdefghi", strict=True))
HOSTILE = {
    "yaml bomb": LAUGHS,
    "yaml nesting": "[" * 100_000,
    "yaml object": "triggers: !!python/object/apply:os.system [id]\n",
    "cel loop": 'triggers:\n  - {id: a, level: high, condition: "task.l.all(x, x.all(y, y > 1))"}\n',
    "cel nesting": f'triggers:\n  - {{id: a, level: high, condition: "{"(" * 400}true{")" * 400}"}}\n',
    "cel pattern": "triggers:\n  - {id: a, level: high, condition: \"task.a.matches('((a{100}){100}){100}')\"}\n",
    "too long": "# " + "x" * 400_000,
    "broken": "triggers: 'open\n",
}
# as much as a file may hold: it is compiled for a second or more
HUGE = "triggers:\n" + "".join(
    f'  - {{id: t{n}, level: bad, operation: op{n}, condition: "task.a{n} > {n}"}}\n' for n in range(1600)
)


async def test_a_policy_that_is_none_is_refused_with_a_position_and_others_are_served(database: str) -> None:
    with apps.served(database) as url:
        async with httpx.AsyncClient(
            base_url=url, headers={"Authorization": f"Bearer {apps.ADMIN_TOKEN}"}, timeout=60, trust_env=False
        ) as admin:
            for what, text in HOSTILE.items():
                files = {**FILES, TRIGGERS: text}
                checked = (await admin.post("/api/policy/check", json={"files": files})).raise_for_status().json()
                assert not checked["valid"], what
                problem = checked["problems"][0]
                assert problem["file"] == TRIGGERS, what
                assert problem["line"] >= 1 and problem["column"] >= 1, what
                refused = await admin.post("/api/policy", json={"files": files})
                assert (refused.status_code, refused.json()["code"]) == (422, "bad_policy"), what
            huge = asyncio.create_task(admin.post("/api/policy/check", json={"files": {**FILES, TRIGGERS: HUGE}}))
            # sent once the huge one is on its way, and answered before it
            await asyncio.sleep(0)
            task = {"operation": "deploy", "environment": "production"}
            assert (await admin.post("/api/policy/assess", json={"task": task})).json()["level"] == "high"
            assert (await admin.get("/health")).json()["status"] == "ok"
            assert not huge.done(), "everybody waited for it"
            assert len((await huge).json()["problems"]) == 100
            assert (await admin.get("/api/policy")).json()["version"] == 1
