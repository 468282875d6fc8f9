"""The result as it would be published: commits by task, the text, and the evidence that people decide on."""

from __future__ import annotations

from typing import Any, Literal

from handrail.changes.events import ChangeApprovalKept, ChangeCommitted
from handrail.changes.planning.plan import Plan
from handrail.changes.publishing.evidence import Evidence
from handrail.changes.publishing.history import read_history
from handrail.changes.publishing.markdown import quiet
from handrail.changes.publishing.objects import objects_of
from handrail.changes.publishing.text import Check, Description, FileChange, body_of, title_of
from handrail.changes.state import State
from handrail.changes.trees import FileDiff, Tree
from handrail.changes.verifying.conclusion import conclusion
from handrail.changes.workbench import Workbench, kept
from handrail.core import canonical
from handrail_sdk.holds import Action

LONGEST_LINE = 100
PARTS = {
    "diff_sha256": "the diff",
    "series_sha256": "the commits",
    "plan_digest": "the plan",
    "outcome_digest": "the results",
}
KINDS: dict[str, Literal["added", "changed", "deleted"]] = {"added": "added", "deleted": "deleted"}


async def compose(state: State) -> dict[str, Any]:
    """One commit for each task of the plan. An approval that people gave before the base moved stays, where this is
    still what they approved."""
    bench = Workbench.begin("pr_creation")
    plan = Plan.model_validate(state.get("plan"))
    async with bench.tree(state) as tree:
        messages = await _commit(bench, tree, plan)
        evidence = await _evidence(tree, plan, state)
        bench.say(ChangeCommitted(branch=tree.branch, commit=evidence.head, messages=messages))
        facts = _facts(state)
        made: dict[str, Any] = {**await kept(tree), "evidence": evidence.as_data(), "facts": facts}
        granted = state.get("granted")
        if granted:
            differs = await _differences(bench, granted, evidence, facts)
            if not differs:
                _say_kept(bench, granted, evidence, state)
                return made
            why = f"The base branch has moved, and with it {', '.join(differs)}. People are asked again."
            await bench.settle(granted, "failed", {"published": False, "why": why})
            made |= {"granted": None, "asked_again": differs}
        text = _text(state, await tree.diff())
        return {**made, "text": [title_of(text), body_of(text)]}


def after_composing(state: State) -> str:
    return "publish" if state.get("granted") else "approve"


async def _commit(bench: Workbench, tree: Tree, plan: Plan) -> tuple[str, ...]:
    before = await tree.head_tree()
    left = {path for file in await tree.diff() for path in (file.path, file.old_path)}
    await tree.unwind()
    messages: list[str] = []
    for number, task in enumerate(plan.tasks):
        mine = left if number == len(plan.tasks) - 1 else left & {*task.files, *task.new_files}
        if mine:
            message = f"{plan.kind}: {_one_line(task.task, LONGEST_LINE - len(plan.kind) - 2)}"
            await tree.commit(message, bench.author, mine, bench.run.created_at)
            messages.append(message)
            left -= mine
    assert await tree.head_tree() == before, "the same files, in other portions"
    return tuple(messages)


def _one_line(text: str, most: int) -> str:
    line = quiet(text)
    line = line[:1].lower() + line[1:]
    return line if len(line) <= most else f"{line[: most - 1]}…"


async def _evidence(tree: Tree, plan: Plan, state: State) -> Evidence:
    async with objects_of(tree.repository) as git:
        history = await read_history(git, tree.base_commit, await tree.head())
    results, verification = state.get("results", {}), state.get("verification", {})
    whole: Any = {"results": results, "verification": verification}
    return Evidence(
        repository=tree.address,
        target_branch=tree.base_branch,
        branch=tree.branch,
        base_commit=tree.base_commit,
        commits=history.commits,
        head_tree=history.tree,
        diff_sha256=history.diff_sha256,
        series_sha256=history.series_sha256,
        plan_digest=plan.digest,
        results_digest=canonical.sha256(whole),
        outcome_digest=canonical.sha256(conclusion(results, verification)),
    )


def _facts(state: State) -> dict[str, int]:
    """What the policy decides by: counted in the result, upon the base that it has now."""
    checks = state.get("verification", {}).get("checks", [])
    outside = next((each["count"] for each in checks if each["name"] == "scope"), 0)
    return {**state.get("impact", {}).get("facts", {}), "outside_plan": outside}


async def _differences(
    bench: Workbench, granted: dict[str, Any], evidence: Evidence, facts: dict[str, int]
) -> list[str]:
    """Why people must be asked again; nothing where all that they decided by is the same."""
    approved = Evidence.of(granted["evidence"])
    found = [words for name, words in PARTS.items() if getattr(evidence, name) != getattr(approved, name)]
    if not found and not evidence.is_same_change(approved):
        found = ["where it is published"]
    # who must approve it is for the policy to say, by what it reaches now
    before, now = granted["args"], {**granted["args"], **evidence.as_data(), "facts": facts}
    asked = [Action("change.publish", args, evidence.repository) for args in (before, now)]
    if _rules(await bench.port.assess(asked[0], None)) != _rules(await bench.port.assess(asked[1], None)):
        found.append("what the policy says of it")
    return found


def _rules(assessment: dict[str, Any]) -> tuple[str, list[str]]:
    return assessment["risk"], [rule["rule"] for rule in assessment["rules"]]


def _say_kept(bench: Workbench, granted: dict[str, Any], evidence: Evidence, state: State) -> None:
    approved = Evidence.of(granted["evidence"])
    bench.say(
        ChangeApprovalKept(
            hold_id=granted["hold_id"],
            from_=approved.base_commit,
            to=evidence.base_commit,
            commit=evidence.head,
            diff_sha256=evidence.diff_sha256,
            verified=state.get("verification", {}).get("words", ""),
        )
    )


def _text(state: State, files: list[FileDiff]) -> Description:
    plan = Plan.model_validate(state.get("plan"))
    checks: list[dict[str, Any]] = state.get("verification", {}).get("checks", [])
    touched = [FileChange(file.path, KINDS.get(file.status, "changed"), file.added, file.deleted) for file in files]
    doubtful = [each for each in checks if each["verdict"] == "unsure"]
    return Description(
        title=f"{plan.kind}: {plan.title}",
        summary=plan.summary or state.get("summary", ""),
        files=tuple(touched),
        checks=tuple(Check(each["name"].replace("_", " "), each["words"]) for each in checks),
        migration=plan.migration,
        rollback=plan.rollback,
        reviewer_notes="\n".join(task.notes for task in plan.tasks if task.notes),
        for_people=tuple(f"{each['name'].replace('_', ' ')}: {each['words']}" for each in doubtful),
        prompts=tuple(f"{name} {number}" for name, number in sorted(state.get("prompts", {}).items())),
    )
