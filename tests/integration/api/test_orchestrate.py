"""Risk-gated workflows over HTTP, with the worker's part done by hand; the whole way is in tests/acceptance."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import apps
import httpx
import pytest
from runs_world import ask, publish, row, settle

from handrail.core.holds import Hold
from handrail.core.people import Principal, PrincipalKind
from handrail.holds import using
from handrail.tasks import tasks

DEPLOY: dict[str, Any] = {"operation": "deploy", "environment": "staging", "description": "Deploy billing 4.2"}


@dataclass(frozen=True)
class Bench:
    desk: apps.Desk
    dev: httpx.AsyncClient
    lead: httpx.AsyncClient

    async def asked(self, **task: Any) -> tuple[str, Hold]:
        """A task whose run waits for people, as its worker leaves it."""
        made = (await self.dev.post("/orchestrate", json={**DEPLOY, **task})).raise_for_status().json()
        run = await row(self.desk.database, UUID(made["workflow_id"]))
        hold = await ask(self.desk.context, run, task={"operation": "deploy", "environment": "staging", **task})
        await settle(self.desk.database, run.id, "paused")
        return made["workflow_id"], hold


@pytest.fixture
async def bench(desk: apps.Desk) -> Bench:
    await publish(desk.database, "task", input_schema=None)
    return Bench(desk, await desk.member("dev", roles=["developer"]), await desk.member("lena", roles=["team_lead"]))


@pytest.mark.parametrize(
    ("task", "level"),
    [
        ({"operation": "read", "environment": "development"}, "low"),
        ({"operation": "knit", "environment": "production"}, "low"),
        ({"operation": "deploy", "environment": "staging"}, "medium"),
        ({"operation": "deploy", "environment": "production"}, "high"),
        ({"operation": "delete", "environment": "production"}, "critical"),
        ({"operation": "knit", "estimated_cost": 101}, "medium"),
        ({"operation": "knit", "estimated_cost": 1001.5}, "high"),
        ({"operation": "knit", "security_findings": [{"severity": "critical"}]}, "critical"),
        ({"operation": "knit", "resource_type": "payment"}, "high"),
        ({"operation": "knit", "affected_records": 5000}, "high"),
        ({"operation": "knit", "risk": "medium"}, "medium"),
    ],
    ids=str,
)
async def test_the_answer_names_the_risk_at_once(bench: Bench, task: dict[str, Any], level: str) -> None:
    answer = await bench.dev.post("/orchestrate", json={**DEPLOY, **task})
    assert answer.status_code == 202
    made = answer.json()
    assert (made["status"], made["risk_level"], made["hold_id"]) == ("submitted", level, None)
    assert level in [rule["level"] for rule in made["rules"]]
    status = (await bench.dev.get(f"/workflows/{made['workflow_id']}/status")).json()["workflow"]
    assert (status["risk_level"], status["description"]) == (level, DEPLOY["description"])


async def test_the_task_is_what_the_run_gets(bench: Bench) -> None:
    await register(bench, "ship: {operations: [deploy]}")
    body = {**DEPLOY, "affected_records": 7, "executor": "ship", "payload": {"service": "billing"}}
    made = (await bench.dev.post("/orchestrate", json=body)).json()
    run = await row(bench.desk.database, UUID(made["workflow_id"]))
    assert run.workflow == "task"
    assert run.input == {
        "task": {"operation": "deploy", "environment": "staging", "affected_records": 7},
        "description": "Deploy billing 4.2",
        "executor": "ship",
        "payload": {"service": "billing"},
    }


async def register(bench: Bench, *executors: str) -> None:
    """Puts a policy in force with these executors."""
    files = (await bench.desk.admin.get("/api/policy")).json()["files"]
    listed = "executors:\n" + "".join(f"  {executor}\n" for executor in executors)
    files["actions.yaml"] = files["actions.yaml"].replace("executors: {}\n", listed)
    (await bench.desk.admin.post("/api/policy", json={"files": files})).raise_for_status()


SHIP = {"operation": "deploy", "environment": "development", "description": "Ship", "executor": "ship"}


async def test_an_executor_serves_what_the_policy_registers_it_for_and_nothing_else(bench: Bench) -> None:
    await register(bench, "ship: {operations: [deploy, knit]}")
    for change in ({"executor": "other"}, {"operation": "delete"}):
        refused = await bench.dev.post("/orchestrate", json={**SHIP, **change})
        assert (refused.status_code, refused.json()["code"]) == (422, "executor_unregistered")
    assert (await bench.dev.post("/orchestrate", json=SHIP)).status_code == 202


async def test_only_those_whom_the_policy_names_name_an_executor(bench: Bench) -> None:
    await register(bench, "ship: {operations: [deploy], named_by: [team_lead]}")
    refused = await bench.dev.post("/orchestrate", json=SHIP)
    assert (refused.status_code, refused.json()["code"]) == (403, "forbidden")
    assert (await bench.lead.post("/orchestrate", json=SHIP)).status_code == 202


@pytest.mark.parametrize(
    ("executor", "task", "level"),
    [
        ("ship: {operations: [knit]}", {"operation": "knit"}, "medium"),
        ("ship: {operations: [read]}", {"operation": "read"}, "medium"),
        ("ship: {operations: [read], floor: low}", {"operation": "read"}, "low"),
        ("ship: {operations: [knit], floor: low}", {"operation": "knit"}, "medium"),
        ("ship: {operations: [knit], floor: high}", {"operation": "knit"}, "high"),
    ],
)
async def test_a_task_with_an_executor_is_never_below_its_floor(
    bench: Bench, executor: str, task: dict[str, Any], level: str
) -> None:
    await register(bench, executor)
    made = (await bench.dev.post("/orchestrate", json={**SHIP, **task})).raise_for_status().json()
    assert made["risk_level"] == level


async def test_what_no_rule_matches_is_low_with_an_executor_only_for_a_trusted_starter(bench: Bench) -> None:
    await register(bench, "ship: {operations: [knit], floor: low}")
    knit = {**SHIP, "operation": "knit"}
    assert (await bench.dev.post("/orchestrate", json=knit)).json()["risk_level"] == "medium"
    people = (await bench.desk.admin.get("/api/people")).json()["people"]
    [dev] = [one["id"] for one in people if one["name"] == "dev"]
    (await bench.desk.admin.patch(f"/api/people/{dev}", json={"trusted_claims": True})).raise_for_status()
    assert (await bench.dev.post("/orchestrate", json=knit)).json()["risk_level"] == "low"


async def test_the_same_key_submits_once(bench: Bench) -> None:
    headers = {"Idempotency-Key": "k"}
    made = [(await bench.dev.post("/orchestrate", json=DEPLOY, headers=headers)).json() for _ in range(2)]
    assert made[0]["workflow_id"] == made[1]["workflow_id"]


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"operation": None}, "wrong_type"),
        ({"description": ""}, "invalid_field"),
        ({"estimated_cost": "7"}, "wrong_type"),
        ({"estimated_cost": -1}, "invalid_field"),
    ],
    ids=str,
)
async def test_a_malformed_task_is_refused(bench: Bench, change: dict[str, Any], code: str) -> None:
    refused = await bench.dev.post("/orchestrate", json={**DEPLOY, **change})
    assert (refused.status_code, refused.json()["code"]) == (422, code)


async def test_who_may_decide_sees_it_waiting_and_approves_by_the_workflows_id(bench: Bench) -> None:
    workflow_id, hold = await bench.asked()
    page = (await bench.lead.get("/workflows/pending")).json()
    (one,) = page["workflows"]
    assert (page["count"], one["workflow_id"], one["hold_id"]) == (1, workflow_id, str(hold.id))
    assert (one["status"], one["risk_level"], one["may_decide"]) == ("pending_approval", "medium", True)
    (mine,) = (await bench.dev.get("/workflows/pending")).json()["workflows"]
    assert not mine["may_decide"]
    before = (await bench.lead.get(f"/workflows/{workflow_id}/status")).json()["workflow"]
    assert (before["status"], before["hold_id"]) == ("pending_approval", str(hold.id))
    own = await bench.dev.post(f"/workflows/{workflow_id}/approve", json={})
    assert (own.status_code, own.json()["code"]) == (403, "wrong_role")
    approved = await bench.lead.post(f"/workflows/{workflow_id}/approve", json={"justification": "tested"})
    assert approved.status_code == 200
    assert approved.json() == {
        "success": True,
        "workflow_id": workflow_id,
        "status": "approved",
        "approved_by": "lena",
        "hold_id": str(hold.id),
        "approvals": 1,
        "approvals_needed": 1,
    }
    after = (await bench.dev.get(f"/workflows/{workflow_id}/status")).json()["workflow"]
    assert [(say["by"], say["justification"]) for say in after["approved_by"]] == [("lena", "tested")]
    assert (await bench.dev.get(f"/workflows/{workflow_id}/status")).json()["workflow"]["status"] == "approved"
    again = await bench.lead.post(f"/workflows/{workflow_id}/reject", json={"reason": "late"})
    assert (again.status_code, again.json()["code"]) == (409, "already_decided")
    assert again.json()["data"]["decided_by"]["name"] == "lena"
    assert (await bench.lead.get("/workflows/pending")).json()["count"] == 0


async def test_a_rejection_says_who_and_why(bench: Bench) -> None:
    workflow_id, _ = await bench.asked()
    rejected = (await bench.lead.post(f"/workflows/{workflow_id}/reject", json={"reason": "Friday"})).json()
    assert (rejected["success"], rejected["status"], rejected["rejected_by"]) == (True, "rejected", "lena")
    assert (await bench.dev.get(f"/workflows/{workflow_id}/status")).json()["workflow"]["status"] == "rejected"
    await settle(bench.desk.database, UUID(workflow_id), "cancelled", error={"code": "rejected", "message": "no"})
    status = (await bench.dev.get(f"/workflows/{workflow_id}/status")).json()["workflow"]
    assert (status["status"], status["reason"]) == ("rejected", "Friday")


@pytest.mark.parametrize(
    ("run_status", "word"),
    [
        ("queued", "submitted"),
        ("running", "submitted"),
        # by a brake: nobody is asked
        ("paused", "submitted"),
        ("completed", "completed"),
        ("failed", "failed"),
        ("cancelled", "cancelled"),
        ("expired", "expired"),
    ],
)
async def test_the_words_for_a_runs_states(bench: Bench, run_status: str, word: str) -> None:
    made = (await bench.dev.post("/orchestrate", json=DEPLOY)).json()
    await settle(bench.desk.database, UUID(made["workflow_id"]), run_status)
    assert (await bench.dev.get(f"/workflows/{made['workflow_id']}/status")).json()["workflow"]["status"] == word


async def test_one_of_two_approvals_leaves_it_pending(bench: Bench) -> None:
    workflow_id, _ = await bench.asked(environment="production")
    first = (await bench.lead.post(f"/workflows/{workflow_id}/approve", json={})).json()
    assert (first["status"], first["approvals"], first["approvals_needed"]) == ("pending_approval", 1, 2)
    cleo = await bench.desk.member("cleo", roles=["cto"])
    assert (await cleo.post(f"/workflows/{workflow_id}/approve", json={})).json()["status"] == "approved"


@pytest.mark.parametrize("run_status", ["queued", "running", "paused"])
async def test_what_must_be_asked_about_never_executes_before_its_approval_is_redeemed(
    bench: Bench, run_status: str
) -> None:
    delete = {"operation": "delete", "environment": "production"}
    made = (await bench.dev.post("/orchestrate", json={**DEPLOY, **delete})).json()
    run_id, path = UUID(made["workflow_id"]), f"/workflows/{made['workflow_id']}/status"
    seen = [made]

    async def look() -> str:
        await settle(bench.desk.database, run_id, run_status)
        seen.append((await bench.dev.get(path)).json()["workflow"])
        return seen[-1]["status"]

    assert await look() == "submitted"
    run = await row(bench.desk.database, run_id)
    hold = await ask(bench.desk.context, run, task=delete)
    assert await look() == "pending_approval"
    for role in ("tech_lead", "cto"):
        member = await bench.desk.own_member(role, roles=[role])
        await member.post(f"/workflows/{run_id}/approve", json={"justification": "checked"})
    assert await look() == "approved"
    agent = Principal(run.agent, "workflow/task", PrincipalKind.agent)
    await using.redeem(bench.desk.context, agent, hold.id, hold.digest, "k")
    assert await look() == ("executing" if run_status == "running" else "approved")
    assert {one["risk_level"] for one in seen} == {"critical"}


async def test_a_low_task_executes_at_once(bench: Bench) -> None:
    made = (
        await bench.dev.post("/orchestrate", json={**DEPLOY, "operation": "read", "environment": "development"})
    ).json()
    await settle(bench.desk.database, UUID(made["workflow_id"]), "running")
    assert (await bench.dev.get(f"/workflows/{made['workflow_id']}/status")).json()["workflow"]["status"] == "executing"


async def test_a_workflow_that_waits_for_nothing_or_for_several_is_not_decided_by_its_id(bench: Bench) -> None:
    made = (await bench.dev.post("/orchestrate", json=DEPLOY)).json()
    nothing = await bench.desk.admin.post(f"/workflows/{made['workflow_id']}/approve", json={})
    assert (nothing.status_code, nothing.json()["code"]) == (409, "conflict")
    assert "is not waiting for a decision" in nothing.json()["detail"]
    workflow_id, first = await bench.asked()
    run = await row(bench.desk.database, UUID(workflow_id))
    second = await ask(bench.desk.context, run, "And the shop?")
    several = await bench.lead.post(f"/workflows/{workflow_id}/approve", json={})
    assert several.status_code == 409
    assert [hold["id"] for hold in several.json()["data"]["holds"]] == [str(first.id), str(second.id)]


async def test_strangers_see_nothing(bench: Bench) -> None:
    workflow_id, _ = await bench.asked()
    stranger = await bench.desk.member("otto")
    assert (await stranger.get("/workflows/pending")).json()["workflows"] == []
    assert (await stranger.get(f"/workflows/{workflow_id}/status")).status_code == 404


async def test_requests_as_clients_send_them_today_and_the_answers_that_they_read(bench: Bench) -> None:
    """S4.12: the fields of each answer; names in a body are accepted and never believed; a body may be missing."""
    workflow_id, hold = await bench.asked()
    page = (await bench.lead.get("/workflows/pending")).json()
    assert (page["success"], page["count"]) == (True, 1)
    (one,) = page["workflows"]
    assert one["workflow_id"] == one["task_id"] == workflow_id
    assert (one["hold_id"], one["risk_level"], one["requested_by"]) == (str(hold.id), "medium", "dev")
    assert (one["description"], one["approvers"]) == (hold.question.title, ["team_lead"])
    assert one["requested_at"] == hold.opened_at.isoformat().replace("+00:00", "Z")
    body = {"approved_by": "cto@example.org", "justification": "tested"}
    approved = (await bench.lead.post(f"/workflows/{workflow_id}/approve", json=body)).json()
    assert (approved["success"], approved["status"], approved["approved_by"]) == (True, "approved", "lena")
    status = (await bench.dev.get(f"/workflows/{workflow_id}/status")).json()
    assert status["success"] is True
    found = status["workflow"]
    assert (found["workflow_id"], found["risk_level"], found["hold_id"]) == (workflow_id, "medium", str(hold.id))
    assert [rule["rule"] for rule in found["rules"]]
    other, _ = await bench.asked()
    rejected = await bench.lead.post(f"/workflows/{other}/reject", json={"rejected_by": "cto", "reason": "Friday"})
    assert (rejected.json()["status"], rejected.json()["rejected_by"]) == ("rejected", "lena")
    for word, said in (("approve", "approved"), ("reject", "rejected")):
        bare, _ = await bench.asked()
        # as `Invoke-RestMethod -Method Post` and `curl -X POST` send it
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        answer = await bench.lead.post(f"/workflows/{bare}/{word}", headers=headers)
        assert (answer.status_code, answer.json()["status"]) == (200, said)
        refused = await bench.lead.post(f"/workflows/{bare}/{word}", json={"approvedBy": "x"})
        assert (refused.status_code, refused.json()["code"]) == (422, "unknown_field")


async def test_a_history_tells_who_did_what(bench: Bench) -> None:
    workflow_id, hold = await bench.asked()
    (await bench.lead.post(f"/workflows/{workflow_id}/approve", json={"justification": "ok"})).raise_for_status()
    path = f"/workflows/{workflow_id}/status"

    told: list[dict[str, Any]] = []
    async with asyncio.timeout(60):
        # an event is there once it has its number
        while "hold.decided" not in [one["event"] for one in told]:
            told = (await bench.dev.get(path)).json()["workflow"]["history"]
    assert [one["event"] for one in told] == ["run.started", "hold.opened", "hold.reviewed", "hold.decided"]
    assert [one["by"] for one in told] == ["dev", "workflow/task", "lena", "lena"]
    assert (told[-1]["outcome"], told[-1]["hold_id"]) == ("approved", str(hold.id))


async def test_a_task_narrows_who_and_shortens_how_long_and_never_widens(bench: Bench) -> None:
    deploy = {**DEPLOY, "environment": "production", "metadata": {"ticket": "OPS-7"}, "task_id": "T-1"}

    async def terms(**asked: Any) -> tuple[set[str], float | None]:
        made = (await bench.dev.post("/orchestrate", json={**deploy, **asked})).raise_for_status().json()
        assert (made["metadata"], made["task_id"]) == ({"ticket": "OPS-7"}, "T-1")
        run = await row(bench.desk.database, UUID(made["workflow_id"]))
        action = tasks.asked_by(run.input)
        assert action is not None
        hold = await ask(bench.desk.context, run, action=action, task=None, origin="task")
        minutes = (hold.expires_at - hold.opened_at).total_seconds() / 60 if hold.expires_at else None
        return {*hold.assessment.requirements.roles}, minutes and round(minutes)

    everybody, hours = await terms()
    assert (everybody, hours) == ({"team_lead", "tech_lead", "cto"}, 480)
    assert await terms(approvers=["tech_lead", "cto"], timeout_minutes=30) == ({"tech_lead", "cto"}, 30)
    # a role that the policy does not ask for is no approver
    assert await terms(approvers=["developer", "cto"], timeout_minutes=10_000) == ({"cto"}, 480)
    assert await terms(approvers=[]) == (everybody, 480)
    refused = await bench.dev.post("/orchestrate", json={**deploy, "approvers": ["developer"]})
    assert (refused.status_code, refused.json()["code"], refused.json()["data"]["field"]) == (
        422,
        "invalid_field",
        "approvers",
    )
    assert "cto, team_lead, tech_lead" in refused.json()["detail"]
    wrong: list[dict[str, Any]] = [
        {"timeout_minutes": 0},
        {"timeout_minutes": "5"},
        {"approvers": "cto"},
        {"metadata": []},
    ]
    for bad in wrong:
        assert (await bench.dev.post("/orchestrate", json={**deploy, **bad})).status_code == 422


async def test_all_that_waits_is_counted_on_every_page(bench: Bench) -> None:
    for _ in range(3):
        await bench.asked()
    first = (await bench.lead.get("/workflows/pending?limit=2")).json()
    assert (first["count"], len(first["workflows"])) == (3, 2)
    rest = (await bench.lead.get("/workflows/pending", params={"cursor": first["next"]})).json()
    assert (rest["count"], len(rest["workflows"]), rest["next"]) == (3, 1, None)
