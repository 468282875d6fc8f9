"""A risk-gated workflow of ready-made nodes: assess, wait for approval, execute exactly what was approved.

handrail runs start release '{"action": {"name": "deploy", "args": {"service": "shop", "version": "1.4.2"},
                              "target": "staging"}}'
"""

from typing import Any

from langgraph.graph import START, StateGraph

from handrail_sdk.langgraph.nodes import GatedState, assess_risk, execute, request_approval


async def deploy(service: str, version: str) -> str:
    return f"{service} {version} runs"


graph: Any = StateGraph(GatedState)
graph.add_node(assess_risk)
graph.add_node(request_approval)
graph.add_node("execute", execute({"deploy": deploy}))
graph.add_edge(START, "assess_risk")
graph.add_edge("assess_risk", "request_approval")
graph.add_edge("request_approval", "execute")
