"""Fail-to-pass: new tests fail on the base's code and pass on the head's, so that they show what the change does.

Run what `overlays.new_tests_on_base` says, with the same calls, and judge the reports here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from handrail.changes.results.model import BROKEN, Outcome, Report
from handrail.changes.running.judging import SuiteOutcome
from handrail.changes.verifying.model import Check, Finding, Verdict, judged, skipped
from handrail.core.wording import counted

NAME = "fail_to_pass"
_NOTHING = "No test fails on the base and passes now."


class Proof(NamedTuple):
    """New tests, by how they end on the base's code."""

    failing: tuple[str, ...]
    unloaded: tuple[str, ...]
    """Their file cannot be loaded or built there: what they use does not exist yet."""
    passing: tuple[str, ...]
    unknown: tuple[str, ...]


def new_tests(tested: SuiteOutcome) -> tuple[str, ...]:
    """Tests that only the head has, and that pass there."""
    passed = {
        key for test in tested.head.report.tests if test.outcome is Outcome.passed for key in (test.id, test.group)
    }
    return tuple(test for test in tested.comparison.added if test in passed)


def show(new: Sequence[str], overlaid: Report | None) -> Proof:
    """`overlaid` is what the same call reported for the head's tests on the base's code."""
    found: dict[str, list[str]] = {"failing": [], "unloaded": [], "passing": [], "unknown": []}
    for test in new:
        found[_ending(test, overlaid)].append(test)
    return Proof(*(tuple(found[name]) for name in Proof._fields))


def check(
    tested: Sequence[SuiteOutcome],
    overlaid: Mapping[tuple[str, str], Report],
    *,
    required: bool,
    is_inline: bool = False,
) -> Check:
    """`overlaid` has the reports by tool and folder; `required` where the request asks for tests; `is_inline` where new
    tests stand in the files that they test, and so cannot be run on the base."""
    shown = [show(new_tests(each), overlaid.get((each.call.tool, each.call.folder))) for each in tested]
    mended = [test for each in tested for test in each.comparison.mended]
    proving = [*mended, *(test for each in shown for test in (*each.failing, *each.unloaded))]
    findings = [
        Finding("passes_on_base", "", 0, test, "It passes without the change, so it does not show it.", Verdict.unsure)
        for each in shown
        for test in each.passing
    ]
    findings += [
        Finding("not_shown", "", 0, test, "It did not run on the base, so it shows nothing yet.", Verdict.unsure)
        for each in shown
        for test in each.unknown
    ]
    if not proving and required and not is_inline:
        why = "Nothing shows that the change does what it should."
        findings.append(Finding("no_proof", "", 0, _NOTHING, why))
    if not proving and not findings:
        return skipped(NAME, "The change has no new tests, and the request asks for none.")
    passing = "passes" if len(proving) == 1 else "pass"
    clean = f"{counted(len(proving), 'test')} failed on the base and {passing} now." if proving else _NOTHING
    unloaded = sum(len(each.unloaded) for each in shown)
    if unloaded:
        clean += f" {unloaded} of them could not be loaded on the base: what they use is new."
    return judged(NAME, findings, clean=clean, words=clean)


def _ending(test: str, overlaid: Report | None) -> str:
    if overlaid is None:
        return "unknown"
    same = [case for case in overlaid.tests if test in (case.id, case.group)]
    if any(case.outcome in BROKEN for case in same):
        return "failing"
    if any(case.outcome is Outcome.passed for case in same):
        return "passing"
    if same:
        return "unknown"
    errored = [case.id for case in overlaid.tests if case.outcome is Outcome.errored]
    return "unloaded" if overlaid.fault or any(_covers(each, test) for each in errored) else "unknown"


def _covers(errored: str, test: str) -> bool:
    """Whether an error is about the file or package of a test: `tests/test_a.py` of `tests/test_a.py::test_b`, or
    `tests.test_a` of `tests.test_a::test_b`."""
    name = errored.removesuffix(".py").replace("/", ".").strip(":. ")
    return bool(name) and test.removesuffix(".py").replace("/", ".").replace(".py::", "::").startswith(name)
