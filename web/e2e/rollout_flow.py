"""A small workflow for the pages: a model that thinks and speaks, a tool, people, an effect."""

from __future__ import annotations

from typing import Any

from langchain_core.messages import HumanMessage
from langchain_core.tools import tool
from langgraph.graph import END, START, StateGraph
from typing_extensions import TypedDict

from handrail.models.scripted import ScriptedModel, Step
from handrail_sdk.langgraph import Action, aeffect, ask_human

PLAN = (
    "First I look at how the service is, then I ask a team lead. If the answer is yes, the new version goes to "
    "staging, one copy after the other, and I watch the error rate until the last one is up."
)


class Wish(TypedDict):
    service: str
    version: str
    copies: int


class State(Wish, total=False):
    plan: str
    approved: bool
    done: str
    status: str


@tool
async def read_status(service: str) -> str:
    """Reads how a service is."""
    if service == "broken":
        raise RuntimeError(f"{service} does not answer")
    return f"{service} is well: 3 copies, 0.1 % errors"


async def plan(state: State) -> dict[str, str]:
    thought = f"The wish is {state['service']} {state['version']}. Staging first is safer than production."
    model = ScriptedModel(steps=[Step(think=thought, say=PLAN)], pace=0.04)
    answer = await model.ainvoke([HumanMessage("Plan it.")])
    return {"plan": answer.text}


async def look(state: State) -> dict[str, str]:
    return {"status": await read_status.ainvoke({"service": state["service"]})}


async def ask(state: State) -> dict[str, bool]:
    service, version = state["service"], state["version"]
    answer = ask_human(
        "approval",
        f"Deploy {service} {version} to staging",
        Action("deploy", {"service": service, "version": version, "copies": state["copies"]}, "staging"),
        task={"operation": "deploy", "environment": "staging"},
    )
    return {"approved": answer.approved}


async def deploy(state: State) -> dict[str, str | None]:
    async def go() -> str:
        return f"{state['service']} {state['version']} runs in {state['copies']} copies"

    return {"done": await aeffect("deploy", go)}


def after_asking(state: State) -> str:
    return "deploy" if state.get("approved") else END


graph: Any = StateGraph(State, input_schema=Wish)
for node in (plan, look, ask, deploy):
    graph.add_node(node)
graph.add_edge(START, "plan")
graph.add_edge("plan", "look")
graph.add_edge("look", "ask")
graph.add_conditional_edges("ask", after_asking, ["deploy", END])
