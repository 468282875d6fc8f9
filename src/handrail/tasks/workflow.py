"""The workflow `task`: assess the risk, ask people where the policy wants it, then carry the task out."""
# LangGraph is typed in part; annotations are read when the graph is made, so they are not postponed
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false

from collections.abc import Mapping
from typing import Annotated, Any, Literal, NotRequired
from uuid import uuid4

from langgraph.graph import END, START, StateGraph
from pydantic import Field

from handrail.engine.port import Port
from handrail.policy import RECORD
from handrail.policy.facts import task_of
from handrail.settings import Settings
from handrail.tasks import executors, tasks
from handrail.tasks.executors import Executor
from handrail.tasks.kinds import TaskInput
from handrail_sdk.holds import Action
from handrail_sdk.langgraph import Answer, aeffect, effect_key
from handrail_sdk.langgraph.nodes import GatedState, request_approval
from handrail_sdk.langgraph.port import current
from handrail_sdk.langgraph.refusals import Refused


class State(GatedState, total=False):
    executor: str
    payload: Any


def graph(settings: Settings) -> "StateGraph[Any, Any, Any, Any]":
    """With the executors that the operator has named."""
    return build(executors.load(settings.workflows))


def build(known: Mapping[str, Executor]) -> "StateGraph[Any, Any, Any, Any]":
    async def execute(state: State) -> State:
        return await _carry_out(known, state)

    builder = StateGraph(State, input_schema=_input(sorted(known)))
    builder.add_node("assess", assess)
    builder.add_node("approval", request_approval)
    builder.add_node("refuse", refuse)
    builder.add_node("execute", execute)
    builder.add_edge(START, "assess")
    builder.add_conditional_edges("assess", _gate)
    builder.add_conditional_edges("approval", _outcome)
    builder.add_edge("execute", END)
    return builder


def _input(names: list[str]) -> type[Any]:
    class Task(TaskInput):
        executor: NotRequired[Annotated[str, Field(json_schema_extra={"enum": [*names]})]]  # pyright: ignore[reportIncompatibleVariableOverride] - one of these

    return Task


async def assess(state: State) -> State:
    """What is to be done, and what the policy says of it. A low task is carried out without asking."""
    facts = state.get("task", {})
    made = tasks.action_of(facts, state.get("executor", RECORD), state.get("payload"))
    action = Action(made.name, made.args, made.target)
    here = current.get()
    risk = await here.assess(action, None) if here else {"auto_approve": False}
    return {
        "action": {"name": action.name, "args": action.args, "target": action.target},
        "title": _title(state.get("description", ""), action),
        "risk": risk,
    }


def _gate(state: State) -> Literal["approval", "execute"]:
    return "execute" if state.get("risk", {}).get("auto_approve") else "approval"


def _outcome(state: State) -> Literal["execute", "refuse"]:
    return "execute" if state.get("approval", {}).get("outcome") == "approved" else "refuse"


def refuse(state: State) -> State:
    approval = state.get("approval", {})
    action = Action(**approval["action"])
    raise Refused(Answer(approval["outcome"], action, reason=approval["reason"], by=None, hold_id=approval["hold_id"]))


async def _carry_out(known: Mapping[str, Executor], state: State) -> State:
    """What was approved, which a person may have amended."""
    approval = state.get("approval")
    action: dict[str, Any] = approval["action"] if approval else {**state.get("action", {})}
    args: dict[str, Any] = action["args"]
    executor = known[args["executor"]]

    async def call(task: dict[str, Any]) -> Any:
        return await executor.call(task, effect_key() or str(uuid4()))

    here = current.get()
    if isinstance(here, Port):
        await here.check_executor(Action(**action))
    task = {
        **task_of(args),
        "description": state.get("description"),
        "payload": args.get("payload"),
        "run_id": here and here.run_id,
    }
    result = await aeffect(f"executor {args['executor']}", call, task, idempotent=executor.idempotent)
    if here is not None and approval and approval["hold_id"]:
        await here.record_result(approval["hold_id"], "succeeded", None)
    return {"result": result}


def _title(description: str, action: Action) -> str:
    said = " ".join(description.split())
    return said[:300] if said else f"{action.name} on {action.target}"
