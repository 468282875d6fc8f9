"""The base branch may have moved: the change is moved along and checked again, before and after people agree."""

from __future__ import annotations

from typing import Any

from handrail.changes.events import ChangeRebased
from handrail.changes.state import State
from handrail.changes.trees import Tree
from handrail.changes.workbench import Workbench, kept
from handrail.engine.failures import Failed

# a branch that never rests must not keep a change from its end
MOST_MOVES = 5


async def freshen(state: State) -> dict[str, Any]:
    """Where the base has moved, the same commits upon its newest one, to be checked again. What people approved before
    counts only where nothing that they decided by has changed (`compose`)."""
    bench = Workbench.here()
    async with bench.tree(state) as tree:
        try:
            return await _freshened(bench, tree, state.get("moves", 0))
        except Failed as error:
            why = {"published": False, "code": error.code, "why": str(error)}
            await bench.settle(state.get("granted"), "failed", why)
            raise


async def _freshened(bench: Workbench, tree: Tree, moves: int) -> dict[str, Any]:
    drift = await tree.drift()
    if drift.kind == "deleted":
        raise Failed("base_branch_missing", f"the branch {tree.base_branch!r} is gone: nothing can be merged into it")
    if drift.commit is None or drift.kind == "same" or moves >= MOST_MOVES:
        return {"moved": False}
    rebased = await tree.rebase(drift.commit)
    if not isinstance(rebased, Tree):
        where = ", ".join(sorted({conflict.path for conflict in rebased}))
        raise Failed(
            "base_conflict",
            f"the branch {tree.base_branch!r} has moved and conflicts with the change in {where}: start it again",
        )
    if await rebased.head() == drift.commit:
        raise Failed(
            "nothing_to_publish", f"the branch {tree.base_branch!r} has moved, and has all of this change already"
        )
    bench.say(ChangeRebased(branch=tree.base_branch, from_=tree.base_commit, to=drift.commit))
    return {
        "tree": rebased.as_data(),
        **await kept(rebased),
        "moved": True,
        "moves": moves + 1,
    }


def after_checks(state: State) -> str:
    return "check" if state.get("moved") else "compose"


def after_approval(state: State) -> str:
    return "check" if state.get("moved") else "publish"
