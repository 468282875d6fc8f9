"""The approved plan is carried out: the model edits, the tools keep to it, and each edit is told with its diff."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Annotated, Any

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from handrail.changes import conversing, workbench
from handrail.changes.conversing import Call
from handrail.changes.editing.desk import EditedFile
from handrail.changes.editing.syntax import ParseGate
from handrail.changes.editing.toolbox import Toolbox, schemas
from handrail.changes.events import ChangeEdited, ChangeRefused
from handrail.changes.looking import Looking
from handrail.changes.planning.plan import Plan, exists_in, faults
from handrail.changes.prompts import prompt, quoted, requested, version
from handrail.changes.stages.plan import action_of
from handrail.changes.state import State
from handrail.changes.workbench import Workbench, files_of
from handrail_sdk.langgraph import ask_human

LONGEST_DIFF = 64 << 10
NOT_YET = "Call `finish` when all tasks of the plan are done."


class Finish(BaseModel):
    """All tasks of the plan are done. Call it alone, after the last edit."""

    model_config = ConfigDict(extra="forbid")

    summary: Annotated[str, Field(min_length=1, max_length=4_000)] = Field(
        description="What was changed, for the people who review it"
    )


class WidenPlan(BaseModel):
    """Ask people to allow files that the approved plan does not name. Call it alone."""

    model_config = ConfigDict(extra="forbid")

    files: tuple[str, ...] = Field(default=(), description="Files of the repository that have to change")
    new_files: tuple[str, ...] = Field(default=(), description="Files that have to be created")
    why: Annotated[str, Field(min_length=1, max_length=2_000)]


FINISH, WIDEN = "finish", "widen_plan"
OWN: dict[str, type[BaseModel]] = {FINISH: Finish, WIDEN: WidenPlan}


def described(looking: Looking) -> list[dict[str, Any]]:
    looks = looking.described()
    edits = [schema for schema in schemas() if schema["name"] not in {each["name"] for each in looks}]
    own = [
        {"name": name, "description": schema.__doc__, "parameters": schema.model_json_schema()}
        for name, schema in OWN.items()
    ]
    return [*looks, *edits, *own]


async def think(state: State) -> dict[str, Any]:
    """The model's turn."""
    bench = Workbench.begin("editing", first=not state.get("editing"), attempt=state.get("repairs"), prompt="edit")
    begun: list[AnyMessage] = [] if state.get("editing") else [_task(state)]
    async with bench.tree(state) as tree:
        tools = described(workbench.looking(tree, await bench.index(tree)))
    messages = [*state.get("editing", []), *begun]
    said = await bench.voice("edit").turn(prompt("edit"), messages, tools)
    calls, told = conversing.calls_or_faults(said)
    if not calls and not told:
        told = [HumanMessage(NOT_YET)]
    return {"editing": [*begun, said, *told], "prompts": {"edit": version("edit")}}


def _task(state: State) -> HumanMessage:
    plan = Plan.model_validate(state.get("plan"))
    lines = [requested(state["request"], state.get("earlier", [])), f"The approved plan: {plan.title}", plan.summary]
    for number, task in enumerate(plan.tasks, 1):
        new = f" New files: {', '.join(task.new_files)}." if task.new_files else ""
        tests = f" Tests: {', '.join(task.tests)}." if task.tests else ""
        lines.append(f"{number}. {task.task}. Files: {', '.join(task.files) or 'none'}.{new}{tests}\n{task.changes}")
    return HumanMessage("\n\n".join(filter(None, lines)))


def wanted(state: State) -> list[Call]:
    """The calls of the model's last turn; none where it was told what is wrong with them."""
    messages = state.get("editing", [])
    return conversing.calls_or_faults(messages[-1])[0] if messages and isinstance(messages[-1], AIMessage) else []


async def act(state: State) -> dict[str, Any]:
    """The calls of the last turn, in order. What was edited is kept as a commit before the next turn."""
    bench = Workbench.here()
    plan = Plan.model_validate(state.get("plan"))
    answers: list[tuple[Call, str]] = []
    edited: list[EditedFile] = []
    async with bench.tree(state) as tree:
        looking = workbench.looking(tree, await bench.index(tree))
        looks = {each["name"] for each in looking.described()}
        toolbox = Toolbox(files_of(tree), ParseGate(), allow=plan.allow)
        for call in wanted(state):
            if call.name in OWN:
                answers.append((call, f"Call `{call.name}` alone, once the other calls are answered."))
            elif call.name in looks:
                answers.append((call, await looking.answer(call)))
            else:
                answer = await asyncio.to_thread(toolbox.call, call.name, call.args)
                answers.append((call, quoted(call.name, answer.text) if answer.code else answer.text))
                edited += answer.edited
                if answer.code:
                    bench.say(ChangeRefused(tool=call.name, code=answer.code, message=answer.text[:2000]))
        kept = await bench.keep(tree, edited) if edited else {}
    for each in edited:
        bench.say(edited_event(each))
    return {"editing": conversing.replies(answers), **kept}


def edited_event(edited: EditedFile) -> ChangeEdited:
    is_long = len(edited.diff) > LONGEST_DIFF
    return ChangeEdited(
        path=edited.path, hash=edited.hash, diff=edited.diff[:LONGEST_DIFF], truncated=True if is_long else None
    )


def alone(calls: Sequence[Call], name: str) -> bool:
    return len(calls) == 1 and calls[0].name == name


async def widen(state: State) -> dict[str, Any]:
    """The model needs files outside the plan: people decide on the difference."""
    bench = Workbench.here()
    [call] = wanted(state)
    plan = Plan.model_validate(state.get("plan"))
    try:
        asked = WidenPlan.model_validate(dict(call.args))
    except ValidationError as error:
        return {"editing": conversing.replies([(call, f"widen_plan cannot be called so: {error}")])}
    wider = plan.widened(asked.files, asked.new_files, asked.why)
    async with bench.tree(state) as tree:
        wrong = await asyncio.to_thread(faults, wider, exists_in(files_of(tree).read))
        weighed = await workbench.weighed(tree, await bench.index(tree), wider)
    if wrong or not wider.paths > plan.paths:
        text = "\n".join(wrong) or "The plan has these files already."
        return {"editing": conversing.replies([(call, text)])}
    answer = ask_human(
        "review",
        f"Widen the plan by {', '.join(sorted(wider.paths - plan.paths))}"[:300],
        action_of({**state, "impact": weighed}, wider),
        description=asked.why,
        evidence={"added": sorted(wider.paths - plan.paths), "approved plan": plan.digest},
    )
    if not answer.approved or answer.action is None:
        why = f": {answer.reason}" if answer.reason else ""
        return {"editing": conversing.replies([(call, f"People did not allow it{why}. Keep to the approved plan.")])}
    approved = Plan.model_validate(answer.action.args["plan"])
    if not approved.paths <= wider.paths:
        text = "A person amended the plan in a way that cannot be carried out. Keep to the approved plan."
        return {"editing": conversing.replies([(call, text)])}
    told = f"The plan now has: {', '.join(sorted(approved.paths - plan.paths)) or 'no more files than before'}."
    return {
        "plan": approved.as_data(),
        "approved": approved.digest,
        "impact": weighed,
        "editing": conversing.replies([(call, told)]),
    }


async def finish(state: State) -> dict[str, Any]:
    """The model says that it is done."""
    [call] = wanted(state)
    try:
        done = Finish.model_validate(dict(call.args))
    except ValidationError as error:
        return {"editing": conversing.replies([(call, f"finish cannot be called so: {error}")])}
    if not state.get("head"):
        return {"editing": conversing.replies([(call, "Nothing was edited yet.")])}
    return {"summary": done.summary, "editing": conversing.replies([(call, "The checks run now.")])}


def after_thinking(state: State) -> str:
    calls = wanted(state)
    if not calls:
        return "think"
    if alone(calls, WIDEN):
        return "widen"
    return "finish" if alone(calls, FINISH) else "act"


def after_finishing(state: State) -> str:
    last = state.get("editing", [])[-1]
    return "polish" if last.text == "The checks run now." else "think"
