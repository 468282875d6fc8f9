"""What tests, linters and type checkers said of both trees, as checks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from handrail.changes.results.comparing import Comparison
from handrail.changes.running.judging import CheckOutcome, SuiteOutcome
from handrail.changes.verifying.model import Check, Finding, Verdict, judged, skipped
from handrail.core.wording import counted

TESTS, BASE_TESTS, LINT = "tests", "base_tests", "lint"
_MOST = 50


def tests(ran: Sequence[SuiteOutcome]) -> Check:
    """No new failures; tests that are missing, newly skipped or flaky and worse are for a person."""
    if not ran:
        return Check(TESTS, Verdict.unsure, "The repository has no tests that could be run.")
    findings = [finding for each in ran for finding in _compared(each.comparison, each.call.tool)]
    total = sum(len(each.head.report.tests) for each in ran)
    mended = sum(len(each.comparison.mended) for each in ran)
    clean = f"{counted(total, 'test')} ran and nothing broke; {mended} that failed before pass now."
    return judged(
        TESTS, findings, clean=clean, words=f"{counted(len(findings), 'test')} got worse, of {total} that ran."
    )


def base_tests(
    ran: Sequence[SuiteOutcome], now: Sequence[SuiteOutcome] = (), *, is_needed: bool, is_announced: bool = False
) -> Check:
    """The base's own tests, run against the new code: what they proved still holds, and one that failed is not made to
    pass by editing it (`now` are the tests as the change has them). It is needed where the change edits, moves or
    deletes some. Where the plan announced that all of those expect something else now, that they fail is for a person.
    """
    if not ran and is_needed:
        words = "The change edits tests, and those of the base did not run on the new code."
        return Check(BASE_TESTS, Verdict.unsure, words)
    if not ran:
        return skipped(BASE_TESTS, "No test of the base was changed, so the suite has run them all.")
    why = "The test as it was before the change fails on the new code."
    verdict = Verdict.unsure if is_announced else Verdict.failed
    findings = [
        Finding("old_test_broken", "", 0, f"{each.call.tool}: {test}", why, verdict)
        for each in ran
        for test in each.comparison.broken[:_MOST]
    ]
    why = "It failed before, and as it was it still does: the test was changed, not what it tests."
    findings += [
        Finding("edited_to_pass", "", 0, f"{each.call.tool}: {test}", why, verdict)
        for each in ran
        for test in each.comparison.still_broken[:_MOST]
        if test in _silenced(each, now)
    ]
    for each in ran:
        if each.comparison.fault:
            findings.append(Finding("not_run", "", 0, each.comparison.fault, "Nothing is known.", Verdict.unsure))
    words = f"{counted(len(findings), 'test')} of the base do not pass on the new code."
    return judged(BASE_TESTS, findings, clean="The base's own tests pass on the new code.", words=words)


def _silenced(tested: SuiteOutcome, now: Sequence[SuiteOutcome]) -> set[str]:
    """Tests of the same call that do not fail as the change has them: they pass, are skipped or are gone."""
    same = [each for each in now if (each.call.tool, each.call.folder) == (tested.call.tool, tested.call.folder)]
    found = [each.comparison for each in same]
    return {test for each in found for test in (*each.mended, *each.newly_skipped, *each.missing)}


def lint(ran: Sequence[CheckOutcome]) -> Check:
    """No new findings of the repository's own linters and type checkers."""
    if not ran:
        return skipped(LINT, "The repository has no linter or type checker that could be run.")
    findings = [finding for each in ran for finding in _new(each)]
    tools = ", ".join(dict.fromkeys(each.call.tool for each in ran))
    words = f"{counted(len(findings), 'new finding')} of {tools}."
    return judged(LINT, findings, clean=f"Nothing new from {tools}.", words=words)


def _compared(found: Comparison, tool: str) -> Iterator[Finding]:
    if found.fault:
        yield Finding("not_run", "", 0, f"{tool}: {found.fault}", "Without a result, nothing is proved.")
    for test in found.broken:
        yield Finding("test_broken", "", 0, f"{tool}: {test}", "It did not fail on the base.")
    for rule, tests, why in (
        ("test_missing", found.missing, "It ran on the base and does not run now."),
        ("test_skipped", found.newly_skipped, "It ran on the base and is skipped now."),
        (
            "test_flaky",
            [each.id for each in found.flaky if each.is_worse],
            "It fails at times, more often than before.",
        ),
    ):
        yield from (Finding(rule, "", 0, f"{tool}: {test}", why, Verdict.unsure) for test in tests)


def _new(checked: CheckOutcome) -> Iterator[Finding]:
    tool = checked.call.tool
    if checked.fault:
        verdict = Verdict.failed if checked.is_new else Verdict.unsure
        yield Finding("not_run", "", 0, f"{tool}: {checked.fault}", "Nothing is known of new findings.", verdict)
    for each in checked.new:
        yield Finding(each.rule, each.path, each.line, f"{tool}: {each.message}", "The base does not have it.")
