"""A whole change in a repository of a hundred thousand files."""

from __future__ import annotations

import asyncio
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from change_scripts import FINISHED, INTENDED, MONEY, PLANNED, ROUNDED, TESTS, call
from change_world import ChangeWorld
from git_server import git

from handrail.core.runs import RunStatus

FILES = 100_000
PER_FOLDER = 200


def contents() -> Iterator[tuple[str, str]]:
    """A package that loses cents; beside it code that uses it and each other, and as much that is no code."""
    yield "money.py", MONEY
    yield "test_money.py", TESTS
    for number in range(FILES - 2):
        folder = f"part{number // PER_FOLDER}"
        match number % 4:
            case 0:
                earlier = number - 4 if number % PER_FOLDER else number
                uses = f"from money import cents\nfrom {folder}.code{earlier} import of_{earlier}\n\n\n"
                code = f"def of_{number}(price):\n    return of_{earlier}(cents(price))\n"
                yield f"{folder}/code{number}.py", uses + code
            case 1:
                yield f"{folder}/view{number}.ts", f"export const view{number} = (price: number) => price + {number};\n"
            case 2:
                yield f"{folder}/data{number}.json", f'{{"number": {number}}}\n'
            case _:
                yield f"{folder}/note{number}.md", f"# Note {number}\n"


def repository(folder: Path) -> Path:
    folder.mkdir()
    parts = [b"commit refs/heads/main\ncommitter Ada <ada@example.org> 0 +0000\ndata 5\nfeat:\n"]
    for path, text in contents():
        parts.append(f"M 644 inline {path}\ndata {len(text.encode())}\n{text}\n".encode())
    subprocess.run(["git", "init", "-q", "-b", "main"], cwd=folder, check=True)
    subprocess.run(["git", "fast-import", "--quiet"], cwd=folder, input=b"".join(parts), check=True)
    return folder


@pytest.mark.soak
@pytest.mark.timeout(1800)
async def test_a_change_among_a_hundred_thousand_files_is_made_like_any_other(world: ChangeWorld) -> None:
    huge = repository(world.folder / "huge")
    world.script(intent=INTENDED, plan=PLANNED, edit=[call("apply_patch", patch=ROUNDED), FINISHED])
    run = await world.work(await world.start("Round prices.", str(huge)))
    assert run.status is RunStatus.paused, run.error
    await world.decide(run)
    run = await world.work(run)
    assert run.status is RunStatus.paused, run.error
    await world.decide(run)
    run = await world.work(run)
    assert run.status is RunStatus.completed, run.error
    assert isinstance(run.result, dict)
    changed = await asyncio.to_thread(git, huge, "diff", "--numstat", "main", str(run.result["branch"]))
    assert changed == "1\t1\tmoney.py\n"
