"""What was edited looks like the rest: changed lines go through the repository's own formatter, if it has one."""

from __future__ import annotations

import asyncio
from typing import Any

from handrail.changes.editing.desk import Edit, EditedFile, apply
from handrail.changes.editing.errors import Refused
from handrail.changes.editing.syntax import ParseGate
from handrail.changes.planning.plan import Plan
from handrail.changes.running import executing
from handrail.changes.running.formatting import formatted, ranges_of
from handrail.changes.stages import prepare
from handrail.changes.stages.edit import edited_event
from handrail.changes.stages.survey import surveyed
from handrail.changes.state import State
from handrail.changes.trees import Tree
from handrail.changes.verifying import change
from handrail.changes.workbench import Workbench, files_of


async def polish(state: State) -> dict[str, Any]:
    bench = Workbench.here()
    plan = Plan.model_validate(state.get("plan"))
    async with bench.tree(state) as tree:
        contents = await _formatted(bench, tree)
        edited = await asyncio.to_thread(_applied, tree, contents, plan)
        kept = await bench.keep(tree, edited) if edited else {}
    for each in edited:
        bench.say(edited_event(each))
    return kept


async def _formatted(bench: Workbench, tree: Tree) -> dict[str, bytes]:
    base = await tree.base_checkout()
    # as people approved it with the plan, whatever the change makes of the settings
    found, choice = await asyncio.to_thread(surveyed, base)
    if not choice.formats:
        return {}
    paths = [file.path for file in await tree.diff()]
    made = await asyncio.to_thread(change.read, base, tree.path, paths)
    changed = {file.path: ranges_of([line.number for line in file.added]) for file in made.files}
    head = executing.Tree(tree.path, await tree.head_tree(), prepare.layers(bench, found))
    room = executing.Bench(prepare.boxed(bench.settings), bench.folder("scratch"), bench.settings.test_runner_timeout)
    return await formatted(choice.formats, head, changed, room)


def _applied(tree: Tree, contents: dict[str, bytes], plan: Plan) -> list[EditedFile]:
    """File by file: one that would no longer parse, or is outside the plan, stays as the editor left it."""
    folder, gate = files_of(tree), ParseGate()
    edited: list[EditedFile] = []
    for path, data in contents.items():
        try:
            before = folder.read(path)
            if before is not None:
                edited += apply(folder, [Edit(path, before, before._replace(data=data))], gate, plan.allow)
        except Refused:
            continue
    return edited
