"""Publishing: people approve exactly these commits with exactly these results, and nothing else leaves the machine."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal
from uuid import UUID

from langchain_core.messages import HumanMessage
from pydantic import TypeAdapter, ValidationError

from handrail.changes import hosting
from handrail.changes.events import ChangeCommitted, ChangePublished
from handrail.changes.planning.plan import Plan
from handrail.changes.publishing.block import text_hash, with_block
from handrail.changes.publishing.evidence import Evidence, digest_of
from handrail.changes.publishing.history import read_history
from handrail.changes.publishing.markdown import quiet
from handrail.changes.publishing.objects import objects_of
from handrail.changes.publishing.offering import as_files, offer
from handrail.changes.publishing.pulls import Proposal
from handrail.changes.publishing.pushing import push
from handrail.changes.publishing.text import Check, Description, FileChange, body_of, title_of
from handrail.changes.stages.check import within
from handrail.changes.stages.stuck import SAYS
from handrail.changes.state import Outcome, State
from handrail.changes.trees import FileDiff, LeftOut, Tree, TreeError
from handrail.changes.workbench import WORK, Workbench, failing_clearly, kept
from handrail.core import canonical
from handrail.holds.attesting import attested
from handrail_sdk.holds import Action
from handrail_sdk.langgraph import aeffect, ask_human
from handrail_sdk.langgraph.refusals import Refused

LONGEST_LINE = 100
MOST_RETURNS = 3
KINDS: dict[str, Literal["added", "changed", "deleted"]] = {"added": "added", "deleted": "deleted"}


async def compose(state: State) -> dict[str, Any]:
    """One commit for each task of the plan, and the evidence that people decide on."""
    bench = Workbench.begin("pr_creation")
    plan = Plan.model_validate(state.get("plan"))
    async with bench.tree(state) as tree:
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
        evidence = await _evidence(tree, plan, state)
        bench.say(ChangeCommitted(branch=tree.branch, commit=evidence.head, messages=tuple(messages)))
        text = _text(state, await tree.diff())
        return {**await kept(tree), "evidence": evidence.as_data(), "text": [title_of(text), body_of(text)]}


def _one_line(text: str, most: int) -> str:
    line = quiet(text)
    line = line[:1].lower() + line[1:]
    return line if len(line) <= most else f"{line[: most - 1]}…"


async def _evidence(tree: Tree, plan: Plan, state: State) -> Evidence:
    async with objects_of(tree.repository) as git:
        history = await read_history(git, tree.base_commit, await tree.head())
    results: Any = {"results": state.get("results", {}), "verification": state.get("verification", {})}
    return Evidence(
        repository=tree.address,
        target_branch=tree.base_branch,
        branch=tree.branch,
        base_commit=tree.base_commit,
        commits=history.commits,
        head_tree=history.tree,
        diff_sha256=history.diff_sha256,
        plan_digest=plan.digest,
        results_digest=canonical.sha256(results),
    )


async def approve(state: State) -> dict[str, Any]:
    """People decide on the change as it is: commits, diff, plan and results are in what they approve. Rejected with a
    reason, it goes back to the editor."""
    bench = Workbench.here()
    plan = Plan.model_validate(state.get("plan"))
    evidence = Evidence.of(state.get("evidence", {}))
    async with bench.tree(state) as tree:
        files = [file.as_data() for file in await tree.diff()]
    title, body = state.get("text", ("", ""))
    verification = state.get("verification", {})
    facts = {**state.get("impact", {}).get("facts", {}), "outside_plan": _outside(verification)}
    args = {
        **evidence.as_data(),
        "title": title,
        "text_sha256": text_hash(body),
        "draft": state.get("draft", False),
        "labels": state.get("labels", []),
        "reviewers": state.get("reviewers", []),
        "facts": facts,
        # a person who amends this to files, or hunks of them, gets the change without them, checked again
        "leave_out": list[dict[str, Any]](),
    }
    answer = ask_human(
        "approval",
        f"Publish {plan.kind}: {plan.title}"[:300],
        Action("change.publish", args, evidence.repository),
        description=state.get("summary") or plan.summary,
        evidence={
            "verification": verification,
            "files": within(files),
            "plan": plan.as_data(),
            "not left out": state.get("drop_fault") or None,
        },
    )
    returns = state.get("returns", 0)
    if answer.outcome == "rejected" and answer.reason and returns < MOST_RETURNS:
        Workbench.begin("editing", attempt=returns + 1)
        told = HumanMessage(f"{SAYS}{answer.reason}\nMend the change, then call `finish` again.")
        return {"editing": [told], "returns": returns + 1, "repairs": 0, "granted": None}
    if not answer.approved or answer.action is None:
        raise Refused(answer)
    if answer.action.args.get("leave_out"):
        return {"left_out": answer.action.args["leave_out"], "granted": None}
    granted = Evidence.of({name: answer.action.args[name] for name in evidence.as_data()})
    approved = {"digest": digest_of(granted), "hold_id": answer.hold_id, "args": answer.action.args}
    return {"granted": approved}


async def drop(state: State) -> dict[str, Any]:
    """The change without what a person left out."""
    bench = Workbench.here()
    async with bench.tree(state) as tree:
        try:
            left_out = TypeAdapter(list[LeftOut]).validate_python(state.get("left_out"))
            await tree.drop(left_out, WORK, bench.author, bench.run.created_at)
        except (TreeError, ValidationError) as error:
            return {"left_out": [], "drop_fault": str(error)}
        return {**await kept(tree), "left_out": [], "drop_fault": ""}


def after_approval(state: State) -> str:
    if state.get("left_out"):
        return "drop"
    return "settle" if state.get("granted") else "think"


def after_dropping(state: State) -> str:
    return "approve" if state.get("drop_fault") else "check"


def _outside(verification: dict[str, Any]) -> int:
    return next((each["count"] for each in verification.get("checks", []) if each["name"] == "scope"), 0)


async def publish(state: State) -> Outcome:
    """Offers exactly what was approved, to the host, the folder or as files."""
    bench = Workbench.here()
    evidence = Evidence.of(state.get("evidence", {}))
    granted: dict[str, Any] = state.get("granted") or {}
    async with bench.tree(state) as tree:
        files = await tree.diff()

        async def call() -> dict[str, Any]:
            with failing_clearly():
                return await _published(bench, tree, evidence, granted, state.get("text", ("", "")))

        done = await aeffect("publish the change", call, idempotent=True) or {}
        if granted["hold_id"]:
            await bench.port.record_result(granted["hold_id"], "succeeded", done)
        await tree.close()
    bench.say(ChangePublished(branch=evidence.branch, commit=evidence.head, url=done.get("url")))
    return {
        "branch": evidence.branch,
        "commit": evidence.head,
        "url": done.get("url"),
        "summary": state.get("summary", ""),
        "files": [file.path for file in files],
    }


async def _published(
    bench: Workbench, tree: Tree, evidence: Evidence, granted: dict[str, Any], text: Sequence[str]
) -> dict[str, Any]:
    """May be repeated: what is there already counts."""
    approved, args = granted["digest"], granted["args"]
    folder = hosting.folder_of(tree.address, bench.allowed)
    if folder is not None:
        return dict((await offer(tree.repository, evidence, approved, folder)).as_data())
    title, body = text
    statement = await attested(bench.port.context.database, UUID(granted["hold_id"]))
    body = with_block(body, statement)
    async with hosting.host_of(tree.address, bench.allowed, bench.settings) as host:
        if host is None:
            return await _as_files(bench, tree, evidence, approved, body)
        pushed = await push(tree.repository, evidence, approved, bench.allowed, host.token)
        proposal = Proposal(
            head=evidence.branch,
            base=evidence.target_branch,
            commit=evidence.head,
            title=title,
            body=body,
            draft=args["draft"],
            labels=tuple(args["labels"]),
            reviewers=tuple(args["reviewers"]),
        )
        opened = await host.open_pull_request(proposal)
    return {**pushed.as_data(), **opened.as_data()}


async def _as_files(bench: Workbench, tree: Tree, evidence: Evidence, approved: str, body: str) -> dict[str, Any]:
    """Without a host to publish on: a bundle, a patch and the summary, in the data folder."""
    made = await as_files(tree.repository, evidence, approved, body)
    place = bench.folder("published") / str(bench.run.id)
    await asyncio.to_thread(_write, place, made)
    return {"folder": str(place), "files": sorted(made)}


def _write(place: Path, files: dict[str, bytes]) -> None:
    place.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (place / name).write_bytes(content)


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
    )
