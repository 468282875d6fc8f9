"""Confirmations for any asyncio program, against a real server (S3)."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

import pytest
from sdk_office import Office, ended

from handrail_sdk import (
    Action,
    AlreadyDecided,
    AsyncHandrail,
    Forbidden,
    Handrail,
    IdempotencyConflict,
    Invalid,
    ItemDecision,
    NotFound,
    request_confirmation,
    request_confirmations,
    resolve_confirmation,
    resolve_confirmations,
)

ITEMS = ["ada@example.com", {"id": 7}]


async def pending(office: Office, case: str) -> str:
    return await asyncio.to_thread(office.one_pending, case=case)


@pytest.mark.usefixtures("environ")
async def test_s3_1_a_program_waits_without_blocking_its_loop_and_gets_the_answer(office: Office, case: str) -> None:
    asking = asyncio.create_task(request_confirmation(case, "mailer", "Send 2 mails", ITEMS, {"why": "late"}))
    request_id = await pending(office, case)
    # the loop serves other work while it waits
    for _ in range(100):
        await asyncio.sleep(0)
    assert not asking.done()
    async with AsyncHandrail(office.server.url, office.lead) as person:
        seen = await person.get(request_id)
        assert (seen.title, seen.action, seen.case_id) == ("Send 2 mails", None, case)
        assert seen.evidence == {"agent_type": "mailer", "affected_items": ITEMS}
        assert seen.context == {"why": "late"}
        assert seen.expires_at is None
        await resolve_confirmation(request_id, True, "go ahead", client=person)
    answer = await asking
    assert (answer.approved, answer.reason) == (True, "go ahead")
    assert abs(answer.responded_at - datetime.now(UTC)) < timedelta(minutes=1)


async def test_s3_1_the_same_from_a_program_without_a_loop(office: Office, case: str) -> None:
    def ask() -> tuple[bool, str | None]:
        with Handrail(office.server.url, office.agent) as client:
            answer = client.request_confirmation(case, "mailer", "Send", ITEMS)
            return answer.approved, answer.reason

    asking = asyncio.create_task(asyncio.to_thread(ask))
    with office.deciding() as person:
        person.resolve_confirmation(await pending(office, case), False, "not today")
    assert await asking == (False, "not today")


@pytest.mark.usefixtures("environ")
async def test_s3_1_a_timeout_is_a_rejection_by_the_server(office: Office, case: str) -> None:
    async with asyncio.timeout(60):
        answer = await request_confirmation(case, "mailer", "Send", ITEMS, timeout=0.5)
    assert not answer.approved
    with office.server.client() as http:
        [hold] = http.get("/api/holds", params={"case": case, "status": "all"}).json()["holds"]
    assert (hold["status"], hold["decision"]["basis"], hold["decision"]["by"]) == ("rejected", "expiry", None)
    assert answer.reason == hold["decision"]["reason"]


@pytest.mark.usefixtures("environ")
async def test_s3_1_giving_up_leaves_the_question_open(office: Office, case: str) -> None:
    asking = asyncio.create_task(request_confirmation(case, "mailer", "Send", ITEMS))
    request_id = await pending(office, case)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    async with office.asking() as client:
        assert (await client.get(request_id)).pending


async def test_s3_2_the_first_answer_wins_and_the_second_is_told(office: Office, case: str) -> None:
    async with office.asking() as agent:
        hold = await agent.open("confirmation", "Send", Action("mailer", {"affected_items": []}), case_id=case)
    async with (
        AsyncHandrail(office.server.url, office.lead) as ada,
        AsyncHandrail(office.server.url, office.second_lead) as grace,
    ):
        said = await asyncio.gather(
            resolve_confirmation(hold.id, True, "yes", client=ada),
            resolve_confirmation(hold.id, False, "no", client=grace),
            return_exceptions=True,
        )
        first, second = sorted(said, key=lambda answer: isinstance(answer, BaseException))
        assert not isinstance(first, BaseException)
        assert first.decision is not None
        assert isinstance(second, AlreadyDecided)
        assert (second.outcome, second.decided_at) == (first.status, first.decision.at)
        assert second.decided_by == first.decision.by


async def test_an_agent_cannot_answer_and_a_stranger_cannot_see(office: Office, case: str) -> None:
    stranger = office.server.token_of(f"stranger of {case}", kind="agent")
    async with office.asking() as agent, AsyncHandrail(office.server.url, stranger) as other:
        hold = await agent.open("confirmation", "Send", Action("mailer"), case_id=case)
        with pytest.raises(Forbidden):
            await agent.resolve_confirmation(hold.id, True)
        with pytest.raises(NotFound):
            await other.get(hold.id)


@pytest.mark.usefixtures("environ")
async def test_what_was_asked_cannot_be_amended_into_something_else(office: Office, case: str) -> None:
    asking = asyncio.create_task(request_confirmation(case, "mailer", "Send 2", ["a", "b"]))
    request_id = await pending(office, case)
    with office.deciding() as person:
        seen = person.get(request_id)
        with pytest.raises(Invalid, match="approve, reject"):
            person.review(request_id, "amend", digest=seen.digest, amended_action=Action("mailer", {}))
        person.resolve_confirmation(request_id, True)
    assert (await asking).approved


@pytest.mark.usefixtures("environ")
async def test_s3_4_a_batch_has_a_decision_for_each_item(office: Office, case: str) -> None:
    items = [{"item_id": "a", "n": 1}, {"item_id": "b", "n": 2}]
    asking = asyncio.create_task(request_confirmations(case, "biller", "Send invoices", items))
    batch_id = await pending(office, case)
    async with AsyncHandrail(office.server.url, office.lead) as person:
        decisions = [ItemDecision("b", True), ItemDecision("a", False, "too much")]
        await resolve_confirmations(batch_id, decisions, client=person)
        with pytest.raises(AlreadyDecided):
            await resolve_confirmations(batch_id, decisions, client=person)
    result = await asking
    assert result.decisions == (ItemDecision("a", False, "too much"), ItemDecision("b", True))
    assert result.approved == ("b",)


@pytest.mark.usefixtures("environ")
async def test_s3_4_a_batch_that_nobody_answers_in_time_is_rejected_item_by_item(case: str) -> None:
    result = await request_confirmations(case, "biller", "Send", [{"item_id": "a"}, {"item_id": "b"}], timeout=0.3)
    assert result.approved == ()
    assert [decision.item_id for decision in result.decisions] == ["a", "b"]


WAITING = """
import asyncio, sys
from handrail_sdk import request_confirmation
answer = asyncio.run(request_confirmation(sys.argv[1], "refunder", "Refund", ["order-1"], idempotency_key=sys.argv[1]))
print(answer.approved, answer.reason)
"""


def test_s3_6_a_killed_program_gets_the_decision_made_while_it_was_away(office: Office, case: str) -> None:
    program = office.start(WAITING, case)
    request_id = office.one_pending(case=case)
    program.kill()
    program.wait()
    with office.deciding() as person:
        person.resolve_confirmation(request_id, True, "while you were away")
    assert ended(office.start(WAITING, case)) == "True while you were away\n"


def test_s3_6_a_killed_program_started_again_waits_on_the_same_question(office: Office, case: str) -> None:
    program = office.start(WAITING, case)
    request_id = office.one_pending(case=case)
    program.kill()
    program.wait()
    again = office.start(WAITING, case)
    with office.deciding() as person:
        # no second question came up
        assert office.one_pending(case=case) == request_id
        person.resolve_confirmation(request_id, False, "no")
    assert ended(again) == "False no\n"


@pytest.mark.usefixtures("environ")
async def test_a_key_is_for_one_question(case: str) -> None:
    first = await request_confirmation(case, "a", "Send", ["x"], timeout=0.2, idempotency_key=case)
    again = await request_confirmation(case, "a", "Send", ["x"], timeout=0.2, idempotency_key=case)
    assert again == first
    with pytest.raises(IdempotencyConflict):
        await request_confirmation(case, "a", "Send", ["y"], timeout=0.2, idempotency_key=case)


def test_a_waiting_program_outlives_a_server_that_is_killed_and_started_again(own_office: Office) -> None:
    program = own_office.start(WAITING, "case")
    request_id = own_office.one_pending(case="case")
    own_office.server.kill()
    own_office.server.start()
    with own_office.deciding() as person:
        person.resolve_confirmation(request_id, True, "after all")
    assert ended(program) == "True after all\n"
    # and one that is stopped in order
    program = own_office.start(WAITING, "second")
    request_id = own_office.one_pending(case="second")
    assert own_office.server.stop() == 0
    own_office.server.start()
    with own_office.deciding() as person:
        person.resolve_confirmation(request_id, False, "still no")
    assert ended(program) == "False still no\n"
