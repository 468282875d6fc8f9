"""Asks, then acts twice on the world outside, which is a file."""
# LangGraph is typed in part
# pyright: reportUnknownMemberType=false

from __future__ import annotations

import asyncio
import os
from typing import TypedDict

from langgraph.graph import START, StateGraph

from handrail_sdk.langgraph import Action, aeffect, ask_human, effect_key


class Deed(TypedDict, total=False):
    name: str
    ledger: str
    answer: str


def ask(state: Deed) -> Deed:
    name = state.get("name", "")
    return {"answer": ask_human("confirmation", f"Do {name}?", Action("do", {"name": name})).outcome}


async def write(ledger: str, line: str) -> str:
    """Long enough to be cut off before, after, and between."""
    await asyncio.sleep(0.05)
    with open(ledger, "a") as file:  # noqa: ASYNC230, PTH123 - one line
        file.write(f"{line} {effect_key()}\n")
    await asyncio.sleep(0.05)
    return f"wrote {line} {os.getpid()}"


async def act(state: Deed) -> Deed:
    name, ledger = state.get("name", ""), state.get("ledger", "")
    await aeffect("once", write, ledger, f"once {name}")
    await aeffect("again", write, ledger, f"again {name}", idempotent=True)
    return {}


graph = StateGraph(Deed)
graph.add_node("ask", ask)
graph.add_node("act", act)
graph.add_edge(START, "ask")
graph.add_edge("ask", "act")
