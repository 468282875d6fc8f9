"""No try is left: a person sees what was tried, and tells the agent what to do, mends it, or gives up."""

from __future__ import annotations

from typing import Any

from langchain_core.messages import HumanMessage

from handrail.changes.editing.syntax import ParseGate
from handrail.changes.editing.toolbox import Toolbox
from handrail.changes.planning.plan import Plan
from handrail.changes.replies import GUIDE, TEXT
from handrail.changes.stages.check import failures
from handrail.changes.state import State
from handrail.changes.workbench import Workbench, files_of
from handrail.engine.failures import Failed
from handrail_sdk.langgraph import ask_human
from handrail_sdk.langgraph.refusals import Refused

PATCH, GIVE_UP = "apply my patch", "give up"
LONGEST_DIFF = 100_000
SAYS = "A person says: "
SCHEMA = {
    "type": "object",
    "properties": {
        "next": {"type": "string", "title": "What now?", "enum": [GUIDE, PATCH, GIVE_UP]},
        TEXT: {"type": "string", "title": "What the agent should do, or a unified diff", "maxLength": 100_000},
    },
    "required": ["next"],
    "additionalProperties": False,
}


async def stuck(state: State) -> dict[str, Any]:
    bench = Workbench.here()
    async with bench.tree(state) as tree:
        diff = "".join(file.text for file in await tree.diff())
        answer = ask_human(
            "input",
            _title(state.get("repairs", 0)),
            schema=SCHEMA,
            description=state["request"],
            evidence={
                "found": failures(state),
                "diff": diff[:LONGEST_DIFF],
                "branch": tree.branch,
                "patch": state.get("patch_fault") or None,
            },
        )
        if answer.outcome != "answered":
            raise Refused(answer)
        said: dict[str, str] = answer.answer
        text = said.get(TEXT, "")
        if said["next"] == GIVE_UP:
            raise Failed("given_up", f"a person gave the change up. {text}".strip())
        if said["next"] == PATCH:
            # a person's own hand, but within the plan that people approved
            toolbox = Toolbox(files_of(tree), ParseGate(), allow=Plan.model_validate(state.get("plan")).allow)
            done = toolbox.call("apply_patch", {"patch": text})
            if done.code:
                return {"patch_fault": done.text}
            return {**await bench.keep(tree, done.edited), "repairs": 0, "patch_fault": ""}
    told = HumanMessage(f"{SAYS}{text}\nMend the change, then call `finish` again.")
    return {"editing": [told], "repairs": 0, "patch_fault": ""}


def _title(repairs: int) -> str:
    tried = {0: "", 1: " after one repair"}.get(repairs, f" after {repairs} repairs")
    return f"The change does not pass{tried}"


def after_answer(state: State) -> str:
    if state.get("patch_fault"):
        return "stuck"
    told = state.get("editing", [])[-1]
    return "think" if told.text.startswith(SAYS) else "check"
