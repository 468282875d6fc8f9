"""The JSON of jest and vitest, which agree on it."""

from __future__ import annotations

from collections.abc import Iterator

from handrail.changes.results.model import Case, Outcome, Output, Report, faulty, suite
from handrail.changes.results.reading import Unreadable, brief, json_in, number_of, objects, strings, text_of

_OUTCOMES = {"passed": Outcome.passed, "failed": Outcome.failed}


def parse(tool: str, output: Output) -> Report:
    """From the report file, or from stdout. A file that failed without a test of its own could not be run."""
    written = [data.decode("utf-8", "replace") for _, data in sorted(output.files.items())]
    try:
        report = json_in(written[0] if written else output.text, having="testResults")
    except Unreadable as error:
        return faulty(tool, str(error), output)
    return suite(tool, _tests(report.get("testResults"), output), output)


def _tests(results: object, output: Output) -> Iterator[Case]:
    for each in objects(results):
        path = output.relative(text_of(each.get("name")))
        cases = objects(each.get("assertionResults"))
        for case in cases:
            around = " > ".join(title for title in strings(case.get("ancestorTitles")) if title)
            name = " > ".join(part for part in (around, text_of(case.get("title"))) if part)
            outcome = _OUTCOMES.get(text_of(case.get("status")), Outcome.skipped)
            message = brief("\n".join(strings(case.get("failureMessages"))))
            yield Case(f"{path}::{name}", outcome, f"{path}::{around}", message, number_of(case.get("duration")) / 1000)
        if text_of(each.get("status")) == "failed" and not any(case.get("status") == "failed" for case in cases):
            yield Case(path, Outcome.errored, path, brief(text_of(each.get("message"))))
