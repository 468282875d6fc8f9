"""Questions about the code and diagrams of it: answered from its graph and its files, and nothing is changed."""

from __future__ import annotations

import re
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage

from handrail.changes import conversing, workbench
from handrail.changes.events import ChangeAnswered
from handrail.changes.prompts import prompt, quoted, requested
from handrail.changes.state import State
from handrail.changes.weighing import diagrams
from handrail.changes.weighing.diagrams import BadDiagram
from handrail.changes.workbench import Workbench

_DIAGRAM = re.compile(r"^```mermaid\s*\n(.*?)^```\s*$", re.DOTALL | re.MULTILINE)
MAP_TOKENS = 4_000


async def answer(state: State) -> dict[str, Any]:
    """One turn: the model looks at the code, or answers."""
    bench = Workbench.begin("pkg_query", first=not state.get("answering"), prompt="answer")
    async with bench.tree(state) as tree:
        index = await bench.index(tree)
        looking = workbench.looking(tree, index)
        begun: list[AnyMessage] = []
        if not state.get("answering"):
            shown = workbench.map_of(index, state.get("intent", {})["names"], MAP_TOKENS)
            request = requested(state["request"], state.get("earlier", []))
            begun = [HumanMessage(f"{request}\n\n{quoted('the graph of the code', shown)}")]
        messages = [*state.get("answering", []), *begun]
        said = await bench.voice("summary").turn(prompt("answer"), messages, looking.described())
        calls, told = conversing.calls_or_faults(said)
        if calls:
            told = await looking.answered(calls)
    if not told:
        told = _faults(state, said)
    if not told:
        bench.say(ChangeAnswered(content=said.text))
    return {"answering": [*begun, said, *told]}


def _faults(state: State, said: AIMessage) -> list[AnyMessage]:
    """Why the answer cannot be shown: a diagram that is none, or one that would do more than show."""
    found = _DIAGRAM.findall(said.text)
    if not found and state.get("intent", {})["category"] == "diagram":
        return [HumanMessage("Answer with one fenced `mermaid` block.")]
    try:
        for each in found:
            diagrams.checked(each)
    except BadDiagram as error:
        return [HumanMessage(error.message)]
    return []


def after_answering(state: State) -> str:
    return "tell" if isinstance(state.get("answering", [])[-1], AIMessage) else "answer"


async def tell(state: State) -> dict[str, Any]:
    bench = Workbench.here()
    async with bench.tree(state) as tree:
        await tree.close()
    return {"answer": state.get("answering", [])[-1].text}
