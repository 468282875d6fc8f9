"""Handrail inside LangGraph graphs and LangChain agents: `pip install handrail-sdk[langgraph]`."""

from handrail_sdk.holds import Action

from .answers import Answer
from .asking import UnsteadyQuestion, ask_human
from .effects import Stopped, aeffect, effect, effect_key
from .results import ResultNotKept

__all__ = [
    "Action",
    "Answer",
    "ResultNotKept",
    "Stopped",
    "UnsteadyQuestion",
    "aeffect",
    "ask_human",
    "effect",
    "effect_key",
]
