"""`dotnet test --logger trx`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element

from handrail.changes.results.model import Case, Outcome, Output, Report, faulty, suite
from handrail.changes.results.reading import Unreadable, brief, number_of, xml_files

_OUTCOMES = {
    "Passed": Outcome.passed, "Failed": Outcome.failed, "NotExecuted": Outcome.skipped, "Inconclusive": Outcome.skipped,
    "Pending": Outcome.skipped,
}  # fmt: skip
_TIME = re.compile(r"(\d+):(\d+):([\d.]+)")


def parse(tool: str, output: Output) -> Report:
    try:
        tests = [case for root in xml_files(output.files) for case in _tests(root)]
    except Unreadable as error:
        return faulty(tool, str(error), output)
    return suite(tool, tests, output)


def _tests(root: Element) -> Iterator[Case]:
    classes = {
        definition.get("id"): method.get("className") or ""
        for definition in root.iterfind(".//{*}UnitTest")
        if (method := definition.find("{*}TestMethod")) is not None
    }
    for result in root.iterfind(".//{*}UnitTestResult"):
        name, around = result.get("testName") or "", classes.get(result.get("testId"), "")
        full = name if not around or name.startswith(f"{around}.") else f"{around}.{name}"
        outcome = _OUTCOMES.get(result.get("outcome") or "", Outcome.errored)
        message = result.findtext(".//{*}ErrorInfo/{*}Message") or ""
        yield Case(full, outcome, full.partition("(")[0], brief(message), _seconds(result.get("duration") or ""))


def _seconds(duration: str) -> float:
    time = _TIME.fullmatch(duration)
    return int(time[1][:6]) * 3600 + int(time[2][:6]) * 60 + number_of(time[3]) if time else 0.0
