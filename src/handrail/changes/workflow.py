"""The workflow `change`: from a sentence to a branch that people trust.

understand → (ask back) → survey → plan ⇄ review → (prepare) → edit ⇄ check ⇄ approve → publish; questions and diagrams
are answered instead. Where the base moves, the change is checked again upon it, before and after the approval.
"""
# LangGraph is typed in part; annotations are read when the graph is made, so they are not postponed
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false

from typing import Any

from langgraph.graph import END, START, StateGraph

from handrail.changes.kinds import ChangeInput
from handrail.changes.planning.plan import Plan
from handrail.changes.stages import (
    answer,
    approve,
    check,
    compose,
    edit,
    fetch,
    freshen,
    plan,
    polish,
    prepare,
    publish,
    stuck,
    survey,
    understand,
)
from handrail.changes.state import Outcome, State
from handrail.changes.workbench import Workbench


def graph() -> "StateGraph[Any, Any, Any, Any]":
    builder = StateGraph(State, input_schema=ChangeInput, output_schema=Outcome)
    for name, node in {
        "fetch": fetch.fetch,
        "understand": understand.understand,
        "clarify": understand.clarify,
        "answer": answer.answer,
        "tell": answer.tell,
        "survey": survey.survey,
        "plan": plan.plan,
        "weigh": survey.weigh,
        "review": plan.review,
        "look_for_dependencies": prepare.look,
        "prepare": prepare.prepare,
        "think": edit.think,
        "act": edit.act,
        "widen": edit.widen,
        "finish": edit.finish,
        "polish": polish.polish,
        "check": check.check,
        "repair": check.repair,
        "stuck": stuck.stuck,
        "freshen": freshen.freshen,
        "compose": compose.compose,
        "approve": approve.approve,
        "drop": approve.drop,
        "settle": freshen.freshen,
        "publish": publish.publish,
    }.items():
        builder.add_node(name, node)
    builder.add_edge(START, "fetch")
    builder.add_edge("fetch", "understand")
    builder.add_conditional_edges("understand", _wanted, ["clarify", "answer", "survey"])
    builder.add_edge("clarify", "understand")
    builder.add_conditional_edges("answer", answer.after_answering, ["tell", "answer"])
    builder.add_edge("tell", END)
    builder.add_edge("survey", "plan")
    builder.add_conditional_edges("plan", _planned, ["weigh", "plan"])
    builder.add_edge("weigh", "review")
    builder.add_conditional_edges("review", _reviewed, ["plan", "weigh", "look_for_dependencies"])
    builder.add_conditional_edges("look_for_dependencies", _prepared, ["prepare", "think"])
    builder.add_edge("prepare", "think")
    builder.add_conditional_edges("think", edit.after_thinking, ["think", "act", "widen", "finish"])
    builder.add_edge("act", "think")
    builder.add_edge("widen", "think")
    builder.add_conditional_edges("finish", edit.after_finishing, ["polish", "think"])
    builder.add_edge("polish", "check")
    builder.add_conditional_edges("check", _checked, ["freshen", "repair", "stuck"])
    builder.add_conditional_edges("freshen", freshen.after_checks, ["check", "compose"])
    builder.add_edge("repair", "think")
    builder.add_conditional_edges("stuck", stuck.after_answer, ["think", "check", "stuck"])
    builder.add_conditional_edges("compose", compose.after_composing, ["approve", "publish"])
    builder.add_conditional_edges("approve", approve.after_approval, ["drop", "settle", "think"])
    builder.add_conditional_edges("drop", approve.after_dropping, ["approve", "check"])
    builder.add_conditional_edges("settle", freshen.after_approval, ["check", "publish"])
    builder.add_conditional_edges("publish", publish.after_publishing, ["approve", END])
    return builder


def _wanted(state: State) -> str:
    intent = state.get("intent", {})
    if intent["unclear"]:
        return "clarify"
    return "survey" if intent["category"] == "code_change" else "answer"


def _planned(state: State) -> str:
    return "weigh" if state.get("plan") else "plan"


def _reviewed(state: State) -> str:
    found = state.get("plan")
    if not found:
        return "plan"
    return "look_for_dependencies" if state.get("approved") == Plan.model_validate(found).digest else "weigh"


def _prepared(state: State) -> str:
    return "prepare" if state.get("unprepared") else "think"


def _checked(state: State) -> str:
    if state.get("passed"):
        return "freshen"
    return "repair" if state.get("repairs", 0) < Workbench.here().settings.agent_max_retries else "stuck"
