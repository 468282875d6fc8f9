"""A typed question, answered by a person, against a real server."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

import pytest
from pydantic import BaseModel
from sdk_office import Office

from handrail_sdk import Handrail, Invalid, NotAllowed, ask, ask_sync
from handrail_sdk.shapes import json_of, schema_of, value_of


class Refund(BaseModel):
    order: str
    amount: float


class Decision(BaseModel):
    granted: bool
    amount: float
    note: str | None = None


class Speed(StrEnum):
    slow = "slow"
    fast = "fast"


@dataclass
class Rollout:
    service: str
    stages: tuple[int, ...] = (1, 10)


@dataclass
class Plan:
    speed: Speed
    percent: int
    regions: list[Literal["eu", "us"]]
    note: str | None = None


def answer(office: Office, said: object, title: str) -> None:
    hold_id = office.one_pending(text=title)
    with office.deciding() as person:
        person.review(hold_id, "answer", digest=person.get(hold_id).digest, answer=said)


async def test_a_model_goes_in_and_a_model_comes_out(office: Office) -> None:
    async with office.asking() as client:
        asking = asyncio.create_task(ask(Refund(order="77", amount=120.5), answer=Decision, client=client))
        hold_id = await asyncio.to_thread(office.one_pending, text="Refund")
        shown = await client.get(hold_id)
        assert (shown.title, shown.evidence) == ("Refund", {"order": "77", "amount": 120.5})
        with office.deciding() as person, pytest.raises(Invalid):
            person.review(hold_id, "answer", digest=shown.digest, answer={"granted": "perhaps"})
        await asyncio.to_thread(answer, office, {"granted": True, "amount": 100}, "Refund")
        assert await asking == Decision(granted=True, amount=100.0)


async def test_a_program_that_died_gets_the_answer_given_in_the_meantime(office: Office, case: str) -> None:
    def again() -> Plan:
        with Handrail(office.server.url, office.agent) as client:
            return ask_sync(Rollout("shop"), Plan, title=case, key=case, client=client)

    first = asyncio.create_task(ask("Roll out?", Plan, title=case, key=f"{case}-other", client=office.asking()))
    await asyncio.to_thread(office.one_pending, text=case)
    first.cancel()
    said = {"speed": "fast", "percent": 10, "regions": ["eu"]}
    await asyncio.to_thread(answer, office, said, case)
    waiting = asyncio.create_task(asyncio.to_thread(again))
    await asyncio.to_thread(answer, office, said, case)
    assert await waiting == Plan(Speed.fast, 10, ["eu"])
    assert await asyncio.to_thread(again) == Plan(Speed.fast, 10, ["eu"])


async def test_a_question_that_nobody_may_answer_any_more_raises(office: Office, case: str) -> None:
    async with office.asking() as client:
        asking = asyncio.create_task(ask({"x": 1}, {"type": "boolean"}, title=case, client=client))
        await client.cancel(await asyncio.to_thread(office.one_pending, text=case))
        with pytest.raises(NotAllowed):
            await asking


def test_types_become_schemas_and_answers_become_values() -> None:
    assert schema_of(Plan)["required"] == ["speed", "percent", "regions"]
    assert schema_of(Plan)["properties"]["note"] == {"anyOf": [{"type": "string"}, {"type": "null"}]}
    assert json_of(Rollout("shop"), "x") == {"service": "shop", "stages": [1, 10]}
    assert value_of(Plan, {"speed": "slow", "percent": 1, "regions": []}) == Plan(Speed.slow, 1, [])
    assert value_of(float, 1) == 1.0
    with pytest.raises(TypeError, match="no JSON schema"):
        schema_of(object)
