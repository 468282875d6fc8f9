"""What `cargo test` prints; its JSON is not stable."""

from __future__ import annotations

import re

from handrail.changes.results.model import Case, Outcome, Output, Report, suite

_TARGET = re.compile(r"^\s+(?:Running (?:unittests )?(\S+)|Doc-tests (\S+))")
_RUNNING = re.compile(r"^running (\d{1,9}) tests?$")
_TEST = re.compile(r"^test (.+?)(?: - (?:should panic|compile fail|compile))? \.\.\. (ok|FAILED|ignored.*)$")
_LINE = re.compile(r" \(line \d+\)$")


class _Section:
    """The tests of one program: as many as it announced, or it did not come to its end."""

    def __init__(self, target: str, announced: int) -> None:
        self.target, self.announced = target, announced
        self.tests: list[tuple[str, str]] = []
        """Each with its end."""
        self.is_over = False


def parse(tool: str, output: Output) -> Report:
    """Cargo names the programs on stderr and they print their tests on stdout, in the same order."""
    sections = list(_sections(output.text))
    targets = _targets(output.stderr.decode("utf-8", "replace"))
    if len(targets) == len(sections):
        for section, target in zip(sections, targets, strict=True):
            section.target = section.target or target
    tests = [_test(section.target, *each) for section in sections for each in section.tests]
    short = [section for section in sections if len(section.tests) != section.announced or not section.is_over]
    if short:
        said = f"{short[0].target or 'A program'} announced {short[0].announced} tests and ended {len(short[0].tests)}."
        return suite(tool, tests, output, fault=said)
    return suite(tool, tests, output)


def _targets(text: str) -> list[str]:
    return [found[1] or found[2] for line in text.splitlines() if (found := _TARGET.match(line))]


def _sections(text: str) -> list[_Section]:
    """Of each only the lines before the first heading: what failed tests printed comes later, and may look alike."""
    target, section = "", None
    found: list[_Section] = []
    for line in text.splitlines():
        running = _RUNNING.match(line)
        if heading := _targets(line):
            target = heading[0]
        elif running:
            section = _Section(target, int(running[1]))
            found.append(section)
        elif section and line in {"failures:", "successes:"}:
            section.is_over = True
        elif section and line.startswith("test result:"):
            section.is_over, section = True, None
        elif section and not section.is_over and (test := _TEST.match(line)):
            section.tests.append((test[1], test[2]))
    return found


def _test(target: str, name: str, end: str) -> Case:
    """Tests in documentation are named by their line, which moves with every edit above it."""
    outcome = {"ok": Outcome.passed, "FAILED": Outcome.failed}.get(end, Outcome.skipped)
    name = "::".join(part for part in (target, _LINE.sub("", name)) if part)
    return Case(name, outcome, name)
