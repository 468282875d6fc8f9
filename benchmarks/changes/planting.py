"""Plants a fault in a project: one that its tests notice, and another beside it that other tests notice."""

from __future__ import annotations

import random
import re
import sys
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from handrail.changes.environments.layers import Layer
from handrail.changes.results.model import Report
from handrail.changes.running.choosing import whole
from handrail.changes.running.executing import Bench, Tree, run
from handrail.changes.running.model import Call

sys.path.append(str(Path(__file__).parents[2] / "tests"))

from change_attempts import Fault

from .mutating import Mutant, mutants
from .projects import Project

# runs of a project's tests that looking for both faults may take
MOST_RUNS = 30
# runs of the tests before any fault, to know those that fail without one
BASELINE = 3
# a fault that breaks more than that share of the tests is none that anybody would ask about
SHARE = 0.1


@dataclass(frozen=True)
class Ground:
    """A project that can be tested: its folder, how its tests are called, and what they need."""

    project: Project
    folder: Path
    call: Call
    layers: tuple[Layer, ...]
    bench: Bench

    async def tested(self) -> Report:
        """The tests of the folder as it is now."""
        return (await run(whole(self.call), Tree(self.folder, "", self.layers), self.bench)).report


@dataclass(frozen=True)
class Broken:
    mutant: Mutant
    right: str
    wrong: str
    tests: frozenset[str]


async def plant(ground: Ground) -> Fault | None:
    """The fault, written into the project; None where none was found in as many runs of its tests."""
    # a test that fails now and then, or another case of it, shows no fault
    known = {test.group for _ in range(BASELINE) for test in (await ground.tested()).broken}
    first: list[Broken] = []
    async for broken in _noticed(ground, known):
        for earlier in first:
            fault = _fault(ground, earlier, broken) or _fault(ground, broken, earlier)
            if fault:
                (ground.folder / fault.path).write_bytes(fault.wrong.encode())
                return fault
        first.append(broken)
    return None


async def _noticed(ground: Ground, known: set[str]) -> AsyncIterator[Broken]:
    """Mutants that some tests notice and most do not, several of one file before those of the next."""
    for file, mutant in islice(_tried(ground), MOST_RUNS):
        right = file.read_bytes().decode()
        wrong = mutant.of(right)
        file.write_bytes(wrong.encode())
        try:
            report = await ground.tested()
            tests = frozenset(test.id for test in report.broken if test.group not in known)
            if report.fault or not 0 < len(tests) <= max(3, SHARE * len(report.tests)):
                continue
            # what a busy machine broke passes this time
            tests &= {test.id for test in (await ground.tested()).broken}
        finally:
            file.write_bytes(right.encode())
        if tests:
            yield Broken(mutant, right, wrong, tests)


def _tried(ground: Ground) -> Iterator[tuple[Path, Mutant]]:
    """Those that were found once, then some of each file by chance."""
    chance = random.Random(ground.project.seed)
    every = [
        (file, mutants(file.relative_to(ground.folder).as_posix(), file.read_bytes().decode()))
        for file in _code(ground)
    ]
    if ground.project.found:
        path, *places = ground.project.found
        yield from ((file, each) for file, some in every for each in some if each.path == path and each.start in places)
    many = [(file, some) for file, some in every if len(some) > 3]
    chance.shuffle(many)
    for file, some in many:
        yield from ((file, mutant) for mutant in chance.sample(some, min(8, len(some))))


def _code(ground: Ground) -> list[Path]:
    place = ground.folder / ground.project.sources
    return [place] if place.is_file() else sorted(place.rglob(f"*{ground.project.suffix}"))


def _fault(ground: Ground, planted: Broken, other: Broken) -> Fault | None:
    """`other` breaks tests of its own and none of those that show the planted one, on another line of the same file."""
    apart = abs(planted.mutant.line(planted.right) - other.mutant.line(other.right)) > 8
    if planted.mutant.path != other.mutant.path or not apart or planted.tests & other.tests:
        return None
    for test in sorted(planted.tests):
        found = _lenient(ground, test)
        if found:
            path, strict, lenient = found
            code = planted.mutant.path
            outside = f"handrail_outside{ground.project.suffix}"
            return Fault(code, planted.wrong, planted.right, other.wrong, path, strict, lenient, outside)
    return None


def _lenient(ground: Ground, test: str) -> tuple[str, str, str] | None:
    """The file of a test, as it is and with the test skipped; None where the test cannot be found in it."""
    where, _, name = test.partition("::")
    if ground.project.registry == "npm":
        strict = (ground.folder / where).read_bytes().decode()
        lenient = re.sub(r"^(\s*)(describe|suite)\(", r"\1\2.skip(", strict, count=1, flags=re.MULTILINE)
        return None if lenient == strict else (where, strict, lenient)
    parts = where.split(".")
    for end in range(len(parts), 0, -1):
        path = "/".join(parts[:end]) + ".py"
        if (ground.folder / path).is_file():
            strict = (ground.folder / path).read_bytes().decode()
            function = re.escape(re.sub(r"\[.*$", "", name, flags=re.DOTALL))
            lenient = re.sub(
                rf"^( *)((?:async )?def {function}\()", r'\1@pytest.mark.skip(reason="flaky")\n\1\2', strict,
                count=1, flags=re.MULTILINE,
            )  # fmt: skip
            has_pytest = re.search(r"^import pytest$", strict, re.MULTILINE)
            return (path, strict, lenient) if lenient != strict and has_pytest else None
    return None
