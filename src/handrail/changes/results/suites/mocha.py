"""Mocha's `--reporter json`."""

from __future__ import annotations

from typing import Any

from handrail.changes.results.model import Case, Outcome, Output, Report, faulty, suite
from handrail.changes.results.reading import Unreadable, brief, json_in, mapping, number_of, objects, text_of


def parse(tool: str, output: Output) -> Report:
    """A hook that failed is a test that could not be run."""
    try:
        report = json_in(output.text, having="stats")
    except Unreadable as error:
        return faulty(tool, str(error), output)
    pending = {_id(output, each) for each in objects(report.get("pending"))}
    failed = {_id(output, each): each for each in objects(report.get("failures"))}
    tests: list[Case] = []
    for each in objects(report.get("tests")):
        name = _id(output, each)
        outcome = Outcome.skipped if name in pending else Outcome.failed if name in failed else Outcome.passed
        tests.append(_test(output, each, outcome))
    known = {test.id for test in tests}
    tests.extend(_test(output, each, Outcome.errored) for name, each in failed.items() if name not in known)
    return suite(tool, tests, output)


def _test(output: Output, each: dict[str, Any], outcome: Outcome) -> Case:
    message = brief(text_of(mapping(each.get("err")).get("message")))
    around = text_of(each.get("fullTitle")).removesuffix(text_of(each.get("title"))).strip()
    group = f"{output.relative(text_of(each.get('file')))}::{around}"
    return Case(_id(output, each), outcome, group, message, number_of(each.get("duration")) / 1000)


def _id(output: Output, each: dict[str, Any]) -> str:
    return f"{output.relative(text_of(each.get('file')))}::{text_of(each.get('fullTitle'))}"
