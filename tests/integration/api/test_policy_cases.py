"""Test cases kept with the policy: what fails one is not put in force, whoever applies it and by whichever way."""

from __future__ import annotations

from typing import Any

import httpx
from apps import Desk, desk

from handrail.policy import default_policy

DELETE: dict[str, Any] = {
    "name": "delete production",
    "action": {"name": "delete", "target": "production"},
    "level": "critical",
}
LOOK: dict[str, Any] = {
    "name": "look around",
    "action": {"name": "shell.run", "args": {"command": "ls"}},
    "level": "low",
    "asks": False,
}
FILES = dict(default_policy().source)
RULES = FILES["risk-assessment-rules.yaml"]
LAX = {
    **FILES,
    "risk-assessment-rules.yaml": RULES.replace("level: critical", "level: high"),
}


async def applied(at: Desk, **body: Any) -> httpx.Response:
    return await at.admin.post("/api/policy", json={"files": FILES, **body})


async def test_a_policy_that_fails_a_case_is_not_put_in_force(database: str) -> None:
    async with desk(database) as at:
        first = await applied(at, cases=[DELETE, LOOK], reason="what must stay so")
        assert first.status_code == 201
        assert "test cases: added 'delete production', 'look around'" in first.json()["changes"]
        # without naming them, as the command line does
        refused = await applied(at, files=LAX)
        assert (refused.status_code, refused.json()["code"]) == (422, "policy_cases_failed")
        assert "'delete production' should be critical and is high" in refused.json()["detail"]
        assert refused.json()["data"]["failed"] == ["delete production"]
        assert (await at.admin.get("/api/policy")).json()["version"] == first.json()["version"]
        checked = (await at.admin.post("/api/policy/check", json={"files": LAX})).json()
        assert [(one["name"], one["passed"], one["level"]) for one in checked["cases"]] == [
            ("delete production", False, "high"),
            ("look around", True, "low"),
        ]


async def test_cases_stay_with_the_policy_until_they_are_changed_and_the_log_says_so(database: str) -> None:
    async with desk(database) as at:
        (await applied(at, cases=[DELETE, LOOK])).raise_for_status()
        (await applied(at, reason="the same again")).raise_for_status()
        kept = (await at.admin.get("/api/policy")).json()
        assert [one["name"] for one in kept["cases"]] == ["delete production", "look around"]
        assert kept["cases"][1] == {**LOOK, "action": {"target": None, **LOOK["action"]}, "task": None}
        (await applied(at, files=LAX, cases=[LOOK])).raise_for_status()
        events = [one for one in await at.events() if one["type"] == "policy.applied"]
        assert "test cases: removed 'delete production'" in events[-1]["data"]["changes"]
        (await applied(at, cases=[])).raise_for_status()
        assert (await at.admin.get("/api/policy")).json()["cases"] == []


async def test_a_flood_of_changes_does_not_hide_one_from_the_log(database: str) -> None:
    async with desk(database) as at:
        (await applied(at, cases=[DELETE, LOOK])).raise_for_status()
        rules = "".join(f"  - {{id: noise-{n}, operation: noise{n}, level: low}}\n" for n in range(150))
        files = {**FILES, "risk-assessment-rules.yaml": RULES.replace("\nrules:\n", f"\nrules:\n{rules}")}
        (await applied(at, files=files, cases=[LOOK])).raise_for_status()
        changes = [one for one in await at.events() if one["type"] == "policy.applied"][-1]["data"]["changes"]
        assert (changes[0], len(changes)) == ("test cases: removed 'delete production'", 101)
        assert changes[-1] == "and 51 more"


async def test_whether_people_are_asked_is_part_of_a_case(database: str) -> None:
    async with desk(database) as at:
        refused = await applied(at, cases=[{**LOOK, "asks": True}])
        assert "'look around' should ask people and does not" in refused.json()["detail"]
        refused = await applied(at, cases=[{**DELETE, "asks": False}])
        assert "'delete production' should ask nobody and asks people" in refused.json()["detail"]


async def test_an_action_is_tried_under_a_candidate_by_administrators_alone(database: str) -> None:
    async with desk(database) as at:
        lead = await at.member("lead", roles=["team_lead"])
        asked = {"action": DELETE["action"], "files": LAX}
        assert (await at.admin.post("/api/policy/assess", json=asked)).json()["level"] == "high"
        assert (await at.admin.post("/api/policy/assess", json={"action": DELETE["action"]})).json()[
            "level"
        ] == "critical"
        refused = await lead.post("/api/policy/assess", json=asked)
        assert (refused.status_code, refused.json()["code"]) == (403, "forbidden")
        broken = await at.admin.post("/api/policy/assess", json={**asked, "files": {"actions.yaml": "[["}})
        assert (broken.status_code, broken.json()["code"]) == (422, "bad_policy")


async def test_a_case_that_is_none_is_refused(database: str) -> None:
    async with desk(database) as at:
        for wrong in ({**LOOK, "level": "grave"}, {**LOOK, "asks": "no"}, {**LOOK, "name": ""}, {**LOOK, "extra": 1}):
            assert (await applied(at, cases=[wrong])).status_code == 422
        assert (await applied(at, cases=[LOOK] * 201)).status_code == 422
