"""How much of the changed code tests have run, by the lines of a coverage report."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any
from xml.etree import ElementTree

from handrail.changes.results.reading import Unreadable, line_of, mapping, text_of, xml
from handrail.changes.verifying.change import Change, File
from handrail.changes.verifying.integrity.places import is_test
from handrail.changes.verifying.model import Check, Finding, Verdict, skipped
from handrail.codegraph.languages import language_of
from handrail.core.wording import counted

NAME = "coverage"
THRESHOLD = 0.8

Lines = dict[int, bool]


@dataclass(frozen=True)
class Coverage:
    """Whether a measured line was run, by path as the report has it."""

    files: Mapping[str, Lines] = field(default_factory=dict[str, Lines])

    def of(self, path: str) -> Lines | None:
        """None where it was not measured. Reports may have longer paths, or shorter ones below a source folder."""
        same = self.files.get(path)
        if same is not None:
            return same
        ends = [f for name, f in self.files.items() if name.endswith(f"/{path}") or path.endswith(f"/{name}")]
        return ends[0] if len(ends) == 1 else None

    def shares(self) -> dict[str, float]:
        """The covered share of each file."""
        return {path: sum(lines.values()) / len(lines) for path, lines in self.files.items() if lines}


def read(data: bytes, root: str = "") -> Coverage:
    """coverage.py's XML or JSON, Cobertura's XML, or lcov. `root` is the folder that it was measured in, as the tests
    saw it. Raises Unreadable."""
    start = data.lstrip()[:1]
    if start == b"<":
        files = _cobertura(xml(_without_type(data)))
    elif start == b"{":
        files = _json(data)
    else:
        files = _lcov(data.decode("utf-8", "replace"))
    prefix = f"{root.rstrip('/')}/" if root else ""
    found: dict[str, Lines] = {}
    for path, lines in files:
        known = found.setdefault(path.replace("\\", "/").removeprefix(prefix).removeprefix("./"), {})
        for number, hit in lines.items():
            known[number] = known.get(number, False) or hit
    if not found:
        raise Unreadable("The coverage report names no file.")
    return Coverage(found)


def check(change: Change, coverage: Coverage | None, threshold: float = THRESHOLD) -> Check:
    """Of the changed lines that can be run, the share that was. Lines that no report measures do not count; a file of
    code that none measures is named."""
    if coverage is None:
        return skipped(NAME, "There is no coverage report, so it is not known which changed lines were run.")
    measured = run = 0
    missed: list[Finding] = []
    unmeasured: list[Finding] = []
    for file in change.files:
        lines = coverage.of(file.path)
        if lines is None:
            unmeasured += _unmeasured(file)
            continue
        changed = [line.number for line in file.added if line.number in lines]
        measured += len(changed)
        run += sum(lines[number] for number in changed)
        missed += _missed(file.path, [number for number in changed if not lines[number]])
    if not measured and not unmeasured:
        return skipped(NAME, "No changed line can be measured.")
    share = run / measured if measured else 1.0
    words = f"{share:.0%} of {counted(measured, 'changed line')} that can be run were run; {threshold:.0%} are needed."
    verdict = Verdict.failed if share < threshold else Verdict.unsure if unmeasured else Verdict.passed
    return Check(NAME, verdict, words, (*missed, *unmeasured))


def _missed(path: str, numbers: list[int]) -> Iterator[Finding]:
    """Neighbouring lines together."""
    start = None
    for number, after in zip_longest(numbers, numbers[1:], fillvalue=0):
        start = number if start is None else start
        if after != number + 1:
            what = f"Line {start} was not run." if start == number else f"Lines {start} to {number} were not run."
            yield Finding("uncovered", path, start, what, "No test shows what they do.", Verdict.unsure)
            start = None


def _unmeasured(file: File) -> Iterator[Finding]:
    if file.after is not None and file.added and language_of(file.path) is not None and not is_test(file.path):
        what = f"{file.path} is in no coverage report."
        yield Finding("unmeasured", file.path, 0, what, "No test loaded it, or it is left out.", Verdict.unsure)


def _cobertura(root: ElementTree.Element) -> Iterator[tuple[str, Lines]]:
    """Paths are below one of the source folders; with one that is below the root, they are joined."""
    sources = [(each.text or "").rstrip("/") for each in root.iter("source")]
    folder = sources[0] if len(sources) == 1 and sources[0] not in {"", "."} else ""
    for each in root.iter("class"):
        name = each.get("filename", "")
        lines = {line_of(line.get("number")): line_of(line.get("hits")) > 0 for line in each.iter("line")}
        yield name if not folder or name.startswith("/") else f"{folder}/{name}", lines


def _json(data: bytes) -> Iterator[tuple[str, Lines]]:
    try:
        report = mapping(json.loads(data))
    except (ValueError, RecursionError):
        raise Unreadable("The coverage report is not JSON.") from None
    for path, file in mapping(report.get("files")).items():
        entry = mapping(file)
        if "executed_lines" in entry:
            lines = dict.fromkeys(_numbers(entry.get("executed_lines")), True)
            yield path, lines | dict.fromkeys(_numbers(entry.get("missing_lines")), False)
    for path, file in report.items():
        if "statementMap" in mapping(file):
            yield text_of(mapping(file).get("path")) or path, _istanbul(mapping(file))


def _istanbul(file: dict[str, Any]) -> Lines:
    hits = mapping(file.get("s"))
    found: Lines = {}
    for key, place in mapping(file.get("statementMap")).items():
        number = line_of(mapping(mapping(place).get("start")).get("line"))
        found[number] = found.get(number, False) or line_of(hits.get(key)) > 0
    return found


def _lcov(text: str) -> Iterator[tuple[str, Lines]]:
    path, lines = "", {}
    for line in text.splitlines():
        if line.startswith("SF:"):
            path, lines = line[3:].strip(), Lines()
        elif line.startswith("DA:"):
            number, _, hits = line[3:].partition(",")
            lines[line_of(number)] = line_of(hits.partition(",")[0]) > 0
        elif line.startswith("end_of_record") and path:
            yield path, lines
            path = ""


def _numbers(value: object) -> list[int]:
    return [each for each in value if isinstance(each, int)] if isinstance(value, list) else []  # pyright: ignore[reportUnknownVariableType]


def _without_type(data: bytes) -> bytes:
    """Cobertura's own reports begin with a document type that names a file on the web; it declares nothing."""
    start = data.find(b"<!DOCTYPE")
    end = data.find(b">", start)
    if start < 0 or b"[" in data[start:end]:
        return data
    return data[:start] + data[end + 1 :]
