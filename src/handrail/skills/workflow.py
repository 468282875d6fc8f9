"""The workflow `skill`: a model carries out a registered skill, with tools, within a number of steps."""
# LangGraph is typed in part; annotations are read when the graph is made, so they are not postponed
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false

import operator
from collections.abc import Sequence
from typing import Annotated, Any, Final

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage
from langchain_core.messages.tool import ToolCall
from langchain_core.runnables import RunnableConfig
from langgraph.graph import END, START, StateGraph
from langgraph.graph.message import add_messages
from langgraph.types import Send
from typing_extensions import TypedDict

from handrail.core.errors import InvalidField
from handrail.core.sessions import DEFAULT_STEPS
from handrail.engine import conversation
from handrail.engine.failures import Failed
from handrail.models.chat import chat_model
from handrail.skills import asking, calls, prompts
from handrail.skills.execution import begin, told
from handrail.skills.kinds import SkillInput
from handrail.store import workspaces

LONGEST_NUMBER: Final = 9


class State(SkillInput, total=False):
    messages: Annotated[list[AnyMessage], add_messages]
    # of the version that the run began with
    number: int
    # what it wanted to know and nobody could say
    missing: Annotated[list[str], operator.add]


class Calling(TypedDict):
    skill_id: str
    number: int
    missing: list[str]
    call: ToolCall


class Artifact(TypedDict):
    name: str
    size: int
    digest: str


class SkillOutput(TypedDict, total=False):
    skill_id: str
    number: int
    answer: str
    steps: int
    artifacts: list[Artifact]


def graph() -> "StateGraph[Any, Any, Any, Any]":
    builder = StateGraph(State, input_schema=SkillInput, output_schema=SkillOutput)
    builder.add_node("prepare", prepare)
    builder.add_node("think", think)
    builder.add_node("act", act, input_schema=Calling)
    builder.add_node("finish", finish)
    builder.add_edge(START, "prepare")
    builder.add_edge("prepare", "think")
    builder.add_conditional_edges("think", _next, ["act", "think", "finish"])
    builder.add_edge("act", "think")
    builder.add_edge("finish", END)
    return builder


async def prepare(state: State) -> dict[str, Any]:
    """The request, and the version of the skill that the run keeps to."""
    with told():
        execution = await begin(state["skill_id"], _number(state.get("version")))
    return {"messages": [HumanMessage(state["input"])], "number": execution.version.number}


def _number(version: str | None) -> int | None:
    if version is None:
        return None
    if not version.isdecimal() or len(version) > LONGEST_NUMBER:
        raise InvalidField(f"{version!r} is not a version number", field="version")
    return int(version)


async def think(state: State) -> dict[str, Any]:
    """The model's turn: an answer, or calls of tools."""
    done, most = conversation.steps(state.get("messages", [])) + 1, state.get("max_steps", DEFAULT_STEPS)
    with told():
        execution = await begin(state["skill_id"], state.get("number"))
        name = state.get("model_id") or ("light" if execution.manifest.complexity == "simple" else "advanced")
        model = chat_model(execution.settings, name)
        box = await calls.toolbox(execution)
    prompt = prompts.system(
        execution.manifest, execution.files, box.tools, box.away, asks=execution.asks, last=done == most
    )
    context = conversation.context_of(model, execution.settings)
    messages = conversation.fitting(prompt, state.get("messages", []), context)
    said = await conversation.spoken(model, name, box.described(), messages)
    replies = conversation.replies(said)
    if done >= most and (said.tool_calls or replies):
        raise _out_of_steps(most, state.get("missing", []))
    return {"messages": [said, *replies]}


def _out_of_steps(most: int, missing: Sequence[str]) -> Failed:
    unknown = f" It needed to know, but no one could be asked: {'; '.join(missing)}." if missing else ""
    return Failed(
        "step_limit",
        f"the skill gave no answer within {most} steps: start it again with a larger `max_steps`.{unknown}",
    )


def _next(state: State) -> Any:
    messages = state.get("messages", [])
    last = next(message for message in reversed(messages) if isinstance(message, AIMessage))
    known = {"skill_id": state["skill_id"], "number": state.get("number"), "missing": state.get("missing", [])}
    wanted = [Send("act", {**known, "call": call}) for call in last.tool_calls]
    return wanted or ("finish" if messages[-1] is last else "think")


async def act(state: Calling, config: RunnableConfig) -> dict[str, Any]:
    """One call of a tool."""
    call = state["call"]
    with told():
        execution = await begin(state["skill_id"], state["number"])
        message = await calls.make(execution, await calls.toolbox(execution, state["missing"]), call, config)
    if call["name"] == asking.NAME and not execution.asks and message.status == "error":
        return {"messages": [message], "missing": [str(call["args"].get("prompt"))]}
    return {"messages": [message]}


async def finish(state: State) -> SkillOutput:
    with told():
        execution = await begin(state["skill_id"], state.get("number"))
    async with execution.context.database.connection() as conn:
        files = await workspaces.files(conn, execution.run.id)
    messages = state.get("messages", [])
    return {
        "answer": messages[-1].text,
        "steps": conversation.steps(messages),
        "artifacts": [{"name": file.path, "size": file.size, "digest": file.digest} for file in files],
    }
