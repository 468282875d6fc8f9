"""What a change did to a repository's tests and checks: both trees are run, and one is compared with the other."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from handrail.changes.environments import instructions
from handrail.changes.environments.errors import BadInstructions
from handrail.changes.environments.sources import Sources
from handrail.changes.results.comparing import Comparison, Verdict, compare, suspects
from handrail.changes.results.findings import Lines, new_findings
from handrail.changes.results.model import Finding, Report
from handrail.changes.running.choosing import Choice, choose, narrowed, whole
from handrail.changes.running.executing import Bench, Ran, Tree, run
from handrail.changes.running.hearing import Progress, Tell, nobody
from handrail.changes.running.keeping import Results
from handrail.changes.running.model import Call, Selection
from handrail.changes.running.ordering import Stage

# how often the base is run to see whether it agrees with itself, and what broke on both trees
BASELINE, AGAIN = 2, 3


@dataclass(frozen=True, slots=True)
class SuiteOutcome:
    call: Call
    comparison: Comparison
    head: Ran

    def as_data(self) -> dict[str, Any]:
        found = self.comparison._asdict()
        found["flaky"] = [each._asdict() for each in self.comparison.flaky]
        broken = {test.id: test.message for test in self.head.report.broken}
        named = {"tool": self.call.tool, "folder": self.call.folder, "verdict": self.comparison.verdict.value}
        return {**named, **found, "tests": len(self.head.report.tests), "messages": broken, "output": self.head.output}


@dataclass(frozen=True, slots=True)
class CheckOutcome:
    """`fault` where nothing can be said; `is_new` where that is so since the change."""

    call: Call
    new: tuple[Finding, ...] = ()
    fault: str = ""
    is_new: bool = False
    output: str = ""

    def as_data(self) -> dict[str, Any]:
        named = {"tool": self.call.tool, "folder": self.call.folder, "fault": self.fault, "fault_is_new": self.is_new}
        return {**named, "new": [asdict(each) for each in self.new], "output": self.output}


@dataclass(frozen=True, slots=True)
class Judgement:
    tests: tuple[SuiteOutcome, ...]
    checks: tuple[CheckOutcome, ...]

    @property
    def verdict(self) -> Verdict:
        """Without any test, and where a check could never be run, nobody can be sure."""
        verdicts = [each.comparison.verdict for each in self.tests]
        if Verdict.failed in verdicts or any(each.new or each.is_new for each in self.checks):
            return Verdict.failed
        if not verdicts or Verdict.unsure in verdicts or any(each.fault for each in self.checks):
            return Verdict.unsure
        return Verdict.passed

    def as_data(self) -> dict[str, Any]:
        tests, checks = ([each.as_data() for each in found] for found in (self.tests, self.checks))
        return {"verdict": self.verdict.value, "tests": tests, "checks": checks}


@dataclass(frozen=True, slots=True)
class Judge:
    """Runs things once for each tree, environment and command, and remembers what came of it."""

    bench: Bench
    kept: Results
    tell: Tell = nobody

    async def judge(self, base: Tree, head: Tree, choice: Choice, moved: Mapping[str, str] | None = None) -> Judgement:
        """`choice` is what people saw and approved; `moved` says what a file was called in the base."""
        known = await asyncio.to_thread(_known, base)
        tests = [await self._tested(call, base, head, is_known=_key(call) in known) for call in choice.tests]
        checks = [await self._checked(call, base, head, moved) for call in choice.checks]
        return Judgement(tuple(tests), tuple(checks))

    async def baseline(self, base: Tree, choice: Choice) -> dict[tuple[str, str], tuple[Ran, ...]]:
        """The base's tests by tool and folder, run as often as judging needs. Judging does not run them again."""
        return {_key(call): await self._runs(whole(call), base, "base", BASELINE) for call in choice.tests}

    async def rehearse(
        self, base: Tree, head: Tree, choice: Choice, stages: Sequence[Stage], known: frozenset[str] = frozenset()
    ) -> tuple[Stage, tuple[Report, ...]] | None:
        """The first stage before the suite in which a test breaks twice that is not `known` to, with its reports; None
        where there is none, which is no verdict: only the whole suite gives one."""
        sources = await asyncio.to_thread(Sources, head.path)
        for stage in (each for each in stages if not each.is_gate):
            calls = [(call, few) for call in choice.tests if (few := narrowed(call, stage.selection, sources))]
            reports = [await self._rehearsed(call, few, base, head, sources, known) for call, few in calls]
            if any(test.id not in known for report in reports for test in report.broken):
                return stage, tuple(reports)
        return None

    async def _rehearsed(
        self, call: Call, few: Call, base: Tree, head: Tree, sources: Sources, known: frozenset[str]
    ) -> Report:
        """What `few` tests of the call came to. Those that break are run again, and on the base: a flaky one costs no
        try, and neither does one that passes only after others."""
        first = (await self._run(few, head, "head", 0)).report
        names = tuple(test.id for test in first.broken if test.id not in known)
        if not names:
            return first
        alone = narrowed(call, Selection(ids=names), sources) or few
        again = (await self._run(alone, head, "head", 1)).report
        found = first if again.fault else again
        if not any(test.id in names for test in found.broken):
            return found
        before = {test.id for test in (await self._run(alone, base, "base", 1)).report.broken}
        return replace(found, tests=tuple(test for test in found.tests if test.id not in before))

    async def _tested(self, call: Call, base: Tree, head: Tree, *, is_known: bool) -> SuiteOutcome:
        # a base without such tests has none that could break
        none = Ran(Report(call.tool))
        before = await self._runs(whole(call), base, "base", BASELINE) if is_known else (none, none)
        after = await self._run(whole(call), head, "head", 0)
        reports = [each.report for each in before]
        again: list[list[Report]] = [[], []]
        names = suspects(reports, after.report)
        if names:
            chosen = Selection(ids=names)
            sides = ((base, "base"), (head, "head")) if is_known else ((head, "head"),)
            again = [await self._again(call, each, chosen, side) for each, side in sides]
            again = again if is_known else [[], *again]
        return SuiteOutcome(call, compare(reports, after.report, *again), after)

    async def _again(self, call: Call, tree: Tree, chosen: Selection, side: str) -> list[Report]:
        """Runs of what broke; those that came to no result say nothing."""
        few = narrowed(call, chosen, await asyncio.to_thread(Sources, tree.path)) or whole(call)
        runs = [await self._run(few, tree, side, number) for number in range(BASELINE, BASELINE + AGAIN)]
        return [each.report for each in runs if not each.report.fault]

    async def _checked(self, call: Call, base: Tree, head: Tree, moved: Mapping[str, str] | None) -> CheckOutcome:
        before = (await self._run(whole(call), base, "base", 0)).report
        after = await self._run(whole(call), head, "head", 0)
        if after.report.fault:
            return CheckOutcome(call, fault=after.report.fault, is_new=not before.fault, output=after.output)
        if before.fault:
            # all that the head has would look new
            return CheckOutcome(call, fault=f"The base could not be checked. {before.fault}", output=after.output)
        lines = [_lines(await asyncio.to_thread(Sources, tree.path)) for tree in (base, head)]
        found = new_findings(before, after.report, lines[0], lines[1], moved)
        return CheckOutcome(call, found, output=after.output)

    async def _runs(self, call: Call, tree: Tree, side: str, times: int) -> tuple[Ran, ...]:
        return tuple([await self._run(call, tree, side, number) for number in range(times)])

    async def _run(self, call: Call, tree: Tree, side: str, number: int) -> Ran:
        found = self.kept.find(call, tree, number)
        if found and number == 0:
            counted = {"tests": len(found.report.tests), "broken": len(found.report.broken), "kept": True}
            await self.tell(Progress("ended", call.tool, call.folder, side, {**counted, "output": found.output}))
        if found:
            return found
        ran = await run(call, tree, self.bench, self.tell, side)
        self.kept.keep(call, tree, number, ran)
        return ran


def _lines(sources: Sources) -> Lines:
    return lambda path: sources.text(path).splitlines()


def _key(call: Call) -> tuple[str, str]:
    return call.tool, call.folder


def _known(tree: Tree) -> set[tuple[str, str]]:
    """The tests that a tree has by its own configuration."""
    sources = Sources(tree.path)
    try:
        said = instructions.read(sources)
    except BadInstructions:
        said = instructions.Instructions()
    return {_key(call) for call in choose(sources, replace(said, lints=())).tests}
