"""What is run on a tree: what its own instructions name, else what its files call for."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from handrail.changes.environments.instructions import PATH, Instructions, Run
from handrail.changes.environments.sources import Sources
from handrail.changes.running import formatting
from handrail.changes.running.model import Call, Kind, Selection
from handrail.changes.running.tools import CHECKERS, RUNNERS


@dataclass(frozen=True, slots=True)
class Choice:
    tests: tuple[Call, ...]
    checks: tuple[Call, ...]
    notes: tuple[str, ...] = ()
    formats: tuple[Call, ...] = ()

    def as_data(self) -> dict[str, Any]:
        tests, checks = ([whole(each).as_data() for each in calls] for calls in (self.tests, self.checks))
        formats = [each.as_data() for each in self.formats]
        return {"tests": tests, "checks": checks, "formats": formats, "notes": list(self.notes)}


def choose(sources: Sources, instructions: Instructions) -> Choice:
    """Where no tests are found, a note says so: a change without tests is for people to judge."""
    tests = [_called(each, "tests") for each in instructions.tests]
    checks = [_called(each, CHECKERS[each.tool].kind) for each in instructions.lints]
    if not tests:
        tests = [call for runner in RUNNERS.values() for call in runner.find(sources)]
    if not checks:
        checks = [call for checker in CHECKERS.values() for call in checker.find(sources)]
    notes = () if tests else (f"No tests were found. If there are any, say in {PATH} how to run them.",)
    return Choice(tuple(tests), tuple(checks), notes, tuple(formatting.find(sources)))


def _called(run: Run, kind: Kind) -> Call:
    return Call(run.tool, kind, run.folder, run.command, PATH, run.reports, timeout=run.timeout)


def whole(call: Call) -> Call:
    """The call as it is made, so that its results can be read. A line for a shell is left as it is: it must write the
    reports that it names."""
    if call.kind != "tests":
        checker = CHECKERS[call.tool]
        return _readable(call, checker.flags, checker.reports)
    runner = RUNNERS[call.tool]
    told = call.why == PATH
    return _readable(call if told else call.adding(*runner.whole), runner.flags, runner.reports)


def narrowed(call: Call, chosen: Selection, sources: Sources) -> Call | None:
    """The same for some tests alone; None where the runner cannot, or has none of them."""
    runner = RUNNERS[call.tool]
    found = None if call.command.is_shell else runner.select(call, chosen, sources)
    return found and _readable(found, runner.flags, runner.reports)


def measured(call: Call, sources: Sources) -> Call | None:
    """The whole call, so that it also says which lines were run; None where it cannot."""
    found = None if call.command.is_shell else RUNNERS[call.tool].measure(call, sources)
    return found and whole(found)


def _readable(call: Call, flags: tuple[str, ...], reports: tuple[str, ...]) -> Call:
    if call.command.is_shell:
        return call
    return replace(call.adding(*flags), reports=call.reports or reports)
