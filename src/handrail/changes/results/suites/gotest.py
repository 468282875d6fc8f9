"""`go test -json`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from handrail.changes.results.model import BROKEN, Case, Outcome, Output, Report, suite
from handrail.changes.results.reading import brief, json_lines, number_of, text_of

_ENDS = {"pass": Outcome.passed, "fail": Outcome.failed, "skip": Outcome.skipped}


def parse(tool: str, output: Output) -> Report:
    """A test that began and never ended, and a package that failed without a test, could not be run."""
    return suite(tool, _tests(output.text), output)


def _tests(text: str) -> Iterator[Case]:
    ended: dict[tuple[str, str], tuple[Outcome, float]] = {}
    begun: dict[tuple[str, str], None] = {}
    said: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    builds: dict[str, str] = {}
    for event in json_lines(text):
        key = (text_of(event.get("Package")) or text_of(event.get("ImportPath")), text_of(event.get("Test")))
        action = text_of(event.get("Action"))
        if action in _ENDS:
            ended[key] = (_ENDS[action], number_of(event.get("Elapsed")))
            builds[key[0]] = text_of(event.get("FailedBuild"))
        elif action == "run":
            begun[key] = None
        elif action in {"output", "build-output"}:
            said[key].append(text_of(event.get("Output")))
    begun.update(dict.fromkeys(ended))
    broken = {
        package for (package, test) in begun if test and ended.get((package, test), (Outcome.errored,))[0] in BROKEN
    }
    for package, test in begun:
        outcome, seconds = ended.get((package, test), (Outcome.errored, 0.0))
        if test or (outcome in BROKEN and package not in broken):
            build = said[builds.get(package, ""), ""] if not test else []
            message = brief("".join((*build, *said[package, test]))) if outcome is not Outcome.passed else ""
            yield Case(
                f"{package}.{test}" if test else package,
                outcome if test else Outcome.errored,
                f"{package}.{test.partition('/')[0]}" if test else package,
                message,
                seconds,
            )
