"""The plan: proposed by a model that looks at the code, checked against it, then reviewed by people."""

from __future__ import annotations

import asyncio
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage
from pydantic import ValidationError

from handrail.changes import conversing, workbench
from handrail.changes.conversing import Call, Voice
from handrail.changes.events import ChangePlanned
from handrail.changes.planning.handing_in import HandIn, Unusable
from handrail.changes.planning.plan import Plan, exists_in, faults
from handrail.changes.prompts import prompt, quoted, requested, version
from handrail.changes.state import State
from handrail.changes.workbench import Workbench, files_of
from handrail_sdk.holds import Action
from handrail_sdk.langgraph import ask_human
from handrail_sdk.langgraph.refusals import Refused

SUBMIT = HandIn("submit_plan", Plan)
MOST_REJECTIONS = 3
# of the model's context, for the map of the repository
MAP_SHARE = 0.2
SHOWN = "The plan is being shown to people."


async def plan(state: State) -> dict[str, Any]:
    """One turn of the planner: it looks at the code, or hands in a plan."""
    bench = Workbench.begin("planning", first=not state.get("planning"), prompt="plan")
    async with bench.tree(state) as tree:
        index = await bench.index(tree)
        voice = bench.voice("plan")
        begun: list[AnyMessage] = [] if state.get("planning") else [_request(bench, state, index, voice)]
        messages = [*state.get("planning", []), *begun]
        looking = workbench.looking(tree, index)
        said = await voice.turn(prompt("plan"), messages, [*looking.described(), SUBMIT.described()])
        calls, told = conversing.calls_or_faults(said)
        try:
            made = SUBMIT.of(said)
        except Unusable as error:
            return {"planning": [*begun, said, *_replies(said, str(error))]}
        if made is None:
            asked = (
                await looking.answered(calls) if calls else told or [HumanMessage("Call a tool, or hand in a plan.")]
            )
            return {"planning": [*begun, said, *asked]}
        wrong = await asyncio.to_thread(faults, made, exists_in(files_of(tree).read))
    if wrong:
        return {"planning": [*begun, said, *_replies(said, "\n".join(wrong))]}
    shown = [*begun, said, *_replies(said, SHOWN)]
    return {"planning": shown, "plan": made.as_data(), "prompts": {"plan": version("plan")}}


def _request(bench: Workbench, state: State, index: Any, voice: Voice) -> HumanMessage:
    intent = state.get("intent", {})
    parts = [requested(state["request"], state.get("earlier", [])), f"What it wants: {intent['description']}"]
    parts += [f"It demands: {each}" for each in intent["constraints"]]
    parts += [f"Asked: {one['question']}\nAnswered: {one['answer']}" for one in state.get("clarified", [])]
    if intent["tests_required"]:
        parts.append("Tests are required.")
    parts.append(
        quoted("the graph of the code", workbench.map_of(index, intent["names"], int(voice.context * MAP_SHARE)))
    )
    return HumanMessage("\n\n".join(parts))


def _replies(said: AIMessage, text: str) -> list[AnyMessage]:
    calls = [Call(call["name"], call["args"], call["id"]) for call in said.tool_calls]
    return conversing.replies([(call, text) for call in calls]) or [HumanMessage(text)]


async def review(state: State) -> dict[str, Any]:
    """People approve the plan, amend it, or reject it with a reason that goes back to the planner."""
    bench = Workbench.here()
    proposed = Plan.model_validate(state.get("plan"))
    people = bench.settings.agent_approval_required or state.get("intent", {}).get("human_approval", False)
    answer = ask_human(
        # a review is never left to the policy alone
        "review" if people else "approval",
        f"{proposed.kind}: {proposed.title}",
        action_of(state, proposed),
        description=state["request"],
        evidence=_evidence(state),
    )
    if answer.outcome == "rejected" and answer.reason and state.get("rejections", 0) < MOST_REJECTIONS:
        told = HumanMessage(f"A person rejected the plan: {answer.reason}\nHand in another one.")
        return {"planning": [told], "plan": None, "rejections": state.get("rejections", 0) + 1}
    if not answer.approved or answer.action is None:
        raise Refused(answer)
    return await _approved(bench, state, answer.action)


def _evidence(state: State) -> dict[str, Any]:
    """What stands beside the plan: what it reaches, and what was asked of the planner before."""
    return {
        "impact": {name: value for name, value in state.get("impact", {}).items() if name != "facts"},
        "intent": state.get("intent", {}),
        "clarified": state.get("clarified", []),
    }


def action_of(state: State, proposed: Plan) -> Action:
    """What people decide on. `facts` are counted by Handrail; the policy reads them."""
    args = {
        "repository": state["repo_url"],
        "base": state.get("tree", {}).get("base_commit"),
        "plan": proposed.as_data(),
        "commands": state.get("commands", {}),
        "facts": state.get("impact", {}).get("facts", {}),
    }
    return Action("change.plan", args, state["repo_url"])


async def _approved(bench: Workbench, state: State, action: Action) -> dict[str, Any]:
    """The plan as approved. One that a person amended to what cannot be carried out goes back to the planner."""
    try:
        approved = Plan.model_validate(action.args.get("plan"))
        async with bench.tree(state) as tree:
            wrong = await asyncio.to_thread(faults, approved, exists_in(files_of(tree).read))
    except ValidationError as error:
        wrong = [f"`{'.'.join(map(str, fault['loc']))}`: {fault['msg']}" for fault in error.errors()]
        approved = None
    if approved is None or wrong:
        said = f"A person amended the plan to this:\n{action.args.get('plan')}\nIt cannot be carried out as it is:\n"
        told = HumanMessage(said + "\n".join(wrong) + "\nHand in a plan that keeps to what the person wants.")
        return {"planning": [told], "plan": None}
    if not approved.paths <= Plan.model_validate(state.get("plan")).paths:
        # more files than were weighed: people see what that reaches, and approve it again
        return {"plan": approved.as_data()}
    bench.say(ChangePlanned(plan=approved.as_data(), digest=approved.digest))
    return {"plan": approved.as_data(), "approved": approved.digest}
