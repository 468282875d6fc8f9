"""Attacks by skills, by code in the sandbox, by repositories' addresses and by documents."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from pathlib import Path

import apps
import httpx
import pytest

from handrail.policy import default_policy

SKILL = "---\nname: {name}\ndescription: Adds numbers.\n---\nRun add.py.\n"
LENIENT = """
  - id: skills-are-harmless
    action: [skill.register]
    level: low
"""


@pytest.fixture
async def desk(database: str, tmp_path: Path) -> AsyncGenerator[apps.Desk]:
    async with apps.desk(database, skill_roots=(tmp_path,)) as desk:
        yield desk


async def proposed(who: httpx.AsyncClient, folder: Path, name: str) -> dict[str, str]:
    """The hold of a skill that this caller registered."""
    (folder / name).mkdir()
    (folder / name / "SKILL.md").write_text(SKILL.format(name=name))
    answer = await who.post("/api/skills", json={"folder": str(folder / name)})
    (candidate,) = answer.raise_for_status().json()["candidates"]
    assert candidate["skill"]["safe"], candidate["findings"]
    return (await who.get(f"/api/holds/{candidate['skill']['hold_id']}")).raise_for_status().json()


async def test_nobody_approves_a_skill_that_they_registered_not_even_the_administrator(
    desk: apps.Desk, tmp_path: Path
) -> None:
    lead = await desk.member("lead", roles=["team_lead", "tech_lead", "cto"])
    for who in (desk.admin, lead):
        hold = await proposed(who, tmp_path, f"of-{'lead' if who is lead else 'admin'}")
        for verdict in ("approve", "amend"):
            body = {"verdict": verdict, "digest": hold["digest"], "reason": "mine"}
            body |= {"amended_action": {"name": "read_file", "args": {}}} if verdict == "amend" else {}
            refused = await who.post(f"/api/holds/{hold['id']}/reviews", json=body)
            assert (refused.status_code, refused.json()["code"]) == (403, "own_request")
        many = {"verdict": "approve", "holds": [{"id": hold["id"], "digest": hold["digest"]}]}
        bulk = (await who.post("/api/holds/reviews", json=many)).json()
        assert "own_request" in str(bulk)
        safe = (await who.post("/api/skills/queue/approve-safe", json={})).json()
        assert (safe["approved"], safe["refused"][0]["code"]) == ([], "own_request")
        assert (await who.get("/api/skills")).json()["skills"] == []
        cancelled = await who.post(f"/api/holds/{hold['id']}/cancel", json={})
        assert cancelled.status_code == 200, cancelled.text


async def test_another_person_puts_it_in_force_and_cannot_make_something_else_of_it(
    desk: apps.Desk, tmp_path: Path
) -> None:
    lead = await desk.member("lead", roles=["team_lead"])
    hold = await proposed(desk.admin, tmp_path, "adder")
    amended = {"name": "read_file", "args": {}}
    body = {"verdict": "amend", "digest": hold["digest"], "amended_action": amended}
    refused = await lead.post(f"/api/holds/{hold['id']}/reviews", json=body)
    assert (refused.status_code, refused.json()["code"]) == (422, "wrong_verdict")
    done = (await lead.post("/api/skills/queue/approve-safe", json={})).json()
    assert (done["approved"], done["refused"]) == (["adder"], [])


async def test_no_policy_lets_a_registration_be_approved_by_the_person_who_made_it(
    desk: apps.Desk, tmp_path: Path
) -> None:
    files = dict(default_policy().source)
    rules = next(name for name in files if name.startswith("risk-assessment-rules"))
    files[rules] = files[rules].replace("\nrules:", f"\nrules:{LENIENT}", 1)
    (await desk.admin.post("/api/policy", json={"files": files, "reason": "careless"})).raise_for_status()
    hold = await proposed(desk.admin, tmp_path, "adder")
    body = {"verdict": "approve", "digest": hold["digest"]}
    refused = await desk.admin.post(f"/api/holds/{hold['id']}/reviews", json=body)
    assert (hold["risk"]["level"] if isinstance(hold["risk"], dict) else hold["risk"], refused.json()["code"]) == (
        "low",
        "own_request",
    )
