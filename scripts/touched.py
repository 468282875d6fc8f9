"""What a change touches, by the import graph: `tests`, the test files, nearest first, as many as `make fast` has time
for; `types`, all files whose types it can break.

The change is what differs from the branch named (`main`), whether it is committed or not. Unit tests are left out: all
of them run anyway. A file that is no module touches the tests that name it.
"""

from __future__ import annotations

import subprocess
import sys
from collections import deque
from pathlib import Path

from handrail.codegraph.graph import Graph
from handrail.codegraph.index import Options, build

CACHE = Path(".venv/.touched")
# what a file of tests costs, in seconds of one core, on average; `make fast` has this many for them
COSTS = {"tests/unit/": 0, "tests/integration/": 5, "tests/acceptance/": 15, "web/e2e/": 15}
SECONDS = 45
# what pyright looks at, what it does not, and what makes it look at everything again
TYPED = ("src/", "sdk/", "tests/", "web/e2e/", "scripts/", "benchmarks/", "examples/")
UNTYPED = "tests/codegraph/fixtures/"
EVERYTHING = {"pyproject.toml", "requirements.lock", "sdk/python/pyproject.toml"}


def main(what: str = "tests", base: str = "main") -> None:
    changed = _changed(base)
    dependents = _dependents(build(Path(), Options(cache_folder=CACHE)).graph)
    if what == "types":
        sys.stdout.write(" ".join(_typed(dependents, changed)))
    else:
        _choose_tests(base, changed, _distances(dependents, changed))


def _typed(dependents: dict[str, set[str]], changed: set[str]) -> list[str]:
    """The modules that differ, and all that import them, directly or not: no other can have a new type error. Nothing
    where everything can: that is how pyright is asked for all."""
    modules = [path for path in changed if path.endswith(".py")]
    # nothing says any more who imported one that is gone
    if changed & EVERYTHING or not all(Path(path).exists() for path in modules):
        return []
    reached = _reached(dependents, dict.fromkeys(modules, 0))
    found = [path for path in sorted(reached) if path.startswith(TYPED) and not path.startswith(UNTYPED)]
    # asked for no file, pyright would check all
    return found or [__file__]


def _choose_tests(base: str, changed: set[str], distances: dict[str, int]) -> None:
    touched = [path for path in sorted(distances, key=lambda each: (distances[each], _cost(each), each)) if _cost(path)]
    chosen: list[str] = []
    left = SECONDS
    for path in touched:
        if _cost(path) <= left:
            chosen.append(path)
            left -= _cost(path)
    sys.stderr.write(
        f"Files that differ from {base}: {len(changed)}. Besides the unit tests they touch {len(touched)} test files; "
        f"the nearest {len(chosen)} run now, and `make test` runs all.\n"
    )
    # a line for each run of pytest: the browser's tests are apart from the others
    for folder in ("tests/", "web/e2e/"):
        if files := [path for path in chosen if path.startswith(folder)]:
            sys.stdout.write(f"{' '.join(files)}\n")


def _changed(base: str) -> set[str]:
    known = _git("rev-parse", "--verify", "--quiet", base).strip()
    since = _git("merge-base", "HEAD", base).strip() if known else "HEAD"
    return {
        *_git("diff", "--name-only", "--no-renames", since).split(),
        *_git("ls-files", "--others", "--exclude-standard").split(),
    }


def _git(*words: str) -> str:
    return subprocess.run(["git", *words], capture_output=True, text=True, check=False).stdout


def _dependents(graph: Graph) -> dict[str, set[str]]:
    """Of each module those that import it. Tests find helpers of `tests/` by their bare names, and a `conftest.py` is
    imported by all tests beside and below it."""
    found: dict[str, set[str]] = {}
    for path, module in graph.modules.items():
        bare = [helper for name in module.externals if (helper := f"tests/{name}.py") in graph.modules]
        above = [f"{folder}/conftest.py" for folder in Path(path).parents] if _is_test(path) else []
        for imported in (*module.imports, *bare, *above):
            found.setdefault(imported, set()).add(path)
    return found


def _distances(dependents: dict[str, set[str]], changed: set[str]) -> dict[str, int]:
    """How far from the change each test file is."""
    tests = [str(path) for folder in ("tests", "web/e2e") for path in Path(folder).rglob("test_*.py")]
    texts = {path: Path(path).read_text() for path in tests}
    others = {Path(path).name for path in changed if not path.endswith(".py")}
    naming = [path for path, text in texts.items() if any(name in text for name in others)]
    reached = _reached(dependents, dict.fromkeys(changed, 0) | dict.fromkeys(naming, 1))
    return {path: distance for path, distance in reached.items() if path in texts}


def _reached(dependents: dict[str, set[str]], begun: dict[str, int]) -> dict[str, int]:
    """How far from what it began with each module is that imports it."""
    reached = dict(begun)
    queue = deque(reached)
    while queue:
        path = queue.popleft()
        for dependent in dependents.get(path, ()):
            if dependent not in reached:
                reached[dependent] = reached[path] + 1
                queue.append(dependent)
    return reached


def _is_test(path: str) -> bool:
    return Path(path).name.startswith("test_")


def _cost(path: str) -> int:
    return next((cost for folder, cost in COSTS.items() if path.startswith(folder)), 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
