"""The change so far, kept with its run for people to read: its files with their diffs, and a patch that git applies."""

from __future__ import annotations

import json
from typing import Any
from uuid import UUID

from handrail.changes.trees import Tree
from handrail.core.runs import Run
from handrail.core.workspaces import LARGEST_FILE
from handrail.holds.context import Context
from handrail.store import claims, workspaces
from handrail.store.claims import Claim

DIFF, PATCH = "change.diff.json", "change.patch"


async def keep(context: Context, run: Run, tree: Tree) -> None:
    """By the worker that has the run. What is too large to keep is not kept, and no older state in its place."""
    files = [file.as_data() for file in await tree.diff()]
    shown = {"base_branch": tree.base_branch, "base_commit": tree.base_commit, "commit": await tree.head()}
    made = {DIFF: json.dumps({**shown, "files": files}).encode(), PATCH: await tree.patch()}
    fits = {path: content for path, content in made.items() if len(content) <= LARGEST_FILE}
    async with claims.fenced(context.database, Claim.of(run)) as conn:
        await workspaces.change(conn, run.id, fits, made.keys() - fits.keys())


async def diff_of(context: Context, run_id: UUID) -> dict[str, Any] | None:
    """The files with their diffs, and the commits between which these are; none where nothing is kept."""
    async with context.database.connection() as conn:
        found = await workspaces.content(conn, run_id, DIFF)
    return json.loads(found) if found is not None else None


async def patch_of(context: Context, run_id: UUID) -> bytes | None:
    async with context.database.connection() as conn:
        return await workspaces.content(conn, run_id, PATCH)
