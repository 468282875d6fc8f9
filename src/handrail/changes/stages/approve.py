"""The result before people: approved as it is, or with parts left out, which are then gone from it."""

from __future__ import annotations

from typing import Annotated, Any, Self

from langchain_core.messages import HumanMessage
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, model_validator

from handrail.changes.events import ChangePlanned
from handrail.changes.planning.plan import Plan
from handrail.changes.publishing.block import text_hash
from handrail.changes.publishing.evidence import Evidence
from handrail.changes.stages.check import within
from handrail.changes.stages.stuck import SAYS
from handrail.changes.state import State
from handrail.changes.trees import LeftOut, TreeError
from handrail.changes.workbench import WORK, Workbench, kept
from handrail_sdk.holds import Action
from handrail_sdk.langgraph import ask_human
from handrail_sdk.langgraph.refusals import Refused

MOST_RETURNS = 3


class Part(BaseModel):
    """What a person leaves out: a file, hunks of one, or a task of the plan by its number, counted from 1."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    path: str = ""
    hunks: tuple[str, ...] = ()
    task: Annotated[int, Field(ge=1)] | None = None

    @model_validator(mode="after")
    def _one(self) -> Self:
        if bool(self.path) == (self.task is not None) or (self.hunks and not self.path):
            raise ValueError("name a `path`, with `hunks` or without, or the number of a `task`")
        return self


class NotLeftOut(Exception):
    """Why a task cannot be left out, as a sentence."""


async def approve(state: State) -> dict[str, Any]:
    """People decide on the change as it is: commits, diff, plan and results are in what they approve. Rejected with a
    reason, it goes back to the editor."""
    bench = Workbench.here()
    plan = Plan.model_validate(state.get("plan"))
    evidence = Evidence.of(state.get("evidence", {}))
    async with bench.tree(state) as tree:
        files = [file.as_data() for file in await tree.diff()]
    title, body = state.get("text", ("", ""))
    args = {
        **evidence.as_data(),
        "title": title,
        "text_sha256": text_hash(body),
        "draft": state.get("draft", False),
        "labels": state.get("labels", []),
        "reviewers": state.get("reviewers", []),
        "facts": state.get("facts", {}),
        "prompts": state.get("prompts", {}),
        # a person who amends this to files, hunks or tasks gets the change without them, checked again
        "leave_out": list[dict[str, Any]](),
    }
    answer = ask_human(
        "approval",
        f"Publish {plan.kind}: {plan.title}"[:300],
        Action("change.publish", args, evidence.repository),
        description=state.get("summary") or plan.summary,
        evidence={
            "verification": state.get("verification", {}),
            "files": within(files),
            "plan": plan.as_data(),
            "impact": {name: value for name, value in state.get("impact", {}).items() if name != "facts"},
            "not left out": state.get("drop_fault") or None,
            "changed since it was approved": state.get("asked_again") or None,
        },
    )
    returns = state.get("returns", 0)
    if answer.outcome == "rejected" and answer.reason and returns < MOST_RETURNS:
        Workbench.begin("editing", attempt=returns + 1, prompt="edit")
        told = HumanMessage(f"{SAYS}{answer.reason}\nMend the change, then call `finish` again.")
        return {"editing": [told], "returns": returns + 1, "repairs": 0, "granted": None}
    if not answer.approved or answer.action is None:
        raise Refused(answer)
    approved = answer.action.args
    if approved.get("leave_out"):
        return {"left_out": approved["leave_out"], "left_out_by": answer.hold_id, "granted": None}
    granted = Evidence.of({name: approved[name] for name in evidence.as_data()})
    return {"granted": {"evidence": granted.as_data(), "hold_id": answer.hold_id, "args": approved}}


def after_approval(state: State) -> str:
    if state.get("left_out"):
        return "drop"
    return "settle" if state.get("granted") else "think"


async def drop(state: State) -> dict[str, Any]:
    """The change without what a person left out, and the plan without its tasks."""
    bench = Workbench.here()
    plan = Plan.model_validate(state.get("plan"))
    used = {"hold_id": state.get("left_out_by")}
    async with bench.tree(state) as tree:
        try:
            parts = TypeAdapter(list[Part]).validate_python(state.get("left_out"))
            narrower = without_tasks(plan, {part.task for part in parts if part.task})
            gone = plan.paths - narrower.paths
            changed = [file.path for file in await tree.diff() if {file.path, file.old_path} & gone]
            left_out = [LeftOut(part.path, part.hunks) for part in parts if part.path]
            await tree.drop([*left_out, *map(LeftOut, changed)], WORK, bench.author, bench.run.created_at)
        except (NotLeftOut, TreeError, ValidationError) as error:
            await bench.settle(used, "failed", {"published": False, "why": str(error)})
            return {"left_out": [], "drop_fault": str(error)}
        why = "Parts were left out. The rest is checked and asked about again."
        await bench.settle(used, "succeeded", {"published": False, "why": why})
        if narrower != plan:
            bench.say(ChangePlanned(plan=narrower.as_data(), digest=narrower.digest))
        return {
            **await kept(tree),
            "plan": narrower.as_data(),
            "approved": narrower.digest,
            "left_out": [],
            "drop_fault": "",
        }


def without_tasks(plan: Plan, numbers: set[int]) -> Plan:
    """The plan without those; refused where it would not be clear what of a file is theirs."""
    unknown = [number for number in sorted(numbers) if number > len(plan.tasks)]
    if unknown:
        raise NotLeftOut(f"The plan has no task {unknown[0]}: it has {len(plan.tasks)}.")
    stay = tuple(task for number, task in enumerate(plan.tasks, 1) if number not in numbers)
    if not stay:
        raise NotLeftOut("These are all tasks of the plan. To publish nothing, reject it.")
    others = {path for task in stay for path in (*task.files, *task.new_files)}
    for number in sorted(numbers):
        task = plan.tasks[number - 1]
        shared = sorted(others & {*task.files, *task.new_files})
        if shared:
            raise NotLeftOut(f"Other tasks than task {number} change {shared[0]} too: name its hunks instead.")
    return plan.model_copy(update={"tasks": stay})


def after_dropping(state: State) -> str:
    return "approve" if state.get("drop_fault") else "check"
