"""Three stories for `handrail demo`, told by a scripted model: a deployment, a refund, a data export."""
# LangGraph is typed in part
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from langchain_core.messages import HumanMessage
from langgraph.graph import END, START, MessagesState, StateGraph

from handrail.models.scripted import ScriptedModel, Step
from handrail_sdk.langgraph import Action, Answer, aeffect, ask_human
from handrail_sdk.langgraph.refusals import Refused

# seconds between two words, so that the text is seen as it comes
PACE = 0.04


class State(MessagesState, total=False):
    action: dict[str, Any]
    receipt: str


@dataclass(frozen=True, slots=True)
class Story:
    """What the model thinks and says, what it then wants to do, and what comes of it."""

    wish: str
    think: str
    say: str
    title: str
    action: Action
    evidence: dict[str, Any]
    receipt: Callable[[Action], str]
    claims: dict[str, Any] | None = None


def _graph(story: Story) -> StateGraph[Any, Any, Any, Any]:
    model = ScriptedModel(steps=[Step(think=story.think, say=story.say)], pace=PACE)

    async def plan(state: State) -> dict[str, Any]:
        asked = state.get("messages") or [HumanMessage(story.wish)]
        return {"messages": [*asked, await model.ainvoke([HumanMessage(story.wish)])]}

    async def ask(state: State) -> dict[str, Any]:
        answer: Answer = ask_human(
            "approval", story.title, story.action, task=story.claims, evidence=story.evidence, description=story.say
        )
        if not answer.approved:
            raise Refused(answer)
        approved = answer.action or story.action
        return {"action": {"name": approved.name, "args": approved.args, "target": approved.target}}

    async def act(state: State) -> dict[str, Any]:
        done = await aeffect(story.action.name, story.receipt, Action(**state.get("action", {})), idempotent=True)
        return {"receipt": done}

    builder = StateGraph(State)
    builder.add_node("plan", plan)
    builder.add_node("ask", ask)
    builder.add_node("act", act)
    builder.add_edge(START, "plan")
    builder.add_edge("plan", "ask")
    builder.add_edge("ask", "act")
    builder.add_edge("act", END)
    return builder


def deploy() -> StateGraph[Any, Any, Any, Any]:
    return _graph(
        Story(
            wish="Bring shop 2.0 to our customers.",
            think="The tests are green and staging has run 2.0 for a week. Production needs two people to agree.",
            say="shop 2.0 has run in staging for a week without an error. I want to deploy it to production.",
            title="Deploy shop 2.0 to production",
            action=Action("deploy", {"service": "shop", "version": "2.0", "environment": "production"}, "shop-prod"),
            evidence={"tests": "412 passed", "staging": "7 days without an error", "rollback": "deploy shop 1.9"},
            receipt=lambda action: f"{action.args['service']} {action.args['version']} runs on {action.target}",
        )
    )


def refund() -> StateGraph[Any, Any, Any, Any]:
    return _graph(
        Story(
            wish="Order 77 arrived broken: refund it.",
            think="The order was 480.00, and one of its two lamps was broken. I would rather be generous.",
            say="Order 77 arrived broken. I want to refund the whole order of 480.00.",
            title="Refund order 77",
            action=Action("refund", {"order": "77", "amount": 480.0, "currency": "EUR"}, "order-77"),
            evidence={"order": {"lamps": 2, "total": 480.0}, "complaint": "One of the two lamps came in pieces."},
            receipt=lambda action: f"{action.args['amount']} {action.args['currency']} refunded for {action.target}",
        )
    )


def export() -> StateGraph[Any, Any, Any, Any]:
    return _graph(
        Story(
            wish="The auditors want all of last year's customers.",
            think="That is personal data of 18,000 people. It is not mine to decide.",
            say="The auditors asked for last year's customers. I want to export 18,000 records.",
            title="Export 18,000 customer records",
            action=Action("export", {"table": "customers", "year": 2025, "records": 18000}, "customers"),
            claims={"resource_type": "customer_data", "affected_records": 18000},
            evidence={"requested_by": "the auditors", "contains": ["name", "address", "purchases"]},
            receipt=lambda action: f"{action.args['records']} records of {action.target} exported",
        )
    )
