"""Which findings are new: by rule, file and the text of the line, so that a line that only moved is not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from handrail.changes.results.model import Finding, Report

Lines = Callable[[str], Sequence[str]]
"""The lines of a file of one tree; none where it has no such file."""


def new_findings(
    base: Report, head: Report, base_lines: Lines, head_lines: Lines, moved: Mapping[str, str] | None = None
) -> tuple[Finding, ...]:
    """Findings of `head` that `base` has not, in their order. A rule that a line of the same text broke once before and
    twice now has one new finding. `moved` says what a file was called in the base."""
    known = Counter(_key(finding, base_lines(finding.path), finding.path) for finding in base.findings)
    found: list[Finding] = []
    for finding in head.findings:
        key = _key(finding, head_lines(finding.path), (moved or {}).get(finding.path, finding.path))
        if known[key] > 0:
            known[key] -= 1
        else:
            found.append(finding)
    return tuple(found)


def _key(finding: Finding, lines: Sequence[str], path: str) -> tuple[str, str, str]:
    here = lines[finding.line - 1].strip() if 0 < finding.line <= len(lines) else finding.message
    return finding.rule, path, here
