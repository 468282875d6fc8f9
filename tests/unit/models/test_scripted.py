"""The scripted model as LangChain uses a model."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage, AIMessageChunk, HumanMessage, SystemMessage
from langchain_core.tools import tool
from langgraph_world import Thread, agent_of
from pydantic import ValidationError

from handrail.models.scripted import ScriptedModel, ScriptError

HELLO = HumanMessage("Hello there")


@tool
def add(a: int, b: int) -> int:
    """Adds."""
    return a + b


def model(*steps: dict[str, Any], **more: Any) -> ScriptedModel:
    return ScriptedModel.model_validate({"steps": steps, **more})


async def test_the_step_is_that_of_the_turn_so_any_process_can_go_on() -> None:
    first, second = {"say": "One."}, {"say": "Two."}
    assert (await model(first, second).ainvoke([HELLO])).text == "One."
    assert (await model(first, second).ainvoke([HELLO, AIMessage("One."), HELLO])).text == "Two."


async def test_it_says_that_it_is_scripted_and_counts() -> None:
    message = await model({"say": "One two three"}).ainvoke([HELLO])
    assert message.response_metadata["scripted"] is True
    assert message.usage_metadata == {"input_tokens": 2, "output_tokens": 3, "total_tokens": 5}


async def test_tokens_and_reasoning_stream_as_they_come_and_make_the_whole_message() -> None:
    scripted = model({"think": "Let me see. ", "say": "It is  4.\n", "calls": [{"name": "add", "args": {"a": 1}}]})
    chunks = [chunk async for chunk in scripted.astream([HELLO])]
    assert [chunk.text for chunk in chunks if chunk.text] == ["It ", "is  ", "4.\n"]
    whole = AIMessageChunk(content="")
    for chunk in chunks:
        assert isinstance(chunk, AIMessageChunk)
        whole += chunk
    assert whole.text == "It is  4.\n"
    reasoning = [block.get("reasoning") for block in whole.content_blocks if block["type"] == "reasoning"]
    assert reasoning == ["Let me see. "]
    assert whole.tool_calls == [{"name": "add", "args": {"a": 1}, "id": "call-0-0", "type": "tool_call"}]
    sync = "".join(chunk.text for chunk in scripted.stream([HELLO]))
    assert sync == "It is  4.\n"


async def test_an_agent_follows_it() -> None:
    calls = [{"name": "add", "args": {"a": 2, "b": 2}}, {"name": "add", "args": {"a": 3, "b": 3}}]
    thread = Thread(agent_of({"calls": calls}, {"say": "4 and 6"}, tools=[add], middleware=[]))
    await thread.say("Hello there")
    assert [message.text for message in (await thread.values())["messages"]] == ["Hello there", "", "4", "6", "4 and 6"]


async def test_it_fails_where_the_script_says_and_where_the_script_ends() -> None:
    failing = model({"say": "Just a", "error": "the provider is away"})
    seen: list[str] = []
    with pytest.raises(ScriptError, match="the provider is away"):
        async for chunk in failing.astream([HELLO]):
            seen.append(chunk.text)
    assert seen == ["Just ", "a"]
    with pytest.raises(ScriptError, match="the script has 1 steps, and this is turn 2"):
        await failing.ainvoke([HELLO, AIMessage("x")])


async def test_it_takes_its_time() -> None:
    begun = time.monotonic()
    await model({"say": "a b c", "delay": 0.02}, pace=0.01).ainvoke([HELLO])
    assert time.monotonic() - begun >= 0.05


def test_a_script_is_a_file_of_yaml_or_json(tmp_path: Path) -> None:
    path = tmp_path / "script.yaml"
    path.write_text("- think: hm\n  calls: [{name: add, args: {a: 1}}]\n- say: done\n")
    assert [step.say for step in ScriptedModel.from_file(path).steps] == ["", "done"]
    path.write_text('[{"say": "hi", "shout": true}]')
    with pytest.raises(ValidationError, match="shout"):
        ScriptedModel.from_file(path)


async def test_of_a_folder_it_plays_the_script_that_its_instructions_name(tmp_path: Path) -> None:
    (tmp_path / "greet.yaml").write_text("- say: Hello.")
    (tmp_path / "part.yaml").write_text("- say: Goodbye.")
    scripted = ScriptedModel.from_file(tmp_path)
    assert (await scripted.ainvoke([SystemMessage("Carry out `part`."), HELLO])).text == "Goodbye."
    with pytest.raises(ScriptError, match="the script has 0 steps"):
        await scripted.ainvoke([SystemMessage("Carry out `sing`."), HELLO])
