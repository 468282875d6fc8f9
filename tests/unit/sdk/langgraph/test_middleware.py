"""Agents with the policy in front of their tools; and LangChain's own middleware, as `engine.questions` answers it."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from langchain.agents.middleware import HumanInTheLoopMiddleware
from langchain_core.tools import tool
from langgraph.types import Command, interrupt
from langgraph_world import MemoryPort, Thread, agent_of, envelope
from questions_world import decided

from handrail.core.holds import Action
from handrail.engine.questions import read
from handrail_sdk.langgraph.effects import HAPPENED
from handrail_sdk.langgraph.middleware import PolicyMiddleware
from handrail_sdk.langgraph.port import current


class Killed(BaseException):
    """The process ends here: no code of the tool's caller runs any more."""


sent: list[tuple[str, str]] = []
dying: list[BaseException] = []


@tool
def send(to: str, text: str) -> str:
    """Sends."""
    sent.append((to, text))
    if dying:
        raise dying.pop()
    return f"sent to {to}"


@tool
async def burn(what: str) -> str:
    """Burns."""
    sent.append(("fire", what))
    return f"burnt {what}"


@tool
def ask(question: str) -> str:
    """Asks a person itself."""
    return f"they say {interrupt(question)}"


@pytest.fixture(autouse=True)
def clean() -> None:
    sent.clear()
    dying.clear()


SEND = {"name": "send", "args": {"to": "ann", "text": "hi"}}
BURN = {"name": "burn", "args": {"what": "papers"}}


def thread(*calls: Any, middleware: Any = None) -> Thread:
    steps = [{"calls": calls}, {"say": "Done."}]
    return Thread(agent_of(*steps, tools=[send, burn, ask], middleware=middleware or [PolicyMiddleware()]))


async def results(thread: Thread) -> list[tuple[str, str]]:
    """What the model was told."""
    return [(m.status, m.text) for m in (await thread.values())["messages"] if m.type == "tool"]


@pytest.mark.parametrize("driven", [True, False])
async def test_nothing_runs_before_it_is_approved_and_each_call_waits_for_itself(driven: bool) -> None:
    port = MemoryPort()
    current.set(port if driven else None)
    agent = thread(SEND, BURN)
    first, second = await agent.say("go")
    assert (first.value["title"], second.value["title"]) == ("Send: to ann, text hi", "Burn: what papers")
    assert (first.value["kind"], first.value["context"]) == ("approval", {"tool_call_id": "call-0-0"})
    assert sent == []
    rejected = envelope(second.value, "rejected", reason="we need them", hold_id="h-2")
    await agent.resume(envelope(first.value), rejected)
    assert sent == [("ann", "hi")]
    assert await results(agent) == [
        ("success", "sent to ann"),
        ("error", "`burn` was not run. It was rejected by Ann: we need them"),
    ]
    assert port.recorded == ([("h-1", "succeeded", None)] if driven else [])


async def test_an_amended_call_runs_as_amended_and_the_model_is_told() -> None:
    agent = thread(SEND, SEND, SEND)
    questions = await agent.say("go")
    amendments: list[Any] = [
        {"name": "send", "args": {"to": "bob", "text": "hi"}, "target": None},
        {"name": "burn", "args": {"what": "it"}, "target": None},
        {"name": "launch", "args": {}, "target": None},
    ]
    await agent.resume(*(envelope(q.value, action=a) for q, a in zip(questions, amendments, strict=True)))
    assert sorted(sent) == [("bob", "hi"), ("fire", "it")]
    [bob, fire, none] = await results(agent)
    assert bob[1] == (
        "A person amended this call before it ran. What ran: send with {'to': 'bob', 'text': 'hi'}. Its result:\n"
        "sent to bob"
    )
    assert fire[1].endswith("burnt it")
    assert none == ("error", "A person amended it to `launch`, which this agent does not have. It was not run.")


async def test_the_risk_rules_read_what_the_agents_author_says_of_a_call() -> None:
    agent = thread(SEND, middleware=[PolicyMiddleware(task=lambda call: {"operation": f"mail_{call['name']}"})])
    [question] = await agent.say("go")
    assert question.value["task"] == {"operation": "mail_send"}


async def test_a_tool_that_may_have_run_when_the_worker_died_is_not_run_again() -> None:
    port = MemoryPort()
    current.set(port)
    agent = thread(SEND)
    [question] = await agent.say("go")
    dying.append(Killed())
    with pytest.raises(Killed):
        await agent.resume(envelope(question.value))
    [doubt] = await agent.resume(envelope(question.value))
    assert doubt.value["title"].startswith("Did 'send' happen?")
    await agent.resume(envelope(doubt.value, "answered", answer=HAPPENED))
    assert sent == [("ann", "hi")]
    assert await results(agent) == [("success", "It was executed, but its result is unknown.")]
    assert port.recorded == [("h-1", "unknown", None)]


async def test_a_tool_that_ran_gives_its_result_again_and_does_not_run() -> None:
    port = MemoryPort()
    current.set(port)
    agent = thread(SEND)
    [question] = await agent.say("go")
    complete = port.complete

    async def complete_and_die(task: str, call: int, result: Any) -> None:
        await complete(task, call, result)
        raise Killed

    port.complete = complete_and_die
    with pytest.raises(Killed):
        await agent.resume(envelope(question.value))
    assert await agent.resume(envelope(question.value)) == []
    assert (sent, await results(agent)) == ([("ann", "hi")], [("success", "sent to ann")])


async def test_an_idempotent_tool_is_run_again_without_asking() -> None:
    current.set(MemoryPort())
    agent = thread(SEND, middleware=[PolicyMiddleware(idempotent=["send"])])
    [question] = await agent.say("go")
    dying.append(Killed())
    with pytest.raises(Killed):
        await agent.resume(envelope(question.value))
    assert await agent.resume(envelope(question.value)) == []
    assert sent == [("ann", "hi"), ("ann", "hi")]


async def test_an_error_of_a_tool_is_recorded() -> None:
    port = MemoryPort()
    current.set(port)
    agent = thread(SEND)
    [question] = await agent.say("go")
    dying.append(OSError("no network"))
    with pytest.raises(OSError, match="no network"):
        await agent.resume(envelope(question.value))
    assert port.recorded == [("h-1", "failed", {"error": "OSError"})]


async def test_agents_that_are_not_async_pass_it_too() -> None:
    """As sync code does it, on a thread beside the run's loop."""
    port = MemoryPort()
    current.set(port)
    agent = agent_of({"calls": [SEND, SEND]}, {"say": "Done."}, tools=[send], middleware=[PolicyMiddleware()])
    config: Any = {"configurable": {"thread_id": "1"}}
    asked = (await asyncio.to_thread(agent.invoke, {"messages": ["go"]}, config))["__interrupt__"]
    assert sent == []
    yes, no = asked
    answers = {yes.id: envelope(yes.value), no.id: envelope(no.value, "rejected", reason="once is enough")}
    state = await asyncio.to_thread(agent.invoke, Command(resume=answers), config)
    # the two threads ask in any order
    assert {m.text for m in state["messages"] if m.type == "tool"} == {
        "sent to ann",
        "`send` was not run. It was rejected by Ann: once is enough",
    }
    assert (sent, port.recorded) == ([("ann", "hi")], [("h-1", "succeeded", None)])


async def test_a_tool_that_asks_a_person_itself_goes_on_asking() -> None:
    current.set(MemoryPort())
    agent = thread({"name": "ask", "args": {"question": "which?"}})
    [question] = await agent.say("go")
    [inner] = await agent.resume(envelope(question.value))
    assert inner.value == "which?"
    assert await agent.resume("the red one") == []
    assert await results(agent) == [("success", "they say the red one")]


def of_langchain(mode: Any) -> Thread:
    gate = {"send": True, "burn": {"allowed_decisions": ["approve", "reject"]}}
    middleware: Any = HumanInTheLoopMiddleware(gate, interrupt_mode=mode)  # type: ignore[arg-type] - its dict is invariant
    return thread(SEND, SEND, SEND, BURN, middleware=[middleware])


@pytest.mark.parametrize("mode", ["batched", "per_call"])
async def test_langchains_own_middleware_takes_every_kind_of_answer(mode: str) -> None:
    agent = of_langchain(mode)
    asked = [read(q.value, q.response_schema) for q in await agent.say("go")]
    assert [len(a.openings) for a in asked] == ([4] if mode == "batched" else [1, 1, 1, 1])
    decisions: list[dict[str, Any]] = [
        {},
        {"amended": Action("send", {"to": "bob", "text": "hi"})},
        {"outcome": "answered", "answer": "I told her myself"},
        {"outcome": "rejected", "reason": "we need them"},
    ]
    openings = [opening for a in asked for opening in a.openings]
    holds = [decided(o, **d) for o, d in zip(openings, decisions, strict=True)]
    values = (
        [asked[0].answer(holds)] if mode == "batched" else [a.answer([h]) for a, h in zip(asked, holds, strict=True)]
    )
    assert await agent.resume(*values) == []
    assert sorted(sent) == [("ann", "hi"), ("bob", "hi")]
    told = await results(agent)
    assert ("success", "sent to ann") in told and ("success", "I told her myself") in told
    assert ("error", "User rejected the tool call for `burn` with reason: we need them") in told
    assert any("Executed instead: send" in text and text.endswith("sent to bob") for _, text in told)


async def test_an_edit_that_does_not_fit_the_tool_never_reaches_langgraph() -> None:
    agent = of_langchain("per_call")
    asked = [read(q.value, q.response_schema) for q in await agent.say("go")]
    wrong: dict[str, Any] = {"amended": Action("send", {"to": ["a", "list"]})}
    values = [a.answer([decided(a.openings[0], **(wrong if n == 0 else {}))]) for n, a in enumerate(asked)]
    await agent.resume(*values)
    [told] = [text for status, text in await results(agent) if status == "error"]
    assert "a person amended the call to one that cannot be run here" in told and len(sent) == 3
