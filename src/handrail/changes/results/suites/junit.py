"""JUnit's XML, as pytest, vitest, Maven Surefire and Gradle write it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element

from handrail.changes.results.model import Case, Outcome, Output, Report, faulty, suite
from handrail.changes.results.reading import Unreadable, brief, number_of, xml_files

_CASE = re.compile(r"\s*[\[({].*$", re.DOTALL)
_STOPPED = {2: "pytest was interrupted or could not collect", 3: "pytest itself failed", 4: "pytest was called wrongly"}


def parse(tool: str, output: Output) -> Report:
    """All report files together; one that cannot be read is a fault of the whole."""
    try:
        tests = [case for root in xml_files(output.files) for case in _tests(root)]
    except Unreadable as error:
        return faulty(tool, str(error), output)
    stopped = _STOPPED.get(output.exit_code, "") if tool == "pytest" else ""
    return suite(tool, tests, output, fault=f"{stopped}, so tests may be missing." if stopped else "")


def _tests(root: Element) -> Iterator[Case]:
    for case in root.iter("testcase"):
        where = case.get("classname") or case.get("file") or ""
        name = case.get("name") or ""
        outcome, message = _outcome(case)
        group = f"{where}::{_CASE.sub('', name) or name}"
        yield Case(f"{where}::{name}", outcome, group, brief(message), number_of(case.get("time")))


def _outcome(case: Element) -> tuple[Outcome, str]:
    for tag, outcome in (("failure", Outcome.failed), ("error", Outcome.errored), ("skipped", Outcome.skipped)):
        found = case.find(tag)
        if found is not None:
            return outcome, "\n".join(part for part in (found.get("message"), found.text) if part)
    return Outcome.passed, ""
