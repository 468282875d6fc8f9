"""Comments and attributes in added lines that silence a linter, a type checker, a scanner or coverage."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from handrail.changes.verifying.change import File
from handrail.changes.verifying.model import Finding, Verdict

_SILENCING = re.compile(
    r"#\s*(noqa|type:\s*ignore|pyright:\s*(ignore|basic|off)|nosec|pragma:\s*no\s*cover|pylint:\s*disable|mypy:\s*ignore"
    r"|ruff:\s*noqa|flake8:\s*noqa)|(//|/\*)\s*(eslint-disable|@ts-(ignore|expect-error|nocheck)|istanbul\s+ignore"
    r"|c8\s+ignore|v8\s+ignore|biome-ignore|nolint|NOLINT|NOSONAR|noinspection)|#!?\[allow\(|@SuppressWarnings"
    r"|#pragma\s+warning\s+disable|\[(SuppressMessage|ExcludeFromCodeCoverage)"
)
_CODE = re.compile(r"\.(pyi?|[cm]?[jt]sx?|java|kt|cs|go|rs|c|cc|cpp|cxx|h|hpp)$")


def find(file: File) -> Iterator[Finding]:
    if not _CODE.search(file.path):
        return
    gone = Counter(match.group() for line in file.removed if (match := _SILENCING.search(line.text)))
    for line in file.added:
        match = _SILENCING.search(line.text)
        if match is None:
            continue
        if gone[match.group()] > 0:
            gone[match.group()] -= 1
            continue
        what = f"`{match.group()}` was added."
        yield Finding("suppression_added", file.path, line.number, what, "It silences a check here.", Verdict.unsure)
