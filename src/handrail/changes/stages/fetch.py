"""The repository is brought here: a copy of the run's own, at the newest commit of the base branch."""

from __future__ import annotations

from typing import Any

from handrail.changes.demo import demo
from handrail.changes.hosting import host_of
from handrail.changes.kinds import DEMO
from handrail.changes.state import State
from handrail.changes.trees import open_tree
from handrail.changes.workbench import Workbench, failing_clearly


async def fetch(state: State) -> dict[str, Any]:
    bench = Workbench.here()
    run = bench.run
    address = state["repo_url"]
    if run.workflow == DEMO:
        address = str(await demo.repository(bench.settings))
    # a branch's name is the run's, here and on any host: numbers begin again with each database
    name = f"{run.number}-{run.id.hex[-6:]}"
    branch = f"handrail/{name}"
    with failing_clearly():
        tree = await open_tree(await bench.grove(address), str(run.id), address, state.get("base_branch"), branch)
        async with host_of(address, bench.allowed, bench.settings) as host:
            if host is not None:
                # nobody should approve a change that cannot be published
                await host.check_access(branch, tree.base_branch)
    return {"tree": tree.as_data(), "repo_url": address}
