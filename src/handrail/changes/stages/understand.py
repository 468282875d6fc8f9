"""What does the request want? Read by a model, checked here, and asked back where it can mean several things."""

from __future__ import annotations

from typing import Any

from langchain_core.messages import AnyMessage, HumanMessage, ToolMessage

from handrail.changes import workbench
from handrail.changes.conversing import Voice
from handrail.changes.events import ChangeUnderstood
from handrail.changes.planning.handing_in import HandIn, Unusable
from handrail.changes.planning.intent import Intent
from handrail.changes.prompts import prompt, quoted, requested, version
from handrail.changes.replies import COMMENT, OTHER
from handrail.changes.state import Clarification, State
from handrail.changes.workbench import Workbench
from handrail.engine.failures import Failed
from handrail_sdk.langgraph import ask_human
from handrail_sdk.langgraph.refusals import Refused

SUBMIT = HandIn("submit_intent", Intent)
MOST_REPAIRS = 2
MOST_ROUNDS = 3
MOST_CHOICES = 8


async def understand(state: State) -> dict[str, Any]:
    bench = Workbench.begin("intent_extraction", prompt="intent")
    async with bench.tree(state) as tree:
        index = await bench.index(tree)
    overview = quoted("the repository", workbench.overview(index))
    messages: list[AnyMessage] = [HumanMessage(_request(state, overview))]
    intent = await _read(bench.voice("summary"), messages)
    if len(state.get("clarified", [])) >= MOST_ROUNDS:
        # whoever asked was asked often enough: what is open now is decided by the plan, which people see
        intent = intent.model_copy(update={"unclear": ()})
    found = intent.as_data()
    for open_point in found["unclear"]:
        known = [*open_point["choices"], *workbench.named(index, open_point["about"])]
        open_point["choices"] = list(dict.fromkeys(known))[:MOST_CHOICES]
    bench.say(ChangeUnderstood(intent=found))
    return {"intent": found, "prompts": {"intent": version("intent")}}


async def _read(voice: Voice, messages: list[AnyMessage]) -> Intent:
    fault = ""
    for _ in range(MOST_REPAIRS + 1):
        said = await voice.turn(prompt("intent"), messages, [SUBMIT.described()])
        try:
            intent = SUBMIT.of(said)
        except Unusable as error:
            intent, fault = None, str(error)
        else:
            fault = fault if intent else "Call `submit_intent`, or answer with one JSON object in a fence."
        if intent is not None:
            return intent
        told = [ToolMessage(fault, name=call["name"], tool_call_id=call["id"]) for call in said.tool_calls]
        messages = [*messages, said, *(told or [HumanMessage(fault)])]
    raise Failed("model_unusable", f"the model could not say what the request wants. {fault}")


def _request(state: State, overview: str) -> str:
    parts = [requested(state["request"], state.get("earlier", [])), overview]
    parts += [f"Asked: {one['question']}\nAnswered: {one['answer']}" for one in state.get("clarified", [])]
    return "\n\n".join(parts)


async def clarify(state: State) -> dict[str, Any]:
    """Asks whoever may answer, with the choices that the request and the code suggest."""
    open_points = state.get("intent", {})["unclear"]
    schema = {
        "type": "object",
        "properties": {f"answer_{n}": _field(point) for n, point in enumerate(open_points, 1)}
        | {COMMENT: {"type": "string", "title": "Anything else"}},
        "required": [f"answer_{n}" for n in range(1, len(open_points) + 1)],
        "additionalProperties": False,
    }
    answer = ask_human(
        "input",
        open_points[0]["question"] if len(open_points) == 1 else "What exactly should be changed?",
        schema=schema,
        description=state["request"],
        evidence={"repository": state["repo_url"]},
    )
    if answer.outcome != "answered":
        raise Refused(answer)
    said: dict[str, str] = answer.answer
    clarified: list[Clarification] = [
        {"question": point["question"], "answer": said[f"answer_{n}"]} for n, point in enumerate(open_points, 1)
    ]
    if said.get(COMMENT):
        clarified.append({"question": "Anything else?", "answer": said[COMMENT]})
    return {"clarified": [*state.get("clarified", []), *clarified]}


def _field(point: dict[str, Any]) -> dict[str, Any]:
    choices = {"enum": [*point["choices"], OTHER]} if point["choices"] else {"minLength": 1}
    return {"type": "string", "title": point["question"], **choices}
