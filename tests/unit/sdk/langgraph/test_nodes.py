"""The ready-made nodes in a graph, under a run's port and without one."""

from __future__ import annotations

from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph
from langgraph_world import MemoryPort, Thread, envelope

from handrail_sdk.errors import Misconfigured
from handrail_sdk.langgraph.nodes import GatedState, assess_risk, execute, request_approval
from handrail_sdk.langgraph.port import current

DEPLOY = {"action": {"name": "deploy", "args": {"service": "shop", "idempotent": 1}, "target": "staging"}}


class Servers:
    def __init__(self) -> None:
        self.deployed: list[Any] = []

    async def deploy(self, **args: Any) -> dict[str, Any]:
        self.deployed.append(args)
        return {"deployed": args["service"]}


def gated(servers: Servers) -> Thread:
    builder: Any = StateGraph(GatedState)
    builder.add_node(assess_risk)
    builder.add_node(request_approval)
    builder.add_node("execute", execute({"deploy": servers.deploy}))
    builder.add_edge(START, "assess_risk")
    builder.add_edge("assess_risk", "request_approval")
    builder.add_edge("request_approval", "execute")
    builder.add_edge("execute", END)
    return Thread(builder.compile(checkpointer=InMemorySaver()))


async def test_what_is_approved_runs_and_is_recorded() -> None:
    port = MemoryPort()
    current.set(port)
    servers = Servers()
    thread = gated(servers)
    [question] = await thread.begin({**DEPLOY, "task": {"operation": "deploy"}})
    assert question.value["title"] == "Deploy: service shop, idempotent 1 (staging)"
    assert question.value["task"] == {"operation": "deploy"}
    assert servers.deployed == []
    await thread.resume(envelope(question.value))
    state = await thread.values()
    assert (state["risk"]["risk"], state["approval"]["by"], state["result"]) == ("high", "Ann", {"deployed": "shop"})
    assert port.recorded == [("h-1", "succeeded", None)]


async def test_what_was_amended_runs_as_amended() -> None:
    servers = Servers()
    thread = gated(servers)
    [question] = await thread.begin(DEPLOY)
    amended: dict[str, Any] = {"name": "deploy", "args": {"service": "blog"}, "target": None}
    await thread.resume(envelope(question.value, action=amended))
    assert servers.deployed == [{"service": "blog"}]
    amended = {"name": "destroy", "args": {}, "target": None}
    thread = gated(servers)
    [question] = await thread.begin(DEPLOY)
    with pytest.raises(Misconfigured, match="there is no executor for 'destroy'; available: deploy"):
        await thread.resume(envelope(question.value, action=amended))


@pytest.mark.parametrize("outcome", ["rejected", "expired", "cancelled"])
async def test_what_is_not_approved_never_runs(outcome: str) -> None:
    servers = Servers()
    thread = gated(servers)
    [question] = await thread.begin(DEPLOY)
    await thread.resume(envelope(question.value, outcome))
    state = await thread.values()
    assert (servers.deployed, state["approval"]["outcome"], state.get("result")) == ([], outcome, None)


async def test_a_failure_is_recorded_and_the_retry_asks_whether_it_happened() -> None:
    port = MemoryPort()
    current.set(port)
    servers = Servers()
    thread = gated(servers)
    [question] = await thread.begin({"action": {"name": "deploy"}})
    with pytest.raises(KeyError):
        await thread.resume(envelope(question.value))
    assert port.recorded == [("h-1", "failed", {"error": "KeyError"})]
    [doubt] = await thread.again()
    assert doubt.value["title"].startswith("Did 'deploy' happen?")
    assert port.recorded == [("h-1", "failed", {"error": "KeyError"})] and len(servers.deployed) == 1


async def test_a_state_without_an_action_says_so() -> None:
    with pytest.raises(Misconfigured, match="no `action`"):
        await gated(Servers()).begin({"task": {}})
