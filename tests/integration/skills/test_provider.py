"""A skill on a provider's model, behind a server on loopback that speaks OpenAI's protocol."""

from __future__ import annotations

import json

import pytest
from engine_world import said
from loopback import Answer, Loopback
from openai_protocol import streamed
from skills_world import COLOUR
from workshop import Workshop, colour, told

from handrail.core.runs import RunStatus
from handrail.core.sessions import Mode


def called(name: str, arguments: str) -> Answer:
    function = {"name": name, "arguments": arguments}
    call = {"index": 0, "id": "c1", "type": "function", "function": function}
    return streamed({"tool_calls": [call]}, reason="tool_calls")


@pytest.fixture(autouse=True)
def model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HANDRAIL_MODEL_LIGHT", "openai:small-1")
    monkeypatch.setenv("HANDRAIL_MODEL_KEY", "sk-not-a-real-one")


async def test_tools_are_offered_called_and_their_results_sent(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    await workshop.skill(colour(default="blue"))
    server = Loopback(
        called("write_file", "path=card.txt"),
        called("write_file", '{"path": "card.txt", "content": "blue"}'),
        streamed({"content": "The card is blue."}),
    )
    monkeypatch.setenv("HANDRAIL_MODEL_URL", f"{server.url}/v1")
    async with server.serving():
        run = await workshop.work(await workshop.start(COLOUR, "A card.", Mode.autonomous))
    assert isinstance(run.result, dict), run.error
    assert (run.result["answer"], run.result["steps"]) == ("The card is blue.", 3)
    first, second, third = [json.loads(request.body) for request in server.received]
    offered = {tool["function"]["name"]: tool["function"]["parameters"] for tool in first["tools"]}
    assert offered["write_file"]["required"] == ["path", "content"]
    assert offered["request_input"]["properties"].keys() == {"prompt", "name", "choices", "form"}
    assert [message["role"] for message in first["messages"]] == ["system", "user"]
    assert "its arguments are not JSON" in second["messages"][-1]["content"]
    assert third["messages"][-1] == {"role": "tool", "tool_call_id": "c1", "content": "Wrote card.txt."}


async def test_a_refusal_is_the_run_s_failure(workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    await workshop.skill(colour())
    server = Loopback(streamed({"content": "I do not paint."}, reason="content_filter"))
    monkeypatch.setenv("HANDRAIL_MODEL_URL", f"{server.url}/v1")
    async with server.serving():
        run = await workshop.work(await workshop.start(COLOUR))
    assert run.status is RunStatus.failed and run.error is not None
    assert (run.error["code"], run.error["message"]) == (
        "model_refused",
        "the model refused to continue: I do not paint.",
    )
    assert [data["role"] for data in told(await said(workshop.context.database, run), "message.completed")] == ["ai"]
