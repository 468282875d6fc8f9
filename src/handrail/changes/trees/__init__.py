"""A run's own copy of a repository: files to change, a branch to commit to, and nothing of the repository that runs.

    grove = Grove(data / "trees", mirrors, allowed)
    tree = await open_tree(grove, run, repo_url, base_branch)  # or `rebuild(tree, bundle, head)` after a crash
    tree.path, tree.base_commit, tree.branch
    await tree.commit("fix(cart): round totals", Author("Handrail", "handrail@example.org"))
    [file.as_data() for file in await tree.diff()]
    bundle, head = await tree.bundle(), await tree.head()  # to be kept with the run
    await tree.close()

Base commit and bundle are the truth; the tree is a cache of this machine. `path` holds files alone: the repository lies
beside it, where no command that runs over the files can see or change it. git reads no settings but ours, runs no hook,
filter, driver, helper or submodule, and files are byte by byte what git has kept. Errors are `TreeError`s, each with a
code.
"""

from handrail.changes.trees.committing import Author
from handrail.changes.trees.diffs import FileDiff, Hunk
from handrail.changes.trees.errors import TreeError
from handrail.changes.trees.groves import Grove
from handrail.changes.trees.leaving_out import LeftOut
from handrail.changes.trees.opening import open_tree, rebuild, sweep
from handrail.changes.trees.rebasing import Conflict
from handrail.changes.trees.sources import Drift
from handrail.changes.trees.tree import Tree

__all__ = [
    "Author",
    "Conflict",
    "Drift",
    "FileDiff",
    "Grove",
    "Hunk",
    "LeftOut",
    "Tree",
    "TreeError",
    "open_tree",
    "rebuild",
    "sweep",
]
