"""Publishing: what people approved, and nothing else, leaves the machine."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from uuid import UUID

from langgraph.graph import END

from handrail.changes import hosting
from handrail.changes.events import ChangePublished
from handrail.changes.publishing.block import with_block
from handrail.changes.publishing.errors import DraftsRefused, HostBusy, HostUnavailable
from handrail.changes.publishing.evidence import Evidence
from handrail.changes.publishing.offering import as_files, offer
from handrail.changes.publishing.pulls import Proposal
from handrail.changes.publishing.pushing import push
from handrail.changes.state import Outcome, State
from handrail.changes.trees import Tree
from handrail.changes.workbench import Workbench, failing_clearly
from handrail.engine.failures import Failed
from handrail.holds.attesting import attested
from handrail_sdk.langgraph import aeffect

UNANSWERED = {HostUnavailable.code, HostBusy.code}
NO_DRAFT = "a draft, which this repository does not take: it would be ready for review at once"


async def publish(state: State) -> Outcome | dict[str, Any]:
    """Offers exactly what was approved, to the host, the folder or as files. If a draft was approved and the host takes
    none, people are asked again: who requested a change may approve a draft alone, and nothing else."""
    bench = Workbench.here()
    evidence = Evidence.of(state.get("evidence", {}))
    granted: dict[str, Any] = state.get("granted") or {}
    async with bench.tree(state) as tree:
        files = await tree.diff()

        async def call() -> dict[str, Any]:
            with failing_clearly():
                return await _published(bench, tree, evidence, granted, state.get("text", ("", "")))

        try:
            done = await aeffect("publish the change", call, idempotent=True) or {}
        except Failed as error:
            # a host that did not answer may have done it
            outcome = "unknown" if error.code in UNANSWERED else "failed"
            await bench.settle(granted, outcome, {"code": error.code, "why": str(error)})
            if error.code == DraftsRefused.code:
                return {"draft": False, "granted": None, "asked_again": [NO_DRAFT]}
            raise
        moved = evidence.moved_from(Evidence.of(granted["evidence"]))
        await bench.settle(granted, "succeeded", {**done, "base_moved": moved} if moved else done)
        # said first: of a large repository, clearing the files away takes minutes
        bench.say(ChangePublished(branch=evidence.branch, commit=evidence.head, url=done.get("url")))
        await tree.close()
    return {
        "branch": evidence.branch,
        "commit": evidence.head,
        "url": done.get("url"),
        "summary": state.get("summary", ""),
        "files": [file.path for file in files],
    }


def after_publishing(state: State) -> str:
    return END if state.get("granted") else "approve"


async def _published(
    bench: Workbench, tree: Tree, evidence: Evidence, granted: dict[str, Any], text: Sequence[str]
) -> dict[str, Any]:
    """May be repeated: what is there already counts."""
    approved, args = Evidence.of(granted["evidence"]), granted["args"]
    folder = hosting.folder_of(tree.address, bench.allowed)
    if folder is not None:
        return dict((await offer(tree.repository, evidence, approved, folder)).as_data())
    title, body = text
    moved = evidence.moved_from(approved)
    statement = await attested(bench.port.context.database, UUID(granted["hold_id"]), moved=moved)
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


async def _as_files(bench: Workbench, tree: Tree, evidence: Evidence, approved: Evidence, body: str) -> dict[str, Any]:
    """Without a host to publish on: a bundle, a patch and the summary, in the data folder."""
    made = await as_files(tree.repository, evidence, approved, body)
    place = bench.folder("published") / str(bench.run.id)
    await asyncio.to_thread(_write, place, made)
    return {"folder": str(place), "files": sorted(made)}


def _write(place: Path, files: dict[str, bytes]) -> None:
    place.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (place / name).write_bytes(content)
