"""The check of test integrity, which people see first."""

from __future__ import annotations

from collections.abc import Iterator

from handrail.changes.verifying.change import Change, File, Side
from handrail.changes.verifying.integrity import comparing, places, reading, settings, suppressions
from handrail.changes.verifying.integrity.suite import Suite
from handrail.changes.verifying.model import Check, Finding, Verdict, judged
from handrail.changes.verifying.scope import Scope
from handrail.core.wording import counted

NAME = "test_integrity"


def check(change: Change, scope: Scope) -> Check:
    """Weaker tests fail, unless the plan says so for their file. Files that choose or judge the tests fail unless the
    plan names them; then a person has to look."""
    findings = [*_tests(change, scope)]
    for file in change.files:
        findings.extend(_settings(file, scope))
        findings.extend(suppressions.find(file))
    words = f"{counted(len(findings), 'finding')} about tests, or what judges them. Look at these first."
    return judged(NAME, findings, clean="No test, and nothing that judges tests, got weaker.", words=words)


def _tests(change: Change, scope: Scope) -> Iterator[Finding]:
    pairs: list[comparing.Pair] = []
    for file in change.files:
        old_path = file.old_path or file.path
        try:
            before, after = _suite(old_path, file.before), _suite(file.path, file.after)
        except reading.Unreadable as error:
            yield Finding("unreadable_test", file.path, 0, str(error), "Nothing can be said about its tests.")
            continue
        pairs.append(comparing.Pair(old_path if not after else file.path, before, after))
    yield from comparing.compare(pairs, scope.weakens)


def _suite(path: str, side: Side | None) -> Suite:
    """Of a file that is mainly code, functions that are no tests do not count."""
    is_test = places.is_test(path)
    if side is None or not side.data or not reading.is_known(path) or not (is_test or reading.has_tests_inside(path)):
        return {}
    if side.text is None:
        raise reading.Unreadable(f"{path} is no text in UTF-8.")
    suite = reading.read(path, side.text)
    return suite if is_test else {name: test for name, test in suite.items() if test.is_test}


def _settings(file: File, scope: Scope) -> Iterator[Finding]:
    verdict = Verdict.unsure if scope.allows(file.path) else Verdict.failed
    done = "was changed" if file.before and file.after else "was added" if file.after else "was removed"
    known = next((found for path in (file.path, file.old_path) if path and (found := places.special(path))), None)
    if known is not None:
        rule, what, why = known
        yield Finding(rule, file.path, _first_line(file), f"{file.path}, {what}, {done}.", why, verdict)
    elif file.before is not None and places.is_snapshot(file.old_path or file.path):
        why = "A snapshot is what a test expects: with another one, it proves something else."
        yield Finding(
            "snapshot_changed", file.path, _first_line(file), f"The snapshot {file.path} {done}.", why, verdict
        )
    elif file.before is not None and places.is_test_data(file.old_path or file.path):
        why = "Tests may expect what is in it."
        what = f"{file.path}, data of tests, {done}."
        yield Finding("test_data_changed", file.path, _first_line(file), what, why, Verdict.unsure)
    else:
        yield from _shared(file, verdict)


def _shared(file: File, verdict: Verdict) -> Iterator[Finding]:
    read = settings.concerning(file.path.rpartition("/")[2])
    if read is None or file.before is None:
        return
    why = "It decides which tests and checks run, and what counts."
    try:
        is_same = read(file.before.text or "") == read(file.after.text or "" if file.after is not None else "")
    except (ValueError, RecursionError):
        yield Finding("test_settings_changed", file.path, 0, f"{file.path} cannot be read.", why, verdict)
        return
    if not is_same:
        what = f"The part of {file.path} about tests and checks changed."
        yield Finding("test_settings_changed", file.path, _first_line(file), what, why, verdict)


def _first_line(file: File) -> int:
    lines = file.added or file.removed
    return lines[0].number if lines else 0
