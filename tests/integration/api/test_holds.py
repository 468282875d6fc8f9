"""Holds over HTTP: from open to decision to use, and what is refused on the way."""

from __future__ import annotations

import asyncio
from typing import Any
from uuid import uuid4

import httpx
import pytest
from apps import desk, events_with
from feed_world import until

CONFIRM: dict[str, Any] = {
    "kind": "confirmation",
    "title": "Send the report",
    "case_id": "case-1",
    "action": {"name": "mailer", "args": {"affected_items": ["a@example.org", "b@example.org"]}},
    "context": {"why": "weekly"},
}
BATCH: dict[str, Any] = {**CONFIRM, "items": [{"item_id": "1", "row": "x"}, {"item_id": "2", "row": "y"}]}
BATCH["action"] = {"name": "cleaner", "args": {}}


async def opened(client: httpx.AsyncClient, body: dict[str, Any] = CONFIRM, **headers: str) -> dict[str, Any]:
    answer = await client.post("/api/holds", json=body, headers=headers)
    assert answer.status_code == 201, answer.text
    return answer.json()


def problem(answer: httpx.Response) -> tuple[int, str]:
    assert answer.headers["content-type"] == "application/problem+json", answer.text
    return answer.status_code, answer.json()["code"]


async def review(client: httpx.AsyncClient, hold: dict[str, Any], verdict: str, **more: Any) -> httpx.Response:
    body = {"verdict": verdict, "digest": hold["digest"], **more}
    return await client.post(f"/api/holds/{hold['id']}/reviews", json=body)


async def test_open_wait_approve_redeem_result(database: str) -> None:
    async with desk(database) as at:
        agent, lead = await at.member("bot", "agent"), await at.member("lead", roles=["team_lead"])
        hold = await opened(agent)
        assert (hold["status"], hold["risk"], hold["opened_by"]["name"]) == ("pending", "medium", "bot")
        assert hold["may_decide"]["code"] == "not_a_person"
        waiting = asyncio.create_task(agent.get(f"/api/holds/{hold['id']}/wait?timeout=20"))
        seen = (await lead.get("/api/holds")).json()
        assert [h["id"] for h in seen["holds"]] == [hold["id"]]
        assert seen["holds"][0]["may_decide"]["allowed"] is True
        assert seen["counts"]["medium"] == {"count": 1, "capped": False, "text": "1"}
        approved = await review(lead, hold, "approve", reason="fine")
        assert approved.json()["decision"]["by"]["name"] == "lead"
        assert (await waiting).json()["status"] == "approved"
        redeem = {"digest": hold["digest"], "key": "k1"}
        first = (await agent.post(f"/api/holds/{hold['id']}/redeem", json=redeem)).json()
        assert first["action"]["args"] == CONFIRM["action"]["args"]
        assert (await agent.post(f"/api/holds/{hold['id']}/redeem", json=redeem)).json() == first
        other = await agent.post(f"/api/holds/{hold['id']}/redeem", json={**redeem, "key": "k2"})
        assert problem(other) == (409, "already_redeemed")
        done = await agent.post(f"/api/holds/{hold['id']}/result", json={"outcome": "succeeded", "detail": {"sent": 2}})
        assert done.json()["result"]["outcome"] == "succeeded"


@pytest.mark.parametrize(
    ("change", "code"),
    [({"roles": []}, (404, "not_found")), ({"active": False}, (401, "principal_inactive"))],
    ids=["role", "account"],
)
async def test_whoever_loses_their_place_while_they_wait_is_told_nothing(
    database: str, change: dict[str, Any], code: tuple[int, str]
) -> None:
    async with desk(database) as at:
        agent, lead = await at.member("bot", "agent"), await at.member("lead", roles=["team_lead"])
        hold, feed = await opened(agent), at.app.state.services.feed
        others = feed.waiting_topics
        waiting = asyncio.create_task(lead.get(f"/api/holds/{hold['id']}/wait?timeout=20"))
        await until(lambda: feed.waiting_topics > others)
        who = (await lead.get("/api/me")).json()["id"]
        (await at.admin.patch(f"/api/people/{who}", json=change)).raise_for_status()
        (await agent.post(f"/api/holds/{hold['id']}/cancel", json={"reason": "a secret"})).raise_for_status()
        assert problem(await waiting) == code


async def test_the_loser_of_a_race_is_told_who_decided(database: str) -> None:
    """*Second answer*."""
    async with desk(database) as at:
        agent = await at.member("bot", "agent")
        mara, jon = await at.member("mara", roles=["team_lead"]), await at.member("jon", roles=["team_lead"])
        hold = await opened(agent)
        assert (await review(mara, hold, "reject", reason="no")).status_code == 200
        late = await review(jon, hold, "approve")
        assert problem(late) == (409, "already_decided")
        assert late.json()["data"]["decided_by"]["name"] == "mara"
        assert "mara" in late.json()["detail"]


async def test_confirmations_by_case(database: str) -> None:
    """S3.3 and S3.4."""
    async with desk(database) as at:
        agent, lead = await at.member("bot", "agent"), await at.member("lead", roles=["team_lead"])
        hold, batch = await opened(agent), await opened(agent, BATCH)
        await opened(agent, {**CONFIRM, "case_id": "another"})
        base = "/api/cases/case-1/confirmations"
        pending = (await lead.get(f"{base}/pending")).json()
        assert pending["count"] == 2
        first = pending["confirmations"][0]
        assert first["request_id"] == hold["id"]
        assert first["agent_type"] == "mailer"
        assert first["affected_items"] == ["a@example.org", "b@example.org"]
        done = await lead.post(f"{base}/{hold['id']}", json={"approved": False, "reason": "not now"})
        assert done.json() == {"status": "resolved", "approved": False}
        assert problem(await lead.post(f"{base}/{hold['id']}", json={"approved": True})) == (404, "already_decided")
        assert problem(await lead.post(f"{base}/{uuid4()}", json={"approved": True})) == (404, "not_found")
        elsewhere = f"/api/cases/another/confirmations/{batch['id']}"
        assert problem(await lead.post(elsewhere, json={"approved": True})) == (404, "not_found")
        one = {"item_id": "1", "approved": True}
        partial = await lead.post(f"{base}/batch/{batch['id']}", json={"decisions": [one]})
        assert problem(partial) == (422, "partial_batch")
        both = {"decisions": [one, {"item_id": "2", "approved": False, "reason": "keep"}]}
        assert (await lead.post(f"{base}/batch/{batch['id']}", json=both)).json() == {
            "status": "resolved",
            "approved": 1,
            "rejected": 1,
        }
        decided = (await agent.get(f"/api/holds/{batch['id']}")).json()
        assert decided["status"] == "answered"
        assert [i["approved"] for i in decided["decision"]["items"]] == [True, False]
        assert problem(await lead.post(f"{base}/batch/{batch['id']}", json=both)) == (404, "already_decided")


async def test_an_input_takes_only_what_its_schema_takes(database: str) -> None:
    async with desk(database) as at:
        agent, lead = await at.member("bot", "agent"), await at.member("lead", roles=["team_lead"])
        schema = {"type": "object", "properties": {"window": {"enum": ["1h", "1d"]}}, "required": ["window"]}
        body = {"kind": "input", "title": "Which window?", "action": {"name": "ask"}, "schema": schema}
        hold = await opened(agent, body)
        assert problem(await review(lead, hold, "answer", answer={"window": "2w"})) == (422, "answer_mismatch")
        assert problem(await review(lead, hold, "approve")) == (422, "wrong_verdict")
        answered = await review(lead, hold, "answer", answer={"window": "1h"})
        assert answered.json()["decision"]["answer"] == {"window": "1h"}


async def test_an_amended_hold_is_approved_as_amended(database: str) -> None:
    async with desk(database) as at:
        agent, lead = await at.member("bot", "agent"), await at.member("lead", roles=["team_lead"])
        hold = await opened(agent)
        amended = await review(lead, hold, "amend", amended_action={"name": "mailer", "args": {"affected_items": []}})
        assert (amended.json()["revision"], amended.json()["status"]) == (2, "pending")
        assert problem(await review(lead, hold, "approve")) == (409, "stale_digest")
        base = f"/api/cases/case-1/confirmations/{hold['id']}"
        assert problem(await lead.post(base, json={"approved": True})) == (422, "digest_required")
        approved = await review(lead, amended.json(), "approve")
        assert approved.json()["action"]["args"] == {"affected_items": []}
        stale = {"digest": hold["digest"], "key": "k"}
        assert problem(await agent.post(f"/api/holds/{hold['id']}/redeem", json=stale)) == (409, "stale_digest")


async def test_idempotency_keys(database: str) -> None:
    """*Opening*."""
    async with desk(database) as at:
        agent = await at.member("bot", "agent")
        key = {"Idempotency-Key": "job-7"}
        first = await opened(agent, CONFIRM, **key)
        assert (await opened(agent, CONFIRM, **key))["id"] == first["id"]
        other = await agent.post("/api/holds", json={**CONFIRM, "title": "Another"}, headers=key)
        assert problem(other) == (409, "idempotency_conflict")


async def test_bulk_review_and_comments(database: str) -> None:
    async with desk(database) as at:
        agent, lead = await at.member("bot", "agent"), await at.member("lead", roles=["team_lead"])
        one, two = await opened(agent), await opened(agent)
        asked = await lead.post(f"/api/holds/{one['id']}/comments", json={"text": "Why two?"})
        assert asked.status_code == 201
        said = (await agent.get(f"/api/holds/{one['id']}/comments")).json()["comments"]
        assert [(c["by"]["name"], c["text"]) for c in said] == [("lead", "Why two?")]
        seen = [{"id": one["id"], "digest": one["digest"]}, {"id": two["id"], "digest": "0" * 64}]
        done = (await lead.post("/api/holds/reviews", json={"verdict": "approve", "holds": seen})).json()["results"]
        assert [(r["ok"], r["code"]) for r in done] == [(True, None), (False, "stale_digest")]


BAD: list[tuple[dict[str, Any], tuple[int, str]]] = [
    ({"kind": "wish"}, (422, "invalid_field")),
    ({"title": 7}, (422, "wrong_type")),
    ({"colour": "red"}, (422, "unknown_field")),
    ({"action": {"args": {}}}, (422, "missing_field")),
    ({"kind": "input", "schema": {"type": 3}}, (422, "bad_schema")),
    ({"title": "a\x00b"}, (400, "nul_byte")),
    ({"action": {"name": "x", "args": {"n": 2**60}}}, (400, "number_out_of_range")),
    ({"expires_in": -1}, (422, "invalid_field")),
    ({"items": [{"item_id": 1}]}, (422, "invalid_field")),
]


@pytest.mark.parametrize(("change", "expected"), BAD)
async def test_a_bad_opening_gets_a_problem_of_its_own(
    database: str, change: dict[str, Any], expected: tuple[int, str]
) -> None:
    async with desk(database) as at:
        agent = await at.member("bot", "agent")
        assert problem(await agent.post("/api/holds", json={**CONFIRM, **change})) == expected
        assert (await at.admin.get("/api/holds?status=all")).json()["holds"] == []


async def test_reading_is_refused_clearly(database: str) -> None:
    async with desk(database) as at:
        lead: httpx.AsyncClient = await at.member("lead", roles=["team_lead"])
        assert problem(await lead.get(f"/api/holds/{uuid4()}")) == (404, "not_found")
        assert problem(await lead.get("/api/holds?cursor=nonsense")) == (400, "bad_cursor")
        assert problem(await lead.get("/api/holds?status=odd"))[0] == 422
        assert problem(await lead.get(f"/api/holds/{uuid4()}/wait?timeout=1000"))[0] == 422


RESPONDABLE: dict[str, Any] = {**CONFIRM, "kind": "approval", "takes_response": True}


async def test_a_response_reaches_the_agent_and_nothing_runs(database: str) -> None:
    async with desk(database) as at:
        agent, lead = await at.member("bot", "agent"), await at.member("lead", roles=["team_lead"])
        hold = await opened(agent, RESPONDABLE)
        assert hold["takes_response"] is True
        waiting = asyncio.create_task(agent.get(f"/api/holds/{hold['id']}/wait?timeout=20"))
        said = await review(lead, hold, "respond", answer="Ask legal first.")
        assert said.json()["reviews"][0]["verdict"] == "respond"
        told = (await waiting).json()
        assert (told["status"], told["decision"]["answer"]) == ("answered", "Ask legal first.")
        redeem = {"digest": hold["digest"], "key": "k1"}
        assert problem(await agent.post(f"/api/holds/{hold['id']}/redeem", json=redeem)) == (409, "not_approved")
        assert problem(await review(lead, hold, "approve")) == (409, "already_decided")
        events = await events_with(lead, hold["id"], "hold.decided")
        assert [event["type"] for event in events] == ["hold.opened", "hold.reviewed", "hold.decided"]
        assert events[1]["data"]["verdict"] == "respond"


async def test_a_response_is_refused_where_nobody_takes_it_or_it_says_nothing(database: str) -> None:
    async with desk(database) as at:
        agent, lead = await at.member("bot", "agent"), await at.member("lead", roles=["team_lead"])
        deaf, hold = await opened(agent, {**CONFIRM, "kind": "approval"}), await opened(agent, RESPONDABLE)
        assert problem(await review(lead, deaf, "respond", answer="words")) == (422, "wrong_verdict")
        for more in ({}, {"answer": " "}, {"answer": {"text": "words"}}):
            assert problem(await review(lead, hold, "respond", **more)) == (422, "answer_mismatch")
        assert problem(await review(lead, hold, "respond", answer="words", reason="why")) == (422, "invalid_field")
        for body in (BATCH, {**CONFIRM, "kind": "input"}):
            refused = await agent.post("/api/holds", json={**body, "takes_response": True})
            assert problem(refused) == (422, "invalid_field")
        bulk = {"verdict": "respond", "holds": [{"id": hold["id"], "digest": hold["digest"]}]}
        assert (await lead.post("/api/holds/reviews", json=bulk)).status_code == 422
        assert (await agent.get(f"/api/holds/{hold['id']}")).json()["status"] == "pending"


async def test_taking_words_is_part_of_what_a_key_stands_for(database: str) -> None:
    async with desk(database) as at:
        agent = await at.member("bot", "agent")
        key = {"Idempotency-Key": "k-1"}
        first = await opened(agent, RESPONDABLE, **key)
        assert (await opened(agent, RESPONDABLE, **key))["id"] == first["id"]
        other = await agent.post("/api/holds", json={**RESPONDABLE, "takes_response": False}, headers=key)
        assert problem(other) == (409, "idempotency_conflict")
