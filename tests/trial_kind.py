"""A system of its own, as small as can be: the description of its workflow, and the graph."""
# LangGraph is typed in part
# pyright: reportUnknownMemberType=false

from __future__ import annotations

import os
from datetime import timedelta
from typing import Any

from langgraph.graph import END, START, StateGraph
from typing_extensions import TypedDict

from handrail.core import errors
from handrail.core.holds import Action
from handrail.core.holds import Kind as HoldKind
from handrail.core.risk import Level
from handrail.engine.kinds import Admission, Kind, Owner, Submission
from handrail.engine.port import here
from handrail.policy import Policy, assess
from handrail.settings import Settings


class TooManyTrials(errors.RateLimited):
    """Too many trials are under way."""

    code = "too_many_trials"


class TrialFinal(errors.Conflict):
    """A trial is made once."""

    code = "trial_final"


class TrialInput(TypedDict):
    subject: str


class State(TrialInput, total=False):
    found: dict[str, Any]


def look(state: State) -> dict[str, Any]:
    """What a run of ours finds around it."""
    known = here().settings
    return {
        "found": {
            "data": str(known.data),
            "model_key": known.model_key and known.model_key.get_secret_value(),
            "github_token": known.github_token,
            "database_url": known.database_url,
            "ours": sorted(name for name in os.environ if name.startswith(("HANDRAIL_", "GITHUB_"))),
            "theirs": os.environ.get("PROVIDERS_OWN_KEY"),
        }
    }


def graph(_settings: Settings) -> Any:
    builder = StateGraph(State, input_schema=TrialInput)
    builder.add_node("look", look)
    builder.add_edge(START, "look")
    builder.add_edge("look", END)
    return builder


def risk(asked: Submission, policy: Policy) -> Level | None:
    subject = asked.input["subject"] if isinstance(asked.input, dict) else None
    if subject == "nobody":
        raise errors.InvalidField("a trial needs a subject", field="input")
    return assess(policy, kind=HoldKind.approval, action=Action("deploy", {"environment": str(subject)})).level


TRIAL = Kind(
    "trial",
    graph,
    "Tries something.",
    example={"subject": "staging"},
    input=TrialInput,
    owner=Owner.ours,
    admission=Admission(TooManyTrials, "trials", most=3, each=2),
    idle=timedelta(minutes=5),
    risk=risk,
    final=TrialFinal,
    secrets=("model_key",),
)
