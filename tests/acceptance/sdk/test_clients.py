"""The rest of both clients against a real server."""

from __future__ import annotations

import asyncio

import pytest
from sdk_office import Office

from handrail_sdk import (
    Action,
    AlreadyDecided,
    AlreadyRedeemed,
    AsyncHandrail,
    Conflict,
    Event,
    Forbidden,
    Handrail,
    Invalid,
    NotApproved,
    NotFound,
    StaleDigest,
    Unauthenticated,
    digest,
)

ACTION = Action("scale", {"replicas": 3, "note": "é€\U0001f600", "share": 0.1}, "shop")


def opened(office: Office, case: str) -> str:
    with Handrail(office.server.url, office.agent) as agent:
        return agent.open("confirmation", "Scale", ACTION, case_id=case).id


async def test_a_hold_from_opening_to_result(office: Office, case: str) -> None:
    async with office.asking() as agent, AsyncHandrail(office.server.url, office.lead) as person:
        hold = await agent.open(
            "confirmation",
            "Scale",
            ACTION,
            description="More people come",
            case_id=case,
            context={"load": 0.93},
            evidence=["graph"],
            expires_in=3600,
        )
        assert hold.digest == digest("confirmation", "Scale", ACTION, evidence=["graph"])
        assert hold.expires_at is not None
        assert not hold.may_decide.allowed
        with pytest.raises(NotApproved):
            await agent.redeem(hold.id, hold.digest, "k1")
        assert (await agent.wait(hold.id, timeout=0.05)).pending
        await person.review(hold.id, "approve", digest=hold.digest, reason="fine")
        decided = await agent.wait(hold.id)
        assert decided.approved
        assert [review.reason for review in decided.reviews] == ["fine"]
        with pytest.raises(StaleDigest):
            await agent.redeem(hold.id, digest("confirmation", "Scale", Action("scale", {"replicas": 4})), "k1")
        used = await agent.redeem(hold.id, hold.digest, "k1")
        assert used.action == ACTION
        assert await agent.redeem(hold.id, hold.digest, "k1") == used
        with pytest.raises(AlreadyRedeemed):
            await agent.redeem(hold.id, hold.digest, "k2")
        with pytest.raises(AlreadyRedeemed):
            await person.withdraw(hold.id)
        done = await agent.result(hold.id, "succeeded", {"replicas": 3})
        assert done.result is not None
        assert done.result.detail == {"replicas": 3}
        with pytest.raises(Conflict):
            await agent.result(hold.id, "failed")


def test_the_same_questions_from_the_sync_client(office: Office, case: str) -> None:
    hold_id = opened(office, case)
    with Handrail(office.server.url, office.agent) as agent, office.deciding() as person:
        said = person.comment(hold_id, "How many now?")
        agent.comment(hold_id, "Two.")
        assert [comment.text for comment in agent.comments(hold_id)] == ["How many now?", "Two."]
        assert said.by.name == "Ada"
        cancelled = agent.cancel(hold_id, "no longer needed")
        assert cancelled.status == "cancelled"
        with pytest.raises(AlreadyDecided) as raised:
            person.review(hold_id, "approve", digest=cancelled.digest)
        assert raised.value.outcome == "cancelled"
        assert raised.value.decided_by == cancelled.opened_by


def test_an_answer_fits_the_schema_of_the_question(office: Office) -> None:
    with Handrail(office.server.url, office.agent) as agent, office.deciding() as person:
        hold = agent.open("input", "Region?", Action("choose"), schema={"enum": ["eu", "us"]})
        with pytest.raises(Invalid) as raised:
            person.review(hold.id, "answer", digest=hold.digest, answer="moon")
        assert raised.value.code == "answer_mismatch"
        person.review(hold.id, "answer", digest=hold.digest, answer="eu")
        decided = agent.wait(hold.id)
        assert decided.decision is not None
        assert (decided.status, decided.decision.answer) == ("answered", "eu")


def test_refusals_are_typed(office: Office, case: str) -> None:
    hold_id = opened(office, case)
    with Handrail(office.server.url, office.agent) as agent:
        with pytest.raises(Forbidden) as raised:
            agent.review(hold_id, "approve", digest=agent.get(hold_id).digest)
        assert raised.value.code == "not_a_person"
        with pytest.raises(NotFound):
            agent.get("00000000-0000-7000-8000-000000000000")
        with pytest.raises(NotFound):
            agent.get("no id")
        with pytest.raises(Invalid):
            agent.redeem(hold_id, "no digest", key="k")
    with Handrail(office.server.url, "hr_unknown") as nobody, pytest.raises(Unauthenticated):
        nobody.get(hold_id)


async def test_events_are_followed_through_a_restart(own_office: Office) -> None:
    seen: asyncio.Queue[Event] = asyncio.Queue()

    async def follow(client: AsyncHandrail) -> None:
        async for event in client.events(case="c", after=0):
            seen.put_nowait(event)

    async def until_decided() -> list[str]:
        types = list[str]()
        async with asyncio.timeout(60):
            while not types or types[-1] != "hold.decided":
                event = await seen.get()
                assert event.case_id == "c"
                types.append(event.type)
        return types

    async with own_office.asking() as agent, asyncio.TaskGroup() as tasks:
        following = tasks.create_task(follow(agent))
        for restart in (True, False):
            hold = await agent.open("confirmation", "Scale", ACTION, case_id="c", idempotency_key=f"k{restart}")
            await agent.cancel(hold.id)
            assert await until_decided() == ["hold.opened", "hold.decided"]
            if restart:
                own_office.server.kill()
                own_office.server.start()
        following.cancel()


def test_events_of_the_sync_client(office: Office, case: str) -> None:
    hold_id = opened(office, case)
    with Handrail(office.server.url, office.agent) as agent:
        agent.cancel(hold_id)
        events = agent.events(hold=hold_id, after=0)
        first, second = next(events), next(events)
        events.close()
    assert [(event.type, event.hold_id) for event in (first, second)] == [
        ("hold.opened", hold_id),
        ("hold.decided", hold_id),
    ]
    assert first.seq < second.seq
    assert second.actor is not None
    assert second.actor.name == "agent"
