"""When a request is met: each criterion is checked by something that can be counted, or is listed for a person."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from handrail.changes.results.model import BROKEN, Case, Outcome
from handrail.changes.verifying.model import Check, Finding, Verdict, judged, skipped
from handrail.core.wording import counted

NAME = "criteria"
Kind = Literal["test", "file", "no_file", "endpoint", "person"]
_QUOTED = re.compile(r"`([^`]{1,300})`")
_ENDPOINT = re.compile(r"(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) (/\S*)")
_GONE = re.compile(r"\b(is|are|was) (removed|deleted|gone)\b|\bno longer exists\b", re.IGNORECASE)
_THERE = re.compile(r"\b(exists?|(is|was) (added|created))\b", re.IGNORECASE)
_PASSES = re.compile(r"\b(pass(es)?|succeeds?|is green)\b", re.IGNORECASE)


class Criterion(NamedTuple):
    text: str
    kind: Kind = "person"
    target: str = ""
    """The test, path or endpoint that it is checked by."""


@dataclass(frozen=True)
class Knowledge:
    """What criteria are checked against."""

    tests: Sequence[Case] = ()
    """Of the head."""
    has_file: Callable[[str], bool] | None = None
    has_endpoint: Callable[[str, str], bool] | None = None
    """By method and path. Where nobody can tell, what depends on it is for a person."""


def understood(text: str) -> Criterion:
    """A sentence as a check where it says no more than that: one name in backticks, and what is to be true of it.
    Anything else is for a person."""
    names = _QUOTED.findall(text)
    if len(names) != 1 or len(text) > len(names[0]) + 40:
        return Criterion(text)
    name = names[0].strip()
    if _ENDPOINT.fullmatch(name) and _THERE.search(text):
        return Criterion(text, "endpoint", name)
    if _PASSES.search(text) and not re.search(r"\b(not|no|without|unless)\b", text, re.IGNORECASE):
        return Criterion(text, "test", name)
    if "/" in name or "." in name:
        if _GONE.search(text):
            return Criterion(text, "no_file", name)
        if _THERE.search(text) and "not" not in text:
            return Criterion(text, "file", name)
    return Criterion(text)


def check(criteria: Iterable[Criterion], known: Knowledge) -> Check:
    """What is for a person does not fail; it is listed so that nobody takes it for checked."""
    every = tuple(criteria)
    if not every:
        return skipped(NAME, "The request has no criteria.")
    findings = [finding for each in every if (finding := _judge(each, known))]
    people = sum(finding.rule == "for_a_person" for finding in findings)
    met = f"{len(every) - len(findings)} of {counted(len(every), 'criterion', 'criteria')}"
    words = f"{met} checked and met; {people} for a person."
    return judged(NAME, findings, clean=words, words=words)


def _judge(criterion: Criterion, known: Knowledge) -> Finding | None:
    text, kind, target = criterion
    if kind == "test":
        return _test(criterion, known.tests)
    if kind == "endpoint" and known.has_endpoint is not None:
        method, _, path = target.partition(" ")
        is_met, why = known.has_endpoint(method, path), f"The code has no endpoint {target}."
    elif kind == "file" and known.has_file is not None:
        is_met, why = known.has_file(target), f"There is no file {target}."
    elif kind == "no_file" and known.has_file is not None:
        is_met, why = not known.has_file(target), f"The file {target} is still there."
    else:
        return Finding("for_a_person", "", 0, text, "Only a person can tell.", Verdict.unsure)
    return None if is_met else Finding("not_met", "", 0, text, why)


def _test(criterion: Criterion, tests: Sequence[Case]) -> Finding | None:
    target = criterion.target
    same = [
        test for test in tests if target in (test.id, test.group) or test.id.endswith((f"::{target}", f".{target}"))
    ]
    if not same:
        return Finding("for_a_person", "", 0, criterion.text, f"No test is called {target}.", Verdict.unsure)
    broken = [test.id for test in same if test.outcome in BROKEN]
    if broken:
        return Finding("not_met", "", 0, criterion.text, f"{broken[0]} does not pass.")
    if all(test.outcome is Outcome.skipped for test in same):
        return Finding("not_met", "", 0, criterion.text, f"{same[0].id} was skipped.")
    return None
