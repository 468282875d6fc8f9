"""Agents that tests serve beside those of the documentation."""
# LangChain is typed in part
# pyright: reportUnknownVariableType=false, reportUnknownMemberType=false

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any, TypedDict

from langchain.agents import create_agent
from langchain.agents.middleware import HumanInTheLoopMiddleware
from langchain_core.tools import tool
from langgraph.graph import START, StateGraph

from handrail.models.scripted import Call, ScriptedModel, Step
from handrail_sdk.langgraph import Action, ask_human
from handrail_sdk.langgraph.middleware import PolicyMiddleware

NOTES = Path(__file__).with_name("notes")


@tool
def pay(to: str, amount: int) -> str:
    """Pays, and kills its worker the first time that it pays Mallory."""
    before = NOTES.read_text() if NOTES.exists() else ""
    with NOTES.open("a") as file:
        file.write(f"{to} {amount}\n")
    if to == "mallory" and "mallory" not in before:
        os.kill(os.getpid(), signal.SIGKILL)
    return f"{to} has {amount}"


def _model(*people: str) -> ScriptedModel:
    calls = [Call(name="pay", args={"to": to, "amount": 5}) for to in people]
    return ScriptedModel(steps=[Step(calls=calls), Step(say="Paid.")])


deadly: Any = create_agent(_model("mallory", "bob"), [pay], middleware=[PolicyMiddleware()])
per_call: Any = create_agent(
    _model("ann", "bob", "eve"),
    [pay],
    middleware=[HumanInTheLoopMiddleware({"pay": True}, interrupt_mode="per_call")],
)


class Paid(TypedDict, total=False):
    said: str


def _hurried(state: Paid) -> Paid:
    answer = ask_human("approval", "Pay Ann", Action("pay", {"to": "ann", "amount": 5}), expires_in=0.4)
    return {"said": pay.invoke({"to": "ann", "amount": 5}) if answer.approved else answer.outcome}


hurried = StateGraph(Paid)
hurried.add_node("pay", _hurried)
hurried.add_edge(START, "pay")
