"""The gate that all frameworks share: low calls run, the others wait, and no call runs twice unseen."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from sdk_office import Office
from server import until

from handrail_sdk import Action, AsyncHandrail, Hold
from handrail_sdk.frameworks import Allowed, Refused, ToolGate

pytestmark = pytest.mark.usefixtures("environ")

REFUND = {"order": "77", "amount": 120.5}


class Tool:
    """Notes what ran."""

    def __init__(self) -> None:
        self.ran: list[dict[str, Any]] = []

    async def __call__(self, args: dict[str, Any]) -> str:
        self.ran.append(args)
        return "refunded"


@pytest.fixture
def tool() -> Tool:
    return Tool()


async def asked(office: Office, case: str) -> Hold:
    hold_id = await asyncio.to_thread(office.one_pending, case=case)
    with office.deciding() as person:
        return person.get(hold_id)


def decide(office: Office, hold: Hold, verdict: Any, **more: Any) -> Hold:
    with office.deciding() as person:
        return person.review(hold.id, verdict, digest=hold.digest, **more)


async def test_a_low_call_runs_at_once_and_its_end_is_recorded(office: Office, case: str, tool: Tool) -> None:
    assert await ToolGate(case).run("find_order", {"order": "77"}, tool) == "refunded"
    with office.server.client() as http:
        [hold] = http.get("/api/holds", params={"case": case, "status": "all"}).json()["holds"]
    assert (hold["risk"], hold["result"]["outcome"], tool.ran) == ("low", "succeeded", [{"order": "77"}])


async def test_a_call_that_fails_is_recorded_without_its_text(office: Office, case: str) -> None:
    async def fails(_: dict[str, Any]) -> None:
        raise ValueError("a secret")

    with pytest.raises(ValueError, match="a secret"):
        await ToolGate(case).run("find_order", {"order": "77"}, fails)
    with office.server.client() as http:
        [hold] = http.get("/api/holds", params={"case": case, "status": "all"}).json()["holds"]
    assert (hold["result"]["outcome"], hold["result"]["detail"]) == ("failed", {"error": "ValueError"})


async def test_an_amended_call_runs_as_amended_and_says_so(office: Office, case: str, tool: Tool) -> None:
    running = asyncio.create_task(ToolGate(case).run("send_refund", REFUND, tool))
    amended = Action("send_refund", {**REFUND, "amount": 20.5})
    decide(office, decide(office, await asked(office, case), "amend", amended_action=amended), "approve")
    assert (await running).startswith('A person amended this call before it ran. It ran with {"amount":20.5,')
    assert tool.ran == [{"order": "77", "amount": 20.5}]


async def test_a_call_amended_to_another_tool_does_not_run(office: Office, case: str, tool: Tool) -> None:
    running = asyncio.create_task(ToolGate(case).run("send_refund", REFUND, tool))
    amended = Action("send_voucher", REFUND)
    decide(office, decide(office, await asked(office, case), "amend", amended_action=amended), "approve")
    assert "was not run" in await running
    assert tool.ran == []


async def test_a_no_is_what_the_model_reads(office: Office, case: str, tool: Tool) -> None:
    running = asyncio.create_task(ToolGate(case).run("send_refund", REFUND, tool))
    decide(office, await asked(office, case), "reject", reason="Paid back last week")
    assert await running == (
        "`send_refund` was not run. It was rejected by Ada. Do not try another way. Reason: Paid back last week"
    )
    assert tool.ran == []


async def test_after_three_rejections_of_the_same_call_people_are_not_asked_again(
    office: Office, case: str, tool: Tool
) -> None:
    gate = ToolGate(case)
    for _ in range(3):
        running = asyncio.create_task(gate.run("send_refund", REFUND, tool))
        decide(office, await asked(office, case), "reject")
        await running
    assert await gate.run("send_refund", REFUND, tool) == (
        "`send_refund` was not run, because Handrail did not allow it: "
        "people rejected this same call 3 times, and are not asked again"
    )
    running = asyncio.create_task(gate.run("send_refund", {**REFUND, "amount": 1}, tool))
    decide(office, await asked(office, case), "approve")
    assert (await running, len(tool.ran)) == ("refunded", 1)


async def test_a_hold_for_what_people_rejected_before_says_so(office: Office, case: str, tool: Tool) -> None:
    # by its call ids, and in a gate of its own each time, as a program that was started again has
    for again in range(2):
        gate = ToolGate(case, by_call_id=True)
        running = asyncio.create_task(gate.run("send_refund", REFUND, tool, f"call-{again}"))
        hold = await asked(office, case)
        said = [rule.reason.partition(" (")[0] for rule in hold.rules if rule.rule == "asked-again"]
        assert said == (["people rejected the same action earlier"] if again else [])
        assert hold.task is None
        assert [fact.value for fact in hold.facts if fact.name == "refused_before"] == (["1"] if again else [])
        decide(office, hold, "reject")
        await running
    running = asyncio.create_task(ToolGate(case).run("send_refund", {**REFUND, "amount": 1}, tool))
    other = await asked(office, case)
    decide(office, other, "reject")
    await running
    assert not any(fact.name == "refused_before" for fact in other.facts)


async def test_a_call_that_expires_does_not_run(case: str, tool: Tool) -> None:
    assert "expired" in await ToolGate(case, expires_in=0.4).run("send_refund", REFUND, tool)
    assert tool.ran == []


async def test_without_the_server_nothing_runs(case: str, tool: Tool) -> None:
    async with AsyncHandrail("http://127.0.0.1:9", "hr_x", retry_for=0) as away:
        assert "was not run" in await ToolGate(case, client=away).run("find_order", {"order": "77"}, tool)
    assert tool.ran == []


async def test_arguments_that_cannot_be_shown_do_not_run(case: str, tool: Tool) -> None:
    assert "not JSON" in await ToolGate(case).run("find_order", {"order": object()}, tool)
    assert tool.ran == []


async def test_the_same_call_again_is_another_call(office: Office, case: str) -> None:
    gate = ToolGate(case)
    entering = [asyncio.create_task(gate.enter("send_refund", REFUND)) for _ in range(2)]
    holds = await asyncio.to_thread(until, lambda: found if len(found := office.pending(case=case)) == 2 else None)
    with office.deciding() as person:
        first, second = (person.get(hold["id"]) for hold in holds)
    decide(office, first, "approve")
    decide(office, second, "reject")
    answers = await asyncio.gather(*entering)
    assert sorted(type(answer).__name__ for answer in answers) == ["Allowed", "Refused"]


async def test_a_call_that_was_given_up_is_the_same_call_when_it_is_made_again(office: Office, case: str) -> None:
    gate = ToolGate(case)
    waiting = asyncio.create_task(gate.enter("send_refund", REFUND))
    hold = await asked(office, case)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    decide(office, hold, "approve")
    assert await gate.enter("send_refund", REFUND) == Allowed(hold.id, REFUND, amended=False)


async def test_a_new_program_finds_the_hold_of_its_thread_and_no_other(office: Office, case: str) -> None:
    waiting = asyncio.create_task(ToolGate(case).enter("send_refund", REFUND))
    hold = await asked(office, case)
    waiting.cancel()
    decide(office, hold, "approve")
    assert await ToolGate(case).enter("send_refund", REFUND) == Allowed(hold.id, REFUND, amended=False)
    begun = await ToolGate(case).enter("send_refund", REFUND)
    assert isinstance(begun, Refused)
    assert "may have happened" in begun.text
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(ToolGate().enter("send_refund", REFUND), 0.5)


async def test_what_ran_before_a_crash_runs_again_only_where_that_is_declared_harmless(case: str, tool: Tool) -> None:
    await ToolGate(case).run("find_order", {"order": "77"}, tool)
    assert "not run again" in await ToolGate(case).run("find_order", {"order": "77"}, tool)
    assert await ToolGate(case, repeatable={"find_order"}).run("find_order", {"order": "77"}, tool) == "refunded"
    assert len(tool.ran) == 2


async def test_by_call_id_a_hold_belongs_to_one_call(case: str, tool: Tool) -> None:
    gate = ToolGate(case, by_call_id=True, repeatable={"find_order"})
    await gate.run("find_order", {"order": "77"}, tool, "call_1")
    assert "not run again" in await gate.run("find_order", {"order": "77"}, tool, "call_1")
    assert "was not run" in await gate.run("find_order", {"order": "78"}, tool, "call_1")
    assert await gate.run("find_order", {"order": "77"}, tool, "call_2") == "refunded"
    assert tool.ran == [{"order": "77"}, {"order": "77"}]


async def test_a_call_can_be_waited_for_before_it_is_made(office: Office, case: str, tool: Tool) -> None:
    waiting = asyncio.create_task(ToolGate(case, by_call_id=True).decided("send_refund", REFUND, "call_1"))
    decide(office, await asked(office, case), "approve")
    assert (await waiting).approved
    assert await ToolGate(case, by_call_id=True).run("send_refund", REFUND, tool, "call_1") == "refunded"
    with pytest.raises(ValueError, match="by_call_id"):
        await ToolGate(case).decided("send_refund", REFUND, "call_1")


async def test_the_thread_may_differ_from_call_to_call(office: Office, case: str, tool: Tool) -> None:
    threads = iter((f"{case}-a", f"{case}-b"))
    gate = ToolGate(lambda: next(threads))
    await gate.run("find_order", {"order": "77"}, tool)
    await gate.run("find_order", {"order": "77"}, tool)
    with office.server.client() as http:
        found = [http.get("/api/holds", params={"case": f"{case}-{x}", "status": "all"}).json() for x in "ab"]
    assert [len(each["holds"]) for each in found] == [1, 1]
